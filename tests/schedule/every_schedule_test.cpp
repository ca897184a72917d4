// SPDX-License-Identifier: Apache-2.0
//
// A schedule is a function from a worker to its share of the tiles; over all workers, the shares hold every atom exactly
// once. Here that sentence is tried for every schedule, from the shares alone.
#include "properties.hpp"
#include "random_tile_sets.hpp"

#include <gtest/gtest.h>

namespace {

template <class Schedule>
class Shares : public ::testing::Test {};
TYPED_TEST_SUITE(Shares, tests::all_schedules, tests::schedule_names);

TYPED_TEST(Shares, hold_every_atom_once_in_all_small_tile_sets) {
  tests::for_each_small_tile_set(5, 4, [](tests::tile_sizes const& sizes) {
    for (auto const& schedule : tests::options_of<TypeParam>())
      ASSERT_EQ((tests::keeps_its_promises<int, int>(sizes, schedule)), "");
  });
}

TYPED_TEST(Shares, hold_every_atom_once_against_adversaries) {
  for (auto const& adversary : tests::adversaries())
    for (auto const& schedule : tests::options_of<TypeParam>())
      EXPECT_EQ((tests::keeps_its_promises<int, int>(adversary.sizes, schedule)), "")
          << adversary.name << " exposes: " << adversary.exposes;
}

TYPED_TEST(Shares, hold_every_atom_once_in_random_tile_sets) {
  tests::for_random_tile_sets("every atom in exactly one share", [](tests::tile_sizes const& sizes) {
    for (auto const& schedule : tests::options_of<TypeParam>()) {
      auto const wrong = tests::keeps_its_promises<std::int64_t, std::uint32_t>(sizes, schedule);
      if (!wrong.empty()) return wrong;
    }
    return std::string();
  });
}

// Ids as narrow as they come: no arithmetic may be done in the set's own types without room for lanes and options.
TYPED_TEST(Shares, hold_every_atom_once_with_narrow_ids) {
  tests::tile_sizes const sizes{0, 30, 1, 0, 40, 50, 0, 0, 6, 0};  // 127 atoms: the last that an int8 can count
  tests::tile_sizes const more{100, 0, 1, 54, 99, 1, 0};           // 255 atoms: the last that a uint8 can count
  for (auto const& schedule : tests::options_of<TypeParam>()) {
    EXPECT_EQ((tests::keeps_its_promises<std::int8_t, std::int8_t>(sizes, schedule)), "");
    EXPECT_EQ((tests::keeps_its_promises<std::uint8_t, std::uint8_t>(more, schedule)), "");
    EXPECT_EQ((tests::keeps_its_promises<short, unsigned short>(more, schedule)), "");
    EXPECT_EQ((tests::keeps_its_promises<std::uint64_t, std::uint64_t>(more, schedule)), "");
  }
}

// The suite itself: a schedule that is wrong in one way must be found wrong in that way.
struct loses_the_last_tile : evenly::thread_mapped {
  template <evenly::tile_set Set>
  constexpr std::int64_t num_groups(Set const& set) const {
    return set.num_tiles() > 3 ? set.num_tiles() - 1 : set.num_tiles();
  }
};
struct takes_a_tile_twice : evenly::thread_mapped {
  template <evenly::tile_set Set>
  constexpr evenly::share_of_t<Set> share(Set const& set, std::int64_t group) const {
    return evenly::thread_mapped::share(set, group == 2 ? 1 : group);
  }
};
struct overlaps : evenly::merge_path {
  template <evenly::tile_set Set>
  constexpr evenly::share_of_t<Set> share(Set const& set, std::int64_t group) const {
    return {cut(set, group), cut(set, group + 2)};
  }
};

TEST(TheShareSuite, finds_a_lost_tile) {
  EXPECT_NE((tests::keeps_its_promises<int, int>({1, 2, 3, 4}, loses_the_last_tile{})), "");
}
TEST(TheShareSuite, finds_a_tile_taken_twice) {
  EXPECT_NE((tests::keeps_its_promises<int, int>({1, 2, 3, 4}, takes_a_tile_twice{})), "");
}
TEST(TheShareSuite, finds_overlapping_shares) {
  EXPECT_NE((tests::keeps_its_promises<int, int>({10, 20, 3}, overlaps{})), "");
}
TEST(TheShareSuite, enumerates_3906_small_sets) {
  int count = 0;
  tests::for_each_small_tile_set(5, 4, [&](auto const&) { ++count; });
  EXPECT_EQ(count, 3906);
}

}  // namespace
