// SPDX-License-Identifier: Apache-2.0
//
// Atoms, tiles and their sum at and beyond 2^31 and 2^32, at share level: nothing is stored, and the shares around every
// border are where 128-bit arithmetic says.
#include "implicit_tile_sets.hpp"
#include "properties.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace {

__extension__ typedef __int128 huge;  // wide enough for any sum of 64-bit ids

/// Group numbers worth a look: the first and last, and those around each border in units of `unit` steps or atoms.
template <class Set>
std::set<std::int64_t> interesting_groups(Set const& set, std::int64_t groups, std::int64_t unit) {
  std::set<std::int64_t> list;
  auto const add = [&](huge place) {
    for (huge g = place / unit - 2; g <= place / unit + 2; ++g)
      if (g >= 0 && g < groups) list.insert(static_cast<std::int64_t>(g));
  };
  for (huge place :
       {huge{0}, huge{tests::two_31}, huge{tests::two_32}, huge{tests::two_31} * 2 - 2, huge{groups} * unit})
    add(place);
  auto const tiles = static_cast<std::int64_t>(set.num_tiles());
  for (std::int64_t t : {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{4}, tiles / 2,
                         tests::two_31 - 1, tests::two_31, tiles - 1, tiles})
    if (t >= 0 && t <= tiles) {
      auto const begin = static_cast<huge>(set.tile_begin(static_cast<evenly::tile_of_t<Set>>(t)));
      add(begin), add(begin + t);
    }
  std::uint64_t random = 12345;
  for (int i = 0; i < 200 && groups > 0; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    list.insert(static_cast<std::int64_t>((random >> 16) % static_cast<std::uint64_t>(groups)));
  }
  return list;
}

/// tile `at.tile` is the one that atom `at.atom` is in, or ends at where `may_end`.
template <class Set>
bool is_a_place(Set const& set, evenly::position_of_t<Set> at, bool may_end) {
  if (at.tile > set.num_tiles() || at.atom > set.num_atoms()) return false;
  if (at.tile == set.num_tiles()) return at.atom == set.num_atoms();
  if (static_cast<evenly::atom_of_t<Set>>(set.tile_begin(at.tile)) > at.atom) return false;
  evenly::atom_of_t<Set> const end = set.tile_begin(static_cast<evenly::tile_of_t<Set>>(at.tile + 1));
  return may_end ? at.atom <= end : at.atom < end;
}

template <class Set>
tests::verdict is_right(Set const& set, evenly::merge_path schedule) {
  huge const length = static_cast<huge>(set.num_tiles()) + static_cast<huge>(set.num_atoms()),
             items = schedule.items_per_thread;
  std::int64_t const groups = schedule.num_groups(set);
  if (groups != (length + items - 1) / items) return tests::fault("it has ", groups, " shares");
  for (auto g : interesting_groups(set, groups, schedule.items_per_thread)) {
    auto const share = schedule.share(set, g);
    huge const first = g * items, last = std::min(first + items, length);
    if (static_cast<huge>(share.begin.tile) + static_cast<huge>(share.begin.atom) != first)
      return tests::fault("share ", g, " begins on another diagonal");
    if (static_cast<huge>(share.end.tile) + static_cast<huge>(share.end.atom) != last)
      return tests::fault("share ", g, " ends on another diagonal");
    if (!is_a_place(set, share.begin, true) || !is_a_place(set, share.end, true))
      return tests::fault("share ", g, " begins or ends off the path");
    if (evenly::num_steps(share) != last - first) return tests::fault("share ", g, " miscounts its steps");
    if (!(schedule.share(set, g + 1).begin == share.end)) return tests::fault("share ", g + 1, " does not follow");
  }
  return {};
}

template <class Set>
tests::verdict is_right(Set const& set, evenly::nonzero_split schedule) {
  huge const atoms = static_cast<huge>(set.num_atoms()), each = schedule.atoms_per_thread;
  std::int64_t const groups = schedule.num_groups(set);
  if (groups != std::max<huge>(1, (atoms + each - 1) / each)) return tests::fault("it has ", groups, " shares");
  for (auto g : interesting_groups(set, groups, schedule.atoms_per_thread)) {
    auto const share = schedule.share(set, g);
    bool const is_last = g + 1 == groups;
    if (static_cast<huge>(share.begin.atom) != g * each) return tests::fault("share ", g, " begins at another atom");
    if (static_cast<huge>(share.end.atom) != (is_last ? atoms : g * each + each))
      return tests::fault("share ", g, " ends at another atom");
    if (g > 0 && !is_a_place(set, share.begin, false)) return tests::fault("share ", g, " begins in another tile");
    if (g == 0 && share.begin.tile != 0) return std::string("share 0 does not begin with tile 0");
    if (is_last ? share.end.tile != set.num_tiles() : !is_a_place(set, share.end, false))
      return tests::fault("share ", g, " ends in another tile");
  }
  return {};
}

template <class Set, class Schedule>
  requires(!Schedule::splits_tiles)
tests::verdict is_right(Set const& set, Schedule const& schedule) {
  huge each = 1;
  if constexpr (requires { schedule.tiles; }) each = schedule.tiles;
  auto const tiles = static_cast<huge>(set.num_tiles());
  std::int64_t const groups = schedule.num_groups(set);
  if (groups != (tiles + each - 1) / each) return tests::fault("it has ", groups, " shares");
  for (auto g : interesting_groups(set, groups, static_cast<std::int64_t>(each))) {
    auto const share = schedule.share(set, g);
    if (static_cast<huge>(share.begin.tile) != g * each ||
        static_cast<huge>(share.end.tile) != std::min(g * each + each, tiles))
      return tests::fault("share ", g, " has other tiles");
    if (share.begin.atom != set.tile_begin(share.begin.tile) || share.end.atom != set.tile_begin(share.end.tile))
      return tests::fault("share ", g, " cuts a tile");
    // the lanes' pieces and stripes of it follow one another
    using atom = evenly::atom_of_t<Set>;
    atom at = share.begin.atom;
    for (int lane = 0; lane < schedule.lanes; ++lane) {
      auto const piece = evenly::deal<atom>(share.begin.atom, share.end.atom, share.begin.atom, lane, schedule.lanes,
                                            evenly::dealing::pieces);
      if (piece.begin != at || piece.end < piece.begin)
        return tests::fault("lane ", lane, " of share ", g, " does not follow");
      at = piece.end;
      auto const stripe = evenly::deal<atom>(share.begin.atom, share.end.atom, share.begin.atom, lane, schedule.lanes,
                                             evenly::dealing::striped);
      huge const expected = static_cast<huge>(share.begin.atom) + lane;
      if (expected < static_cast<huge>(share.end.atom) ? static_cast<huge>(stripe.begin) != expected
                                                       : stripe.begin < stripe.end)
        return tests::fault("stripe ", lane, " of share ", g, " begins elsewhere");
    }
    if (at != share.end.atom) return tests::fault("the lanes of share ", g, " lose atoms");
  }
  return {};
}

template <class Schedule>
class Large : public ::testing::Test {};
TYPED_TEST_SUITE(Large, tests::all_schedules, tests::schedule_names);

TYPED_TEST(Large, shares_are_right_at_and_beyond_2_31_and_2_32) {
  tests::for_each_large_set([](char const* name, auto const& set) {
    for (auto const& schedule : tests::options_of<TypeParam>())
      EXPECT_EQ(is_right(set, schedule), "") << tests::show(schedule) << " on " << name;
  });
}

// An option value near the end of its own type must not overflow either.
TEST(Large, a_share_may_be_as_large_as_int_counts) {
  constexpr int top = std::numeric_limits<int>::max();
  tests::for_each_large_set([](char const* name, auto const& set) {
    EXPECT_EQ(is_right(set, evenly::merge_path{top}), "") << name;
    EXPECT_EQ(is_right(set, evenly::nonzero_split{top}), "") << name;
    EXPECT_EQ(is_right(set, evenly::group_dealt{.lanes = 32, .tiles = top}), "") << name;
  });
}

static_assert(evenly::merge_path_search(tests::few<int, std::int64_t>(tests::two_31, 5), tests::two_31) ==
              evenly::position<int, std::int64_t>{0, tests::two_31});
static_assert(evenly::merge_path_search(tests::few<int, std::int64_t>(tests::two_31, 5), tests::two_31 + 1) ==
              evenly::position<int, std::int64_t>{1, tests::two_31});

}  // namespace
