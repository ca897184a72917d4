// SPDX-License-Identifier: Apache-2.0
//
// The staged form's cuts, which a plan makes on simt as on a GPU: they follow one another, fit a block's scratch, fall into
// long tiles only, and know the first and last block of every tile they cut; at and beyond 2^31 and 2^32 too.
#include "implicit_tile_sets.hpp"
#include "properties.hpp"
#include "random_tile_sets.hpp"
#include "schedules.hpp"

#include <evenly/exec/launch.hpp>
#include <evenly/simt.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace {

template <class Set, class Schedule>
tests::verdict has_sound_cuts(Set const& set, Schedule const& schedule) {
  auto const plan = evenly::make_plan(evenly::simt(), set, schedule, 4);
  auto const& rows = plan.staged();
  if (rows.num_blocks == 0) return set.num_tiles() == 0 ? "" : "no blocks for some tiles";
  auto const* const cuts = rows.cuts;  // simt's memory is the host's
  if (cuts[0].tile != 0 || cuts[0].atom != 0 || cuts[0].inside()) return "the first cut is not at the beginning";
  auto const& end = cuts[rows.num_blocks];
  if (end.tile != set.num_tiles() || end.atom != set.num_atoms() || end.inside())
    return "the last cut is not at the end";
  std::int64_t opened = -1;  // the block that opened the tile which the last cut fell into
  for (std::int64_t b = 0; b < rows.num_blocks; ++b) {
    auto const &from = cuts[b], &to = cuts[b + 1];
    if (to.tile < from.tile || to.atom < from.atom) return tests::fault("block ", b, " runs backwards");
    if (static_cast<std::int64_t>(to.atom - from.atom) > rows.stage.capacity)
      return tests::fault("block ", b, " holds more atoms than it can stage");
    if (rows.arrivals[b] != 0) return tests::fault("arrivals of block ", b, " do not begin at 0");
    if (to.tile == set.num_tiles()) continue;
    auto const begin = static_cast<decltype(to.atom)>(set.tile_begin(to.tile));
    if (to.atom < begin) return tests::fault("cut ", b + 1, " lies before its tile");
    if (!to.inside()) {
      if (to.atom != begin) return tests::fault("cut ", b + 1, " falls into a tile and does not say so");
      continue;
    }
    auto const size = static_cast<std::int64_t>(evenly::tile_size(set, to.tile));
    if (size <= rows.stage.snap()) return tests::fault("cut ", b + 1, " falls into a tile of ", size, " atoms");
    if (to.atom <= begin || static_cast<std::int64_t>(to.atom - begin) > size)
      return tests::fault("cut ", b + 1, " lies outside its tile");
    bool const is_first = !(from.inside() && from.tile == to.tile);
    if (is_first) opened = b;
    if (to.first != opened)
      return tests::fault("cut ", b + 1, " says that block ", to.first, " opens its tile, not ", opened);
    auto const& close = cuts[to.last];
    auto const& after = cuts[to.last + 1];
    if (!close.inside() || close.tile != to.tile || !(after.tile > to.tile))
      return tests::fault("cut ", b + 1, " says that block ", to.last, " closes its tile");
  }
  return {};
}

template <class Schedule>
void cuts_are_sound() {
  for (auto const& schedule : tests::options_of<Schedule>()) {
    for (auto const& adversary : tests::adversaries()) {
      auto const offsets = tests::offsets_of<int>(adversary.sizes);
      evenly::offset_tiles<int, int> const set{offsets.data(), static_cast<int>(adversary.sizes.size()),
                                               offsets.back()};
      EXPECT_EQ(has_sound_cuts(set, schedule), "") << tests::show(schedule) << ": " << adversary.name;
    }
  }
  tests::for_random_tile_sets("cuts of the staged form are sound", [](tests::tile_sizes const& sizes) {
    auto const offsets = tests::offsets_of<std::int64_t>(sizes);
    evenly::offset_tiles<int, std::int64_t> const set{offsets.data(), static_cast<int>(sizes.size()), offsets.back()};
    for (int items : {1, 2, 8}) {
      auto const wrong = has_sound_cuts(set, Schedule{items});
      if (!wrong.empty()) return wrong;
    }
    return std::string();
  });
}
TEST(StagedCuts, of_merge_path_are_sound) { cuts_are_sound<evenly::merge_path>(); }
TEST(StagedCuts, of_nonzero_split_are_sound) { cuts_are_sound<evenly::nonzero_split>(); }

TEST(StagedCuts, are_sound_at_and_beyond_2_31_and_2_32) {
  auto const check = [](char const* name, auto const& set) {
    EXPECT_EQ(has_sound_cuts(set, evenly::merge_path{16}), "") << name;
    EXPECT_EQ(has_sound_cuts(set, evenly::nonzero_split{16}), "") << name;
  };
  check("ends at 2^31 - 1, 2^31, 2^32 and 2^32 + 1",
        tests::few<int, std::int64_t>(tests::two_31 - 1, 1, 0, tests::two_31, 1, 7));
  check("as many atoms as int32 counts",
        tests::few<std::int32_t, std::int32_t>(7, std::numeric_limits<std::int32_t>::max() - 10, 0, 3));
  check("as many atoms as uint32 counts", tests::few<std::uint32_t, std::uint32_t>(tests::two_31, tests::two_31 - 1));
  check("2^24 rough tiles around 20 atoms", tests::rough_tiles<std::int32_t, std::int64_t>{1 << 24, 20});
}

}  // namespace
