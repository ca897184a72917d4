// SPDX-License-Identifier: Apache-2.0
//
// Time on the device, by events. Warm: a batch of runs back to back, long enough that the events do not matter. Cold: one
// run behind a pass that reads far more than the caches hold. It reads, because lines that were written would have to
// leave the cache during the run that is timed.
#pragma once

#include "middle.hpp"

#include <evenly/exec/cuda.hpp>
#include <evenly/exec/plan.hpp>

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

inline void check(cudaError_t status, char const* call) { evenly::detail::cuda_try(status, call); }

class stopwatch {
 public:
  stopwatch() {
    check(cudaEventCreate(&begin_), "cudaEventCreate");
    check(cudaEventCreate(&end_), "cudaEventCreate");
  }
  stopwatch(stopwatch const&) = delete;
  stopwatch& operator=(stopwatch const&) = delete;
  ~stopwatch() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  /// Microseconds between the ends of what is before and what is in f, on the default stream.
  template <class F>
  double time(F const& f) {
    check(cudaEventRecord(begin_), "cudaEventRecord");
    f();
    check(cudaEventRecord(end_), "cudaEventRecord");
    check(cudaEventSynchronize(end_), "cudaEventSynchronize");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin_, end_), "cudaEventElapsedTime");
    return 1000.0 * static_cast<double>(milliseconds);
  }
  /// Microseconds of one of `count` runs.
  template <class F>
  double time_batch(std::int64_t count, F const& f) {
    return time([&] {
             for (std::int64_t i = 0; i < count; ++i) f();
           }) /
           static_cast<double>(count);
  }
  /// Runs that take `target` microseconds together; `one` is a guess for one, `most` a limit.
  template <class F>
  std::int64_t batch_for(double target, double one, std::int64_t most, F const& f) {
    auto const needed = [&](double each) {
      return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(target / std::max(each, 0.01))), 1, most);
    };
    std::int64_t count = needed(one);
    // a first run is slow, so that the guess is too small
    for (int tries = 0; tries < 3; ++tries) {
      double const each = time_batch(count, f);
      if (each * static_cast<double>(count) >= target || count == most) break;
      count = needed(each / 1.1);
    }
    return count;
  }

 private:
  cudaEvent_t begin_{}, end_{};
};

/// Microseconds on the host for f and all the device work it started.
template <class F>
double host_time(F const& f) {
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  auto const begin = std::chrono::steady_clock::now();
  f();
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

static __global__ void read_all(uint4 const* data, std::int64_t count, unsigned* never) {
  unsigned all = 0;
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; i < count;
       i += static_cast<std::int64_t>(gridDim.x) * blockDim.x) {
    uint4 const four = data[i];
    all |= four.x | four.y | four.z | four.w;
  }
  if (all != 0) *never = all;  // data is zero, which the compiler cannot know
}

static __global__ void do_nothing() {}

class cache_flush {
 public:
  explicit cache_flush(evenly::cuda const& run) : memory_(run, bytes + 16) { run.fill(memory_.data(), 0, bytes + 16); }
  void operator()() const {
    auto const data = static_cast<uint4 const*>(memory_.data());
    constexpr std::int64_t count = bytes / sizeof(uint4);
    read_all<<<1024, 256>>>(data, count, static_cast<unsigned*>(memory_.data()) + bytes / sizeof(unsigned));
    check(cudaGetLastError(), "read_all");
  }

 private:
  static constexpr std::size_t bytes = std::size_t{256} << 20;
  evenly::buffer<evenly::cuda> memory_;
};

/// GB/s of a copy within the device's memory, bytes read and bytes written.
inline double copy_bandwidth(evenly::cuda const& run) {
  constexpr std::size_t bytes = std::size_t{4} << 30;
  evenly::buffer<evenly::cuda> const from(run, bytes), to(run, bytes);
  run.fill(from.data(), 0x5a, bytes);
  stopwatch watch;
  std::vector<double> samples;
  for (int i = 0; i < 9; ++i)
    samples.push_back(watch.time(
        [&] { check(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice), "cudaMemcpyAsync"); }));
  samples.erase(samples.begin());
  return 2.0 * static_cast<double>(bytes) / middle_of(samples).median / 1000.0;
}

}  // namespace bench
