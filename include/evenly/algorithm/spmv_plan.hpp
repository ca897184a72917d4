// SPDX-License-Identifier: Apache-2.0
//
// Plans of spmv that may convert the matrix first. make_spmv_plan takes a schedule, which converts nothing, or one of
//
//     relabelled{merge_path{}}     columns numbered anew by falling degree, then any schedule or conversion
//     two_way{}                    blocks of rows x tiles of columns, y and x in scratch memory
//     relabelled{two_way{}}        both
//
//     auto p = make_spmv_plan(run, A, two_way{});
//     spmv(p, x, y, {.alpha = 2, .beta = 1});      // as with any plan: same checks, same scalars, same promises
//     p.refresh(new_values);                       // same pattern, values in A's order
//     p.bytes();                                   // of the executor's memory that the conversion holds
//
// A conversion is never chosen for the user: it costs several products and memory of its own, so it is asked for by name.
// x and y keep their order; what a conversion permutes it permutes inside the call. A's arrays must outlive the plan.
#pragma once

#include <evenly/algorithm/spmv.hpp>

#include <type_traits>

namespace evenly {

/// What the product over a conversion asks before it touches A's values or x: always yes where alpha is a number.
struct always {
  EVENLY_HD constexpr bool operator()() const { return true; }
};
/// ... unless alpha, a number in memory, is zero. Null stands for 1.
template <class Accumulator>
struct unless_zero {
  Accumulator const* alpha;
  EVENLY_HD constexpr bool operator()() const { return alpha == nullptr || !(*alpha == Accumulator{}); }
};

/// A plan over a converted copy of matrix(): multiply(x, gate, emit) calls emit(row, sum) once for every row.
template <class Plan>
concept converted_plan = requires(Plan const& plan) {
  typename Plan::value_type;
  requires executor<std::remove_cvref_t<decltype(plan.run())>>;
  plan.matrix().shape();
  plan.bytes();
  requires Plan::is_converted;
};

namespace detail {

/// A plan of a schedule behind the same verb, so that conversions can end in one.
template <executor Executor, class Value, class Offset, class Column, class Schedule, class Emit>
void multiply(plan<Executor, csr_view<Value, Offset, Column>, Schedule> const& rows, Value const* x, always,
              Emit const& emit) {
  reduce_tiles(rows, times_x<Value, Value>{x}, plus<Value>{}, emit);
}
template <executor Executor, class Value, class Offset, class Column, class Schedule, class Emit>
void multiply(plan<Executor, csr_view<Value, Offset, Column>, Schedule> const& rows, Value const* x,
              unless_zero<Value> gate, Emit const& emit) {
  reduce_tiles(rows, times_x_unless_zero<Value, Value>{x, gate.alpha}, plus<Value>{}, emit);
}
template <converted_plan Plan, class Value, class Gate, class Emit>
void multiply(Plan const& plan, Value const* x, Gate const& gate, Emit const& emit) {
  plan.multiply(x, gate, emit);
}

/// emit(row, 0) for every row.
template <executor Executor, class Value, class Offset, class Column, class Emit>
void emit_zeros(Executor const& run, csr_view<Value, Offset, Column> const& A, Emit const& emit) {
  reduce_tiles(run, uniform_tiles<Offset, Offset>{A.num_tiles(), 0}, thread_mapped{}, nothing<Value>{}, plus<Value>{},
               emit);
}

template <class Plan, class X, class Y>
inline constexpr bool has_types_of =
    std::is_same_v<std::remove_const_t<X>, typename Plan::value_type> && std::is_same_v<Y, typename Plan::value_type>;

}  // namespace detail

/// y = alpha A x + beta y with a converted plan. A: plan.matrix(); x: [columns]; y: [rows]; both of A's value type.
/// Asynchronous, allocates nothing. Throws argument_error for shapes that do not fit and for aliasing.
/// Deterministic; |error| <= (row length + 3) eps (sum |a||x| + |beta y|) for each row.
template <converted_plan Plan, class X, class Y>
void spmv(Plan const& plan, view<X> x, view<Y> y, spmv_options<std::type_identity_t<Y>> options = {}) {
  static_assert(detail::has_types_of<Plan, X, Y>,
                "a converted plan multiplies in the type of A's values: give it x and y of that type");
  detail::check_spmv(plan.matrix(), x, y);
  scale_into<Y, Y> const emit{y.data, options.alpha, options.beta, !(options.beta == Y{})};
  if (options.alpha == Y{}) detail::emit_zeros(plan.run(), plan.matrix(), emit);
  else detail::multiply(plan, static_cast<Y const*>(x.data), always{}, emit);
}

/// The same with alpha and beta in the executor's memory; where alpha is zero neither A's values nor x are read.
template <converted_plan Plan, class X, class Y>
void spmv(Plan const& plan, view<X> x, view<Y> y, spmv_device_options<Y> options) {
  static_assert(detail::has_types_of<Plan, X, Y>,
                "a converted plan multiplies in the type of A's values: give it x and y of that type");
  detail::check_spmv(plan.matrix(), x, y);
  detail::check_scalars(y, options);
  detail::multiply(plan, static_cast<Y const*>(x.data), unless_zero<Y>{options.alpha},
                   scale_into_by<Y, Y>{y.data, options.alpha, options.beta});
}

/// The plan of a schedule: nothing is converted.
template <executor Executor, class Value, class Offset, class Column, class Schedule>
  requires schedule_for<Schedule, csr_view<Value, Offset, Column>>
auto make_spmv_plan(Executor const& run, csr_view<Value, Offset, Column> const& A, Schedule const& schedule) {
  return make_plan(run, A, schedule, sizeof(Value));
}

}  // namespace evenly
