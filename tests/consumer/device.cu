// SPDX-License-Identifier: Apache-2.0
//
// A user's .cu file, compiled with what evenly::cuda brings; never run here.
#include <evenly/cuda.hpp>

#include <cstdint>

void sum_rows(evenly::cuda const& run, std::int32_t const* offsets, std::int32_t tiles, std::int32_t atoms, int* sums) {
  auto ones = [=] EVENLY_HD(std::int32_t, std::int32_t) { return 1; };
  auto save = [=] EVENLY_HD(std::int32_t tile, int sum) { sums[tile] = sum; };
  evenly::reduce_tiles(run, evenly::offset_tiles<std::int32_t, std::int32_t>{offsets, tiles, atoms},
                       evenly::merge_path{}, ones, evenly::plus<int>{}, save);
}
