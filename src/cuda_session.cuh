// SPDX-License-Identifier: Apache-2.0
//
// Sessions on a CUDA device; each .cu that includes this instantiates one value type.
#pragma once

#include "session_on.hpp"

#include <evenly/cuda.hpp>

namespace evenly::instances {

/// Times by events on the stream: what the device does, without the wait of the host.
template <>
class stopwatch<cuda> {
 public:
  explicit stopwatch(cuda const& run) : run_(run) {
    detail::cuda_try(cudaEventCreate(&begin_), "cudaEventCreate");
    detail::cuda_try(cudaEventCreate(&end_), "cudaEventCreate");
  }
  stopwatch(stopwatch const&) = delete;
  stopwatch& operator=(stopwatch const&) = delete;
  ~stopwatch() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  void start() { detail::cuda_try(cudaEventRecord(begin_, run_.stream()), "cudaEventRecord"); }
  double stop_ms() {
    float ms = 0;
    detail::cuda_try(cudaEventRecord(end_, run_.stream()), "cudaEventRecord");
    detail::cuda_try(cudaEventSynchronize(end_), "cudaEventSynchronize");
    detail::cuda_try(cudaEventElapsedTime(&ms, begin_, end_), "cudaEventElapsedTime");
    return ms;
  }

 private:
  cuda run_;
  cudaEvent_t begin_{}, end_{};
};

template <class T, class Offset>
std::unique_ptr<spmv_session> open_cuda_session(csr_of<T, Offset> const& A, std::vector<T> const& x,
                                                session_options const&) {
  return std::make_unique<session_on<cuda, T, Offset>>(cuda(), A, x);
}

}  // namespace evenly::instances
