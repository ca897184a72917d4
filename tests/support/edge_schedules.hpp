// SPDX-License-Identifier: Apache-2.0
//
// What the rows of the edge table run: every schedule behind one type, so that a row does not compile seven times, and
// the bodies of layer (a), of a traversal and of a set that watches what it is asked.
#pragma once

#include "matrices.hpp"
#include "schedules.hpp"
#include "trial.hpp"

#include <evenly/algorithm/spmv.hpp>
#include <evenly/core/atomic.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace tests {

inline constexpr float nan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float inf = std::numeric_limits<float>::infinity();

/// A dense operand: element (i, j) lies at i row_stride + j column_stride.
struct dense {
  float* data;
  std::int64_t row_stride, column_stride;
  EVENLY_HD float& at(std::int64_t i, std::int64_t j) const { return data[i * row_stride + j * column_stride]; }
};
/// C = A B by layer (a), with a sink as wide as B.
template <class Rows, class Sink>
struct spmm_body {
  Rows rows;
  evenly::csr_view<float> A;
  dense B;
  int width;
  Sink C;
  template <evenly::worker Worker>
  EVENLY_HD void operator()(Worker const& me) const {
    for (auto row : rows.tiles(me))
      for (int column = 0; column < width; ++column) {
        float sum = 0;
        for (auto nz : row.atoms()) sum += A.value(nz) * B.at(A.column(nz), column);
        C.put(row, column, sum);
      }
  }
};
struct put_cell {
  dense C;
  EVENLY_HD void operator()(int row, int column, float sum) const { C.at(row, column) = sum; }
};

/// Bellman-Ford's step along one edge. A minimum with infinity reads a distance that others lower meanwhile.
struct relax {
  float* distance;
  int* changed;  // -1, or 1
  EVENLY_HD void operator()(int source, evenly::ignored, int target, float weight) const {
    float const through = evenly::atomic_min(distance + source, std::numeric_limits<float>::infinity()) + weight;
    if (through < evenly::atomic_min(distance + target, through)) evenly::atomic_max(changed, 1);
  }
};

/// A set that notes when it is asked for an offset that is not there.
struct noting_tiles {
  int const* offsets;
  int tiles, atoms;
  int* strayed;  // -1, or 1
  EVENLY_HD int num_tiles() const { return tiles; }
  EVENLY_HD int num_atoms() const { return atoms; }
  EVENLY_HD int tile_begin(int tile) const {
    if (tile >= 0 && tile <= tiles) return offsets[tile];
    evenly::atomic_max(strayed, 1);
    return atoms;
  }
};
struct one_each {
  EVENLY_HD std::int64_t operator()(int, int) const { return 1; }
};
struct put_sum {
  std::int64_t* sums;
  EVENLY_HD void operator()(int tile, std::int64_t sum) const { sums[tile] = sum; }
};

template <class Executor>
struct any_schedule {
  using edge_trial = trial<twelve_bytes, Executor>;
  using matrix = evenly::csr_view<float>;
  using vector = evenly::view<float>;
  std::string name;
  std::function<void(Executor const&, matrix, vector, vector, evenly::spmv_options<float>)> spmv;
  std::function<void(Executor const&, matrix, vector, vector, evenly::spmv_device_options<float>)> spmv_by_memory;
  std::function<verdict(edge_trial&)> reduce, ranges, visit;
  std::function<void(Executor const&, matrix, dense, int, dense)> spmm;
  std::function<void(Executor const&, matrix, relax)> relax_all;
  std::function<void(Executor const&, noting_tiles, std::int64_t*)> sizes;
};

template <class Executor, class Schedule>
void multiply_dense(Executor const& run, evenly::csr_view<float> A, Schedule const& schedule, dense B, int width,
                    dense C) {
  auto const plan = evenly::make_plan(run, A, schedule, static_cast<std::size_t>(width) * sizeof(float));
  auto const rows = plan.view();
  auto const sink = evenly::sink(rows, evenly::plus<float>{}, put_cell{C}, width);
  evenly::launch(run, rows, spmm_body<decltype(rows), decltype(sink)>{rows, A, B, width, sink});
  evenly::join(run, rows, evenly::plus<float>{}, put_cell{C}, width);
  run.wait();
}

/// Every schedule, with an option that makes many workers of few atoms.
template <class Executor>
std::vector<any_schedule<Executor>> const& erased_schedules() {
  using edge_trial = trial<twelve_bytes, Executor>;
  static auto const all = [] {
    std::vector<any_schedule<Executor>> list;
    auto const add = [&](auto schedule) {
      any_schedule<Executor> any;
      any.name = show(schedule) + " on " + Executor::name;
      any.spmv = [=](auto const& run, auto A, auto x, auto y, auto options) {
        evenly::spmv(run, A, x, y, schedule, options);
      };
      any.spmv_by_memory = [=](auto const& run, auto A, auto x, auto y, auto options) {
        evenly::spmv(run, A, x, y, schedule, options);
      };
      any.reduce = [=](edge_trial& trial) { return trial.reduce(schedule); };
      any.ranges = [=](edge_trial& trial) { return trial.ranges(schedule); };
      any.visit = [=](edge_trial& trial) { return trial.visit(schedule); };
      any.spmm = [=](auto const& run, auto A, dense B, int width, dense C) {
        multiply_dense(run, A, schedule, B, width, C);
      };
      any.relax_all = [=](auto const& run, auto graph, relax step) {
        evenly::for_each_atom(run, graph, schedule, step);
      };
      any.sizes = [=](auto const& run, noting_tiles set, std::int64_t* sums) {
        evenly::reduce_tiles(run, set, schedule, one_each{}, evenly::plus<std::int64_t>{}, put_sum{sums});
      };
      list.push_back(std::move(any));
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

}  // namespace tests
