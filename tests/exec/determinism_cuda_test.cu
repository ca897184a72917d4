// SPDX-License-Identifier: Apache-2.0
//
// cuda: 100 runs of each schedule beside a kernel on another stream that fights for the multiprocessors, so that blocks
// start and end in another order each time. The bits stay the same.
#include "determinism.hpp"
#include "gpu.hpp"
#include "schedules.hpp"

#include <vector>

namespace {

/// Keeps multiprocessors busy, unevenly, until told to stop or long enough.
__global__ void compete(unsigned seed, int volatile* stop, unsigned* sink) {
  unsigned x = seed + blockIdx.x * 977u + threadIdx.x;
  for (int round = 0; round < 2000 && *stop == 0; ++round)
    for (int i = 0; i < 200 + static_cast<int>(blockIdx.x % 7) * 100; ++i) x = x * 1664525u + 1013904223u;
  if (x == 42) *sink = x;
}

template <class Schedule>
class CudaDeterminism : public tests::Gpu {};
TYPED_TEST_SUITE(CudaDeterminism, tests::all_schedules, tests::schedule_names);

TYPED_TEST(CudaDeterminism, bits_are_the_same_in_100_runs_beside_a_competing_kernel) {
  tests::stream const mine, other;
  evenly::cuda const run(mine), rival(other);
  tests::device_vector<int, evenly::cuda> const stop(rival, std::vector<int>{0});
  tests::device_vector<unsigned, evenly::cuda> const sink(rival, 1);
  auto sizes = tests::detail::joined(
      {tests::detail::power_law(60'000), {400'000, 0, 0, 3}, tests::detail::repeated(20'000, {5, 0, 90})});
  for (auto const& schedule : tests::some_options_of<TypeParam>(6)) {
    auto const expected = tests::bits_of_run<tests::float_sum>(run, sizes, schedule, 0);
    for (std::uint32_t round = 1; round <= 100; ++round) {
      compete<<<40 + 13 * (round % 11), 256, 0, other>>>(round, stop.data(), sink.data());
      ASSERT_EQ(tests::bits_of_run<tests::float_sum>(run, sizes, schedule, round % 2 == 0 ? round : 0), expected)
          << tests::show(schedule) << ", round " << round;
    }
    rival.wait();
  }
}

}  // namespace
