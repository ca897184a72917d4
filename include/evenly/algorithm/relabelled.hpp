// SPDX-License-Identifier: Apache-2.0
//
// relabelled{inner}: the columns of A numbered anew by falling degree, ties in their old order, then spmv's product by
// `inner`, a schedule or another conversion. Where few columns hold most nonzeros (power-law graphs) their elements of x
// now lie side by side: a 32-byte sector fetched for one is full of others that are wanted too, and the hottest stay in
// the caches. Where degrees are even it changes nothing but costs a gather of x.
//
// Order of atoms, values and offsets stay A's own; only a second array of column indices is made, and every call first
// gathers x into the new order. So with a schedule as `inner` results have the very bits of that schedule without
// relabelling. Cost of the plan: two passes over the columns of A and a sort of its column count.
// Source: degree ordering of graphs, e.g. Balaji & Lucia, "When is Graph Reordering an Optimization?" (IISWC 2018).
#pragma once

#include <evenly/algorithm/spmv_plan.hpp>
#include <evenly/core/atomic.hpp>
#include <evenly/exec/for_each_index.hpp>
#include <evenly/exec/sort.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

namespace evenly {

template <class Inner = merge_path>
struct relabelled {
  static constexpr char const* name = "relabelled";
  Inner inner{};
};
template <class Inner>
relabelled(Inner) -> relabelled<Inner>;

namespace detail {

/// Counts the atoms of each column. A thread takes `piece` neighbours and adds a run of equal columns at once, so that a
/// single column that holds everything is not one queue for all threads.
template <class Offset, class Column>
struct count_columns {
  static constexpr int piece = 8;
  Column const* columns;
  Offset atoms;
  Offset* counts;
  EVENLY_HD void operator()(std::int64_t i) const {
    auto atom = static_cast<Offset>(i * piece);
    auto const end = static_cast<Offset>(atoms - atom > piece ? atom + piece : atoms);
    while (atom < end) {
      Column const column = columns[atom];
      Offset const first = atom++;
      while (atom < end && columns[atom] == column) ++atom;
      atomic_add(counts + column, static_cast<Offset>(atom - first));
    }
  }
};

/// A key that rises where the degree falls.
template <class Offset, class Column>
struct key_of_degree {
  Offset const* counts;
  Offset atoms;
  std::make_unsigned_t<Offset>* keys;
  Column* columns;
  EVENLY_HD void operator()(std::int64_t column) const {
    keys[column] = static_cast<std::make_unsigned_t<Offset>>(atoms - counts[column]);
    columns[column] = static_cast<Column>(column);
  }
};

template <class Column>
struct invert {
  Column const* order;
  Column* label;
  EVENLY_HD void operator()(std::int64_t i) const { label[order[i]] = static_cast<Column>(i); }
};

template <class Index, class T, class Gate>
struct gather_where_read {
  gather<Index, T> each;
  Gate gate;
  EVENLY_HD void operator()(std::int64_t i) const {
    if (gate()) each(i);
  }
};

}  // namespace detail

template <executor Executor, class Value, class Offset, class Column, class Inner>
class relabelled_plan {
 public:
  static constexpr bool is_converted = true;
  using value_type = Value;

  /// Allocates 1 column index for each atom, 1 for each column, and an x. Asynchronous where `inner`'s plan is.
  relabelled_plan(Executor run, csr_view<Value, Offset, Column> const& A, Inner const& inner)
      : run_(std::move(run)), A_(A), choice_(inner),
        columns_(run_, static_cast<std::size_t>(A.num_atoms()) * sizeof(Column)),
        order_(run_, static_cast<std::size_t>(A.shape().columns) * sizeof(Column)),
        x_(run_, static_cast<std::size_t>(A.shape().columns) * sizeof(Value)) {
    sort_columns();
    inner_.emplace(make_inner());
  }

  Executor const& run() const { return run_; }
  csr_view<Value, Offset, Column> const& matrix() const { return A_; }
  auto const& inner() const { return *inner_; }
  /// order()[i]: the column of A that is now column i. [columns], in the executor's memory.
  Column const* order() const { return static_cast<Column const*>(order_.data()); }
  std::size_t bytes() const { return columns_.bytes() + order_.bytes() + x_.bytes() + inner_->bytes(); }

  /// Takes new values, [nnz] in A's order, which must outlive the plan as A's did.
  void refresh(Value const* values) {
    bool const elsewhere = values != A_.values();
    A_ = csr_view<Value, Offset, Column>(values, A_.offsets(), A_.columns(), A_.shape(), A_.num_atoms());
    if constexpr (requires { inner_->refresh(values); }) inner_->refresh(values);
    else if (elsewhere) inner_.emplace(make_inner());  // a schedule's plan reads the values where they lie
  }

  template <class Gate, class Emit>
  void multiply(Value const* x, Gate const& gate, Emit const& emit) const {
    auto* const permuted = static_cast<Value*>(x_.data());
    for_each_index(run_, A_.shape().columns,
                   detail::gather_where_read<Column, Value, Gate>{{order(), x, permuted}, gate});
    detail::multiply(*inner_, static_cast<Value const*>(permuted), gate, emit);
  }

 private:
  auto make_inner() const {
    return make_spmv_plan(
        run_,
        csr_view<Value, Offset, Column>(A_.values(), A_.offsets(), static_cast<Column const*>(columns_.data()),
                                        A_.shape(), A_.num_atoms()),
        choice_);
  }

  void sort_columns() {
    using key = std::make_unsigned_t<Offset>;
    std::int64_t const count = A_.shape().columns, atoms = static_cast<std::int64_t>(A_.num_atoms());
    auto const n = static_cast<std::size_t>(count);
    buffer<Executor> const counts(run_, n * sizeof(Offset)), keys(run_, n * sizeof(key)), sorted(run_, n * sizeof(key)),
        labels(run_, n * sizeof(Column));
    if (count == 0) return;
    auto* const degree = static_cast<Offset*>(counts.data());
    auto* const label = static_cast<Column*>(labels.data());
    auto* const order = static_cast<Column*>(order_.data());
    run_.fill(degree, 0, counts.bytes());
    using counter = detail::count_columns<Offset, Column>;
    for_each_index(run_, ceil_div(atoms, counter::piece), counter{A_.columns(), A_.num_atoms(), degree});
    for_each_index(
        run_, count,
        detail::key_of_degree<Offset, Column>{degree, A_.num_atoms(), static_cast<key*>(keys.data()), label});
    sort_pairs(run_, static_cast<key const*>(keys.data()), static_cast<key*>(sorted.data()),
               static_cast<Column const*>(label), order, count, bits_for(static_cast<std::uint64_t>(atoms)));
    for_each_index(run_, count, detail::invert<Column>{order, label});
    for_each_index(run_, atoms, gather<Column, Column>{A_.columns(), label, static_cast<Column*>(columns_.data())});
  }

  Executor run_;
  csr_view<Value, Offset, Column> A_;
  Inner choice_;
  buffer<Executor> columns_, order_, x_;
  using inner_plan =
      decltype(make_spmv_plan(std::declval<Executor const&>(), std::declval<csr_view<Value, Offset, Column> const&>(),
                              std::declval<Inner const&>()));
  std::optional<inner_plan> inner_;
};

/// A plan over A with its columns numbered anew, multiplied by options.inner.
template <executor Executor, class Value, class Offset, class Column, class Inner>
auto make_spmv_plan(Executor const& run, csr_view<Value, Offset, Column> const& A, relabelled<Inner> const& options) {
  return relabelled_plan<Executor, Value, Offset, Column, Inner>(run, A, options.inner);
}

}  // namespace evenly
