// SPDX-License-Identifier: Apache-2.0
//
// csr_arrays: the three arrays of a compressed sparse row matrix in host memory, as a reader hands them over, and the
// counting sort that makes them from triplets: one pass to count the rows, a running sum, one pass to move. It is stable,
// so the order within a row and duplicates stay as they were; triplets that are sorted by row are not moved at all.
#pragma once

#include <evenly/core/error.hpp>
#include <evenly/sparse/coo.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace evenly {

template <class Value, class Offset = std::int64_t, class Index = std::int32_t>
struct csr_arrays {
  using value_type = Value;
  using offset_type = Offset;
  using index_type = Index;

  std::vector<Value> values;     // [nnz]
  std::vector<Offset> offsets;   // [rows + 1]; row r is the range [offsets[r], offsets[r + 1])
  std::vector<Index> columns;    // [nnz], 0-based
  evenly::shape shape;

  std::int64_t nnz() const { return static_cast<std::int64_t>(columns.size()); }
};

/// Orders triplets by row, stably. Consumes them; the indices must lie in the shape (a reader's do).
/// Errors: argument_error when the number of nonzeros does not fit Offset. Allocates, host only.
template <class Offset = std::int64_t, class Value, class Index>
csr_arrays<Value, Offset, Index> to_csr_arrays(coo<Value, Index> triplets) {
  const auto nnz = triplets.rows.size();
  if (nnz > static_cast<std::uint64_t>(std::numeric_limits<Offset>::max()))
    throw argument_error("to_csr_arrays: " + std::to_string(nnz) + " nonzeros do not fit an offset of " +
                         std::to_string(8 * sizeof(Offset)) + " bits; use std::int64_t");
  csr_arrays<Value, Offset, Index> result;
  result.shape = triplets.shape;
  result.offsets.assign(static_cast<std::size_t>(triplets.shape.rows) + 1, 0);
  Offset* const offsets = result.offsets.data();
  bool sorted = true;
  Index previous = 0;
  for (const Index row : triplets.rows) {
    ++offsets[row];
    sorted = sorted && previous <= row;
    previous = row;
  }
  Offset before = 0;
  for (auto& offset : result.offsets) before += std::exchange(offset, before);
  if (sorted) {
    result.values = std::move(triplets.values);
    result.columns = std::move(triplets.columns);
    return result;
  }
  result.values.resize(nnz);
  result.columns.resize(nnz);
  for (std::size_t k = 0; k < nnz; ++k) {
    const auto to = static_cast<std::size_t>(offsets[triplets.rows[k]]++);
    result.values[to] = triplets.values[k];
    result.columns[to] = triplets.columns[k];
  }
  for (std::size_t row = result.offsets.size() - 1; row > 0; --row) offsets[row] = offsets[row - 1];   // each had moved to its row's end
  offsets[0] = 0;
  return result;
}

}  // namespace evenly
