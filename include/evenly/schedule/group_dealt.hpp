// SPDX-License-Identifier: Apache-2.0
//
// The paper's group-mapped schedule (PPoPP 2023, section 5.2.3): a group takes a chunk of neighbouring tiles and deals all
// their atoms across its lanes, whatever tile they are in; an atom's tile is found by searching a prefix sum of the chunk's
// tile sizes, kept in scratch memory (`get_tile`).
//
//     tiles |a a a|a|a a a|, lanes = 2, tiles = 3     lane 0 takes a _ a|_|a _ a     lane 1 takes _ a _|a|_ a _
//
// Balanced within a chunk, not between chunks. Made for traversal (SSSP, BFS), where an atom needs its tile but nothing is
// reduced; for reductions each tile of the chunk is combined over the group.
#pragma once

#include <evenly/core/schedule.hpp>
#include <evenly/core/worker.hpp>

namespace evenly {

/// @post every atom in exactly one share
/// @post lanes of a share differ by at most 1 atom
struct group_dealt {
  static constexpr char const* name = "group_dealt";
  static constexpr bool splits_tiles = false;
  static constexpr bool across_tiles = true;
  int lanes = warp_size;
  int tiles = warp_size;  // tiles in a chunk

  constexpr char const* fault() const { return tiles > 0 ? nullptr : "group_dealt: tiles must be at least 1"; }

  template <tile_set Set>
  EVENLY_HD constexpr std::int64_t num_groups(Set const& set) const {
    return ceil_div(static_cast<std::int64_t>(set.num_tiles()), tiles);
  }

  template <tile_set Set>
  EVENLY_HD constexpr share_of_t<Set> share(Set const& set, std::int64_t group) const {
    auto const last = static_cast<std::int64_t>(set.num_tiles());
    std::int64_t const first = group * tiles;
    auto const begin = static_cast<tile_of_t<Set>>(first);
    auto const end = static_cast<tile_of_t<Set>>(last - first > tiles ? first + tiles : last);
    return {{begin, static_cast<atom_of_t<Set>>(set.tile_begin(begin))},
            {end, static_cast<atom_of_t<Set>>(set.tile_begin(end))}};
  }
};

}  // namespace evenly
