// SPDX-License-Identifier: Apache-2.0
//
// host: the same bits with 1 to 8 threads, whoever starts late.
#include "determinism.hpp"
#include "schedules.hpp"

#include <evenly/exec/host.hpp>

#include <gtest/gtest.h>

namespace {

template <class Schedule>
class HostDeterminism : public ::testing::Test {};
TYPED_TEST_SUITE(HostDeterminism, tests::all_schedules, tests::schedule_names);

TYPED_TEST(HostDeterminism, bits_do_not_depend_on_the_number_of_threads_or_their_delays) {
  std::vector<evenly::host> hosts;
  for (int threads = 1; threads <= 8; ++threads) hosts.emplace_back(evenly::host::options{.threads = threads});
  for (auto const& sizes : tests::uneven_sets())
    for (auto const& schedule : tests::some_options_of<TypeParam>(3)) {
      auto const expected = tests::bits_of_run<tests::float_sum>(hosts[0], sizes, schedule, 0);
      for (std::size_t h = 0; h < hosts.size(); ++h)
        for (std::uint32_t round = 1; round <= 3; ++round)
          ASSERT_EQ(tests::bits_of_run<tests::float_sum>(hosts[h], sizes, schedule,
                                                         100 * round + static_cast<std::uint32_t>(h)),
                    expected)
              << tests::show(schedule) << " on " << tests::show(sizes) << ", " << h + 1 << " threads";
    }
}

}  // namespace
