// SPDX-License-Identifier: Apache-2.0
//
// The edge table of the contract, one test a row, for any executor: EdgeTable is instantiated by edge_table_host_test.cpp,
// edge_table_simt_test.cpp and edge_table_cuda_test.cu. Each row holds on every schedule; schedules are type-erased here,
// so that a row does not compile seven times.
#pragma once

#include "matrices.hpp"
#include "schedules.hpp"
#include "trial.hpp"

#include <evenly/algorithm/spmv.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace tests {

inline constexpr float nan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float inf = std::numeric_limits<float>::infinity();

template <class Executor>
struct any_schedule {
  using edge_trial = trial<twelve_bytes, Executor>;
  std::string name;
  std::function<void(Executor const&, evenly::csr_view<float>, evenly::view<float>, evenly::view<float>,
                     evenly::spmv_options<float>)>
      spmv;
  std::function<verdict(edge_trial&)> reduce, ranges, visit;
};

/// Every schedule, with an option that makes many workers of few atoms.
template <class Executor>
std::vector<any_schedule<Executor>> const& erased_schedules() {
  using edge_trial = trial<twelve_bytes, Executor>;
  static auto const all = [] {
    std::vector<any_schedule<Executor>> list;
    auto const add = [&](auto schedule) {
      list.push_back({show(schedule) + " on " + Executor::name,
                      [=](Executor const& run, evenly::csr_view<float> A, evenly::view<float> x, evenly::view<float> y,
                          evenly::spmv_options<float> options) { evenly::spmv(run, A, x, y, schedule, options); },
                      [=](edge_trial& trial) { return trial.reduce(schedule); },
                      [=](edge_trial& trial) { return trial.ranges(schedule); },
                      [=](edge_trial& trial) { return trial.visit(schedule); }});
    };
    add(evenly::thread_mapped{}), add(evenly::group_mapped{3}), add(evenly::group_mapped{32}),
        add(evenly::group_mapped{64});
    add(evenly::group_dealt{.lanes = 8, .tiles = 5}), add(evenly::merge_path{3}), add(evenly::nonzero_split{3});
    return list;
  }();
  return all;
}

template <class Executor, class F>
void for_each_schedule(Executor const&, F&& f) {
  for (auto const& schedule : erased_schedules<Executor>()) {
    SCOPED_TRACE(schedule.name);
    f(schedule);
  }
}

/// y = alpha A x + beta y through every schedule; y as it was each time. check(y) looks at the result.
template <class Executor>
void for_each_product(Executor const& run, evenly::csr<float> const& A, std::vector<float> const& x,
                      std::vector<float> const& y, evenly::spmv_options<float> options,
                      std::function<void(std::vector<float> const&)> const& check) {
  device_matrix<float, int, int, Executor> const matrix(run, A);
  device_vector<float, Executor> const x_there(run, x);
  for_each_schedule(run, [&](auto const& schedule) {
    device_vector<float, Executor> const y_there(run, y);
    schedule.spmv(run, matrix.view(), view_of(x_there), view_of(y_there), options);
    run.wait();
    check(y_there.to_host());
  });
}

/// Rows with 0, 1 and many nonzeros of small whole numbers, so that sums are exact.
inline evenly::csr<float> whole_matrix() {
  auto A = random_matrix<float>({0, 1, 40, 0, 5, 100, 0}, 30);
  for (std::size_t i = 0; i < A.values.size(); ++i) A.values[i] = static_cast<float>(static_cast<int>(i % 7) - 3);
  return A;
}
inline std::vector<float> whole_vector(std::size_t size) {
  std::vector<float> x(size);
  for (std::size_t i = 0; i < size; ++i) x[i] = static_cast<float>(static_cast<int>(i % 5) - 2);
  return x;
}

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
void beta_zero_overwrites_y(Executor const& run) {
  auto const A = whole_matrix();
  auto const x = whole_vector(30);
  for (float old : {nan, inf, -inf, 7.0f})
    for (float alpha : {1.0f, 0.0f}) {
      std::vector<float> const y(A.offsets.size() - 1, old);
      for_each_product(run, A, x, y, {.alpha = alpha, .beta = 0.0f},
                       [&](auto const& result) { EXPECT_EQ(is_product(A, x, y, result, alpha, 0.0f), ""); });
      for_each_product(run, A, x, y, {.alpha = alpha, .beta = -0.0f},
                       [&](auto const& result) { EXPECT_EQ(is_product(A, x, y, result, alpha, 0.0f), ""); });
    }
}

template <class Executor>
void beta_nonzero_keeps_a_nan_of_y(Executor const& run) {
  auto const A = whole_matrix();
  std::vector<float> const y(A.offsets.size() - 1, nan);
  for (float beta : {1.0f, -2.5f, std::numeric_limits<float>::denorm_min()})
    for_each_product(run, A, whole_vector(30), y, {.alpha = 1, .beta = beta}, [&](auto const& result) {
      for (float value : result) EXPECT_TRUE(std::isnan(value));
    });
}

template <class Executor>
void alpha_zero_reads_neither_A_nor_x(Executor const& run) {
  auto A = whole_matrix();
  for (auto& value : A.values) value = nan;
  std::vector<float> const x(30, inf), y(A.offsets.size() - 1, 3.0f);
  for_each_product(run, A, x, y, {.alpha = 0, .beta = 2},
                   [&](auto const& result) { EXPECT_EQ(result, std::vector<float>(y.size(), 6.0f)); });
  for_each_product(run, A, x, y, {.alpha = 0, .beta = 0},
                   [&](auto const& result) { EXPECT_EQ(result, std::vector<float>(y.size(), 0.0f)); });
  // not even where they cannot be read
  device_vector<int, Executor> const offsets(run, A.offsets);
  device_vector<float, Executor> const y_there(run, y);
  evenly::csr_view<float> const unreadable(nullptr, offsets.data(), nullptr, A.shape, A.offsets.back());
  evenly::spmv(run, unreadable, evenly::view<float>(nullptr, 30), view_of(y_there), evenly::merge_path{},
               {.alpha = 0, .beta = 2});
  run.wait();
  EXPECT_EQ(y_there.to_host(), std::vector<float>(y.size(), 6.0f));
}

template <class Executor>
void stored_zero_times_inf_is_nan(Executor const& run) {
  evenly::csr<float> const A{{0, 1, 0, 1, 1}, {0, 2, 4, 5}, {0, 1, 2, 1, 1}, {3, 3}};
  std::vector<float> const x{inf, 5, nan}, y(3, 0.0f);
  for_each_product(run, A, x, y, {}, [](auto const& result) {
    EXPECT_TRUE(std::isnan(result[0]) && std::isnan(result[1]));
    EXPECT_EQ(result[2], 5.0f);  // nothing stored, nothing read
  });
}

template <class Executor>
void duplicates_are_summed(Executor const& run) {
  evenly::csr<float> const A{{1, 2, 4, 8, 16, 32}, {0, 4, 4, 6}, {1, 1, 0, 1, 2, 2}, {3, 3}};
  for_each_product(run, A, {1, 10, 100}, std::vector<float>(3, nan), {},
                   [](auto const& result) { EXPECT_EQ(result, (std::vector<float>{114, 0, 4800})); });
}

template <class Executor>
void unsorted_columns_are_accepted(Executor const& run) {
  evenly::csr<float> const A{{1, 2, 3, 4, 5}, {0, 3, 5}, {2, 0, 1, 1, 0}, {2, 3}};
  for_each_product(run, A, {1, 10, 100}, std::vector<float>(2, nan), {},
                   [](auto const& result) { EXPECT_EQ(result, (std::vector<float>{132, 45})); });
}

/// Arrays that hold more than belongs to the matrix: wild columns, offsets and values behind the last.
template <class Executor>
void entries_beyond_num_atoms_are_never_read(Executor const& run) {
  auto const A = whole_matrix();
  auto longer = A;
  for (int i = 0; i < 64; ++i)
    longer.columns.push_back(0x7FFFFFF0), longer.values.push_back(nan), longer.offsets.push_back(-1 - i);
  auto const x = whole_vector(30);
  device_vector<float, Executor> const values(run, longer.values), x_there(run, x);
  device_vector<int, Executor> const offsets(run, longer.offsets), columns(run, longer.columns);
  evenly::csr_view<float> const view(values.data(), offsets.data(), columns.data(), A.shape, A.offsets.back());
  for_each_schedule(run, [&](auto const& schedule) {
    device_vector<float, Executor> const y(run, A.offsets.size() - 1 + 4);
    schedule.spmv(run, view, view_of(x_there), evenly::view<float>(y.data(), A.shape.rows), {});
    run.wait();
    auto result = y.to_host();
    for (int i = 0; i < 4; ++i) {
      EXPECT_TRUE(std::isnan(result.back())) << "beyond y";
      result.pop_back();
    }
    EXPECT_EQ(is_product(A, x, {}, result, 1.0f, 0.0f), "");
  });
}

template <class Executor>
void pointers_aligned_only_to_their_element(Executor const& run) {
  auto const A = random_matrix<float>({0, 1, 40, 0, 5, 700, 0, 3}, 30);
  auto const x = random_vector<float>(30);
  for_each_schedule(run, [&](auto const& schedule) {
    for (std::size_t shift = 0; shift < 64; ++shift) {
      std::size_t const by[4] = {shift % 4, shift / 4 % 4, shift / 16 % 4, (shift + 1) % 4};
      auto const shifted = [](auto array, std::size_t places) {
        return array.insert(array.begin(), places, {}), array;
      };
      device_vector<float, Executor> const values(run, shifted(A.values, by[0])), x_there(run, shifted(x, by[3]));
      device_vector<int, Executor> const columns(run, shifted(A.columns, by[1])),
          offsets(run, shifted(A.offsets, by[2]));
      device_vector<float, Executor> const y(run, A.offsets.size() - 1 + by[3]);
      evenly::csr_view<float> const view(values.data() + by[0], offsets.data() + by[2], columns.data() + by[1], A.shape,
                                         A.offsets.back());
      schedule.spmv(run, view, evenly::view<float>(x_there.data() + by[3], 30),
                    evenly::view<float>(y.data() + by[3], A.shape.rows), {});
      run.wait();
      auto result = y.to_host();
      for (std::size_t i = 0; i < by[3]; ++i) EXPECT_TRUE(std::isnan(result[i]));
      result.erase(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(by[3]));
      ASSERT_EQ(is_product(A, x, {}, result, 1.0f, 0.0f), "") << "shift " << shift;
    }
  });
}

template <class Executor>
void y_that_meets_x_or_A_is_refused(Executor const& run) {
  // one stretch of memory from which all arrays are cut: 2 x 2, two nonzeros
  device_vector<std::int32_t, Executor> const memory(run,
                                                     std::vector<std::int32_t>{0, 1, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0});
  auto* const offsets = memory.data();
  auto* const columns = offsets + 3;
  auto* const values = reinterpret_cast<float*>(offsets + 5);
  auto* const x = values + 2;
  auto* const free = x + 2;
  evenly::csr_view<float> const A(values, offsets, columns, {2, 2}, 2);
  auto const refusal = [&](float* y) -> std::string {
    try {
      evenly::spmv(run, A, evenly::view<float>(x, 2), evenly::view<float>(y, 2), evenly::merge_path{});
    } catch (evenly::argument_error const& error) { return error.what(); }
    return "accepted";
  };
  auto const contains = [](std::string const& text, char const* words) {
    return text.find(words) != std::string::npos;
  };
  for (int shift : {-1, 0, 1}) {
    EXPECT_TRUE(contains(refusal(x + shift), "aliasing")) << shift;
    EXPECT_TRUE(contains(refusal(values + shift), "aliasing")) << shift;
    EXPECT_TRUE(contains(refusal(reinterpret_cast<float*>(columns + shift)), "aliasing")) << shift;
  }
  EXPECT_TRUE(contains(refusal(x), "y meets x"));
  EXPECT_TRUE(contains(refusal(values), "A's values"));
  EXPECT_TRUE(contains(refusal(reinterpret_cast<float*>(columns)), "A's columns"));
  EXPECT_TRUE(contains(refusal(reinterpret_cast<float*>(offsets)), "A's offsets"));
  EXPECT_TRUE(contains(refusal(reinterpret_cast<float*>(offsets + 1)), "A's offsets"));
  EXPECT_EQ(refusal(free), "accepted");  // neighbours that do not meet
}

template <class Executor>
void offsets_of_64_bits_with_columns_of_32(Executor const& run) {
  auto const A = random_matrix<float, std::int64_t, std::int32_t>({0, 1, 40, 0, 5, 1700, 0, 3}, 30);
  auto const x = random_vector<float>(30);
  device_matrix<float, std::int64_t, std::int32_t, Executor> const matrix(run, A);
  device_vector<float, Executor> const x_there(run, x);
  auto const multiply = [&](auto const& schedule) {
    device_vector<float, Executor> const y(run, 8);
    evenly::spmv(run, matrix.view(), view_of(x_there), view_of(y), schedule);
    run.wait();
    EXPECT_EQ(is_product(A, x, {}, y.to_host(), 1.0f, 0.0f), "") << show(schedule) << " on " << Executor::name;
  };
  multiply(evenly::merge_path{}), multiply(evenly::group_mapped{}), multiply(evenly::group_dealt{});
}

template <class Executor>
class EdgeTable : public ::testing::Test {
 public:
  Executor run{};
};
TYPED_TEST_SUITE_P(EdgeTable);

TYPED_TEST_P(EdgeTable, zero_tiles_atoms_rows_columns_and_null_pointers_succeed) {
  zero_tiles_atoms_rows_or_columns_and_null_pointers(this->run);
}
TYPED_TEST_P(EdgeTable, leading_trailing_and_all_empty_tiles_are_emitted_with_the_identity) {
  empty_tiles_are_emitted_with_the_identity(this->run);
}
TYPED_TEST_P(EdgeTable, one_tile_holding_all_atoms_or_spanning_any_number_of_workers_or_ending_on_a_border) {
  one_tile_over_any_number_of_workers(this->run);
}
TYPED_TEST_P(EdgeTable, beta_zero_overwrites_y_and_no_nan_of_the_old_y_survives) { beta_zero_overwrites_y(this->run); }
TYPED_TEST_P(EdgeTable, beta_nonzero_and_y_nan_is_nan) { beta_nonzero_keeps_a_nan_of_y(this->run); }
TYPED_TEST_P(EdgeTable, alpha_zero_reads_no_values_of_A_and_x) { alpha_zero_reads_neither_A_nor_x(this->run); }
TYPED_TEST_P(EdgeTable, stored_zero_times_inf_or_nan_is_nan) { stored_zero_times_inf_is_nan(this->run); }
TYPED_TEST_P(EdgeTable, duplicates_in_csr_are_summed) { duplicates_are_summed(this->run); }
TYPED_TEST_P(EdgeTable, unsorted_columns_in_a_row_are_accepted) { unsorted_columns_are_accepted(this->run); }
TYPED_TEST_P(EdgeTable, entries_of_an_index_array_beyond_num_atoms_are_never_read) {
  entries_beyond_num_atoms_are_never_read(this->run);
}
TYPED_TEST_P(EdgeTable, pointers_aligned_only_to_their_element_each_array_its_own_way) {
  pointers_aligned_only_to_their_element(this->run);
}
TYPED_TEST_P(EdgeTable, y_that_meets_x_or_the_arrays_of_A_is_refused) { y_that_meets_x_or_A_is_refused(this->run); }
TYPED_TEST_P(EdgeTable, offsets_of_64_bits_with_columns_of_32_are_right) {
  offsets_of_64_bits_with_columns_of_32(this->run);
}

REGISTER_TYPED_TEST_SUITE_P(EdgeTable, zero_tiles_atoms_rows_columns_and_null_pointers_succeed,
                            leading_trailing_and_all_empty_tiles_are_emitted_with_the_identity,
                            one_tile_holding_all_atoms_or_spanning_any_number_of_workers_or_ending_on_a_border,
                            beta_zero_overwrites_y_and_no_nan_of_the_old_y_survives, beta_nonzero_and_y_nan_is_nan,
                            alpha_zero_reads_no_values_of_A_and_x, stored_zero_times_inf_or_nan_is_nan,
                            duplicates_in_csr_are_summed, unsorted_columns_in_a_row_are_accepted,
                            entries_of_an_index_array_beyond_num_atoms_are_never_read,
                            pointers_aligned_only_to_their_element_each_array_its_own_way,
                            y_that_meets_x_or_the_arrays_of_A_is_refused,
                            offsets_of_64_bits_with_columns_of_32_are_right);

}  // namespace tests
