// SPDX-License-Identifier: Apache-2.0
//
// Layer (c): passes over a tile set from the host. reduce_tiles and for_each_atom launch the in-kernel primitives of the
// same name over a plan; launch() runs a body of the user's own; join() completes the split tiles of such a body.
// Running a plan allocates nothing and never waits. The forms that take an executor and a schedule make a plan each time.
#pragma once

#include <evenly/exec/plan.hpp>
#include <evenly/kernel/for_each_atom.hpp>
#include <evenly/kernel/grouped.hpp>
#include <evenly/kernel/reduce_tiles.hpp>
#include <evenly/kernel/staged.hpp>

namespace evenly {

namespace detail {

template <class View, class Map, class Op, class Emit>
struct reduce_body {
  View rows;
  Map map;
  Op op;
  Emit emit;
  template <worker Worker>
  EVENLY_HD constexpr void operator()(Worker const& me) const {
    reduce_tiles(me, rows, map, op, emit);
  }
};

/// One share of a staged plan a block, with the registers bounded so that enough blocks are resident to hide memory latency.
template <class View, class Map, class Op, class Emit>
struct staged_body {
  static constexpr int max_threads = stage{}.threads;
  static constexpr int min_blocks = sizeof(value_of_t<Op>) <= 4 ? 8 : sizeof(value_of_t<Op>) <= 8 ? 6 : 3;
  View rows;
  Map map;
  Op op;
  Emit emit;
  template <worker Worker>
  EVENLY_HD constexpr void operator()(Worker const& me) const {
    reduce_share(sized_worker<Worker, max_threads>(me), rows, me.block(), map, op, emit);
  }
};

/// A tile a group, the group's size known to the compiler.
template <int lanes, class View, class Map, class Op, class Emit>
struct grouped_body {
  View rows;
  Map map;
  Op op;
  Emit emit;
  template <worker Worker>
  EVENLY_HD constexpr void operator()(Worker const& me) const {
    reduce_whole_tile<lanes>(me, rows, map, op, emit);
  }
};

/// Does the schedule's type alone say that its groups have another size?
template <class Schedule, int lanes>
constexpr bool has_other_lanes = [] {
  if constexpr (std::is_member_object_pointer_v<decltype(&Schedule::lanes)>)
    return false;  // an option, known at run time
  else return Schedule::lanes != lanes;
}();

/// Launches the form for these lanes if there is one.
template <int lanes, executor Executor, class View, class Map, class Op, class Emit>
bool launch_grouped(Executor const& run, View const& rows, Map const& map, Op const& op, Emit const& emit) {
  using schedule = typename View::schedule_type;
  if constexpr (lanes > warp_size || (lanes > 1 && !commutative<Op>)) {
    return false;
  } else if constexpr (has_other_lanes<schedule, lanes>) {
    return launch_grouped<2 * lanes>(run, rows, map, op, emit);  // known to the compiler: one form is enough
  } else {
    if (rows.lanes() != lanes) return launch_grouped<2 * lanes>(run, rows, map, op, emit);
    if (rows.num_groups() == 0) return true;  // nothing to launch
    launch_shape const shape = run.shape(rows.num_groups(), lanes);
    if (shape.blocks * (shape.threads / lanes) < rows.num_groups()) return false;  // more tiles than a grid has groups
    run.launch(shape, grouped_body<lanes, View, Map, Op, Emit>{rows, map, op, emit});
    return true;
  }
}

template <class View, class Visit>
struct visit_body {
  View rows;
  Visit visit;
  template <worker Worker>
  EVENLY_HD constexpr void operator()(Worker const& me) const {
    for_each_atom(me, rows, visit);
  }
};

template <executor Executor, class View>
launch_shape shape_for(Executor const& run, View const& rows) {
  launch_shape shape = run.shape(rows.num_groups(), rows.lanes());
  shape.scratch_bytes = scratch_bytes(rows, shape.threads < rows.lanes() ? rows.lanes() : shape.threads);
  return shape;
}

}  // namespace detail

/// Runs body(me) over a grid made for `rows`, a plan's view. Asynchronous; nothing is allocated.
template <executor Executor, class View, class Body>
void launch(Executor const& run, View const& rows, Body const& body) {
  if (rows.num_groups() > 0) run.launch(detail::shape_for(run, rows), body);
}

/// Emits the tiles that a body's sink left split. Right after the body, on the same executor; nothing to do for schedules
/// that split no tiles. width and op as given to sink().
template <executor Executor, class View, monoid Op, class Emit>
void join(Executor const& run, View const& rows, Op const& op, Emit const& emit, int width = 1) {
  if constexpr (View::schedule_type::splits_tiles)
    if (rows.num_groups() > 1)
      run.launch(run.shape(ceil_div(rows.num_groups(), warp_size), warp_size),
                 join_body<View, Op, Emit>{rows, op, emit, width});
}

/// The staged form over a view of plan.staged(), whose stage may have been changed: one block for each share, or on an
/// executor without blocks a few threads that take them in turn.
template <executor Executor, tile_set Set, schedule_for<Set> Schedule, class Map, monoid Op, class Emit>
void launch_staged(Executor const& run, staged_view<Set, Schedule> const& rows, Map const& map, Op const& op,
                   Emit const& emit) {
  using view = staged_view<Set, Schedule>;
  if (rows.num_blocks == 0) return;
  if constexpr (has_blocks<Executor>)
    run.launch({rows.num_blocks, rows.stage.threads, rows.stage.template scratch_bytes<value_of_t<Op>>()},
               detail::staged_body<view, Map, Op, Emit>{rows, map, op, emit});
  else run.launch(run.shape(rows.num_blocks, 1), detail::reduce_body<view, Map, Op, Emit>{rows, map, op, emit});
}

/// emit(tile, value) exactly once for every tile, empty ones included; value = op over map(tile, atom, operands...).
/// Asynchronous on the plan's executor, allocates nothing. Throws argument_error if the plan's values are too small.
template <executor Executor, tile_set Set, schedule_for<Set> Schedule, class Map, monoid Op, class Emit>
void reduce_tiles(plan<Executor, Set, Schedule> const& plan, Map const& map, Op const& op, Emit const& emit) {
  using value = value_of_t<Op>;
  auto const& run = plan.run();
  if constexpr (std::remove_cvref_t<decltype(plan)>::is_staged) {
    if (sizeof(value) > plan.value_bytes())
      throw argument_error("reduce_tiles: values of " + std::to_string(sizeof(value)) + " bytes exceed the " +
                           std::to_string(plan.value_bytes()) +
                           " bytes this plan was made for; give make_plan the larger size");
    launch_staged(run, plan.staged(), map, op, emit);
  } else {
    auto const rows = plan.view();
    if constexpr (has_blocks<Executor> && maps_whole_tiles<Schedule>)
      if (detail::launch_grouped<1>(run, rows, map, op, emit)) return;
    sink(dealt_for(rows, op), op, emit);  // refuses a plan made for smaller values here, on the host
    launch(run, rows, detail::reduce_body<plan_view<Set, Schedule>, Map, Op, Emit>{rows, map, op, emit});
    join(run, rows, op, emit);
  }
}

/// The same with a plan made for this call.
template <executor Executor, tile_set Set, schedule_for<Set> Schedule, class Map, monoid Op, class Emit>
void reduce_tiles(Executor const& run, Set const& set, Schedule const& schedule, Map const& map, Op const& op,
                  Emit const& emit) {
  reduce_tiles(make_plan(run, set, schedule, sizeof(value_of_t<Op>)), map, op, emit);
}

/// visit(tile, atom, operands...) exactly once for every atom, in any order.
template <executor Executor, tile_set Set, schedule_for<Set> Schedule, class Visit>
void for_each_atom(plan<Executor, Set, Schedule> const& plan, Visit const& visit) {
  launch(plan.run(), plan.shares(), detail::visit_body<plan_view<Set, Schedule>, Visit>{plan.shares(), visit});
}

template <executor Executor, tile_set Set, schedule_for<Set> Schedule, class Visit>
void for_each_atom(Executor const& run, Set const& set, Schedule const& schedule, Visit const& visit) {
  for_each_atom(make_plan(run, set, schedule, 0), visit);
}

}  // namespace evenly
