// SPDX-License-Identifier: Apache-2.0
//
// y = alpha op(A) x + beta y. The whole algorithm is one map, one op and one emit over the rows of A:
//
//     map(row, atom, column, value) = value * x[column]     op = plus     emit(row, sum): y[row] = alpha sum + beta y[row]
//
// beta = 0 overwrites y (a NaN in the old y never survives); alpha = 0 reads neither A nor x. alpha and beta are numbers,
// or lie in the executor's memory and are read when the product runs. Values narrower than the accumulator are widened
// before they are multiplied. y must not meet x, A's arrays or such an alpha or beta.
// Sources: Bell & Garland (SC 2009); Merrill & Garland (SC 2016); PPoPP 2023, Listing 3.
#pragma once

#include <evenly/core/complex.hpp>
#include <evenly/core/error.hpp>
#include <evenly/core/monoid.hpp>
#include <evenly/core/view.hpp>
#include <evenly/exec/launch.hpp>
#include <evenly/schedule/merge_path.hpp>
#include <evenly/schedule/thread_mapped.hpp>
#include <evenly/sparse/csr.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace evenly {

/// The product of one nonzero and its element of x, in the accumulator's type.
template <class Accumulator, class X>
struct times_x {
  X const* x;
  template <class Column, class Value>
  EVENLY_HD constexpr Accumulator operator()(ignored, ignored, Column column, Value value) const {
    return static_cast<Accumulator>(value) * static_cast<Accumulator>(x[column]);
  }
};

/// y[tile] = alpha sum + beta y[tile], or without the old y where beta is zero.
template <class Accumulator, class Y>
struct scale_into {
  Y* y;
  Accumulator alpha;
  Accumulator beta;
  bool reads_y;
  template <class Tile>
  EVENLY_HD constexpr void operator()(Tile tile, Accumulator sum) const {
    Accumulator const scaled = alpha * sum;
    y[tile] = static_cast<Y>(reads_y ? scaled + beta * static_cast<Accumulator>(y[tile]) : scaled);
  }
};

/// times_x where alpha lies in memory: x is not read, nor a value of A used, where alpha is zero. Null stands for 1.
template <class Accumulator, class X>
struct times_x_unless_zero {
  X const* x;
  Accumulator const* alpha;
  template <class Column, class Value>
  EVENLY_HD constexpr Accumulator operator()(ignored tile, ignored atom, Column column, Value value) const {
    if (alpha != nullptr && *alpha == Accumulator{}) return {};
    return times_x<Accumulator, X>{x}(tile, atom, column, value);
  }
};

/// scale_into where alpha and beta lie in memory. Null stands for 1 and 0.
template <class Accumulator, class Y>
struct scale_into_by {
  Y* y;
  Accumulator const* alpha;
  Accumulator const* beta;
  template <class Tile>
  EVENLY_HD constexpr void operator()(Tile tile, Accumulator sum) const {
    Accumulator const a = alpha != nullptr ? *alpha : Accumulator{1};
    Accumulator const b = beta != nullptr ? *beta : Accumulator{};
    scale_into<Accumulator, Y>{y, a, b, !(b == Accumulator{})}(tile, sum);
  }
};

/// The map of a set without atoms.
template <class Accumulator>
struct nothing {
  EVENLY_HD constexpr Accumulator operator()(ignored, ignored) const { return {}; }
};

template <class Accumulator>
struct spmv_options {
  Accumulator alpha{1};
  Accumulator beta{};
};

/// alpha and beta as numbers in the executor's memory, one each, read whenever the product runs: what another launch
/// computed, or what changes between the replays of a captured graph. Null stands for the usual 1 and 0.
template <class Accumulator>
struct spmv_device_options {
  Accumulator const* alpha = nullptr;
  Accumulator const* beta = nullptr;
};

namespace detail {

inline bool ranges_meet(void const* a, std::size_t a_bytes, void const* b, std::size_t b_bytes) {
  auto const first = reinterpret_cast<std::uintptr_t>(a), second = reinterpret_cast<std::uintptr_t>(b);
  return a_bytes != 0 && b_bytes != 0 && first < second + b_bytes && second < first + a_bytes;
}

template <class Value, class Offset, class Column, class X, class Y>
void check_spmv(csr_view<Value, Offset, Column> const& A, view<X> x, view<Y> y) {
  auto const shape = A.shape();
  if (x.size != shape.columns)
    throw argument_error("spmv: x has " + std::to_string(x.size) + " elements, A has " + std::to_string(shape.columns) +
                         " columns");
  if (y.size != shape.rows)
    throw argument_error("spmv: y has " + std::to_string(y.size) + " elements, A has " + std::to_string(shape.rows) +
                         " rows");
  auto const nnz = static_cast<std::size_t>(A.num_atoms()), y_bytes = static_cast<std::size_t>(y.size) * sizeof(Y);
  auto const meets = [&](void const* other, std::size_t bytes, char const* what) {
    if (ranges_meet(y.data, y_bytes, other, bytes))
      throw argument_error(std::string("spmv: aliasing: y meets ") + what + "; give y memory of its own");
  };
  meets(x.data, static_cast<std::size_t>(x.size) * sizeof(X), "x");
  meets(A.values(), nnz * sizeof(Value), "A's values");
  meets(A.columns(), nnz * sizeof(Column), "A's columns");
  meets(A.offsets(), (static_cast<std::size_t>(shape.rows) + 1) * sizeof(Offset), "A's offsets");
}

template <class Y, class Accumulator>
void check_scalars(view<Y> y, spmv_device_options<Accumulator> options) {
  auto const y_bytes = static_cast<std::size_t>(y.size) * sizeof(Y);
  auto const meets = [&](Accumulator const* scalar, char const* name) {
    if (scalar != nullptr && ranges_meet(y.data, y_bytes, scalar, sizeof(Accumulator)))
      throw argument_error(std::string("spmv: aliasing: y meets ") + name + "; give " + name + " memory of its own");
  };
  meets(options.alpha, "alpha");
  meets(options.beta, "beta");
}

}  // namespace detail

/// y = alpha A x + beta y with a plan over A's rows. A: the plan's set; x: [columns]; y: [rows].
/// Asynchronous, allocates nothing. Throws argument_error for shapes that do not fit and for aliasing.
/// Deterministic; |error| <= (row length + 3) eps (sum |a||x| + |beta y|) for each row.
template <executor Executor, class Value, class Offset, class Column, class Schedule, class X, class Y,
          class Accumulator = Y>
void spmv(plan<Executor, csr_view<Value, Offset, Column>, Schedule> const& rows, view<X> x, view<Y> y,
          spmv_options<std::type_identity_t<Accumulator>> options = {}) {
  auto const& A = rows.set();
  detail::check_spmv(A, x, y);
  scale_into<Accumulator, Y> const emit{y.data, options.alpha, options.beta, !(options.beta == Accumulator{})};
  if (options.alpha == Accumulator{}) {
    // Rows without atoms: A's and x's values are never touched, and 0 * Inf cannot creep in.
    reduce_tiles(rows.run(), uniform_tiles<Offset, Offset>{A.num_tiles(), 0}, thread_mapped{}, nothing<Accumulator>{},
                 plus<Accumulator>{}, emit);
    return;
  }
  reduce_tiles(rows, times_x<Accumulator, std::remove_const_t<X>>{x.data}, plus<Accumulator>{}, emit);
}

/// The same with alpha and beta in the executor's memory, each a number that other work on the executor may write before.
/// Where alpha is zero the kernel branches: x is not read and nothing of A's values reaches y (a NaN or Inf in either
/// leaves no trace), but A's arrays must be readable, since a schedule may fetch them before the branch. Where beta is
/// zero y is overwritten. Also throws argument_error where y meets alpha or beta.
///     spmv(plan, x, y, spmv_device_options<float>{.alpha = scale.data});      // y = *scale A x
template <executor Executor, class Value, class Offset, class Column, class Schedule, class X, class Y,
          class Accumulator>
void spmv(plan<Executor, csr_view<Value, Offset, Column>, Schedule> const& rows, view<X> x, view<Y> y,
          spmv_device_options<Accumulator> options) {
  detail::check_spmv(rows.set(), x, y);
  detail::check_scalars(y, options);
  reduce_tiles(rows, times_x_unless_zero<Accumulator, std::remove_const_t<X>>{x.data, options.alpha},
               plus<Accumulator>{}, scale_into_by<Accumulator, Y>{y.data, options.alpha, options.beta});
}

/// The schedule of a call that names none: merge-path, with shares as large as the executor's workers like them.
template <executor Executor>
constexpr merge_path default_schedule(Executor const&) {
  return {.items_per_thread = has_blocks<Executor> ? 8 : 4096};
}

/// The same with a plan made for this call.
template <executor Executor, class Value, class Offset, class Column, class X, class Y, class Schedule,
          class Accumulator = Y>
  requires schedule_for<Schedule, csr_view<Value, Offset, Column>>
void spmv(Executor const& run, csr_view<Value, Offset, Column> const& A, view<X> x, view<Y> y, Schedule const& schedule,
          spmv_options<std::type_identity_t<Accumulator>> options = {}) {
  spmv(make_plan(run, A, schedule, sizeof(Accumulator)), x, y, options);
}
template <executor Executor, class Value, class Offset, class Column, class X, class Y, class Schedule,
          class Accumulator>
  requires schedule_for<Schedule, csr_view<Value, Offset, Column>>
void spmv(Executor const& run, csr_view<Value, Offset, Column> const& A, view<X> x, view<Y> y, Schedule const& schedule,
          spmv_device_options<Accumulator> options) {
  spmv(make_plan(run, A, schedule, sizeof(Accumulator)), x, y, options);
}
template <executor Executor, class Value, class Offset, class Column, class X, class Y>
void spmv(Executor const& run, csr_view<Value, Offset, Column> const& A, view<X> x, view<Y> y,
          spmv_options<std::type_identity_t<Y>> options = {}) {
  spmv(run, A, x, y, default_schedule(run), options);
}
template <executor Executor, class Value, class Offset, class Column, class X, class Y, class Accumulator>
void spmv(Executor const& run, csr_view<Value, Offset, Column> const& A, view<X> x, view<Y> y,
          spmv_device_options<Accumulator> options) {
  spmv(run, A, x, y, default_schedule(run), options);
}

}  // namespace evenly
