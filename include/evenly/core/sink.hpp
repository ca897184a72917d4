// SPDX-License-Identifier: Apache-2.0
//
// Where schedules differ is what becomes of a tile's value, so that is the sink's affair and no line of the body's:
//   whole tile, one lane         -> emit
//   tile shared by a group       -> reduced over the group in lane order, lane 0 emits
//   tile split between shares    -> the partial goes to one of the share's two carries; join() emits the tile
// No atomics, no zeroed output, the same bits every time. A sink has a width where a tile emits several columns (SpMM).
// Not for the faint-hearted: put() is collective over the group, so no lane may skip it.
#pragma once

#include <evenly/core/error.hpp>
#include <evenly/core/plan_view.hpp>

#include <string>

namespace evenly {

/// The op and emit of a pass over `View`, made by sink().
template <class View, monoid Op, class Emit>
class tile_sink {
 public:
  using value = value_of_t<Op>;

  EVENLY_HD constexpr tile_sink(View const& rows, Op op, Emit emit, int width)
      : rows_(rows), op_(op), emit_(emit), width_(width) {}

  /// emit(row, sum) for a tile that is complete, a carry for one that is not. Collective over the row's group.
  template <class Row>
  EVENLY_HD constexpr void put(Row const& row, value lanes_value) const {
    place(row, 0, lanes_value, [this](auto tile, int, value v) { emit_(tile, v); });
  }
  /// The same for one column of a wide sink: emit(row, column, sum).
  template <class Row>
  EVENLY_HD constexpr void put(Row const& row, int column, value lanes_value) const {
    place(row, column, lanes_value, [this](auto tile, int c, value v) { emit_(tile, c, v); });
  }

  EVENLY_HD constexpr Op const& op() const { return op_; }

 private:
  template <class Row, class Done>
  EVENLY_HD constexpr void place(Row const& row, int column, value v, Done&& done) const {
    auto const& group = row.group();
    if (group.size() > 1) {
      v = group.reduce(v, op_);
      if (group.lane() != 0 || !group.active()) return;
    }
    auto const& part = row.part();
    if (part.is_whole()) {
      done(part.tile, column, v);
    } else {
      int const slot = part.closes ? 0 : 1;
      rows_.template carries<value>(row.turn(), width_)[slot * width_ + column] = v;
    }
  }

  View rows_;
  Op op_;
  Emit emit_;
  int width_;
};

/// A sink for a pass over `rows`. Its carries live in the plan, so one pass at a time may use them.
/// Throws argument_error (on the host) if the plan was made for smaller values than op's, times width.
template <class View, monoid Op, class Emit>
EVENLY_HD constexpr tile_sink<View, Op, Emit> sink(View const& rows, Op op, Emit emit, int width = 1) {
#if !defined(__CUDA_ARCH__)
  if (!commutative<Op> && rows.lanes() > 1 && rows.dealing() == dealing::striped)
    throw argument_error(
        "sink: lanes stride through a tile and this op does not commute; take tiles and sink from rows.in_order(), "
        "or say is_commutative in the op");
  if (View::schedule_type::splits_tiles &&
      sizeof(value_of_t<Op>) * static_cast<std::size_t>(width) > rows.value_bytes())
    throw argument_error("sink: values of " + std::to_string(sizeof(value_of_t<Op>)) + " bytes times " +
                         std::to_string(width) + " columns exceed the " + std::to_string(rows.value_bytes()) +
                         " bytes this plan was made for; give make_plan the larger size");
#endif
  return {rows, op, emit, width};
}

/// Emits the split tiles of a pass: a body for one thread per share, launched by join(run, ...).
/// The partials of a tile are combined in share order by a tree that depends on the plan alone.
template <class View, monoid Op, class Emit>
struct join_body {
  View rows;
  Op op;
  Emit emit;
  int width;

  /// Chains longer than this are folded by a whole warp.
  static constexpr std::int64_t long_chain = 64;

  template <worker Worker>
  EVENLY_HD constexpr void operator()(Worker const& me) const {
    auto const warp = me.group(warp_size);
    if (!warp.present()) return;
    std::int64_t const bundles = ceil_div(rows.num_groups(), warp.size());
    for (auto bundle : turns(warp, bundles)) {
      std::int64_t const mine = bundle * warp.size() + warp.lane();
      chain here = warp.active() && mine < rows.num_groups() ? chain_of(mine) : chain{};
      if (here.closer >= 0 && here.closer - here.first <= long_chain)
        for (int column = 0; column < width; ++column)
          finish(here.tile, column, fold(here, column, 0, here.length(), 1));
      bool const is_long = here.closer >= 0 && here.closer - here.first > long_chain;
      for (int lane = 0; lane < warp.size(); ++lane) {
        if (!warp.shuffle(is_long ? 1 : 0, lane)) continue;
        chain const common = warp.shuffle(here, lane);
        for (int column = 0; column < width; ++column) {
          auto const piece = deal<std::int64_t>(0, common.length(), 0, warp.lane(), warp.size(),
                                                commutative<Op> ? dealing::striped : dealing::pieces);
          value const all = warp.reduce(fold(common, column, piece.begin, piece.end, piece.stride), op);
          if (warp.lane() == 0) finish(common.tile, column, all);
        }
      }
    }
  }

 private:
  using value = value_of_t<Op>;
  using tile_type = typename View::tile;

  // The shares first .. closer that hold parts of one tile; closer < 0: none.
  struct chain {
    tile_type tile{};
    std::int64_t first = 0;
    std::int64_t closer = -1;
    EVENLY_HD constexpr std::int64_t length() const { return closer - first + 1; }
  };

  EVENLY_HD constexpr chain chain_of(std::int64_t group) const {
    auto const share = rows.share(group);
    if (!(share.begin.tile < share.end.tile) || !is_joined(rows.set(), share)) return {};
    tile_type const tile = share.begin.tile;
    auto const begin = static_cast<typename View::atom>(rows.set().tile_begin(tile));
    std::int64_t low = 0, high = group;  // the first share that ends inside the tile, beyond its begin
    while (low < high) {
      std::int64_t const middle = low + (high - low) / 2;
      auto const end = rows.share(middle).end;
      if (end.tile < tile || (end.tile == tile && end.atom <= begin)) low = middle + 1;
      else high = middle;
    }
    return {tile, low, group};
  }

  EVENLY_HD constexpr value fold(chain const& c, int column, std::int64_t begin, std::int64_t end,
                                 std::int64_t step) const {
    value sum = op.identity();
    for (std::int64_t link = begin; link < end; link += step) {
      std::int64_t const group = c.first + link;
      int const slot = group == c.closer ? 0 : 1;
      sum = op(sum, rows.template carries<value>(group, width)[slot * width + column]);
    }
    return sum;
  }

  EVENLY_HD constexpr void finish(tile_type tile, int column, value v) const {
    if constexpr (requires { emit(tile, column, v); }) emit(tile, column, v);
    else emit(tile, v);
  }
};

}  // namespace evenly
