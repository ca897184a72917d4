// SPDX-License-Identifier: Apache-2.0
//
// The product over two-way blocks, one unit a block: its sums lie in scratch, the tiles of x arrive there one or two ahead,
// and each thread has its next quad in registers before it waits. One barrier a tile: it says that x has arrived and that
// the buffer of the tile before is free, and it parts the threads that add to a slot in one tile from those in the next.
// Within a tile no slot is met by two threads (two_way_form.hpp sees to that), so plain adds do, in an order that the plan
// fixes.
#pragma once

#include <evenly/algorithm/two_way_view.hpp>
#include <evenly/core/range.hpp>
#include <evenly/core/worker.hpp>
#include <evenly/kernel/async_copy.hpp>
#include <evenly/kernel/fetch_atoms.hpp>

#include <cstdint>
#include <type_traits>

namespace evenly {

namespace detail {

/// One block's scratch, as the arrays that the worker hands out.
template <class Worker, class View, class Sums, class Tiles>
struct two_way_sweep {
  using value = typename View::value_type;
  using quad_type = quad<std::uint32_t, value>;

  Worker const& me;
  View const& A;
  Sums sums;  // [most_slots]
  Tiles xs;   // [buffers * stride]
  value const* x;

  /// Sweeps the tiles first .. last-1.
  EVENLY_HD void operator()(std::int64_t first, std::int64_t last) const {
    for (int ahead = 0; ahead < A.buffers - 1; ++ahead) fetch_x(first + ahead, last, ahead);
    int const lane = me.group(warp_size).lane(), warp_base = me.thread() - lane;
    two_way_tile now = A.tiles[first], next = A.tiles[first + 1];
    quad_type quad;
    load(quad, now.first_quad + warp_base + lane, next.first_quad);
    int buffer = 0;
    for (std::int64_t k = first; k < last; ++k) {
      two_way_tile const after = A.tiles[k + 2 <= A.num_tiles ? k + 2 : A.num_tiles];
      if (A.buffers == 2) await_copies<0>();
      else await_copies<1>();
      me.sync();
      fetch_x(k + A.buffers - 1, last, buffer == 0 ? A.buffers - 1 : buffer - 1);
      // Counted within the tile, in 32 bits. A warp goes on until all its lanes are done: long quads are summed together.
      int const size = static_cast<int>(next.first_quad - now.first_quad);
      int base = warp_base;
      for (; base + me.num_threads() < size; base += me.num_threads()) {
        quad_type further;
        load(further, now.first_quad + base + me.num_threads() + lane, next.first_quad);
        add(quad, base + lane, base, size, now.long_quads, buffer);
        quad = further;
      }
      quad_type further;
      if (k + 1 < last) load(further, next.first_quad + warp_base + lane, after.first_quad);
      if (base < size) add(quad, base + lane, base, size, now.long_quads, buffer);
      quad = further;
      now = next;
      next = after;
      buffer = buffer + 1 == A.buffers ? 0 : buffer + 1;
    }
    await_copies<0>();
  }

 private:
  /// Starts on the x of tile k, if it is one of this unit's; an empty batch keeps the count where it is not.
  EVENLY_HD void fetch_x(std::int64_t k, std::int64_t last, int buffer) const {
    if (k < last) {
      std::int64_t const begin = static_cast<std::int64_t>(A.tiles[k].column_tile) * A.tile_columns;
      std::int64_t const left = A.columns - begin;
      copy_async(me, xs + buffer * A.stride(), x + begin,
                 static_cast<int>(left < A.tile_columns ? left : A.tile_columns));
    }
    commit_copies();
  }

  EVENLY_HD void load(quad_type& quad, std::int64_t at, std::int64_t end) const {
    if (at < end) quad.template load<true>(operand_list<std::uint32_t, value>(A.words, A.values), 4 * at);
  }

  EVENLY_HD value product(quad_type const& quad, int i, int buffer) const {
    value const at = xs[buffer * A.stride() + two_way_word::column(quad.values[i])];
    return quad.rest.values[i] * at;
  }

  /// Adds quad i of a tile of `size` quads to its slots; base: the quad of this warp's first lane.
  EVENLY_HD void add(quad_type const& quad, int i, int base, int size, int long_quads, int buffer) const {
    if (base < long_quads) add_long(quad, i, long_quads, buffer);
    if (i < long_quads || i >= size) return;
    EVENLY_UNROLL
    for (int e = 0; e < 4; ++e) {
      int const slot = two_way_word::slot(quad.values[e]);
      value const before = sums[slot];
      sums[slot] = before + product(quad, e, buffer);
    }
  }

  /// Lanes whose quads have one slot lie side by side, a power of two of them, aligned: a butterfly that stops where the
  /// slot changes sums them, and the first lane adds the sum. Collective over the warp.
  EVENLY_HD void add_long(quad_type const& quad, int i, int long_quads, int buffer) const {
    auto const warp = me.group(warp_size);
    value sum{};
    int slot = two_way_word::most + warp.lane();  // nobody else's
    bool leads = i < long_quads;
    if (leads) {
      slot = two_way_word::slot(quad.values[0]);
      sum =
          (product(quad, 0, buffer) + product(quad, 1, buffer)) + (product(quad, 2, buffer) + product(quad, 3, buffer));
    }
    EVENLY_ROLLED
    for (int d = 1; d < warp.size(); d *= 2) {
      int const other = warp.lane() ^ d;
      int const other_slot = warp.shuffle(slot, other);
      value const part = warp.shuffle(sum, other);
      if (other_slot != slot) continue;
      if (other < warp.lane()) leads = false;
      else sum = sum + part;
    }
    if (leads) {
      value const before = sums[slot];
      sums[slot] = before + sum;
    }
  }
};

/// emit(row, sum) for the rows first .. end-1, dealt over the block; part(slot) is a slot's sum.
template <class Worker, class View, class Part, class Emit>
EVENLY_HD void emit_rows(Worker const& me, View const& A, two_way_block<typename View::offset_type> from,
                         typename View::offset_type begin, typename View::offset_type end, Part const& part,
                         Emit const& emit) {
  using offset = typename View::offset_type;
  for (offset row : block_stride(me, begin, end)) {
    typename View::value_type sum{};
    for (offset slot = A.slot_begin[row]; slot < A.slot_begin[row + 1]; ++slot)
      sum = sum + part(static_cast<int>(slot - from.first_slot));
    emit(row, sum);
  }
}

}  // namespace detail

/// All units of A. gate() false: neither values nor x are read and every sum is zero.
template <class View, class Gate, class Emit>
struct two_way_body {
  using value = typename View::value_type;
  static constexpr int max_threads = 1024;
  static constexpr int min_blocks = 1;  // its scratch fills a multiprocessor

  View A;
  value const* x;
  Gate gate;
  Emit emit;

  template <worker Worker>
  EVENLY_HD void operator()(Worker me) const {
    auto sums = me.template scratch<value>(A.most_slots);
    auto xs = me.template scratch<value>(A.buffers * A.stride());
    for (int b : block_stride(me, 0, A.buffers)) xs[b * A.stride() + A.tile_columns] = value{};
    detail::two_way_sweep<Worker, View, decltype(sums), decltype(xs)> const sweep{me, A, sums, xs, x};
    for (std::int64_t u = me.block(); u < A.num_units; u += me.num_blocks()) {
      auto const unit = A.units[u];
      auto const from = A.blocks[unit.block], to = A.blocks[unit.block + 1];
      int const slots = static_cast<int>(to.first_slot - from.first_slot);
      for (int i : block_stride(me, 0, slots)) sums[i] = value{};
      if (unit.first_tile < unit.last_tile && gate()) sweep(unit.first_tile, unit.last_tile);
      me.sync();
      if (unit.parts > 1)
        for (int i : block_stride(me, 0, slots)) A.partials[unit.partial + i] = sums[i];
      else
        detail::emit_rows(
            me, A, from, from.first_row, to.first_row, [&](int slot) -> value { return sums[slot]; }, emit);
      me.sync();  // the sums are used again
    }
  }
};

/// Emits the rows of blocks that several units worked on: their sums in unit order, then slot order. A row block is dealt
/// to `slices` blocks.
template <class View, class Emit>
struct two_way_join {
  using value = typename View::value_type;
  using offset = typename View::offset_type;
  static constexpr int slices = 16;

  View A;
  Emit emit;

  template <worker Worker>
  EVENLY_HD void operator()(Worker const& me) const {
    for (std::int64_t b = me.block(); b < A.num_split * slices; b += me.num_blocks()) {
      auto const unit = A.units[A.split_units[b / slices]];
      auto const from = A.blocks[unit.block], to = A.blocks[unit.block + 1];
      auto const slots = static_cast<std::int64_t>(to.first_slot - from.first_slot);
      auto const piece = static_cast<offset>((to.first_row - from.first_row) / slices + 1);
      auto const skipped = static_cast<offset>(b % slices) * piece;
      if (to.first_row - from.first_row <= skipped) continue;
      auto const begin = static_cast<offset>(from.first_row + skipped);
      auto const end = to.first_row - begin < piece ? to.first_row : static_cast<offset>(begin + piece);
      detail::emit_rows(
          me, A, from, begin, end,
          [&](int slot) {
            value sum{};
            for (int part = 0; part < unit.parts; ++part) sum = sum + A.partials[unit.partial + part * slots + slot];
            return sum;
          },
          emit);
    }
  }
};

}  // namespace evenly
