// SPDX-License-Identifier: Apache-2.0
// Two schedules over two tile sets in one kernel: y = A x by merge-path and the row sums of B by groups of 4 lanes, one
// launch for both. Each sink has its own plan, so their carries do not meet.
#include <evenly/cuda.hpp>

#include <cstdio>

template <class Rows, class Sink, class Groups, class Sums>
struct fused {
  Rows rows;
  evenly::csr_view<float> A;
  evenly::view<float> x;
  Sink y;
  Groups groups;
  evenly::view<float> B;
  Sums sums;

  template <evenly::worker Me>
  EVENLY_HD void operator()(Me me) const {
    for (auto row : rows.tiles(me)) {
      float sum = 0;
      for (auto nz : row.atoms()) sum += A.value(nz) * x[A.column(nz)];
      y.put(row, sum);
    }
    for (auto row : groups.tiles(me)) {
      float sum = 0;
      for (auto i : row.atoms()) sum += B[i];
      sums.put(row, sum);
    }
  }
};

struct save {
  float* y;
  EVENLY_HD void operator()(int row, float sum) const { y[row] = sum; }
};

template <class Executor>
bool run_on(Executor const& run) {
  evenly::array<int> offsets{0, 1, 1, 5}, columns{0, 0, 1, 2, 3};
  evenly::array<float> values{2, 1, 1, 1, 1}, x{1, 2, 3, 4}, y(3), B{1, 2, 3, 4, 5, 6}, sums(2);
  evenly::csr_view A(values.view(run), offsets.view(run), columns.view(run), {3, 4});
  save const to_y{y.view(run).data}, to_sums{sums.view(run).data};

  auto const first = evenly::make_plan(run, A, evenly::merge_path{.items_per_thread = 2});
  auto const second = evenly::make_plan(run, evenly::uniform_tiles<int, int>{2, 3}, evenly::group_mapped{.lanes = 4});
  auto const rows = first.view();
  auto const groups = second.view();
  auto const sink_y = evenly::sink(rows, evenly::plus<float>{}, to_y);
  auto const sink_sums = evenly::sink(groups, evenly::plus<float>{}, to_sums);
  fused<decltype(rows), decltype(sink_y), decltype(groups), decltype(sink_sums)> const body{
      rows, A, x.view(run), sink_y, groups, B.view(run), sink_sums};
  evenly::launch(run, rows, body);
  evenly::join(run, rows, evenly::plus<float>{}, to_y);
  run.wait();
  std::printf("%g %g %g and %g %g\n", y[0], y[1], y[2], sums[0], sums[1]);
  return y[0] == 2 && y[1] == 0 && y[2] == 10 && sums[0] == 6 && sums[1] == 15;
}

int main() {
  return evenly::best_executor().visit([](auto const& run) { return run_on(run) ? 0 : 1; });
}
