// SPDX-License-Identifier: Apache-2.0
//
// The staged form of a schedule that cuts the merge path: a whole block takes one large share. Its atoms are fetched in
// atom order, mapped, and kept in padded scratch; then threads, lanes or warps reduce the tiles that end in the share,
// whichever fits their sizes. It is the same schedule with larger shares, so it stays balanced whatever the tiles are.
//
// Short tiles are never split: a cut that would fall into one moves to its begin (the share before shrinks, this one
// grows by at most `snap` atoms). Only a tile longer than that is shared between blocks: each leaves its partial and
// counts itself in; the last to arrive combines all partials in block order by a fixed tree and emits the tile. Nobody
// waits, nothing is reset between runs, and the result depends on the plan alone. One launch does it all.
//
// Sources: Merrill & Garland (SC 2016); Greathouse & Daga, CSR-Stream (SC 2014); the arrival count is ours.
#pragma once

#include <evenly/core/atomic.hpp>
#include <evenly/core/plan_view.hpp>
#include <evenly/kernel/body.hpp>
#include <evenly/kernel/fetch_atoms.hpp>

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

/// How a block's scratch is cut up. capacity = threads * items_per_thread atoms at most are staged at a time.
struct stage {
  int threads = 256;
  int capacity = 2048;  // atoms, and tile ends

  /// Largest tile that is never split.
  EVENLY_HD constexpr int snap() const { return capacity >= 2048 ? 124 : capacity / 16; }
  /// Steps of the merge path in a block's share: with snapping and a misaligned begin they still fit.
  EVENLY_HD constexpr int steps() const { return capacity - snap() - 4; }

  template <class Value>
  EVENLY_HD static constexpr int padded(int i) {
    return i + (i >> (sizeof(Value) <= 4 ? 5 : 4));
  }
  /// Scratch for values of that size: padded values, tile ends, a flag.
  template <class Value>
  EVENLY_HD constexpr std::size_t scratch_bytes() const {
    auto const in_16s = [](std::size_t bytes) { return (bytes + 15) / 16 * 16; };
    return in_16s(sizeof(Value) * static_cast<std::size_t>(padded<Value>(capacity) + 1)) +
           in_16s(sizeof(std::uint16_t) * static_cast<std::size_t>(capacity)) + 16;
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
  void* partials = nullptr;               // [2 * num_blocks] values

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

namespace detail {

/// f(lane) for each lane of the warp whose flag is set, with the whole warp.
template <class Group, class F>
EVENLY_HD void for_each_flagged(Group const& warp, bool flag, F const& f) {
  if constexpr (requires { warp.ballot(flag); }) {
    for (unsigned lanes = warp.ballot(flag); lanes != 0; lanes &= lanes - 1) f(Group::first_lane(lanes));
  } else {
    for (int lane = 0; lane < warp.size(); ++lane)
      if (warp.shuffle(flag ? 1 : 0, lane) != 0) f(lane);
  }
}

/// One block at work on its share. Values and ends are scratch arrays; the share's atoms are counted from 0.
template <class Worker, class View, class Op, class Emit, class Values, class Ends, class Flag>
struct staged_block {
  using value = value_of_t<Op>;
  using tile = typename View::tile;
  using atom = typename View::atom;

  Worker me;
  View const& rows;
  Op const& op;
  Emit const& emit;
  mutable Values values;
  mutable Ends ends;
  mutable Flag flag;

  /// Tiles longer than this are left to a warp when threads take one tile each.
  static constexpr int long_tile = 64;

  /// ends[i] = where tile from.tile + done + i ends, for i < count.
  template <class Cut>
  EVENLY_HD void load_ends(Cut const& from, std::int64_t done, int count) const {
    tile const origin = static_cast<tile>(from.tile + static_cast<tile>(done));
    EVENLY_ROLLED
    for (int i = me.thread(); i < count; i += me.num_threads()) {
      auto const end = static_cast<atom>(rows.set().tile_begin(static_cast<tile>(origin + static_cast<tile>(i) + 1)));
      ends[i] = static_cast<std::uint16_t>(end - from.atom);
    }
  }

  /// The tile of an atom of the share: the first whose end lies beyond it, searched in scratch where the ends are there.
  template <class Cut>
  EVENLY_HD tile tile_of_atom(Cut const& from, std::int64_t closed, atom at) const {
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
  EVENLY_HD void reduce_chunk(tile origin, int from, int to, int begin) const {
    int const count = to - from;
    if (count <= 0) return;
    int const size = ends[to - 1] - begin;
    if (size <= 16 * count || count >= me.num_threads()) {
      reduce_by_threads(origin, from, to, begin);
    } else if (count > 64) {
      reduce_by_lanes<2>(origin, from, to, begin);
    } else if (count > 16) {
      reduce_by_lanes<8>(origin, from, to, begin);
    } else {
      reduce_by_lanes<warp_size>(origin, from, to, begin);
    }
  }

  /// A tile a thread; then the long ones, which would hold a thread up, a tile a warp.
  EVENLY_HD void reduce_by_threads(tile origin, int from, int to, int begin) const {
    EVENLY_ROLLED
    for (int i = from + me.thread(); i < to; i += me.num_threads()) {
      int const first = i == from ? begin : static_cast<int>(ends[i - 1]), last = ends[i];
      if (last - first <= long_tile) emit(static_cast<tile>(origin + static_cast<tile>(i)), fold(first, last, 0, 1));
    }
    reduce_long(origin, from, to, begin);
  }

  EVENLY_HD void reduce_long(tile origin, int from, int to, int begin) const {
    auto const warp = me.group(warp_size);
    EVENLY_ROLLED
    for (int base = from + me.thread() - warp.lane(); base < to; base += me.num_threads()) {
      int const i = base + warp.lane();
      bool const is_long = i < to && ends[i] - (i == from ? begin : static_cast<int>(ends[i - 1])) > long_tile;
      for_each_flagged(warp, is_long, [&](int lane) {
        int const t = base + lane;
        int const first = t == from ? begin : static_cast<int>(ends[t - 1]);
        value const sum = warp.reduce(fold(first, ends[t], warp.lane(), warp.size()), op);
        if (warp.lane() == 0) emit(static_cast<tile>(origin + static_cast<tile>(t)), sum);
      });
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

  /// Leaves this block's part of a tile shared by blocks first .. last; the last block to arrive emits the tile.
  EVENLY_HD void share_tile(std::int64_t b, bool closes, int begin, int end, block_cut<tile, atom> cut) const {
    publish(b, closes, block_fold(begin, end), cut.tile, cut.first, cut.last);
  }

  EVENLY_HD void publish(std::int64_t b, bool closes, value part, tile which, std::int32_t first,
                         std::int32_t last) const {
    auto* const partials = static_cast<value*>(rows.partials);
    if (me.thread() == 0) {
      partials[2 * b + (closes ? 0 : 1)] = part;
      bool const complete = arrive(rows.arrivals + first) == last - first;
      if (complete) rows.arrivals[first] = 0;  // ready for the next run
      flag[0] = complete ? 1 : 0;
    }
    me.sync();
    int const complete = flag[0];
    me.sync();
    if (complete == 0) return;
    auto const block = me.group(me.num_threads());
    auto const mine = deal<std::int64_t>(first, std::int64_t{last} + 1, first, block.lane(), block.size(),
                                         commutative<Op> ? dealing::striped : dealing::pieces);
    value sum = op.identity();
    EVENLY_ROLLED
    for (std::int64_t p = mine.begin; p < mine.end; p += mine.stride)
      sum = op(sum, load_fresh(partials + 2 * p + (p == last ? 0 : 1)));
    sum = block.reduce(sum, op);
    if (me.thread() == 0) emit(which, sum);
  }
};

}  // namespace detail

/// Share b of the plan with the calling block. When all shares are done, every tile has been emitted, split ones included.
/// Needs stage.scratch_bytes<value>() of scratch; any number of threads works, the plan's own is fast.
template <worker Worker, tile_set Set, class Schedule, class Map, monoid Op, class Emit>
EVENLY_HD void reduce_share(Worker me, staged_view<Set, Schedule> const& rows, std::int64_t b, Map const& map,
                            Op const& op, Emit const& emit) {
  using view = staged_view<Set, Schedule>;
  using value = value_of_t<Op>;
  using atom = typename view::atom;
  using tile = typename view::tile;
  check_map<Set, Map>();
  check_emit<Set, Emit>();
  auto values = me.template scratch<value>(stage::padded<value>(rows.stage.capacity) + 1);
  auto ends = me.template scratch<std::uint16_t>(rows.stage.capacity);
  auto flag = me.template scratch<int>(1);
  auto const operands = operands_of(rows.set());
  detail::staged_block<Worker, view, Op, Emit, decltype(values), decltype(ends), decltype(flag)> const work{
      me, rows, op, emit, values, ends, flag};

  auto const from = rows.cuts[b], to = rows.cuts[b + 1];
  int const atoms = static_cast<int>(to.atom - from.atom);
  std::int64_t const closed = static_cast<std::int64_t>(to.tile - from.tile);
  // As many tile ends at a time as fit; a merge-path share takes one round.
  int const round = static_cast<int>(closed < rows.stage.capacity ? closed : rows.stage.capacity);
  if constexpr (wants_tile<Set, Map>) {
    work.load_ends(from, 0, round);
    me.sync();
  }
  fetch_atoms(
      me, operands, from.atom, to.atom, static_cast<atom>(rows.set().num_atoms()),
      [&] {
        if constexpr (!wants_tile<Set, Map>) work.load_ends(from, 0, round);
      },
      [&](atom at, auto... loaded) {
        int const i = stage::padded<value>(static_cast<int>(at - from.atom));
        if constexpr (wants_tile<Set, Map>)
          values[i] = static_cast<value>(map(work.tile_of_atom(from, closed, at), at, loaded...));
        else values[i] = static_cast<value>(map(ignored{}, at, loaded...));
      });
  me.sync();
  bool const joined = from.inside() && closed > 0;
  int const head_end = joined ? static_cast<int>(ends[0]) : 0;
  int open_begin = round > 0 ? static_cast<int>(ends[round - 1]) : 0;
  work.reduce_chunk(from.tile, joined ? 1 : 0, round, head_end);
  EVENLY_ROLLED
  for (std::int64_t done = round; done < closed; done += round) {
    int const count = static_cast<int>(closed - done < round ? closed - done : round);
    me.sync();
    work.load_ends(from, done, count);
    me.sync();
    work.reduce_chunk(static_cast<tile>(from.tile + static_cast<tile>(done)), 0, count, open_begin);
    open_begin = ends[count - 1];
  }
  // The tiles this block shares with others: the one it closes but did not open, and the one it leaves open.
  EVENLY_ROLLED
  for (int part = 0; part < 2; ++part) {
    bool const closes = part == 0;
    if (closes ? !joined : !to.inside()) continue;
    work.share_tile(b, closes, closes ? 0 : open_begin, closes ? head_end : atoms, closes ? from : to);
  }
}

/// All shares, whatever the size of the launch. (A launch of num_blocks blocks needs no loop, and a loop costs registers:
/// the host's reduce_tiles calls reduce_share directly.)
template <worker Worker, tile_set Set, class Schedule, class Map, monoid Op, class Emit>
EVENLY_HD void reduce_tiles(Worker const& me, staged_view<Set, Schedule> const& rows, Map const& map, Op const& op,
                            Emit const& emit) {
  for (std::int64_t b = me.block(); b < rows.num_blocks; b += me.num_blocks()) {
    reduce_share(me, rows, b, map, op, emit);
    me.sync();  // scratch is used again
  }
}

}  // namespace evenly
