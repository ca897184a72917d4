// SPDX-License-Identifier: Apache-2.0
//
// The staged form of a schedule that cuts the merge path: a whole block takes one large share. Its atoms are fetched in
// atom order, mapped, and kept in padded scratch; then threads, lanes, warps or a scan reduce the tiles that end in the
// share, whichever fits their sizes (kernel/staged_block.hpp). It is the same schedule with larger shares, so it stays
// balanced whatever the tiles are.
//
// Only a long tile is shared between blocks (kernel/stage.hpp): each leaves its partial and counts itself in before it
// turns to its whole tiles; the last to arrive combines all partials in block order by a fixed tree and emits the tile.
// Nobody waits for a block that may not have begun, nothing is fenced, nothing is reset between runs, and the result depends
// on the plan alone. One launch does it all.
//
// Sources: Merrill & Garland (SC 2016); Greathouse & Daga, CSR-Stream (SC 2014); the arrival count is ours.
#pragma once

#include <evenly/kernel/body.hpp>
#include <evenly/kernel/fetch_atoms.hpp>
#include <evenly/kernel/fold_run.hpp>
#include <evenly/kernel/staged_block.hpp>

#include <cstdint>

namespace evenly {

/// Share b of the plan with the calling block, of whole warps. When all shares are done, every tile has been emitted, split
/// ones included. Needs stage.scratch_bytes<value>() of scratch; any number of warps works, the plan's own is fast.
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
  auto carries = me.template scratch<value>(stage::most_warps);
  auto flags = me.template scratch<int>(stage::most_warps + 2);
  auto const operands = operands_of(rows.set());
  detail::staged_block<Worker, view, Op, Emit, decltype(values), decltype(ends), decltype(carries),
                       decltype(flags)> const work{me, rows, op, emit, values, ends, carries, flags};

  int seen;  // threads that saw a long tile
  int limit;
  {
    auto const from = rows.cuts[b], to = rows.cuts[b + 1];
    std::int64_t const closed = static_cast<std::int64_t>(to.tile - from.tile);
    int const round = work.round_of(closed);
    limit = work.long_from(static_cast<int>(to.atom - from.atom), round);
    bool saw_long = false;
    if constexpr (wants_tile<Set, Map>) {
      saw_long = work.load_ends(from, 0, round, limit);
      me.sync();
    }
    fetch_atoms(
        me, operands, from.atom, to.atom, static_cast<atom>(rows.set().num_atoms()),
        [&] {
          if constexpr (!wants_tile<Set, Map>) saw_long = work.load_ends(from, 0, round, limit);
        },
        [&](atom at, auto... loaded) {
          int const i = stage::padded<value>(static_cast<int>(at - from.atom));
          if constexpr (wants_tile<Set, Map>)
            values[i] = static_cast<value>(map(work.tile_of_atom(from, closed, at), at, loaded...));
          else values[i] = static_cast<value>(map(ignored{}, at, loaded...));
        });
    seen = me.count(saw_long);
  }

  // The cuts are read again rather than kept: registers are what fetching is short of.
  auto const from = rows.cuts[b], to = rows.cuts[b + 1];
  std::int64_t const closed = static_cast<std::int64_t>(to.tile - from.tile);
  int const round = work.round_of(closed);
  bool const joined = from.inside() && closed > 0, open = to.inside();
  int const head_end = joined ? static_cast<int>(ends[0]) : 0;
  work.post_parts(b, from, to, head_end);

  int begin = head_end;
  EVENLY_ROLLED
  for (std::int64_t done = 0; done < closed; done += round) {
    int const count = static_cast<int>(closed - done < round ? closed - done : round);
    if (done > 0) {
      me.sync();
      seen = me.count(work.load_ends(from, done, count, limit));
    }
    work.reduce_chunk(static_cast<tile>(from.tile + static_cast<tile>(done)), done == 0 && joined ? 1 : 0, count, begin,
                      seen, limit);
    begin = ends[count - 1];
  }
  if (joined || open) work.join_shared(b, joined, open);
}

namespace detail {

/// The first tile after `first`, an empty one, that is not empty, or `end`. Steps double and halve again, so that long runs
/// of empty tiles cost next to nothing.
template <class Set, class Tile>
EVENLY_HD constexpr Tile end_of_empty(Set const& set, Tile first, Tile end) {
  auto const begin = set.tile_begin(first);
  auto const is_empty_to = [&](Tile tile) { return set.tile_begin(tile) == begin; };
  Tile known = static_cast<Tile>(first + 1);
  std::int64_t step = 1;
  for (; known < end && is_empty_to(static_cast<Tile>(known + (step < end - known ? step : end - known))); step *= 2)
    known = static_cast<Tile>(known + (step < end - known ? step : end - known));
  for (; step > 0; step /= 2)
    if (step < end - known && is_empty_to(static_cast<Tile>(known + step))) known = static_cast<Tile>(known + step);
  return known;
}

}  // namespace detail

/// Share b of the plan with one thread that plays a block: nothing is staged, tiles are folded where they lie.
template <replaying_worker Worker, tile_set Set, class Schedule, class Map, monoid Op, class Emit>
EVENLY_HD void reduce_share(Worker me, staged_view<Set, Schedule> const& rows, std::int64_t b, Map const& map,
                            Op const& op, Emit const& emit) {
  using atom = typename staged_view<Set, Schedule>::atom;
  using tile = typename staged_view<Set, Schedule>::tile;
  check_map<Set, Map>();
  check_emit<Set, Emit>();
  auto const& set = rows.set();
  auto const from = rows.cuts[b], to = rows.cuts[b + 1];
  auto const leave = [&](auto const& which, bool closes, auto const& part) {
    if (detail::post_part(rows, b, closes, part, which)) detail::join_parts(me, rows, which, op, emit);
  };
  tile at = from.tile;
  atom begin = from.atom;
  if (from.inside() && at < to.tile) {
    atom const end = static_cast<atom>(set.tile_begin(static_cast<tile>(at + 1)));
    leave(from, true, detail::fold_run(set, at, begin, end, map, op));
    begin = end;
    ++at;
  }
  while (at < to.tile) {
    atom const end = static_cast<atom>(set.tile_begin(static_cast<tile>(at + 1)));
    if (begin < end) {
      emit(at, detail::fold_run(set, at, begin, end, map, op));
      begin = end;
      ++at;
    } else {
      for (tile const full = detail::end_of_empty(set, at, to.tile); at < full; ++at) emit(at, op.identity());
    }
  }
  if (to.inside()) leave(to, false, detail::fold_run(set, to.tile, begin, static_cast<atom>(to.atom), map, op));
}

/// All shares, whatever the size of the launch. (A launch of num_blocks blocks needs no loop, and a loop costs registers:
/// the host's reduce_tiles calls reduce_share directly.)
template <worker Worker, tile_set Set, class Schedule, class Map, monoid Op, class Emit>
EVENLY_HD void reduce_tiles(Worker const& me, staged_view<Set, Schedule> const& rows, Map const& map, Op const& op,
                            Emit const& emit) {
  if constexpr (replaying_worker<Worker>) {
    for (auto b : turns(me.group(1), rows.num_blocks)) reduce_share(me, rows, b, map, op, emit);
  } else {
    for (std::int64_t b = me.block(); b < rows.num_blocks; b += me.num_blocks()) {
      reduce_share(me, rows, b, map, op, emit);
      me.sync();  // scratch is used again
    }
  }
}

}  // namespace evenly
