// SPDX-License-Identifier: Apache-2.0
//
// One tile, one block: right for few and long tiles.
#pragma once

#include <evenly/schedule/group_mapped.hpp>

namespace evenly {

/// @post every atom in exactly one share
struct block_mapped : group_mapped {
  static constexpr char const* name = "block_mapped";
  static constexpr bool whole_tiles = false;  // the fast form is for groups within a warp
  constexpr block_mapped(int threads = 256) : group_mapped{threads} {}
};

}  // namespace evenly
