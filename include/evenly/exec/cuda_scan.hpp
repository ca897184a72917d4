// SPDX-License-Identifier: Apache-2.0
//
// inclusive_scan on a CUDA stream, by CUB. A header of its own, since CUB costs seconds of compile time.
#pragma once

#include <evenly/exec/cuda.hpp>
#include <evenly/exec/plan.hpp>

#include <cub/device/device_scan.cuh>

#include <cstddef>
#include <cstdint>

namespace evenly {

/// data[i] = data[0] + ... + data[i], in device memory, asynchronous on run's stream.
template <class T>
void inclusive_scan(cuda const& run, T* data, std::int64_t count) {
  std::size_t bytes = 0;
  detail::cuda_try(cub::DeviceScan::InclusiveSum(nullptr, bytes, data, data, count, run.stream()),
                   "cub::DeviceScan::InclusiveSum");
  buffer<cuda> const scratch(run, bytes);
  detail::cuda_try(cub::DeviceScan::InclusiveSum(scratch.data(), bytes, data, data, count, run.stream()),
                   "cub::DeviceScan::InclusiveSum");
}

}  // namespace evenly
