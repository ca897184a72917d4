// SPDX-License-Identifier: Apache-2.0
//
// For tests on the GPU: a skip that says so where there is none, and memory pools that keep what was freed, so that
// thousands of small trials do not wait for the driver.
#pragma once

#include <evenly/cuda.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace tests {

/// Skips the test where there is no GPU; otherwise readies it once.
class Gpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (evenly::cuda_device_count() == 0) GTEST_SKIP() << "no CUDA device here: run this test on a GPU";
    keep_freed_memory();
  }

 private:
  static void keep_freed_memory() {
    cudaMemPool_t pool = nullptr;
    std::uint64_t all = ~std::uint64_t{0};
    if (cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess)
      cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all);
  }
};

/// A stream of its own.
class stream {
 public:
  stream() {
    evenly::detail::cuda_try(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  }
  stream(stream const&) = delete;
  ~stream() { cudaStreamDestroy(stream_); }
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace tests
