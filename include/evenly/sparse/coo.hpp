// SPDX-License-Identifier: Apache-2.0
//
// coo: a sparse matrix as a list of triplets (row, column, value) in host memory, in the order it was given, duplicates
// kept. It is what a reader returns and what conversions start from; sorting and summing are left to who needs them.
#pragma once

#include <cstdint>
#include <vector>

namespace evenly {

/// Rows and columns of a matrix.
struct shape {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  friend constexpr bool operator==(shape, shape) = default;
};

template <class Value, class Index = std::int32_t>
struct coo {
  using value_type = Value;
  using index_type = Index;

  std::vector<Value> values;   // [nnz]
  std::vector<Index> rows;     // [nnz], 0-based
  std::vector<Index> columns;  // [nnz], 0-based
  evenly::shape shape;

  std::int64_t nnz() const { return static_cast<std::int64_t>(rows.size()); }
};

}  // namespace evenly
