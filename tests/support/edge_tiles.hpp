// SPDX-License-Identifier: Apache-2.0
//
// Rows of the edge table that are about tiles and atoms, and that any set meets.
#pragma once

#include "edge_schedules.hpp"

#include <cstdint>
#include <vector>

namespace tests {

template <class Executor>
void zero_tiles_atoms_rows_or_columns_and_null_pointers(Executor const& run) {
  tests::trial<twelve_bytes, Executor> trial(run);
  for_each_schedule(run, [&](auto const& schedule) {
    for (auto const& sizes : {tile_sizes{}, tile_sizes{0}, tile_sizes{0, 0, 0}}) {
      EXPECT_EQ(schedule.reduce(trial.on(sizes)), "");
      EXPECT_EQ(schedule.ranges(trial.on(sizes)), "");
      EXPECT_EQ(schedule.visit(trial.on(sizes)), "");
    }
    // no rows, no columns: all pointers null
    evenly::csr_view<float> const nothing(nullptr, nullptr, nullptr, {0, 0}, 0);
    schedule.spmv(run, nothing, evenly::view<float>{}, evenly::view<float>{}, {});
    // columns but no rows
    evenly::csr_view<float> const no_rows(nullptr, nullptr, nullptr, {0, 9}, 0);
    device_vector<float, Executor> const x(run, std::vector<float>(9, 1.0f));
    schedule.spmv(run, no_rows, view_of(x), evenly::view<float>{}, {});
    // rows but no columns: null data, zero offsets, y emitted with the identity
    device_vector<int, Executor> const offsets(run, std::vector<int>(6, 0));
    device_vector<float, Executor> const y(run, std::vector<float>(5, nan));
    evenly::csr_view<float> const no_columns(nullptr, offsets.data(), nullptr, {5, 0}, 0);
    schedule.spmv(run, no_columns, evenly::view<float>{}, view_of(y), {});
    run.wait();
    EXPECT_EQ(y.to_host(), std::vector<float>(5, 0.0f));
  });
}

template <class Executor>
void empty_tiles_are_emitted_with_the_identity(Executor const& run) {
  tests::trial<twelve_bytes, Executor> trial(run);
  for_each_schedule(run, [&](auto const& schedule) {
    for (auto const& sizes : {detail::joined({detail::repeated(50, {0}), {3}}),
                              detail::joined({{3}, detail::repeated(50, {0})}), detail::repeated(100, {0}),
                              detail::joined({detail::repeated(9, {0}), {1, 0, 0, 90}, detail::repeated(9, {0})})}) {
      EXPECT_EQ(schedule.reduce(trial.on(sizes)), "");
      EXPECT_EQ(schedule.ranges(trial.on(sizes)), "");
    }
  });
}

template <class Executor>
void one_tile_over_any_number_of_workers(Executor const& run) {
  tests::trial<twelve_bytes, Executor> trial(run);
  for_each_schedule(run, [&](auto const& schedule) {
    // 3 steps or atoms a share, 32 lanes, 64 or 256 threads, staged blocks of about 700 atoms: just below, on and beyond
    for (std::int64_t size : {1, 2, 3, 4, 31, 32, 33, 63, 64, 65, 191, 192, 193, 256, 257, 703, 704, 705, 768, 5000})
      for (auto const& sizes : {tile_sizes{size}, tile_sizes{0, size, 0, 2}, tile_sizes{2, 3, size}}) {
        EXPECT_EQ(schedule.reduce(trial.on(sizes)), "");
        EXPECT_EQ(schedule.ranges(trial.on(sizes)), "");
      }
  });
}

template <class Executor>
void no_offset_behind_the_last_is_read(Executor const& run) {
  tile_sizes const sizes{0, 5, 0, 900, 3, 0};
  device_vector<int, Executor> const offsets(run, offsets_of<int>(sizes));
  for_each_schedule(run, [&](auto const& schedule) {
    device_vector<int, Executor> const strayed(run, 1);
    device_vector<std::int64_t, Executor> const sums(run, sizes.size());
    schedule.sizes(run, {offsets.data(), 6, 908, strayed.data()}, sums.data());
    run.wait();
    EXPECT_EQ(strayed.to_host().front(), -1);
    EXPECT_EQ(sums.to_host(), sizes);
  });
}

}  // namespace tests
