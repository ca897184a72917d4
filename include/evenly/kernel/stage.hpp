// SPDX-License-Identifier: Apache-2.0
//
// What a plan prepares for the staged form of a schedule (kernel/staged.hpp): how large a block's share is, and where the
// shares begin. Short tiles are never split: a cut that would fall into one moves to its begin (the share before shrinks,
// this one grows by at most `snap` atoms). A cut inside a longer tile knows the blocks that share the tile.
#pragma once

#include <evenly/core/plan_view.hpp>

#include <cstddef>
#include <cstdint>

namespace evenly {

/// Where a block's share begins. A cut inside a tile knows the blocks that share the tile.
template <class Tile, class Atom>
struct alignas(2 * (sizeof(Tile) + sizeof(Atom)) >= 16 ? 16 : 8) block_cut {
  Tile tile{};
  Atom atom{};
  std::int32_t first = -1;  // the block that opens the tile; -1: the cut is where the tile begins
  std::int32_t last = -1;   // the block that closes it
  EVENLY_HD constexpr bool inside() const { return first >= 0; }
};

/// How a block's scratch is cut up, and what its threads put up with before they scan. capacity = threads *
/// items_per_thread atoms at most are staged at a time.
struct stage {
  int threads = 256;
  int capacity = 2048;  // atoms, and tile ends
  int long_tiles = 3;   // more tiles than that of twice the mean length are reduced by a scan; -1: all are

  static constexpr int most_warps = 32;  // of a block

  /// Largest tile that is never split.
  EVENLY_HD constexpr int snap() const { return capacity >= 2048 ? 124 : capacity / 16; }
  /// Steps of the merge path in a block's share: with snapping and a misaligned begin they still fit.
  EVENLY_HD constexpr int steps() const { return capacity - snap() - 4; }

  template <class Value>
  EVENLY_HD static constexpr int padded(int i) {
    return i + (i >> (sizeof(Value) <= 4 ? 5 : 4));
  }
  /// Scratch for values of that size: padded values, tile ends, and for each warp a value and two flags.
  template <class Value>
  EVENLY_HD constexpr std::size_t scratch_bytes() const {
    auto const in_16s = [](std::size_t bytes) { return (bytes + 15) / 16 * 16; };
    return in_16s(sizeof(Value) * static_cast<std::size_t>(padded<Value>(capacity) + 1)) +
           in_16s(sizeof(std::uint16_t) * static_cast<std::size_t>(capacity)) + in_16s(sizeof(Value) * most_warps) +
           in_16s(sizeof(int) * (most_warps + 2));
  }
};

/// A plan's staged form, as kernels take it.
template <tile_set Set, schedule_for<Set> Schedule>
struct staged_view {
  using set_type = Set;
  using schedule_type = Schedule;
  using tile = tile_of_t<Set>;
  using atom = atom_of_t<Set>;

  Set set_;
  Schedule schedule;  // with stage.steps() items in a share
  evenly::stage stage;
  std::int64_t num_blocks = 0;
  block_cut<tile, atom>* cuts = nullptr;  // [num_blocks + 1]
  std::int32_t* arrivals = nullptr;       // [num_blocks], zero between runs
  void* partials = nullptr;               // [2 * num_blocks] posted values, nothing posted between runs

  EVENLY_HD constexpr Set const& set() const { return set_; }
};

/// Body that writes the cuts of a plan, one thread for each: where the schedule cuts, snapped to the begin of short tiles.
template <class View>
struct cut_body {
  View rows;

  template <worker Worker>
  EVENLY_HD constexpr void operator()(Worker const& me) const {
    for (auto b : grid_stride(me, std::int64_t{0}, rows.num_blocks + 1)) {
      auto const at = rows.schedule.cut(rows.set(), b);
      block_cut<typename View::tile, typename View::atom> cut{at.tile, at.atom};
      if (at.tile < rows.set().num_tiles()) {
        auto const begin = static_cast<typename View::atom>(rows.set().tile_begin(at.tile));
        if (at.atom > begin) {
          auto const end =
              static_cast<typename View::atom>(rows.set().tile_begin(static_cast<typename View::tile>(at.tile + 1)));
          if (end - begin <= static_cast<typename View::atom>(rows.stage.snap())) cut.atom = begin;
          else cut.first = 0;
        }
      }
      rows.cuts[b] = cut;
    }
  }
};

/// Body that completes the cuts inside tiles: the first and last block of each such tile.
template <class View>
struct span_body {
  View rows;

  template <worker Worker>
  EVENLY_HD constexpr void operator()(Worker const& me) const {
    for (auto b : grid_stride(me, std::int64_t{0}, rows.num_blocks)) {
      if (!rows.cuts[b].inside()) continue;
      auto const tile = rows.cuts[b].tile;
      // first: the block before the first cut inside this tile; last: the block before the first cut of a later tile
      std::int64_t low = 0, high = b;
      while (low < high) {
        std::int64_t const middle = low + (high - low) / 2;
        if (rows.cuts[middle].tile < tile || (rows.cuts[middle].tile == tile && !rows.cuts[middle].inside()))
          low = middle + 1;
        else high = middle;
      }
      std::int32_t const first = static_cast<std::int32_t>(low - 1);
      low = b;
      high = rows.num_blocks;
      while (low < high) {
        std::int64_t const middle = low + (high - low) / 2;
        if (rows.cuts[middle].tile <= tile) low = middle + 1;
        else high = middle;
      }
      rows.cuts[b].last = static_cast<std::int32_t>(low - 1);
      rows.cuts[b].first = first;
    }
  }
};

}  // namespace evenly
