// SPDX-License-Identifier: Apache-2.0
//
// COO, CSC and transposes are not tile sets of rows as they stand; a row_form makes one and keeps every promise of CSR:
// one body, emitted once, no atomics. It builds offsets, the other index of each atom and the permutation from the
// source's order by a stable counting sort (so duplicates and the order inside a row stay), and gathers the values. When
// only values change, refresh() gathers them again with one launch and no allocation. The sort runs on the host; bytes()
// says what the form holds in the executor's memory.
#pragma once

#include <evenly/core/error.hpp>
#include <evenly/exec/plan.hpp>
#include <evenly/sparse/convert.hpp>
#include <evenly/sparse/csr.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace evenly {

/// Triplets in the memory of whoever runs; each array: [nnz], 0-based, in any order.
template <class Value, class Index = std::int32_t>
struct coo_view {
  Value const* values = nullptr;
  Index const* rows = nullptr;
  Index const* columns = nullptr;
  evenly::shape shape;
  std::int64_t nnz = 0;
};

/// CSC: values: [nnz], offsets: [columns + 1], rows: [nnz]. Its own tiles are columns: as a tile set it is the transpose.
template <class Value, class Offset = std::int32_t, class Row = std::int32_t>
struct csc_view {
  Value const* values = nullptr;
  Offset const* offsets = nullptr;
  Row const* rows = nullptr;
  evenly::shape shape;
  Offset nnz = 0;

  /// The rows of the transpose: the same arrays read as CSR.
  constexpr csr_view<Value, Offset, Row> transposed() const {
    return {values, offsets, rows, {shape.columns, shape.rows}, nnz};
  }
};

namespace detail {
template <class Value, class Offset>
struct gather_body {
  Value const* from;
  Offset const* permutation;
  Value* to;
  Offset count;
  template <worker Worker>
  EVENLY_HD constexpr void operator()(Worker const& me) const {
    for (Offset atom : grid_stride(me, Offset{0}, count)) to[atom] = from[permutation[atom]];
  }
};
}  // namespace detail

template <executor Executor, class Value, class Offset = std::int32_t, class Column = std::int32_t>
class row_form {
 public:
  /// The rows of A. Errors: argument_error for sizes that do not fit, before anything is allocated, and for an index
  /// outside the shape.
  template <class Index>
  row_form(Executor const& run, coo_view<Value, Index> const& A)
      : row_form(
            run, A.shape, A.nnz, [&] { return fetch(run, A.rows, A.nnz); },
            [&] { return fetch(run, A.columns, A.nnz); }, A.values) {}

  /// The rows of A.
  template <class Row>
  row_form(Executor const& run, csc_view<Value, Offset, Row> const& A)
      : row_form(
            run, A.shape, A.nnz, [&] { return fetch(run, A.rows, A.nnz); },
            [&] { return expand(run, A.offsets, A.shape.columns, A.nnz); }, A.values) {}

  /// The rows of A's transpose, which are A's columns.
  row_form(Executor const& run, csr_view<Value, Offset, Column> const& A)
      : row_form(
            run, {A.shape().columns, A.shape().rows}, A.num_atoms(),
            [&] { return fetch(run, A.columns(), A.num_atoms()); },
            [&] { return expand(run, A.offsets(), A.shape().rows, A.num_atoms()); }, A.values()) {}

  csr_view<Value, Offset, Column> view() const {
    return {static_cast<Value const*>(values_.data()), static_cast<Offset const*>(offsets_.data()),
            static_cast<Column const*>(columns_.data()), shape_, nnz_};
  }

  /// Takes new values, [nnz] in the source's order, same structure. Asynchronous, allocates nothing.
  void refresh(Value const* source) {
    if (nnz_ == 0) return;
    run_.launch(run_.shape(nnz_, 1),
                detail::gather_body<Value, Offset>{source, static_cast<Offset const*>(permutation_.data()),
                                                   static_cast<Value*>(values_.data()), nnz_});
  }

  std::size_t bytes() const { return offsets_.bytes() + columns_.bytes() + permutation_.bytes() + values_.bytes(); }

 private:
  static constexpr char const* who = "row_form";

  // rows_of, others_of: the row and the column of each atom, fetched once the sizes are known to fit
  template <class Rows, class Others>
  row_form(Executor const& run, shape shape, std::int64_t nnz, Rows const& rows_of, Others const& others_of,
           Value const* values)
      : run_(run), shape_(shape), nnz_(checked(shape, nnz)), offsets_(run, 0), columns_(run, 0), permutation_(run, 0),
        values_(run, 0) {
    auto const rows = rows_of();
    auto const others = others_of();
    std::vector<Offset> offsets(static_cast<std::size_t>(shape.rows) + 1, 0), permutation(rows.size());
    std::vector<Column> columns(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      detail::require_inside(rows[i], shape.rows, i, who, "row");
      detail::require_inside(others[i], shape.columns, i, who, "column");
      ++offsets[static_cast<std::size_t>(rows[i]) + 1];
    }
    detail::accumulate_sizes(offsets);
    std::vector<Offset> next(offsets.begin(), offsets.end() - 1);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      auto const place = static_cast<std::size_t>(next[static_cast<std::size_t>(rows[i])]++);
      permutation[place] = static_cast<Offset>(i);
      columns[place] = static_cast<Column>(others[i]);
    }
    offsets_ = send(offsets);
    columns_ = send(columns);
    permutation_ = send(permutation);
    values_ = buffer<Executor>(run_, rows.size() * sizeof(Value));
    refresh(values);
  }

  static Offset checked(shape shape, std::int64_t nnz) {
    detail::require_fit<Offset>(nnz, who, "entries", "offset");
    detail::require_fit<Offset>(shape.rows, who, "rows", "offset");
    detail::require_fit<Column>(shape.columns, who, "columns", "column");
    return static_cast<Offset>(nnz);
  }
  template <class T>
  static std::vector<T> fetch(Executor const& run, T const* there, std::int64_t count) {
    std::vector<T> here(static_cast<std::size_t>(count));
    run.copy_from(here.data(), there, here.size() * sizeof(T));
    return here;
  }
  // The tile of each atom: tile t, tile_size(t) times.
  static std::vector<Column> expand(Executor const& run, Offset const* offsets, std::int64_t tiles, Offset atoms) {
    auto const ends = fetch(run, offsets, tiles + 1);
    std::vector<Column> tile_of_each;
    tile_of_each.reserve(static_cast<std::size_t>(atoms));
    for (std::size_t t = 0; t + 1 < ends.size(); ++t)
      tile_of_each.insert(tile_of_each.end(), static_cast<std::size_t>(ends[t + 1] - ends[t]), static_cast<Column>(t));
    return tile_of_each;
  }
  template <class T>
  buffer<Executor> send(std::vector<T> const& here) const {
    buffer<Executor> there(run_, here.size() * sizeof(T));
    run_.copy_to(there.data(), here.data(), here.size() * sizeof(T));
    return there;
  }

  Executor run_;
  evenly::shape shape_;
  Offset nnz_;
  buffer<Executor> offsets_, columns_, permutation_, values_;
};

template <executor Executor, class Value, class Index>
row_form(Executor const&, coo_view<Value, Index> const&) -> row_form<Executor, Value, Index, Index>;
template <executor Executor, class Value, class Offset, class Row>
row_form(Executor const&, csc_view<Value, Offset, Row> const&) -> row_form<Executor, Value, Offset, Row>;
template <executor Executor, class Value, class Offset, class Column>
row_form(Executor const&, csr_view<Value, Offset, Column> const&) -> row_form<Executor, Value, Offset, Column>;

}  // namespace evenly
