// SPDX-License-Identifier: Apache-2.0
// The paper's Listing 3, SpMV as nested loops in a body of your own - but one body for every schedule and executor: whole,
// shared and split tiles are the sink's affair.
#include <evenly/cuda.hpp>

#include <cstdio>

template <class Rows, class Sink>
struct spmv {
  Rows rows;
  evenly::csr_view<float> A;
  evenly::view<float> x;
  Sink y;

  template <evenly::worker Me>
  EVENLY_HD void operator()(Me me) const {
    for (auto row : rows.tiles(me)) {
      float sum = 0;
      for (auto nz : row.atoms()) sum += A.value(nz) * x[A.column(nz)];
      y.put(row, sum);
    }
  }
};

struct save {
  float* y;
  EVENLY_HD void operator()(int row, float sum) const { y[row] = sum; }
};

template <class Executor, class Schedule>
bool run_with(Executor const& run, Schedule schedule) {
  evenly::array<int> offsets{0, 1, 1, 5}, columns{0, 0, 1, 2, 3};
  evenly::array<float> values{2, 1, 1, 1, 1}, x{1, 2, 3, 4}, y(3);
  evenly::csr_view A(values.view(run), offsets.view(run), columns.view(run), {3, 4});
  save const emit{y.view(run).data};

  auto const plan = evenly::make_plan(run, A, schedule);
  auto const rows = plan.view();
  auto const sink = evenly::sink(rows, evenly::plus<float>{}, emit);
  evenly::launch(run, rows, spmv<decltype(rows), decltype(sink)>{rows, A, x.view(run), sink});
  evenly::join(run, rows, evenly::plus<float>{}, emit);  // a split row is not in y until now
  run.wait();
  std::printf("%-14s %g %g %g\n", Schedule::name, y[0], y[1], y[2]);
  return y[0] == 2 && y[1] == 0 && y[2] == 10;
}

int main() {
  return evenly::best_executor().visit([](auto const& run) {
    bool const right = run_with(run, evenly::thread_mapped{}) && run_with(run, evenly::group_mapped{.lanes = 3}) &&
                       run_with(run, evenly::merge_path{.items_per_thread = 2}) &&
                       run_with(run, evenly::nonzero_split{.atoms_per_thread = 2}) &&
                       run_with(run, evenly::group_dealt{.lanes = 4, .tiles = 2});
    return right ? 0 : 1;
  });
}
