// SPDX-License-Identifier: Apache-2.0
//
// What a kernel sees of a matrix in two-way blocks; two_way.hpp has the idea, two_way_form.hpp makes it.
//
//   row block   neighbouring rows whose sums fit one block's scratch; a row has as many sums ("slots") as its longest run
//               needs pieces, none if it is empty
//   column tile neighbouring columns whose x fits the scratch too
//   tile        the atoms of a row block in a column tile; only those with atoms are stored, in the order of a sweep
//   quad        4 atoms of a tile, one thread's work
//   unit        a stretch of a row block's tiles, one block's work
#pragma once

#include <evenly/core/config.hpp>

#include <cstdint>

namespace evenly {

struct two_way_tile {
  std::int32_t column_tile = 0;
  std::int32_t long_quads = 0;  // the first quads of the tile, which groups of 2 to 32 lanes sum together
  std::int64_t first_quad = 0;  // the next tile's is this one's end
};

struct two_way_unit {
  std::int64_t first_tile = 0;
  std::int64_t last_tile = 0;
  std::int64_t partial = 0;  // where its sums go if others work on the same rows
  std::int32_t block = 0;
  std::int32_t parts = 1;  // units of this row block
};

template <class Offset>
struct two_way_block {
  Offset first_row = 0;  // the next block's is this one's end
  Offset first_slot = 0;
};

/// An atom: its slot in the upper half, its column within the tile in the lower.
struct two_way_word {
  static constexpr int bits = 16;
  static constexpr int most = 1 << bits;
  EVENLY_HD static constexpr std::uint32_t of(std::int64_t slot, std::int64_t column) {
    return static_cast<std::uint32_t>(slot) << bits | static_cast<std::uint32_t>(column);
  }
  EVENLY_HD static constexpr int slot(std::uint32_t word) { return static_cast<int>(word >> bits); }
  EVENLY_HD static constexpr int column(std::uint32_t word) { return static_cast<int>(word & (most - 1)); }
};

template <class Value, class Offset>
struct two_way_view {
  using value_type = Value;
  using offset_type = Offset;

  std::uint32_t const* words = nullptr;           // [4 * quads]
  Value const* values = nullptr;                  // [4 * quads]
  two_way_tile const* tiles = nullptr;            // [num_tiles + 1]
  two_way_block<Offset> const* blocks = nullptr;  // [num_blocks + 1]
  Offset const* slot_begin = nullptr;             // [rows + 1]
  two_way_unit const* units = nullptr;            // [num_units]
  std::int32_t const* split_units = nullptr;      // [num_split]: the first unit of each row block that has several
  Value* partials = nullptr;                      // sums of units that share rows
  std::int64_t columns = 0;
  std::int64_t num_tiles = 0, num_units = 0, num_split = 0;
  std::int32_t tile_columns = 0;
  std::int32_t most_slots = 0;  // of a row block
  std::int32_t buffers = 2;     // column tiles of x in scratch: one in use, the others arriving

  /// Elements from one buffer of x to the next: a tile and, behind it, the zero that padding multiplies.
  EVENLY_HD constexpr int stride() const { return (tile_columns + 1 + 3) / 4 * 4; }
  std::size_t scratch_bytes() const {
    auto const in_16s = [](std::size_t bytes) { return (bytes + 15) / 16 * 16; };
    return in_16s(sizeof(Value) * static_cast<std::size_t>(most_slots)) +
           in_16s(sizeof(Value) * static_cast<std::size_t>(buffers) * static_cast<std::size_t>(stride()));
  }
};

}  // namespace evenly
