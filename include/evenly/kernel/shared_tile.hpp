// SPDX-License-Identifier: Apache-2.0
//
// A tile that several blocks share: each posts its part and counts itself in; the last to arrive combines all parts in
// block order by a fixed tree and emits the tile. Nobody waits for a block that may not have begun, nothing is fenced
// (core/posted.hpp), nothing is reset between runs, and the result depends on the plan alone.
#pragma once

#include <evenly/core/atomic.hpp>
#include <evenly/core/posted.hpp>
#include <evenly/kernel/stage.hpp>

#include <cstdint>

namespace evenly::detail {

/// Leaves block b's part of the tile `which`. By one thread; true if all parts are there now.
template <class View, class Value, class Cut>
EVENLY_HD bool post_part(View const& rows, std::int64_t b, bool closes, Value const& part, Cut const& which) {
  static_cast<posted<Value>*>(rows.partials)[2 * b + (closes ? 0 : 1)].post(part);
  bool const complete = atomic_add(rows.arrivals + which.first, 1) == which.last - which.first;
  if (complete) rows.arrivals[which.first] = 0;  // ready for the next run
  return complete;
}

/// Emits the tile `which`, of which all parts have been posted, with the whole block.
template <worker Worker, class View, class Cut, class Op, class Emit>
EVENLY_HD void join_parts(Worker const& me, View const& rows, Cut const& which, Op const& op, Emit const& emit) {
  using value = value_of_t<Op>;
  auto const block = me.group(me.num_threads());
  auto const mine = deal<std::int64_t>(which.first, std::int64_t{which.last} + 1, which.first, block.lane(),
                                       block.size(), commutative<Op> ? dealing::striped : dealing::pieces);
  value sum = op.identity();
  EVENLY_ROLLED
  for (std::int64_t p = mine.begin; p < mine.end; p += mine.stride)
    sum = op(sum, static_cast<posted<value>*>(rows.partials)[2 * p + (p == which.last ? 0 : 1)].collect());
  sum = block.reduce(sum, op);
  if (me.thread() == 0) emit(which.tile, sum);
}

}  // namespace evenly::detail
