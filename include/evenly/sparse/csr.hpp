// SPDX-License-Identifier: Apache-2.0
//
// CSR: the rows are tiles, the nonzeros atoms, columns and values their operands. csr_view does not own and is what
// kernels take; csr owns host memory. Offsets and columns have separate types, 32 or 64 bit each. CSC is the same
// structure read the other way: csc_view's tiles are columns.
#pragma once

#include <evenly/core/error.hpp>
#include <evenly/core/operands.hpp>
#include <evenly/core/tile_set.hpp>
#include <evenly/core/view.hpp>
#include <evenly/sparse/coo.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace evenly {

template <class Value, class Offset, class Column>
struct csr;

/// values: [nnz], offsets: [rows + 1], columns: [nnz], all in the memory of whoever runs.
template <class Value, class Offset = std::int32_t, class Column = std::int32_t>
class csr_view {
 public:
  using value_type = std::remove_const_t<Value>;
  using offset_type = Offset;
  using column_type = Column;

  constexpr csr_view() = default;
  /// Throws argument_error if rows or columns do not fit their types.
  constexpr csr_view(Value const* values, Offset const* offsets, Column const* columns, evenly::shape shape, Offset nnz)
      : values_(values), offsets_(offsets), columns_(columns), rows_(fit<Offset>(shape.rows, "rows", "offset")),
        num_columns_(fit<Column>(shape.columns, "columns", "column")), nnz_(nnz) {}

  /// The same from views; nnz is the length of `columns`. Throws argument_error if the lengths contradict the shape.
  constexpr csr_view(view<Value> values, view<Offset> offsets, view<Column> columns, evenly::shape shape)
      : csr_view(values.data, offsets.data, columns.data, shape, fit_nnz(columns.size)) {
    if (offsets.size != shape.rows + 1)
      throw argument_error("csr_view: " + std::to_string(offsets.size) + " offsets for " + std::to_string(shape.rows) +
                           " rows; there must be one more than rows");
    if (values.size != columns.size)
      throw argument_error("csr_view: " + std::to_string(values.size) + " values but " + std::to_string(columns.size) +
                           " columns");
  }

  EVENLY_HD constexpr Offset num_tiles() const { return rows_; }
  EVENLY_HD constexpr Offset num_atoms() const { return nnz_; }
  EVENLY_HD constexpr Offset tile_begin(Offset row) const { return offsets_[row]; }
  EVENLY_HD constexpr auto operands() const { return operand_list<Column, value_type>(columns_, values_); }

  EVENLY_HD constexpr value_type value(Offset atom) const { return values_[atom]; }
  EVENLY_HD constexpr Column column(Offset atom) const { return columns_[atom]; }

  constexpr evenly::shape shape() const {
    return {static_cast<std::int64_t>(rows_), static_cast<std::int64_t>(num_columns_)};
  }
  EVENLY_HD constexpr value_type const* values() const { return values_; }
  EVENLY_HD constexpr Offset const* offsets() const { return offsets_; }
  EVENLY_HD constexpr Column const* columns() const { return columns_; }

 private:
  template <class T>
  static constexpr T fit(std::int64_t count, char const* what, char const* type,
                         T most = std::numeric_limits<T>::max() - 1) {
    if (std::cmp_less(count, 0) || std::cmp_greater(count, most))
      throw argument_error("csr_view: " + std::to_string(count) + " " + what + " do not fit a " +
                           std::to_string(sizeof(T) * 8) + "-bit " + type + " type; use a 64-bit one");
    return static_cast<T>(count);
  }

  static constexpr Offset fit_nnz(std::int64_t count) {
    return fit<Offset>(count, "nonzeros", "offset", std::numeric_limits<Offset>::max());
  }
  friend struct csr<value_type, Offset, Column>;

  value_type const* values_ = nullptr;
  Offset const* offsets_ = nullptr;
  Column const* columns_ = nullptr;
  Offset rows_ = 0;
  Column num_columns_ = 0;
  Offset nnz_ = 0;
};

template <class Value, class Offset, class Column>
csr_view(view<Value>, view<Offset>, view<Column>, shape)
    -> csr_view<std::remove_const_t<Value>, std::remove_const_t<Offset>, std::remove_const_t<Column>>;

/// A CSR matrix in host memory.
template <class Value, class Offset = std::int32_t, class Column = std::int32_t>
struct csr {
  std::vector<Value> values;    // [nnz]
  std::vector<Offset> offsets;  // [rows + 1]
  std::vector<Column> columns;  // [nnz]
  evenly::shape shape;

  std::int64_t nnz() const { return static_cast<std::int64_t>(columns.size()); }
  csr_view<Value, Offset, Column> view() const {
    return {values.data(), offsets.data(), columns.data(), shape, csr_view<Value, Offset, Column>::fit_nnz(nnz())};
  }
};

}  // namespace evenly
