// SPDX-License-Identifier: Apache-2.0
#include "instances.hpp"

#include <cuda_runtime.h>

namespace evenly::instances {

int cuda_devices() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  cudaGetLastError();
  return 0;
}

std::string cuda_description() {
  int count = 0;
  cudaError_t const status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0) {
    cudaGetLastError();
    return std::string(status == cudaSuccess ? "the driver lists none" : cudaGetErrorString(status)) +
           "; run on a machine with an NVIDIA GPU and its driver (nvidia-smi must list it), or use --executor host or "
           "simt";
  }
  cudaDeviceProp device{};
  int driver = 0, runtime = 0;
  cudaGetDeviceProperties(&device, 0);
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  auto const version = [](int number) {
    return std::to_string(number / 1000) + '.' + std::to_string(number % 1000 / 10);
  };
  return std::string(device.name) + ", sm_" + std::to_string(device.major) + std::to_string(device.minor) + ", " +
         std::to_string(device.multiProcessorCount) + " multiprocessors, " +
         std::to_string(device.totalGlobalMem >> 30) + " GiB, driver for CUDA " + version(driver) + ", runtime " +
         version(runtime);
}

}  // namespace evenly::instances
