// SPDX-License-Identifier: Apache-2.0
//
// evenly with the CUDA executor; for .cu files. nvcc needs --extended-lambda for lambdas as bodies. Where there is no CUDA
// compiler this is <evenly/evenly.hpp> and best_executor() is the host's, so that the same file builds as C++.
#pragma once

#include <evenly/evenly.hpp>

#if defined(__CUDACC__)
#include <evenly/exec/cuda.hpp>
#include <evenly/exec/cuda_worker.hpp>
#endif

namespace evenly {

#if defined(__CUDACC__)
using any_executor = any_of<host, cuda>;
/// The GPU if there is one, else the host.
inline any_executor best_executor() {
  if (cuda_device_count() > 0) return cuda();
  return default_executor();
}
#else
using any_executor = any_of<host>;
inline any_executor best_executor() { return default_executor(); }
#endif

}  // namespace evenly
