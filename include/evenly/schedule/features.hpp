// SPDX-License-Identifier: Apache-2.0
//
// What a schedule is chosen by: how long the tiles are, how uneven neighbours, and how far apart the elements of x lie
// that neighbouring atoms read. All of it is made of counts, the same whoever counted (algorithm/features_of.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace evenly {

/// What one pass over the tiles tells. Any tile set has them; for a matrix a tile is a row.
struct row_features {
  static constexpr int num_bins = 64;
  static constexpr int num_widths = 6;  // groups of 1, 2, 4, 8, 16, 32 lanes

  std::int64_t tiles = 0;
  std::int64_t atoms = 0;
  std::int64_t longest = 0;
  std::array<std::int64_t, num_bins> counts{};  // [j]: tiles of 2^(j-1) .. 2^j - 1 atoms; [0]: empty ones
  /// [k]: rounds that warps need if 2^k lanes share a tile: for each warp (32 / 2^k neighbouring tiles) its longest
  /// ceil(atoms / 2^k), summed over the warps.
  std::array<std::int64_t, num_widths> warp_rounds{};

  std::int64_t empty() const { return counts[0]; }
  double mean() const { return tiles > 0 ? static_cast<double>(atoms) / static_cast<double>(tiles) : 0; }
  /// Load-balance efficiency of 2^k lanes a tile: atoms / (32 x the rounds of all warps). 1: no lane ever waits.
  double efficiency(int k) const {
    auto const rounds = warp_rounds[static_cast<std::size_t>(k)];
    return rounds > 0 ? static_cast<double>(atoms) / (32 * static_cast<double>(rounds)) : 1;
  }
  /// Tiles of at least 2^j atoms.
  std::int64_t tiles_from(int j) const {
    std::int64_t sum = 0;
    for (int bin = j + 1; bin < num_bins; ++bin) sum += counts[static_cast<std::size_t>(bin)];
    return sum;
  }

  friend bool operator==(row_features const&, row_features const&) = default;
};

/// What a sample of the column indices tells. A sector is 32 bytes of x, what a gather brings into a level-1 cache.
struct column_features {
  std::int64_t columns = 0;
  std::int64_t sampled = 0;  // atoms that were looked at; 0: there are none, or no columns
  double near_sectors = 1;   // sectors that 2048 neighbouring atoms touch, for each of these atoms; at most 1
  double wide_sectors = 1;   // the same for 8192, about what the caches of a processor keep

  friend bool operator==(column_features const&, column_features const&) = default;
};

/// All of it, with the sizes that bytes are counted by.
struct features {
  row_features rows;
  column_features columns;
  int offset_bytes = 4;
  int atom_bytes = 8;   // of the operands of one atom
  int value_bytes = 4;  // of an element of x and of y

  /// Fewest bytes that one pass must move: operands, offsets, and x and y once.
  double least_bytes() const {
    auto const n = [](std::int64_t count) { return static_cast<double>(count); };
    return n(rows.atoms) * atom_bytes + n(rows.tiles + 1) * offset_bytes +
           (n(rows.tiles) + n(columns.columns)) * value_bytes;
  }

  friend bool operator==(features const&, features const&) = default;
};

}  // namespace evenly
