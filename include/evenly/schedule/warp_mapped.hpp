// SPDX-License-Identifier: Apache-2.0
//
// One tile, one warp: group_mapped with 32 lanes (CSR-vector of Bell & Garland, SC 2009, section 4).
#pragma once

#include <evenly/core/worker.hpp>
#include <evenly/schedule/group_mapped.hpp>

namespace evenly {

/// @post every atom in exactly one share
struct warp_mapped : thread_mapped {
  static constexpr char const* name = "warp_mapped";
  static constexpr int lanes = warp_size;
};

}  // namespace evenly
