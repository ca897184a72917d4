// SPDX-License-Identifier: Apache-2.0
//
// Conversions between the forms of a sparse matrix, on the host. Each one is a stable counting sort: entries of a row
// (or column) keep the order they came in, duplicates are kept, and no value is changed but by the conversion to the
// type that was asked for. Sizes are checked before anything is allocated; what does not fit its type is refused by
// name.
#pragma once

#include <evenly/core/complex.hpp>
#include <evenly/core/error.hpp>
#include <evenly/sparse/coo.hpp>
#include <evenly/sparse/csr.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace evenly {

namespace detail {

/// Throws argument_error unless `count` things, and the index one past them, fit T.
template <class T>
void require_fit(std::int64_t count, char const* who, char const* what, char const* role) {
  if (count >= 0 && std::cmp_less(count, std::numeric_limits<T>::max())) return;
  throw argument_error(std::string(who) + ": " + std::to_string(count) + " " + what + " do not fit the " +
                       std::to_string(sizeof(T) * 8) + "-bit " + role + " type; use a wider one");
}

/// Throws argument_error unless `index` is one of 0 .. size-1. `what` is "row" or "column".
template <class T>
void require_inside(T index, std::int64_t size, std::size_t entry, char const* who, char const* what) {
  if (std::cmp_greater_equal(index, 0) && std::cmp_less(index, size)) return;
  throw argument_error(std::string(who) + ": entry " + std::to_string(entry) + " lies in " + what + " " +
                       std::to_string(index) + " of " + std::to_string(size) + "; indices count from 0");
}

/// A value in another type; a real becomes the real part.
template <class To, class From>
constexpr To convert_value(From value) {
  if constexpr (is_complex<To> && !is_complex<From>) return To(static_cast<real_of_t<To>>(value));
  else return static_cast<To>(value);
}

/// Counts to starts: sizes[i + 1] holds the size of i and becomes its end, in place.
template <class Offset>
void accumulate_sizes(std::vector<Offset>& sizes) {
  for (std::size_t i = 1; i < sizes.size(); ++i) sizes[i] = static_cast<Offset>(sizes[i] + sizes[i - 1]);
}

}  // namespace detail

/// The same matrix by rows. Entries of a row keep their order, duplicates stay. O(nnz + rows).
/// Errors: argument_error for sizes that do not fit Offset or Column, and for an entry outside the shape.
template <class Value = void, class Offset = std::int32_t, class Column = std::int32_t, class From, class Index>
auto to_csr(coo<From, Index> const& A) {
  using To = std::conditional_t<std::is_void_v<Value>, From, Value>;
  static_assert(!is_complex<From> || is_complex<To>, "to_csr would drop imaginary parts: ask for a complex value type");
  detail::require_fit<Offset>(A.nnz(), "to_csr", "nonzeros", "offset");
  detail::require_fit<Offset>(A.shape.rows, "to_csr", "rows", "offset");
  detail::require_fit<Column>(A.shape.columns, "to_csr", "columns", "column");
  std::size_t const nnz = A.rows.size();
  if (A.columns.size() != nnz || A.values.size() != nnz)
    throw argument_error("to_csr: " + std::to_string(nnz) + " row indices, " + std::to_string(A.columns.size()) +
                         " column indices and " + std::to_string(A.values.size()) +
                         " values; a coo has as many of each");
  csr<To, Offset, Column> result;
  result.shape = A.shape;
  result.offsets.assign(static_cast<std::size_t>(A.shape.rows) + 1, Offset{0});
  for (std::size_t i = 0; i < nnz; ++i) {
    detail::require_inside(A.rows[i], A.shape.rows, i, "to_csr", "row");
    detail::require_inside(A.columns[i], A.shape.columns, i, "to_csr", "column");
    ++result.offsets[static_cast<std::size_t>(A.rows[i]) + 1];
  }
  detail::accumulate_sizes(result.offsets);
  result.values.resize(nnz);
  result.columns.resize(nnz);
  std::vector<Offset> next(result.offsets.begin(), result.offsets.end() - 1);
  for (std::size_t i = 0; i < nnz; ++i) {
    auto const place = static_cast<std::size_t>(next[static_cast<std::size_t>(A.rows[i])]++);
    result.values[place] = detail::convert_value<To>(A.values[i]);
    result.columns[place] = static_cast<Column>(A.columns[i]);
  }
  return result;
}

/// The same matrix as triplets, row by row. Errors: argument_error for a shape that does not fit Index.
template <class Index = std::int32_t, class Value, class Offset, class Column>
coo<Value, Index> to_coo(csr<Value, Offset, Column> const& A) {
  detail::require_fit<Index>(A.shape.rows, "to_coo", "rows", "index");
  detail::require_fit<Index>(A.shape.columns, "to_coo", "columns", "index");
  coo<Value, Index> result;
  result.shape = A.shape;
  result.values = A.values;
  result.columns.assign(A.columns.begin(), A.columns.end());
  result.rows.reserve(A.columns.size());
  for (std::int64_t row = 0; row < A.shape.rows; ++row) {
    auto const at = static_cast<std::size_t>(row);
    result.rows.insert(result.rows.end(), static_cast<std::size_t>(A.offsets[at + 1] - A.offsets[at]),
                       static_cast<Index>(row));
  }
  return result;
}

/// The transpose by rows, which is also the same matrix by columns (CSC): rows of the result are columns of A, and each
/// holds its entries in the order of A's rows. O(nnz + rows + columns).
/// Errors: argument_error for sizes that do not fit, and for a column outside the shape.
template <class Value, class Offset, class Column>
csr<Value, Offset, Column> transposed(csr<Value, Offset, Column> const& A) {
  detail::require_fit<Offset>(A.shape.columns, "transposed", "columns", "offset");
  detail::require_fit<Column>(A.shape.rows, "transposed", "rows", "column");
  std::size_t const nnz = A.columns.size();
  csr<Value, Offset, Column> result;
  result.shape = {A.shape.columns, A.shape.rows};
  result.offsets.assign(static_cast<std::size_t>(A.shape.columns) + 1, Offset{0});
  for (std::size_t i = 0; i < nnz; ++i) {
    detail::require_inside(A.columns[i], A.shape.columns, i, "transposed", "column");
    ++result.offsets[static_cast<std::size_t>(A.columns[i]) + 1];
  }
  detail::accumulate_sizes(result.offsets);
  result.values.resize(nnz);
  result.columns.resize(nnz);
  std::vector<Offset> next(result.offsets.begin(), result.offsets.end() - 1);
  for (std::int64_t row = 0; row < A.shape.rows; ++row) {
    auto const end = static_cast<std::size_t>(A.offsets[static_cast<std::size_t>(row) + 1]);
    for (auto i = static_cast<std::size_t>(A.offsets[static_cast<std::size_t>(row)]); i < end; ++i) {
      auto const place = static_cast<std::size_t>(next[static_cast<std::size_t>(A.columns[i])]++);
      result.values[place] = A.values[i];
      result.columns[place] = static_cast<Column>(row);
    }
  }
  return result;
}

}  // namespace evenly
