// SPDX-License-Identifier: Apache-2.0
//
// Which threads of a block have been ordered by barriers, exactly: vector clocks, in the small form that a grid allows.
// Every barrier is a tick. A block barrier raises a floor for everybody. A group of up to 32 lanes lies inside a warp,
// so what it orders is a row of 32 lanes per thread; a larger group is whole warps, so a row of 32 warps per warp.
// Warps are not ordered by themselves: on a GPU they have not been since Volta.
#pragma once

#include <evenly/core/worker.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace evenly::detail {

class simt_clock {
 public:
  static constexpr int max_warps = 32;

  /// A new block. Ticks go on counting, so that nothing of an earlier block needs to be cleared.
  void start(int threads) {
    within_.resize(std::max(within_.size(), static_cast<std::size_t>(threads)));
    if (now_ > UINT32_MAX / 2) {
      within_.assign(within_.size(), {});
      across_ = {};
      now_ = 0;
    }
    block_barrier();
  }

  /// The time that marks an access.
  std::uint32_t now() const { return now_; }

  void block_barrier() { floor_ = ++now_; }

  /// A barrier of threads first .. first + members - 1, placed by the rule of core/worker.hpp.
  void group_barrier(int first, int members) {
    ++now_;
    if (members <= warp_size) meet(within_.data() + first, first % warp_size, members);
    else meet(across_.data() + first / warp_size, first / warp_size, members / warp_size);
  }

  /// Is what thread `before` did at time `then` ordered before what `thread` does now?
  bool ordered(int before, std::uint32_t then, int thread) const {
    if (before == thread || then < floor_) return true;
    int const warp = thread / warp_size, other_warp = before / warp_size;
    if (then < across_[index(warp)][index(other_warp)]) return true;
    return warp == other_warp && then < within_[index(thread)][index(before % warp_size)];
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  using row = std::array<std::uint32_t, 32>;  // what was done before these times is known

  // Who meets learns all that the others know, and all that they have done.
  void meet(row* rows, int first, int members) {
    row known = rows[0];
    for (int m = 1; m < members; ++m)
      for (std::size_t i = 0; i < known.size(); ++i) known[i] = std::max(known[i], rows[m][i]);
    for (int m = 0; m < members; ++m) known[index(first + m)] = now_;
    std::fill_n(rows, members, known);
  }

  std::uint32_t now_ = 0, floor_ = 0;
  std::vector<row> within_;                 // [threads], of the lanes of its warp
  std::array<row, max_warps> across_ = {};  // [warps], of all lanes of a warp
};

}  // namespace evenly::detail
