// SPDX-License-Identifier: Apache-2.0
// The paper's Listing 4, SpMM: the same loops with a column loop around the inner one, and a sink that is as wide as the
// dense operand. C = A B with B: [4, 2] and C: [3, 2], row-major.
#include <evenly/cuda.hpp>

#include <cstdio>

template <class Rows, class Sink>
struct spmm {
  Rows rows;
  evenly::csr_view<float> A;
  evenly::view<float> B;
  int width;
  Sink C;

  template <evenly::worker Me>
  EVENLY_HD void operator()(Me me) const {
    for (auto row : rows.tiles(me))
      for (int column = 0; column < width; ++column) {
        float sum = 0;
        for (auto nz : row.atoms()) sum += A.value(nz) * B[A.column(nz) * width + column];
        C.put(row, column, sum);
      }
  }
};

struct save {
  float* C;
  int width;
  EVENLY_HD void operator()(int row, int column, float sum) const { C[row * width + column] = sum; }
};

template <class Executor, class Schedule>
bool run_with(Executor const& run, Schedule schedule) {
  evenly::array<int> offsets{0, 1, 1, 5}, columns{0, 0, 1, 2, 3};
  evenly::array<float> values{2, 1, 1, 1, 1}, B{1, 10, 2, 20, 3, 30, 4, 40}, C(6);
  evenly::csr_view A(values.view(run), offsets.view(run), columns.view(run), {3, 4});
  int const width = 2;
  save const emit{C.view(run).data, width};

  auto const plan = evenly::make_plan(run, A, schedule, width * sizeof(float));
  auto const rows = plan.view();
  auto const sink = evenly::sink(rows, evenly::plus<float>{}, emit, width);
  evenly::launch(run, rows, spmm<decltype(rows), decltype(sink)>{rows, A, B.view(run), width, sink});
  evenly::join(run, rows, evenly::plus<float>{}, emit, width);
  run.wait();
  std::printf("%-14s %g %g | %g %g | %g %g\n", Schedule::name, C[0], C[1], C[2], C[3], C[4], C[5]);
  return C[0] == 2 && C[1] == 20 && C[2] == 0 && C[3] == 0 && C[4] == 10 && C[5] == 100;
}

int main() {
  return evenly::best_executor().visit([](auto const& run) {
    bool const right = run_with(run, evenly::thread_mapped{}) && run_with(run, evenly::warp_mapped{}) &&
                       run_with(run, evenly::merge_path{.items_per_thread = 2}) &&
                       run_with(run, evenly::nonzero_split{.atoms_per_thread = 1});
    return right ? 0 : 1;
  });
}
