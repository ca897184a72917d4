// SPDX-License-Identifier: Apache-2.0
//
// Matrices from generators: lengths, a running sum of them, then every nonzero by itself. Both passes run on any
// executor, the second one by the library's own for_each_atom, and give the same bits on each. An edge generator (rmat)
// has no rows to ask for: its edges become triplets, in parallel, and conversion sorts them by row.
#pragma once

#include <evenly/core/complex.hpp>
#include <evenly/core/error.hpp>
#include <evenly/core/range.hpp>
#include <evenly/core/tile_set.hpp>
#include <evenly/exec/host.hpp>
#include <evenly/exec/launch.hpp>
#include <evenly/generate/random.hpp>
#include <evenly/schedule/nonzero_split.hpp>
#include <evenly/sparse/convert.hpp>
#include <evenly/sparse/coo.hpp>
#include <evenly/sparse/csr.hpp>

#include <concepts>
#include <cstdint>
#include <vector>

namespace evenly::generate {

/// A matrix by rows, each of whose nonzeros can be asked for in any order, on any device.
template <class G>
concept row_generator = requires(G const& g, std::int64_t row, std::int64_t k) {
  { g.rows() } -> std::same_as<std::int64_t>;
  { g.columns() } -> std::same_as<std::int64_t>;
  { g.row_length(row) } -> std::same_as<std::int64_t>;
  { g.column(row, k) } -> std::same_as<std::int64_t>;
  { g.value(row, k) } -> std::same_as<double>;
};

/// A matrix by edges, in no order.
template <class G>
concept edge_generator = requires(G const& g, std::int64_t e) {
  { g.rows() } -> std::same_as<std::int64_t>;
  { g.columns() } -> std::same_as<std::int64_t>;
  { g.num_edges() } -> std::same_as<std::int64_t>;
  { g.edge_at(e).row } -> std::convertible_to<std::int64_t>;
  { g.edge_at(e).column } -> std::convertible_to<std::int64_t>;
  { g.edge_value(e) } -> std::same_as<double>;
};

/// A generated value as T; a complex one has an imaginary part of its own.
template <class T>
EVENLY_HD constexpr T value_as(double value, std::int64_t row, std::int64_t k) {
  if constexpr (is_complex<T>)
    return T(static_cast<real_of_t<T>>(value), static_cast<real_of_t<T>>(short_unit(hash(0, row, k))));
  else return static_cast<T>(value);
}

/// lengths[row] = the length of each row; a body for any grid.
template <row_generator G, class Offset>
struct write_lengths {
  G from;
  Offset* lengths;  // [rows]
  template <worker Worker>
  EVENLY_HD constexpr void operator()(Worker const& me) const {
    for (auto row : grid_stride<std::int64_t>(me, 0, from.rows()))
      lengths[row] = static_cast<Offset>(from.row_length(row));
  }
};

/// Column and value of each nonzero; for for_each_atom over offset_tiles.
template <row_generator G, class Value, class Offset, class Column>
struct write_nonzeros {
  G from;
  Offset const* offsets;  // [rows + 1]
  Column* columns;        // [nnz]
  Value* values;          // [nnz]
  EVENLY_HD constexpr void operator()(Offset row, Offset atom) const {
    auto const k = static_cast<std::int64_t>(atom - offsets[row]);
    columns[atom] = static_cast<Column>(from.column(row, k));
    values[atom] = value_as<Value>(from.value(row, k), row, k);
  }
};

/// lengths: [rows], in the executor's memory. Asynchronous.
template <executor Executor, row_generator G, class Offset>
void fill_lengths(Executor const& run, G const& from, Offset* lengths) {
  run.launch(run.shape(from.rows(), 1), write_lengths<G, Offset>{from, lengths});
}

/// offsets: [rows + 1], a running sum of the lengths; columns, values: [nnz], all in the executor's memory. Makes a
/// plan.
template <executor Executor, row_generator G, class Value, class Offset, class Column>
void fill_nonzeros(Executor const& run, G const& from, Offset nnz, Offset const* offsets, Column* columns,
                   Value* values) {
  int const share = Executor::is_device ? 8 : 2048;
  for_each_atom(run, offset_tiles<Offset, Offset>{offsets, static_cast<Offset>(from.rows()), nnz}, nonzero_split{share},
                write_nonzeros<G, Value, Offset, Column>{from, offsets, columns, values});
}

/// Offsets of the rows, [rows + 1], in host memory. Errors: argument_error for sizes that do not fit Offset.
template <class Offset, row_generator G>
std::vector<Offset> offsets_of(host const& run, G const& from) {
  evenly::detail::require_fit<Offset>(from.rows(), "generate", "rows", "offset");
  std::vector<Offset> offsets(static_cast<std::size_t>(from.rows()) + 1, Offset{0});
  fill_lengths(run, from, offsets.data() + 1);
  run.wait();
  std::int64_t sum = 0;
  for (auto& offset : offsets) {
    sum += static_cast<std::int64_t>(offset);
    evenly::detail::require_fit<Offset>(sum, "generate", "nonzeros", "offset");
    offset = static_cast<Offset>(sum);
  }
  return offsets;
}

/// The matrix by rows, made by the threads of `run`; the same for any number of them.
/// Errors: argument_error for sizes that do not fit Offset or Column.
template <class Value = double, class Offset = std::int32_t, class Column = std::int32_t, row_generator G>
csr<Value, Offset, Column> to_csr(G const& from, host const& run = default_executor()) {
  evenly::detail::require_fit<Column>(from.columns(), "generate", "columns", "column");
  csr<Value, Offset, Column> result;
  result.shape = {from.rows(), from.columns()};
  result.offsets = offsets_of<Offset>(run, from);
  Offset const nnz = result.offsets.back();
  result.columns.resize(static_cast<std::size_t>(nnz));
  result.values.resize(static_cast<std::size_t>(nnz));
  fill_nonzeros(run, from, nnz, result.offsets.data(), result.columns.data(), result.values.data());
  run.wait();
  return result;
}

/// Edges as triplets, in the order of their numbers.
template <class Value = double, class Index = std::int32_t, edge_generator G>
coo<Value, Index> to_coo(G const& from, host const& run = default_executor()) {
  evenly::detail::require_fit<Index>(from.rows(), "generate", "rows", "index");
  coo<Value, Index> result;
  result.shape = {from.rows(), from.columns()};
  auto const edges = static_cast<std::size_t>(from.num_edges());
  result.rows.resize(edges);
  result.columns.resize(edges);
  result.values.resize(edges);
  run.launch(run.shape(from.num_edges(), 1), [&](auto const& me) {
    for (auto e : grid_stride<std::int64_t>(me, 0, from.num_edges())) {
      auto const at = static_cast<std::size_t>(e);
      auto const edge = from.edge_at(e);
      result.rows[at] = static_cast<Index>(edge.row);
      result.columns[at] = static_cast<Index>(edge.column);
      result.values[at] = value_as<Value>(from.edge_value(e), e, 0);
    }
  });
  run.wait();
  return result;
}

/// The same by rows; edges of a row keep the order of their numbers, parallel edges stay.
template <class Value = double, class Offset = std::int32_t, class Column = std::int32_t, edge_generator G>
csr<Value, Offset, Column> to_csr(G const& from, host const& run = default_executor()) {
  evenly::detail::require_fit<Offset>(from.num_edges(), "generate", "edges", "offset");
  return evenly::to_csr<Value, Offset, Column>(to_coo<Value, std::int64_t>(from, run));
}

}  // namespace evenly::generate
