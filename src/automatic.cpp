// SPDX-License-Identifier: Apache-2.0
#include "automatic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace evenly::instances {

row_features features_of(any_csr const& A) {
  row_features result;
  std::visit(
      [&](auto const& matrix) {
        result.rows = matrix.shape.rows;
        result.nonzeros = matrix.nnz();
        double squares = 0;
        for (std::size_t row = 0; row + 1 < matrix.offsets.size(); ++row) {
          auto const length = static_cast<std::int64_t>(matrix.offsets[row + 1] - matrix.offsets[row]);
          result.empty += length == 0 ? 1 : 0;
          result.longest = std::max(result.longest, length);
          squares += static_cast<double>(length) * static_cast<double>(length);
          ++result.histogram[static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(length)))];
        }
        if (result.rows > 0) {
          auto const rows = static_cast<double>(result.rows);
          result.mean = static_cast<double>(result.nonzeros) / rows;
          result.deviation = std::sqrt(std::max(0.0, squares / rows - result.mean * result.mean));
        }
      },
      A);
  return result;
}

choice choose_schedule(row_features const& rows, executor_kind executor) {
  if (executor == executor_kind::host) {
    // A core walks thousands of nonzeros in the time of one search, so shares are long and searches rare.
    if (2 * rows.empty > rows.rows)
      return {merge_path{long_share},
              fmt::format("{} of {} rows are empty, and merge_path counts rows as well as nonzeros", rows.empty,
                          rows.rows)};
    return {nonzero_split{long_share},
            fmt::format("equal nonzeros whatever the rows; shares of {} keep searches rare", long_share)};
  }
  constexpr std::int64_t tiny = 1 << 15;
  int const lanes = static_cast<int>(std::bit_floor(static_cast<unsigned>(std::clamp(rows.mean / 8, 1.0, 32.0))));
  bool const even = static_cast<double>(rows.longest) <= 4 * rows.mean + 4;
  if (even || rows.nonzeros <= tiny) {
    return {group_mapped{lanes},
            even ? fmt::format("rows are even (mean {:.1f}, longest {}), so that no search is needed; a lane for each "
                               "8 nonzeros of a row",
                               rows.mean, rows.longest)
                 : fmt::format("{} nonzeros are few: a launch costs more than imbalance", rows.nonzeros)};
  }
  return {merge_path{}, fmt::format("rows are uneven (mean {:.1f}, longest {}): equal steps whatever the rows",
                                    rows.mean, rows.longest)};
}

}  // namespace evenly::instances
