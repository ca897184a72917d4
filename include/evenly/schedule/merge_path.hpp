// SPDX-License-Identifier: Apache-2.0
//
// Equal stretches of the merge path: every worker gets the same number of steps, atoms and tile ends counted alike, so
// neither one huge tile nor a million empty ones can unbalance it. Where a stretch ends is found by one binary search.
//
//     tiles |a a a|a|a a a|, 4 steps each     worker 0: a a a E   1: a E a a   2: a E     the last tile is split between 1 and 2
//
// Source: Merrill & Garland, "Merge-based Parallel Sparse Matrix-Vector Multiplication" (SC 2016), Algorithm 2;
// PPoPP 2023, section 5.2.1 and Listing 4's complete and partial tiles (here: tile_part.joined and .closes).
#pragma once

#include <evenly/core/schedule.hpp>

namespace evenly {

/// Where the merge path crosses `diagonal`: the position with tile + atom == diagonal. `after`: a position on the path that
/// is known to lie before; the search is as short as the way from there. All arithmetic is 64-bit.
template <tile_set Set>
EVENLY_HD constexpr position_of_t<Set> merge_path_search(Set const& set, std::int64_t diagonal,
                                                         position_of_t<Set> after = {}) {
  auto const tiles = static_cast<std::int64_t>(set.num_tiles()), atoms = static_cast<std::int64_t>(set.num_atoms());
  auto const tile = static_cast<std::int64_t>(after.tile), most = diagonal - static_cast<std::int64_t>(after.atom);
  std::int64_t low = diagonal - atoms > tile ? diagonal - atoms : tile;
  std::int64_t high = most < tiles ? most : tiles;
  while (low < high) {
    std::int64_t const middle = low + (high - low) / 2;
    // tile `middle` has ended before the diagonal if its end step, number middle + tile_begin(middle + 1), lies before it
    if (static_cast<std::int64_t>(set.tile_begin(static_cast<tile_of_t<Set>>(middle + 1))) <= diagonal - middle - 1)
      low = middle + 1;
    else high = middle;
  }
  return {static_cast<tile_of_t<Set>>(low), static_cast<atom_of_t<Set>>(diagonal - low)};
}

/// @post every atom in exactly one share
/// @post shares differ by at most items_per_thread steps, all but the last are equal
struct merge_path {
  static constexpr char const* name = "merge_path";
  static constexpr int lanes = 1;
  static constexpr bool splits_tiles = true;
  int items_per_thread = 8;  // steps in a share

  /// The same schedule with shares of another size; a block takes one of these where a thread would take a small one.
  EVENLY_HD constexpr merge_path with_items(int items) const {
    merge_path other = *this;
    other.items_per_thread = items;
    return other;
  }
  EVENLY_HD constexpr int items() const { return items_per_thread; }
  constexpr char const* fault() const {
    return items_per_thread > 0 ? nullptr : "merge_path: items_per_thread must be at least 1";
  }

  template <tile_set Set>
  EVENLY_HD constexpr std::int64_t num_groups(Set const& set) const {
    return ceil_div(path_length(set), items_per_thread);
  }

  template <tile_set Set>
  EVENLY_HD constexpr share_of_t<Set> share(Set const& set, std::int64_t group) const {
    auto const begin = cut(set, group);
    return {begin, cut(set, group + 1, begin)};
  }

  /// Where share `group` begins; groups beyond the last begin at the end of the path. `after`: an earlier cut.
  template <tile_set Set>
  EVENLY_HD constexpr position_of_t<Set> cut(Set const& set, std::int64_t group, position_of_t<Set> after = {}) const {
    std::int64_t const length = path_length(set);
    std::int64_t const diagonal = group <= length / items_per_thread ? group * items_per_thread : length;
    return merge_path_search(set, diagonal, after);
  }

 private:
  template <tile_set Set>
  static EVENLY_HD constexpr std::int64_t path_length(Set const& set) {
    return static_cast<std::int64_t>(set.num_tiles()) + static_cast<std::int64_t>(set.num_atoms());
  }
};

}  // namespace evenly
