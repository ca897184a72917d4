// SPDX-License-Identifier: Apache-2.0
//
// One tile, one thread: the row-parallel CSR of Bell & Garland (SC 2009, section 4), the paper's Listing 2.
//
//     tiles |a a a|a|a a a|     worker 0: a a a E   1: a E   2: a a a E   3: nothing
//
// No search, no scratch; right for tiles of even size up to about 8 atoms, and the baseline that shows what imbalance costs.
#pragma once

#include <evenly/core/schedule.hpp>

namespace evenly {

/// The share that is exactly one tile.
template <tile_set Set>
EVENLY_HD constexpr share_of_t<Set> whole_tile(Set const& set, tile_of_t<Set> tile) {
  auto const next = static_cast<tile_of_t<Set>>(tile + 1);
  return {{tile, static_cast<atom_of_t<Set>>(set.tile_begin(tile))},
          {next, static_cast<atom_of_t<Set>>(set.tile_begin(next))}};
}

/// @post every atom in exactly one share
/// @post share g is tile g
struct thread_mapped {
  static constexpr char const* name = "thread_mapped";
  static constexpr int lanes = 1;
  static constexpr bool splits_tiles = false;
  static constexpr bool whole_tiles = true;  // share g is tile g: a device may use its fast form

  template <tile_set Set>
  EVENLY_HD constexpr std::int64_t num_groups(Set const& set) const {
    return static_cast<std::int64_t>(set.num_tiles());
  }

  template <tile_set Set>
  EVENLY_HD constexpr share_of_t<Set> share(Set const& set, std::int64_t group) const {
    return whole_tile(set, static_cast<tile_of_t<Set>>(group));
  }
};

}  // namespace evenly
