// SPDX-License-Identifier: Apache-2.0
//
// One tile, one group of lanes, of any size from 1 to 1024, power of two or not. The lanes deal the tile's atoms.
//
//     tiles |a a a|a|a a a|, lanes = 2     group 0: lane 0 takes a _ a, lane 1 takes _ a _     group 1: lane 0 takes a     ...
//
// Right for tiles of even size; about size / 8 lanes is a good start. Lanes stride through the tile when the op is
// commutative and take contiguous pieces otherwise (see dealing).
#pragma once

#include <evenly/core/schedule.hpp>
#include <evenly/schedule/thread_mapped.hpp>

namespace evenly {

/// @post every atom in exactly one share
/// @post share g is tile g
struct group_mapped {
  static constexpr char const* name = "group_mapped";
  static constexpr bool splits_tiles = false;
  static constexpr bool whole_tiles = true;  // share g is tile g: a device may use its fast form
  int lanes = 8;

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
