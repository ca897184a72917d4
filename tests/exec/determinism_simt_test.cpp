// SPDX-License-Identifier: Apache-2.0
//
// simt: the same bits whatever order lanes and blocks come in, 20 seeds. Staged schedules count blocks in as they arrive,
// so the order of the blocks decides who combines a split tile.
#include "determinism.hpp"
#include "schedules.hpp"

#include <evenly/simt.hpp>

#include <gtest/gtest.h>

namespace {

template <class Schedule>
class SimtDeterminism : public ::testing::Test {};
TYPED_TEST_SUITE(SimtDeterminism, tests::all_schedules, tests::schedule_names);

TYPED_TEST(SimtDeterminism, bits_do_not_depend_on_the_order_of_lanes_and_blocks) {
  for (auto const& sizes : tests::uneven_sets())
    for (auto const& schedule : tests::some_options_of<TypeParam>(8)) {
      auto const expected = tests::bits_of_run<tests::float_sum>(evenly::simt(), sizes, schedule, 0);
      for (std::uint64_t seed = 1; seed <= 20; ++seed)
        ASSERT_EQ(tests::bits_of_run<tests::float_sum>(evenly::simt({.seed = seed}), sizes, schedule, 0), expected)
            << tests::show(schedule) << " on " << tests::show(sizes) << ", seed " << seed;
    }
}

// And exactly the reference for an op that does not commute, so that no order is merely always wrong in the same way.
TYPED_TEST(SimtDeterminism, order_of_atoms_is_kept_whatever_the_order_of_lanes_and_blocks) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    tests::trial<tests::twelve_bytes, evenly::simt> trial(evenly::simt({.seed = seed}));
    trial.on({0, 700, 3, 0, 1500, 1, 0});
    for (auto const& schedule : tests::some_options_of<TypeParam>(8)) {
      ASSERT_EQ(trial.reduce(schedule), "") << "seed " << seed;
      ASSERT_EQ(trial.ranges(schedule), "") << "seed " << seed;
    }
  }
}

}  // namespace
