// SPDX-License-Identifier: Apache-2.0
// Three rows of 1, 0 and 4 nonzeros, summed evenly. Change the schedule or the executor: nothing else changes.
#include <evenly/cuda.hpp>

#include <cstdio>

int main() {
  evenly::array<int> offsets{0, 1, 1, 5}, columns{0, 0, 1, 2, 3};
  evenly::array<float> values{2, 1, 1, 1, 1}, x{1, 2, 3, 4}, y(3);

  auto run = evenly::best_executor();                                                  // the GPU if there is one
  evenly::csr_view A(values.view(run), offsets.view(run), columns.view(run), {3, 4});  // tiles are rows, atoms nonzeros
  auto in = x.view(run), out = y.view(run);

  auto dot = [=] EVENLY_HD(evenly::ignored, evenly::ignored, int column, float value) { return value * in[column]; };
  auto save = [=] EVENLY_HD(int row, float sum) { out[row] = sum; };
  evenly::reduce_tiles(run, A, evenly::merge_path{}, dot, evenly::plus<float>{}, save);
  run.wait();
  std::printf("%g %g %g\n", y[0], y[1], y[2]);  // 2 0 10
  return y[0] == 2 && y[1] == 0 && y[2] == 10 ? 0 : 1;
}
