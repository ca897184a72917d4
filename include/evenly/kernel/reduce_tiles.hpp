// SPDX-License-Identifier: Apache-2.0
//
// reduce_tiles inside a kernel: the loop of layer (a) with holes for the three functions of a body,
//
//     map(tile, atom, operands...) -> value     op: a monoid     emit(tile, value), once for every tile
//
// Because it owns the loop it may fetch operands its own way, and on the host it replays the lanes of a group one by
// one, in lane order, over the pieces that a GPU's lanes would take. Split tiles are emitted by join() afterwards, exactly
// as in layer (a).
#pragma once

#include <evenly/core/operands.hpp>
#include <evenly/core/plan_view.hpp>
#include <evenly/core/sink.hpp>
#include <evenly/kernel/body.hpp>
#include <evenly/kernel/fold_run.hpp>

namespace evenly {

/// The view whose lanes may deal atoms the way `Op` permits.
template <class View, monoid Op>
EVENLY_HD constexpr View dealt_for(View const& rows, Op const&) {
  if constexpr (commutative<Op>) return rows;
  else return rows.in_order();
}

namespace detail {

template <class View, class Map, monoid Op>
EVENLY_HD constexpr value_of_t<Op> fold_atoms(View const& rows, typename View::tile tile,
                                              step_range<typename View::atom> atoms, Map const& map, Op const& op) {
  auto const operands = operands_of(rows.set());
  value_of_t<Op> sum = op.identity();
  for (auto atom : atoms) {
    sum = op(sum, operands.load(atom, [&](auto... loaded) -> value_of_t<Op> { return map(tile, atom, loaded...); }));
  }
  return sum;
}

/// All shares of a worker that replays lanes.
template <worker Worker, class View, class Map, monoid Op, class Sink>
EVENLY_HD constexpr void replay_tiles(Worker const& me, View const& rows, Map const& map, Op const& op,
                                      Sink const& out) {
  using schedule = typename View::schedule_type;
  auto const group = me.group(rows.lanes());
  for (auto turn : turns(group, rows.num_groups())) {
    auto const share = rows.share(turn);
    for_each_part(rows.set(), share, [&](auto const& part) {
      value_of_t<Op> sum = op.identity();
      if (rows.lanes() == 1) {
        sum = fold_run(rows.set(), part.tile, part.begin, part.end, map, op);
      } else {
        auto const origin = deals_across_tiles<schedule> ? share.begin.atom : part.begin;
        for (int lane = 0; lane < rows.lanes(); ++lane) {
          auto const mine = deal(part.begin, part.end, origin, lane, rows.lanes(), rows.dealing());
          sum = op(sum, fold_atoms(rows, part.tile, {mine.begin, mine.end, mine.stride}, map, op));
        }
      }
      out.put(tile_ref(part, {part.end, part.end, 1}, group, turn), sum);
    });
  }
}

}  // namespace detail

/// Every tile of this worker's shares: emitted if whole, carried if split. Collective like the loop it stands for.
template <worker Worker, class View, class Map, monoid Op, class Emit>
EVENLY_HD constexpr void reduce_tiles(Worker const& me, View const& plan, Map const& map, Op const& op,
                                      Emit const& emit) {
  check_map<typename View::set_type, Map>();
  check_emit<typename View::set_type, Emit>();
  auto const rows = dealt_for(plan, op);
  auto const out = sink(rows, op, emit);
  if constexpr (replaying_worker<Worker>) {
    detail::replay_tiles(me, rows, map, op, out);
  } else {
    for (auto row : rows.tiles(me)) out.put(row, detail::fold_atoms(rows, row, row.atoms(), map, op));
  }
}

}  // namespace evenly
