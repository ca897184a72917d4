// SPDX-License-Identifier: Apache-2.0
//
// How evenly a schedule deals work, computed from its shares alone: no GPU, no kernel. Work is counted in steps of the
// merge path, one for each nonzero and one for each row end, and laid out as a GPU would: lanes in warps of 32 that
// wait for their slowest, warps in blocks.
#pragma once

#include "instances.hpp"

#include <cstdint>
#include <vector>

namespace evenly::instances {

/// Loads of one kind of worker.
struct load_spread {
  std::int64_t count = 0;
  double mean = 0;
  double most = 0;
  /// How much longer the busiest is at work than the mean; 1 is perfect.
  double imbalance() const { return mean > 0 ? most / mean : 1; }
};

struct balance {
  load_spread threads, warps, blocks;
  double lanes_busy = 1;             // share of a warp's lanes that work, on average, until its slowest is done
  std::vector<double> warp_profile;  // the busiest warp in each of equal stretches of the grid, in steps
  std::vector<double> atom_profile;  // nonzeros of the busiest thread in the same stretches
};

/// threads_per_block: a multiple of 32. buckets: stretches of the profile.
balance balance_of(any_csr const& A, any_schedule const& schedule, int threads_per_block, int buckets);

}  // namespace evenly::instances
