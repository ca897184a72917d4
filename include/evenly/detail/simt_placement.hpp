// SPDX-License-Identifier: Apache-2.0
//
// Which group of a block a thread is in, and as which lane: the rule of core/worker.hpp as a function.
//   lanes = 12, one warp:   0..11 group 0 | 12..23 group 1 | 24..31 spare: in no group
//   lanes = 40, 4 warps:    0..39 group 0, 40..63 surplus  | 64..103 group 1, 104..127 surplus
#pragma once

#include <evenly/core/config.hpp>
#include <evenly/core/worker.hpp>

namespace evenly::detail {

/// @post active implies present, 0 <= lane < lanes and 0 <= local < groups_per_block(lanes, threads)
/// @post the present threads of a group are first .. first + members - 1
struct group_placement {
  int local;     // group in its block
  int lane;      // in its group; of a spare thread, as if there were one more group
  int first;     // thread that is lane 0
  int members;   // threads that take part in a collective, surplus lanes included
  bool active;   // has work
  bool present;  // takes part in collectives

  EVENLY_HD constexpr group_placement(int lanes, int thread, int threads) {
    int const warp = thread / warp_size, warp_lane = thread % warp_size;
    if (lanes <= warp_size) {
      int const in_warp = warp_lane / lanes;
      local = warp * (warp_size / lanes) + in_warp;
      lane = warp_lane % lanes;
      members = lanes;
      present = in_warp < warp_size / lanes && local < groups_per_block(lanes, threads);
      active = present;
    } else {
      members = (lanes + warp_size - 1) / warp_size * warp_size;
      local = thread / members;
      lane = thread % members;
      present = local < groups_per_block(lanes, threads);
      active = present && lane < lanes;
    }
    first = thread - lane;
  }
};

}  // namespace evenly::detail
