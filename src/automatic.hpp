// SPDX-License-Identifier: Apache-2.0
//
// A first, simple rule for `--schedule auto`: look at the row lengths once, choose, and say why.
#pragma once

#include "instances.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace evenly::instances {

/// What one pass over the offsets tells.
struct row_features {
  std::int64_t rows = 0;
  std::int64_t nonzeros = 0;
  std::int64_t empty = 0;
  std::int64_t longest = 0;
  double mean = 0;
  double deviation = 0;                      // standard, of the row lengths
  std::array<std::int64_t, 64> histogram{};  // [j]: rows of 2^(j-1) .. 2^j - 1 nonzeros; [0]: empty rows
};

row_features features_of(any_csr const& A);

struct choice {
  any_schedule schedule;
  std::string because;
};

/// The rule depends on the matrix and the executor alone, never on the number of threads.
choice choose_schedule(row_features const& rows, executor_kind executor);

}  // namespace evenly::instances
