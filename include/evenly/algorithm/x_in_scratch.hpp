// SPDX-License-Identifier: Apache-2.0
//
// x_in_scratch{inner}: spmv with all of x in each block's scratch memory. Blocks stay: each copies x once, in order, and then
// works through its part of the schedule, so that an element of x costs a read of scratch instead of a gather through the
// caches. Nothing is converted. It takes a matrix of few columns (227 KB of scratch: 58,000 floats on an H200) and pays
// where each block reads x several times over: nonzeros well above blocks x columns. Where x does not fit, the plan refuses.
// A host's threads have no scratch that is faster than their caches: there x is read where it lies.
//
// Same atoms, same order, same bits as the schedule alone.
// Source: x in shared memory, Chu et al., "Efficient Algorithm Design of Optimizing SpMV on GPU" (HPDC 2023).
#pragma once

#include <evenly/algorithm/spmv_plan.hpp>
#include <evenly/exec/limits.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace evenly {

template <class Inner = merge_path>
struct x_in_scratch {
  static constexpr char const* name = "x_in_scratch";
  Inner inner{};
};
template <class Inner>
x_in_scratch(Inner) -> x_in_scratch<Inner>;

namespace detail {

/// times_x with x in a block's scratch; `reads` is false where alpha is zero.
template <class Value, class Array>
struct times_x_in_scratch {
  Array x;
  bool reads;
  template <class Column>
  EVENLY_HD Value operator()(ignored, ignored, Column column, Value value) const {
    if (!reads) return {};
    Value const at = x[column];
    return value * at;
  }
};

template <class View, class Value, class Gate, class Emit>
struct x_in_scratch_body {
  View rows;
  Value const* x;
  int columns;
  Gate gate;
  Emit emit;
  template <worker Worker>
  EVENLY_HD void operator()(Worker me) const {
    auto here = me.template scratch<Value>(columns);
    bool const reads = gate();
    if (reads)
      for (int i = me.thread(); i < columns; i += me.num_threads()) here[i] = x[i];
    me.sync();
    reduce_tiles(me, rows, times_x_in_scratch<Value, decltype(here)>{here, reads}, plus<Value>{}, emit);
  }
};

}  // namespace detail

template <executor Executor, class Value, class Offset, class Column, class Schedule>
class x_in_scratch_plan {
 public:
  static constexpr bool is_converted = true;
  using value_type = Value;

  /// Holds what the schedule's own plan holds. Throws argument_error if x does not fit a block's scratch.
  x_in_scratch_plan(Executor run, csr_view<Value, Offset, Column> const& A, Schedule const& schedule)
      : rows_(std::move(run), A, schedule, sizeof(Value)) {
    if constexpr (has_blocks<Executor>) shape_ = shape();
  }

  Executor const& run() const { return rows_.run(); }
  csr_view<Value, Offset, Column> const& matrix() const { return rows_.set(); }
  std::size_t bytes() const { return rows_.bytes(); }
  /// Of the launch: blocks that all fit the device at once.
  launch_shape const& launched() const { return shape_; }

  template <class Gate, class Emit>
  void multiply(Value const* x, Gate const& gate, Emit const& emit) const {
    if constexpr (!has_blocks<Executor>) {
      detail::multiply(rows_, x, gate, emit);
    } else {
      auto const go = [&](auto const& view) {
        using body = detail::x_in_scratch_body<std::remove_cvref_t<decltype(view)>, Value, Gate, Emit>;
        if (shape_.blocks > 0)
          run().launch(shape_, body{view, x, static_cast<int>(matrix().shape().columns), gate, emit});
      };
      if constexpr (plan_type::is_staged) {
        go(rows_.staged());
      } else {
        auto const view = rows_.view();
        go(view);
        join(run(), view, plus<Value>{}, emit);
      }
    }
  }

 private:
  using plan_type = plan<Executor, csr_view<Value, Offset, Column>, Schedule>;
  static constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

  launch_shape shape() const {
    executor_limits const limits = limits_of(run());
    launch_shape chosen;
    if constexpr (plan_type::is_staged) {
      auto const& staged = rows_.staged();
      chosen = {staged.num_blocks, staged.stage.threads, staged.stage.template scratch_bytes<Value>()};
    } else {
      chosen = detail::shape_for(run(), rows_.view());
    }
    std::size_t const x_bytes = aligned(static_cast<std::size_t>(matrix().shape().columns) * sizeof(Value));
    chosen.scratch_bytes = aligned(chosen.scratch_bytes) + x_bytes;
    if (chosen.scratch_bytes > limits.scratch_bytes)
      throw argument_error("x_in_scratch: " + std::to_string(matrix().shape().columns) + " elements of x take " +
                           std::to_string(chosen.scratch_bytes) +
                           " bytes of a block's scratch with what the schedule " + "needs, and there are " +
                           std::to_string(limits.scratch_bytes) +
                           "; use the schedule without it, or two_way, which takes x in tiles");
    // as many on a processor as its threads (twice a block's most) and its scratch allow
    auto const by_threads = 2 * limits.threads / chosen.threads;
    auto const by_scratch = static_cast<int>(limits.scratch_bytes / std::max<std::size_t>(chosen.scratch_bytes, 1));
    chosen.blocks = std::min(chosen.blocks, limits.units * std::clamp(by_threads, 1, by_scratch));
    return chosen;
  }

  plan_type rows_;
  launch_shape shape_{.blocks = 0};
};

/// A plan over A by options.inner, x in scratch.
template <executor Executor, class Value, class Offset, class Column, class Inner>
auto make_spmv_plan(Executor const& run, csr_view<Value, Offset, Column> const& A, x_in_scratch<Inner> const& options) {
  return x_in_scratch_plan<Executor, Value, Offset, Column, Inner>(run, A, options.inner);
}

}  // namespace evenly
