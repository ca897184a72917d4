// SPDX-License-Identifier: Apache-2.0
//
// csr_arrays: the three arrays of a compressed sparse row matrix in host memory, as a reader hands them over, and the
// counting sort that makes them from triplets. It is stable, so the order within a row and duplicates stay as they
// were; triplets that are sorted by row are not moved at all. A large matrix is dealt into ranges of rows first, so
// that the counters and the targets of the second step lie in the cache.
#pragma once

#include <evenly/core/error.hpp>
#include <evenly/io/detail/large_pages.hpp>
#include <evenly/io/detail/message.hpp>
#include <evenly/sparse/coo.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace evenly {

template <class Value, class Offset = std::int64_t, class Index = std::int32_t>
struct csr_arrays {
  using value_type = Value;
  using offset_type = Offset;
  using index_type = Index;

  std::vector<Value> values;    // [nnz]
  std::vector<Offset> offsets;  // [rows + 1]; row r is the range [offsets[r], offsets[r + 1])
  std::vector<Index> columns;   // [nnz], 0-based
  evenly::shape shape;

  std::int64_t nnz() const { return static_cast<std::int64_t>(columns.size()); }
};

namespace detail::mtx {

/// Two counting sorts: by range of rows into a list of triplets, then by row within each range and back into the arrays
/// that they came from. `offsets` holds rows + 1 zeros.
template <class Value, class Offset, class Index>
void sort_by_row(const std::vector<Index>& rows, std::vector<Value>& values, std::vector<Index>& columns,
                 std::vector<Offset>& offsets) {
  struct triplet {
    Index row;
    Index column;
    Value value;
  };
  constexpr std::size_t most_ranges = 256;  // this many places are written in turn: few enough for first-level cache
  const std::size_t nnz = rows.size();
  const std::size_t num_rows = offsets.size() - 1;
  int shift = 0;
  while ((num_rows - 1) >> shift >= most_ranges) ++shift;
  std::vector<std::size_t> next(most_ranges + 1, 0);
  for (const Index row : rows) ++next[static_cast<std::size_t>(row >> shift) + 1];
  for (std::size_t range = 1; range < next.size(); ++range) next[range] += next[range - 1];

  const auto dealt = std::make_unique_for_overwrite<triplet[]>(nnz);
  prefer_large_pages(dealt.get(), nnz);
  for (std::size_t k = 0; k < nnz; ++k)
    dealt[next[static_cast<std::size_t>(rows[k] >> shift)]++] = {rows[k], columns[k], values[k]};
  // Now next[range] is where the range ends. Within it offsets[row] counts, then says where the next entry goes.
  std::size_t row = 0;
  for (std::size_t range = 0, begin = 0; begin < nnz; begin = next[range++]) {
    const std::size_t end = next[range];
    const std::size_t last_row = std::min((range + 1) << shift, num_rows);
    for (std::size_t k = begin; k < end; ++k) ++offsets[static_cast<std::size_t>(dealt[k].row)];
    auto before = static_cast<Offset>(begin);
    for (; row < last_row; ++row) before += std::exchange(offsets[row], before);
    for (std::size_t k = begin; k < end; ++k) {
      const auto to = static_cast<std::size_t>(offsets[static_cast<std::size_t>(dealt[k].row)]++);
      values[to] = dealt[k].value;
      columns[to] = dealt[k].column;
    }
  }
  for (; row < num_rows; ++row) offsets[row] = static_cast<Offset>(nnz);  // empty rows behind the last range
  for (row = num_rows; row > 0; --row) offsets[row] = offsets[row - 1];   // each had moved on to its row's end
  offsets[0] = 0;
}

}  // namespace detail::mtx

/// Orders triplets by row, stably. Consumes them; the indices must lie in the shape (a reader's do).
/// Errors: argument_error when the number of nonzeros does not fit Offset. Allocates, host only.
template <class Offset = std::int64_t, class Value, class Index>
csr_arrays<Value, Offset, Index> to_csr_arrays(coo<Value, Index> triplets) {
  const auto nnz = triplets.rows.size();
  if (nnz > static_cast<std::uint64_t>(std::numeric_limits<Offset>::max()))
    throw argument_error(detail::mtx::message(
        {"to_csr_arrays: ", nnz, " nonzeros do not fit an offset of ", 8 * sizeof(Offset), " bits; use std::int64_t"}));
  csr_arrays<Value, Offset, Index> result;
  result.shape = triplets.shape;
  result.values = std::move(triplets.values);
  result.columns = std::move(triplets.columns);
  auto& offsets = result.offsets;
  detail::mtx::reserve_large(offsets, static_cast<std::size_t>(triplets.shape.rows) + 1);
  offsets.resize(static_cast<std::size_t>(triplets.shape.rows) + 1);
  if (std::ranges::is_sorted(triplets.rows)) {
    for (const Index row : triplets.rows) ++offsets[static_cast<std::size_t>(row) + 1];
    for (std::size_t row = 1; row < offsets.size(); ++row) offsets[row] += offsets[row - 1];
  } else {
    detail::mtx::sort_by_row(triplets.rows, result.values, result.columns, offsets);
  }
  return result;
}

}  // namespace evenly
