// SPDX-License-Identifier: Apache-2.0
//
// How a block reduces the tiles whose mapped values lie in its scratch, by the way that suits them:
//   a thread a tile      many short tiles; a few long ones among them are left to warps
//   2, 8 or 32 lanes     fewer, longer tiles of even length
//   a scan               tiles of uneven length: threads take equal stretches of the merge path, whatever tiles they cross,
//                        and a segmented scan carries open sums from thread to thread
// and when it leaves its parts of tiles that it shares with other blocks.
//
// Sources: Greathouse & Daga, CSR-Stream (SC 2014); Merrill & Garland (SC 2016); segmented scan: Sengupta et al. (2007).
#pragma once

#include <evenly/core/monoid.hpp>
#include <evenly/kernel/shared_tile.hpp>

#include <bit>
#include <cstdint>

namespace evenly::detail {

/// The lanes of the warp whose flag is set, as bits.
template <class Group>
EVENLY_HD unsigned lanes_with(Group const& warp, bool flag) {
  if constexpr (requires { warp.ballot(flag); }) {
    return warp.ballot(flag);
  } else {
    unsigned lanes = 0;
    for (int lane = 0; lane < warp.size(); ++lane) lanes |= warp.shuffle(flag ? 1u : 0u, lane) << lane;
    return lanes;
  }
}

EVENLY_HD constexpr int lowest_lane(unsigned lanes) {
#if defined(__CUDA_ARCH__)
  return __ffs(static_cast<int>(lanes)) - 1;
#else
  return std::countr_zero(lanes);
#endif
}
EVENLY_HD constexpr int highest_lane(unsigned lanes) {
#if defined(__CUDA_ARCH__)
  return 31 - __clz(static_cast<int>(lanes));
#else
  return 31 - std::countl_zero(lanes);
#endif
}

/// One block at work on its share. Values and ends are scratch arrays; the share's atoms are counted from 0.
template <class Worker, class View, class Op, class Emit, class Values, class Ends, class Carries, class Flags>
struct staged_block {
  using value = value_of_t<Op>;
  using tile = typename View::tile;
  using atom = typename View::atom;
  using cut = block_cut<tile, atom>;

  Worker me;
  View const& rows;
  Op const& op;
  Emit const& emit;
  mutable Values values;    // [padded capacity]
  mutable Ends ends;        // [capacity]
  mutable Carries carries;  // [warps]
  mutable Flags flags;  // [2 + warps]: are all parts of the first and of the last tile there; did a warp close a tile

  /// Longest tile that a thread walks alone when threads take one tile each.
  static constexpr int long_walk = 32;

  /// Tile ends that are in scratch at a time.
  EVENLY_HD int round_of(std::int64_t closed) const {
    return static_cast<int>(closed < rows.stage.capacity ? closed : rows.stage.capacity);
  }
  /// Tiles longer than this are long among so many in so many atoms.
  EVENLY_HD static constexpr int long_from(int atoms, int tiles) {
    return atoms > 8 * tiles && tiles > 0 ? atoms / tiles * 2 : 16;
  }

  /// ends[i] = where tile from.tile + done + i ends, for i < count. Has this thread seen a tile longer than `limit`?
  EVENLY_HD bool load_ends(cut const& from, std::int64_t done, int count, int limit) const {
    tile const origin = static_cast<tile>(from.tile + static_cast<tile>(done));
    bool seen = false;
    EVENLY_ROLLED
    for (int i = me.thread(); i < count; i += me.num_threads()) {
      tile const which = static_cast<tile>(origin + static_cast<tile>(i));
      auto const begin = static_cast<atom>(rows.set().tile_begin(which));
      auto const end = static_cast<atom>(rows.set().tile_begin(static_cast<tile>(which + 1)));
      ends[i] = static_cast<std::uint16_t>(end - from.atom);
      seen = seen || (begin >= from.atom && end - begin > static_cast<atom>(limit));
    }
    return seen;
  }

  /// The tile of an atom of the share: the first whose end lies beyond it, searched in scratch where the ends are there.
  EVENLY_HD tile tile_of_atom(cut const& from, std::int64_t closed, atom at) const {
    std::int64_t low = 0, high = closed;
    bool const here = closed <= rows.stage.capacity;
    while (low < high) {
      std::int64_t const middle = low + (high - low) / 2;
      atom const end =
          here ? static_cast<atom>(from.atom +
                                   static_cast<atom>(static_cast<std::uint16_t>(ends[static_cast<int>(middle)])))
               : static_cast<atom>(rows.set().tile_begin(static_cast<tile>(from.tile + static_cast<tile>(middle) + 1)));
      if (end <= at) low = middle + 1;
      else high = middle;
    }
    return static_cast<tile>(from.tile + static_cast<tile>(low));
  }

  EVENLY_HD value at(int i) const { return values[stage::padded<value>(i)]; }

  EVENLY_HD value fold(int begin, int end, int lane, int lanes) const {
    auto const mine = deal(begin, end, begin, lane, lanes, commutative<Op> ? dealing::striped : dealing::pieces);
    value sum = op.identity();
    for (int i = mine.begin; i < mine.end; i += mine.stride) sum = op(sum, at(i));
    return sum;
  }

  /// All of [begin, end) with the whole block; thread 0 has it.
  EVENLY_HD value block_fold(int begin, int end) const {
    auto const block = me.group(me.num_threads());
    auto const mine =
        deal(begin, end, begin, block.lane(), block.size(), commutative<Op> ? dealing::striped : dealing::pieces);
    value sum = op.identity();
    EVENLY_ROLLED
    for (int i = mine.begin; i < mine.end; i += mine.stride) sum = op(sum, at(i));
    return block.reduce(sum, op);
  }

  /// Emits the tiles from .. to-1 of the chunk; tile i ends at ends[i] and begins where i - 1 ends, the first at `begin`.
  /// seen: threads that saw a tile longer than `limit`.
  EVENLY_HD void reduce_chunk(tile origin, int from, int to, int begin, int seen, int limit) const {
    int const count = to - from;
    if (count <= 0) return;
    int const size = ends[to - 1] - begin;
    bool const many = size <= 16 * count || count >= me.num_threads();
    // few long tiles hold up one warp each; where tiles are few, one of twice the length holds up all
    if (seen > (many ? rows.stage.long_tiles : rows.stage.long_tiles / 4)) {
      reduce_by_scan(origin, from, to, begin, size);
    } else if (many) {
      reduce_by_threads(origin, from, to, begin);
      if (seen > 0 || limit > long_walk) reduce_long(origin, from, to, begin);
    } else if (count > 64) {
      reduce_by_lanes<2>(origin, from, to, begin);
    } else if (count > 16) {
      reduce_by_lanes<8>(origin, from, to, begin);
    } else {
      reduce_by_lanes<warp_size>(origin, from, to, begin);
    }
  }

  /// A tile a thread, but for those that reduce_long() takes.
  EVENLY_HD void reduce_by_threads(tile origin, int from, int to, int begin) const {
    EVENLY_ROLLED
    for (int i = from + me.thread(); i < to; i += me.num_threads()) {
      int const first = i == from ? begin : static_cast<int>(ends[i - 1]), last = ends[i];
      if (last - first <= long_walk) emit(static_cast<tile>(origin + static_cast<tile>(i)), fold(first, last, 0, 1));
    }
  }

  EVENLY_HD void reduce_long(tile origin, int from, int to, int begin) const {
    auto const warp = me.group(warp_size);
    EVENLY_ROLLED
    for (int base = from + me.thread() - warp.lane(); base < to; base += me.num_threads()) {
      int const i = base + warp.lane();
      bool const is_long = i < to && ends[i] - (i == from ? begin : static_cast<int>(ends[i - 1])) > long_walk;
      for (unsigned lanes = lanes_with(warp, is_long); lanes != 0; lanes &= lanes - 1) {
        int const t = base + lowest_lane(lanes);
        int const first = t == from ? begin : static_cast<int>(ends[t - 1]);
        value const sum = warp.reduce(fold(first, ends[t], warp.lane(), warp.size()), op);
        if (warp.lane() == 0) emit(static_cast<tile>(origin + static_cast<tile>(t)), sum);
      }
    }
  }

  template <int lanes>
  EVENLY_HD void reduce_by_lanes(tile origin, int from, int to, int begin) const {
    auto const group = me.group(lanes);
    EVENLY_ROLLED
    for (int i = from + me.thread() / lanes; i < to; i += me.num_threads() / lanes) {
      int const first = i == from ? begin : static_cast<int>(ends[i - 1]);
      value const sum = group.reduce(fold(first, ends[i], group.lane(), lanes), op);
      if (group.lane() == 0) emit(static_cast<tile>(origin + static_cast<tile>(i)), sum);
    }
  }

  /// Each thread walks an equal stretch of the chunk's merge path and emits the tiles that begin and end in it; the first
  /// tile that it closes waits for what the threads before have of it.
  EVENLY_HD void reduce_by_scan(tile origin, int from, int to, int begin, int size) const {
    int const count = to - from, threads = me.num_threads();
    int const stretch = (size + count + threads - 1) / threads;
    int const start = me.thread() * stretch;
    int const stop = start + stretch < size + count ? start + stretch : size + count;
    int low = start > size ? start - size : 0, high = start < count ? start : count;
    while (low < high) {
      int const middle = low + (high - low) / 2;
      if (ends[from + middle] - begin <= start - middle - 1) low = middle + 1;
      else high = middle;
    }
    int i = from + low, here = begin + start - low, first = -1;
    int end = i < to ? static_cast<int>(ends[i]) : here;
    value sum = op.identity(), head = sum;
    EVENLY_ROLLED
    for (int step = start; step < stop; ++step) {
      if (here < end) {
        sum = op(sum, at(here));
        ++here;
      } else {
        if (first < 0) first = i, head = sum;
        else emit(static_cast<tile>(origin + static_cast<tile>(i)), sum);
        sum = op.identity();
        ++i;
        if (i < to) end = ends[i];
      }
    }
    value const before = open_before(sum, first >= 0);
    if (first >= 0) emit(static_cast<tile>(origin + static_cast<tile>(first)), op(before, head));
  }

  /// What the threads before this one have left open: an exclusive segmented scan over the block. Collective; valid where
  /// this thread has closed a tile.
  EVENLY_HD value open_before(value sum, bool closed) const {
    auto const warp = me.group(warp_size);
    int const lane = warp.lane();
    unsigned const closers = lanes_with(warp, closed);
    unsigned const up_to = closers & (~0u >> (31 - lane));
    int const begin = up_to != 0 ? highest_lane(up_to) : 0;  // where the segment of this lane's sum begins
    EVENLY_UNROLL
    for (int d = 1; d < warp_size; d *= 2) {
      value const left = warp.shuffle(sum, lane >= d ? lane - d : 0);
      if (lane - d >= begin) sum = op(left, sum);
    }
    int const mine = me.thread() / warp_size;
    if (lane == warp_size - 1) {
      carries[mine] = sum;
      flags[2 + mine] = closers != 0 ? 1 : 0;
    }
    value before = warp.shuffle(sum, lane > 0 ? lane - 1 : 0);
    if (lane == 0) before = op.identity();
    me.sync();
    if (closed && (closers & ((1u << lane) - 1u)) == 0) {
      value outside = op.identity();
      EVENLY_ROLLED
      for (int w = 0; w < mine; ++w) {
        value const open = carries[w];
        outside = flags[2 + w] != 0 ? open : op(outside, open);
      }
      before = op(outside, before);
    }
    return before;
  }

  /// Leaves what this block has of the tile that it closes but did not open, and of the one that it leaves open.
  EVENLY_HD void post_parts(std::int64_t b, cut const& from, cut const& to, int head_end) const {
    int const atoms = static_cast<int>(to.atom - from.atom);
    std::int64_t const closed = static_cast<std::int64_t>(to.tile - from.tile);
    if (closed == 0) {  // all of the share lies inside one tile
      if (!to.inside()) return;
      value const part = block_fold(0, atoms);
      if (me.thread() == 0) flags[1] = post_part(rows, b, false, part, to) ? 1 : 0;
      return;
    }
    auto const warp = me.group(warp_size);
    EVENLY_ROLLED
    for (int part = 0; part < 2; ++part) {
      bool const closes = part == 0;
      if (!(closes ? from : to).inside()) continue;
      int const last = warp.local_count() - 1 - part;  // the last warps have the least to do when threads take tiles
      if (warp.local_index() != (last > 0 ? last : 0)) continue;
      int begin = 0;
      if (!closes)
        begin = closed <= rows.stage.capacity
                    ? static_cast<int>(ends[static_cast<int>(closed) - 1])
                    : static_cast<int>(static_cast<atom>(rows.set().tile_begin(to.tile)) - from.atom);
      value const sum = warp.reduce(fold(begin, closes ? head_end : atoms, warp.lane(), warp.size()), op);
      if (warp.lane() == 0) flags[part] = post_part(rows, b, closes, sum, rows.cuts[b + part]) ? 1 : 0;
    }
  }

  /// Emits those of the block's shared tiles whose parts are all there.
  EVENLY_HD void join_shared(std::int64_t b, bool joined, bool open) const {
    me.sync();
    EVENLY_ROLLED
    for (int part = 0; part < 2; ++part)
      if ((part == 0 ? joined : open) && flags[part] != 0) join_parts(me, rows, rows.cuts[b + part], op, emit);
  }
};

}  // namespace evenly::detail
