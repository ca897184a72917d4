// SPDX-License-Identifier: Apache-2.0
//
// sort_pairs on a CUDA stream, by CUB's radix sort. A header of its own, since CUB costs seconds of compile time.
#pragma once

#include <evenly/exec/cuda.hpp>
#include <evenly/exec/plan.hpp>
#include <evenly/exec/sort.hpp>

#include <cub/device/device_radix_sort.cuh>

#include <cstddef>
#include <cstdint>

namespace evenly {

/// As for the host, in device memory and asynchronous on run's stream.
template <std::unsigned_integral Key, class Value>
void sort_pairs(cuda const& run, Key const* keys, Key* sorted_keys, Value const* values, Value* sorted_values,
                std::int64_t count, int bits) {
  auto const sort = [&](void* memory, std::size_t& bytes) {
    detail::cuda_try(cub::DeviceRadixSort::SortPairs(memory, bytes, keys, sorted_keys, values, sorted_values, count, 0,
                                                     bits, run.stream()),
                     "cub::DeviceRadixSort::SortPairs");
  };
  std::size_t bytes = 0;
  sort(nullptr, bytes);
  buffer<cuda> const scratch(run, bytes);
  sort(scratch.data(), bytes);
}

}  // namespace evenly
