// SPDX-License-Identifier: Apache-2.0
//
// What a user's program needs: three rows of 1, 0 and 4 nonzeros, summed.
#include <evenly/evenly.hpp>

#include <cstdint>
#include <cstdio>

namespace {

struct ones {
  int operator()(std::int32_t, std::int32_t) const { return 1; }
};
struct save {
  int* sums;
  void operator()(std::int32_t tile, int sum) const { sums[tile] = sum; }
};

}  // namespace

int main() {
  std::int32_t const offsets[] = {0, 1, 1, 5};
  int sums[3] = {-1, -1, -1};
  evenly::host const run;
  evenly::reduce_tiles(run, evenly::offset_tiles<std::int32_t, std::int32_t>{offsets, 3, 5}, evenly::merge_path{},
                       ones{}, evenly::plus<int>{}, save{sums});
  run.wait();
  std::printf("%d %d %d\n", sums[0], sums[1], sums[2]);
  return sums[0] == 1 && sums[1] == 0 && sums[2] == 4 ? 0 : 1;
}
