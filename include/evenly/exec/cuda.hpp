// SPDX-License-Identifier: Apache-2.0
//
// The CUDA executor: a stream. Launches are asynchronous on it; memory is allocated and freed in its order. Every failed
// call or launch throws device_error with the call's name, at the latest from wait(). Running a plan inside a stream
// capture allocates nothing and waits for nothing, so it can be captured and replayed.
#pragma once

#include <evenly/core/error.hpp>
#include <evenly/exec/cuda_worker.hpp>
#include <evenly/exec/executor.hpp>
#include <evenly/exec/launch_shape.hpp>
#include <evenly/exec/limits.hpp>

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace evenly {

namespace detail {

inline void cuda_try(cudaError_t status, char const* call) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // clear it, so that the next call is judged by itself
  throw device_error(std::string(call) + ": " + cudaGetErrorString(status) + " (" + cudaGetErrorName(status) + ")");
}

template <class Body>
__global__ void run_body(__grid_constant__ Body const body) {
  body(this_worker());
}

template <class Body>
__global__ void __launch_bounds__(Body::max_threads, Body::min_blocks)
    run_bounded_body(__grid_constant__ Body const body) {
  body(this_worker());
}

/// A body may bound its registers: `static constexpr int max_threads, min_blocks` as in __launch_bounds__.
template <class Body>
constexpr auto kernel_of() {
  if constexpr (requires { Body::max_threads; }) return &run_bounded_body<Body>;
  else return &run_body<Body>;
}

}  // namespace detail

/// CUDA devices that can be used; 0 where there is no driver.
inline int cuda_device_count() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  return count;
}

class cuda {
 public:
  static constexpr bool is_device = true;
  static constexpr char const* name = "cuda";

  /// The default stream, or a stream of the caller's that must outlive the executor.
  cuda(cudaStream_t stream = nullptr) : stream_(stream) {}

  cudaStream_t stream() const { return stream_; }

  void* allocate(std::size_t bytes) const {
    void* there = nullptr;
    detail::cuda_try(cudaMallocAsync(&there, bytes, stream_), "cudaMallocAsync");
    return there;
  }
  void deallocate(void* there) const noexcept { cudaFreeAsync(there, stream_); }
  void copy_to(void* there, void const* here, std::size_t bytes) const {
    copy(there, here, bytes, cudaMemcpyHostToDevice);
  }
  void copy_from(void* here, void const* there, std::size_t bytes) const {
    copy(here, there, bytes, cudaMemcpyDeviceToHost);
  }
  void fill(void* there, unsigned char byte, std::size_t bytes) const {
    if (bytes != 0) detail::cuda_try(cudaMemsetAsync(there, byte, bytes, stream_), "cudaMemsetAsync");
  }

  /// One thread for each lane of each group. Groups beyond a warp are few in a block: there are 15 named barriers.
  launch_shape shape(std::int64_t num_groups, int lanes) const {
    int threads = 256;
    if (lanes > warp_size) {
      int const group_threads = (lanes + warp_size - 1) / warp_size * warp_size;
      threads = group_threads * std::max(1, threads / group_threads);
    }
    std::int64_t const in_block = groups_per_block(lanes, threads);
    std::int64_t const blocks = num_groups / in_block + (num_groups % in_block != 0 ? 1 : 0);
    return {.blocks = std::min(blocks, max_blocks), .threads = threads};
  }

  /// The current device's multiprocessors, and what one block can have of each.
  executor_limits limits() const {
    int device = 0, processors = 0, scratch = 0;
    detail::cuda_try(cudaGetDevice(&device), "cudaGetDevice");
    detail::cuda_try(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
                     "cudaDeviceGetAttribute(MultiProcessorCount)");
    detail::cuda_try(cudaDeviceGetAttribute(&scratch, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
                     "cudaDeviceGetAttribute(MaxSharedMemoryPerBlockOptin)");
    return {.units = processors, .threads = 1024, .scratch_bytes = static_cast<std::size_t>(scratch)};
  }

  /// body(me) on every thread of the grid; a grid larger than the device takes is cut, and bodies stride over their work.
  template <class Body>
  void launch(launch_shape shape, Body const& body) const {
    if (shape.blocks <= 0 || shape.threads <= 0) return;
    auto const kernel = detail::kernel_of<Body>();
    if (shape.scratch_bytes > 48 * 1024)
      detail::cuda_try(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                            static_cast<int>(shape.scratch_bytes)),
                       "cudaFuncSetAttribute(MaxDynamicSharedMemorySize)");
    auto const blocks = static_cast<unsigned>(std::min(shape.blocks, max_blocks));
    kernel<<<blocks, static_cast<unsigned>(shape.threads), shape.scratch_bytes, stream_>>>(body);
    detail::cuda_try(cudaGetLastError(), "cudaLaunchKernel");
  }

  /// Returns when all that was launched on the stream is done; throws what went wrong in it.
  void wait() const { detail::cuda_try(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

 private:
  static constexpr std::int64_t max_blocks = (std::int64_t{1} << 31) - 1;

  void copy(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind) const {
    if (bytes == 0) return;
    detail::cuda_try(cudaMemcpyAsync(to, from, bytes, kind, stream_), "cudaMemcpyAsync");
    wait();
  }

  cudaStream_t stream_;
};

static_assert(executor<cuda>);

}  // namespace evenly
