// SPDX-License-Identifier: Apache-2.0
//
// The device form of a schedule that gives whole tiles to groups of 1, 2, 4, ... 32 lanes: the group size is known to the
// compiler, and each lane takes four neighbouring atoms at a time, with loads that go through the cache, since a lane comes
// back for the rest of its line (streaming loads here cost up to 2.8 times; measured on an H200). One lane walks its tile in
// order and serves every op; more lanes stride and serve commutative ones.
//
// Sources: Bell & Garland, CSR-scalar and CSR-vector (SC 2009); vector loads with masked ends after Sputnik (SC 2020).
#pragma once

#include <evenly/core/plan_view.hpp>
#include <evenly/kernel/body.hpp>
#include <evenly/kernel/fetch_atoms.hpp>

#include <cstdint>

namespace evenly {

/// Is share g of this schedule always the whole tile g?
template <class Schedule>
inline constexpr bool maps_whole_tiles = requires { requires Schedule::whole_tiles; };

/// The tile of this thread's group, emitted. Needs a launch of at least num_tiles groups of `lanes` threads.
template <int lanes, worker Worker, class View, class Map, monoid Op, class Emit>
EVENLY_HD void reduce_whole_tile(Worker const& me, View const& rows, Map const& map, Op const& op, Emit const& emit) {
  static_assert(lanes == 1 || commutative<Op>);
  using value = value_of_t<Op>;
  using atom = typename View::atom;
  using tile = typename View::tile;
  check_map<typename View::set_type, Map>();
  check_emit<typename View::set_type, Emit>();
  auto const group = me.group(lanes);
  std::int64_t const turn = (me.block() * me.num_threads() + me.thread()) / lanes;
  if (turn >= rows.num_groups()) return;
  auto const row = static_cast<tile>(turn);
  auto const& set = rows.set();
  auto const operands = operands_of(set);
  atom const begin = set.tile_begin(row), end = set.tile_begin(static_cast<tile>(row + 1));
  value sum = op.identity();
  auto const take = [&](atom at, auto... loaded) { sum = op(sum, static_cast<value>(map(row, at, loaded...))); };
  if constexpr (lanes == 1) {
    atom at = begin;
    for (; at < end; ++at) operands.load(at, [&](auto... loaded) { take(at, loaded...); });
  } else {
    // A place is compared by what is left, so that no step passes the type's end; in int at least, which lanes fit.
    using place = std::common_type_t<atom, int>;
    constexpr place step = lanes, four_steps = 4 * lanes;
    place const first = begin, last = end, lane = static_cast<place>(group.lane());
    if (is_wide(operands)) {
      using quad = decltype(detail::quad_of(operands));
      place const total = set.num_atoms(), aligned = first & ~place{3};
      for (place at = last - aligned > 4 * lane ? aligned + 4 * lane : last;
           at<last; at = last - at> four_steps ? at + four_steps : last) {
        if (total - at > 3) {
          quad four;
          four.template load<false>(operands, static_cast<std::int64_t>(at));
          EVENLY_UNROLL
          for (int i = 0; i < 4; ++i) {
            place const here = at + static_cast<place>(i);
            if (here >= first && here < last)
              four.call(i, [&](auto... loaded) { take(static_cast<atom>(here), loaded...); });
          }
        } else {
          for (place here = at > first ? at : first; here < last; ++here)
            operands.load(here, [&](auto... loaded) { take(static_cast<atom>(here), loaded...); });
        }
      }
    } else {
      for (place at = last - first > lane ? first + lane : last; at<last; at = last - at> step ? at + step : last)
        operands.load(at, [&](auto... loaded) { take(static_cast<atom>(at), loaded...); });
    }
  }
  sum = group.reduce(sum, op);
  if (group.lane() == 0) emit(row, sum);
}

}  // namespace evenly
