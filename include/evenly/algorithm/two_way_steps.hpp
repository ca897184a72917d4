// SPDX-License-Identifier: Apache-2.0
//
// The steps by which two_way_form.hpp lays out a matrix, each a function of one atom, piece or tile, so that they run on
// any executor with no memory shared between them. What they agree on:
//
//   run     the atoms of one row in one column tile; with columns sorted they are neighbours
//   piece   128 atoms of a run, or what is left of it; a full piece p of a row adds to slot p % warps, the rest to slot
//           min(p, warps). Full pieces of a run follow one another, and a warp takes every warps-th chunk of 32 quads, so
//           all pieces of a slot in a tile belong to one warp, however long the run
//   class   of a piece, by its length: 65-128 atoms have 32 quads, 33-64 16, 17-32 8, 9-16 4, 5-8 2 (the long ones, a
//           power of two so that none straddles a warp), then 4, 3, 2 and 1 atoms, packed into quads without straddling:
//
//               4-4-4-4  3-3-3-1  2-2-2-2  2-2-1-1  1-1-1-1      a letter's quad is one thread's: no slot met by two
//
//   padding has a value of 0, the slot of an atom of its quad, and the column behind the tile, where a zero stands in x's
//           place: it never touches x, and NaN cannot come of it.
#pragma once

#include <evenly/algorithm/two_way_view.hpp>
#include <evenly/core/atomic.hpp>
#include <evenly/core/config.hpp>

#include <cstdint>
#include <type_traits>

namespace evenly::detail {

inline constexpr int piece_atoms = 128;
inline constexpr int piece_classes = 9;
inline constexpr int class_bits = 4;    // of a key, below the tile
inline constexpr int long_classes = 5;  // class c < 5 has 32 >> c quads a piece; class c >= 5 has 9 - c atoms

EVENLY_HD constexpr int class_of(int length) {
  if (length <= 4) return piece_classes - length;
  int c = 0;
  while (piece_atoms >> (c + 1) >= length) ++c;
  return c;
}

/// The numbers that the steps share. Columns are sorted in each row.
template <class Offset, class Column>
struct two_way_plane {
  Offset const* offsets;                // [rows + 1]
  Column const* columns;                // [atoms]
  Offset const* slot_begin;             // [rows + 1], once it is known
  two_way_block<Offset> const* blocks;  // [num_blocks + 1], likewise
  std::int64_t num_blocks;
  std::int64_t column_tiles;
  std::int64_t block_slots;  // row block b holds the rows whose first slot is in b * block_slots ..
  std::int32_t tile_columns;
  std::int32_t warps;  // of a block

  EVENLY_HD std::int64_t column_tile(Offset atom) const {
    return static_cast<std::int64_t>(columns[atom]) / tile_columns;
  }
  /// The first atom of this atom's run. Gallops, since most runs are short.
  EVENLY_HD Offset run_begin(Offset row, Offset atom) const {
    std::int64_t const least = column_tile(atom) * tile_columns, first = static_cast<std::int64_t>(offsets[row]);
    std::int64_t high = static_cast<std::int64_t>(atom), step = 1;  // columns[high] is in the run
    while (high - first >= step && static_cast<std::int64_t>(columns[high - step]) >= least) {
      high -= step;
      step *= 2;
    }
    std::int64_t low = high - first >= step ? high - step + 1 : first;
    while (low < high) {
      std::int64_t const middle = low + (high - low) / 2;
      if (static_cast<std::int64_t>(columns[middle]) < least) low = middle + 1;
      else high = middle;
    }
    return static_cast<Offset>(low);
  }
  /// One past the last atom of this atom's run, or past `limit` atoms from here, whichever is first.
  EVENLY_HD Offset run_end(Offset row, Offset atom, int limit) const {
    std::int64_t const beyond = (column_tile(atom) + 1) * tile_columns, from = static_cast<std::int64_t>(atom);
    std::int64_t const left = static_cast<std::int64_t>(offsets[row + 1]) - from,
                       end = from + (left < limit ? left : limit);
    std::int64_t low = from + 1, step = 1;  // columns[low - 1] is in the run
    while (end - low >= step && static_cast<std::int64_t>(columns[low + step - 1]) < beyond) {
      low += step;
      step *= 2;
    }
    std::int64_t high = end - low >= step ? low + step - 1 : end;
    while (low < high) {
      std::int64_t const middle = low + (high - low) / 2;
      if (static_cast<std::int64_t>(columns[middle]) < beyond) low = middle + 1;
      else high = middle;
    }
    return static_cast<Offset>(low);
  }
  EVENLY_HD std::int64_t block_of(Offset row) const { return static_cast<std::int64_t>(slot_begin[row]) / block_slots; }
  /// Sweeps of different row blocks begin at different tiles, so that they do not all want the same x at once.
  EVENLY_HD std::int64_t first_tile(std::int64_t block) const { return block * column_tiles / num_blocks; }
  EVENLY_HD std::int64_t place_in_sweep(std::int64_t block, std::int64_t tile) const {
    std::int64_t const place = tile - first_tile(block);
    return block * column_tiles + (place < 0 ? place + column_tiles : place);
  }
  EVENLY_HD std::int64_t tile_at(std::int64_t place) const {
    std::int64_t const block = place / column_tiles, tile = place % column_tiles + first_tile(block);
    return tile < column_tiles ? tile : tile - column_tiles;
  }
};

/// Sets a flag if a column is smaller than the one before it in its row.
template <class Offset, class Column>
struct find_descent {
  Offset const* offsets;
  Column const* columns;
  int* found;
  EVENLY_HD void operator()(Offset row, Offset atom) const {
    if (atom > offsets[row] && columns[atom] < columns[atom - 1]) atomic_max(found, 1);
  }
};

/// What sorting the rows' columns begins with.
template <class Offset, class Column>
struct write_sort_keys {
  Column const* columns;
  std::make_unsigned_t<Column>* keys;
  Offset* ids;
  Offset* rows;
  EVENLY_HD void operator()(Offset row, Offset atom) const {
    keys[atom] = static_cast<std::make_unsigned_t<Column>>(columns[atom]);
    ids[atom] = atom;
    rows[atom] = row;
  }
};

/// The slots that a row needs for one of its atoms; a row needs the most of them.
template <class Offset, class Column>
struct slots_for {
  two_way_plane<Offset, Column> plane;
  EVENLY_HD int operator()(Offset row, Offset atom) const {
    auto const piece = static_cast<std::int64_t>(atom - plane.run_begin(row, atom)) / piece_atoms;
    return static_cast<int>(piece < plane.warps ? piece : plane.warps) + 1;
  }
};
template <class Offset>
struct store_slots {
  Offset* slots;  // behind a leading zero
  EVENLY_HD void operator()(Offset row, int most) const {
    slots[row + 1] = most < 0 ? Offset{0} : static_cast<Offset>(most);
  }
};

/// Where row block b begins: the first row whose slots begin at b * block_slots or later.
template <class Offset>
struct find_block {
  Offset const* slot_begin;
  Offset rows;
  std::int64_t num_blocks, block_slots;
  two_way_block<Offset>* blocks;
  EVENLY_HD void operator()(std::int64_t b) const {
    Offset low = 0, high = rows;
    while (low < high) {
      Offset const middle = low + (high - low) / 2;
      if (static_cast<std::int64_t>(slot_begin[middle]) < b * block_slots) low = middle + 1;
      else high = middle;
    }
    if (b == num_blocks) low = rows;
    blocks[b] = {low, slot_begin[low]};
  }
};

/// 1 where a piece begins; the sum over them numbers the pieces.
template <class Offset, class Column>
struct mark_pieces {
  two_way_plane<Offset, Column> plane;
  Offset* marks;
  EVENLY_HD void operator()(Offset row, Offset atom) const {
    marks[atom] = (atom - plane.run_begin(row, atom)) % piece_atoms == 0 ? 1 : 0;
  }
};

/// What is known of each piece before it has a place.
template <class Offset, class Column, class Key>
struct describe_pieces {
  two_way_plane<Offset, Column> plane;
  Offset const* ids;  // of each atom's piece, counted from 1
  Key* keys;
  Offset* pieces;
  std::uint16_t* slots;
  std::uint8_t* lengths;
  EVENLY_HD void operator()(Offset row, Offset atom) const {
    auto const rank = static_cast<std::int64_t>(atom - plane.run_begin(row, atom));
    if (rank % piece_atoms != 0) return;
    Offset const id = static_cast<Offset>(ids[atom] - 1);
    int const length = static_cast<int>(plane.run_end(row, atom, piece_atoms) - atom);
    std::int64_t const number = rank / piece_atoms, block = plane.block_of(row);
    std::int64_t const slot = length == piece_atoms  ? number % plane.warps
                              : number < plane.warps ? number
                                                     : plane.warps;
    keys[id] = static_cast<Key>(plane.place_in_sweep(block, plane.column_tile(atom)) << class_bits | class_of(length));
    pieces[id] = id;
    slots[id] = static_cast<std::uint16_t>(plane.slot_begin[row] - plane.blocks[block].first_slot + slot);
    lengths[id] = static_cast<std::uint8_t>(length);
  }
};

/// bounds[t * 9 + c]: the first sorted piece of tile t (in the order of sweeps) and class c, or of a later one.
template <class Offset, class Key>
struct find_bound {
  Key const* keys;
  Offset count;
  Offset* bounds;
  EVENLY_HD void operator()(std::int64_t i) const {
    Key const wanted = static_cast<Key>(i / piece_classes << class_bits | i % piece_classes);
    Offset low = 0, high = count;
    while (low < high) {
      Offset const middle = low + (high - low) / 2;
      if (keys[middle] < wanted) low = middle + 1;
      else high = middle;
    }
    bounds[i] = low;
  }
};

/// Where the pieces of each class lie in a tile, in quads from the tile's begin. The classes of a tile in one line.
template <class Offset>
struct tile_layout {
  Offset const* bounds;  // of this tile, [10]

  EVENLY_HD std::int64_t count(int c) const { return static_cast<std::int64_t>(bounds[c + 1] - bounds[c]); }
  EVENLY_HD std::int64_t ones() const { return count(8); }
  EVENLY_HD std::int64_t twos() const { return count(7); }
  EVENLY_HD std::int64_t threes() const { return count(6); }
  EVENLY_HD std::int64_t fours() const { return count(5); }
  EVENLY_HD std::int64_t first_quad(int c) const {  // of a long class
    std::int64_t quads = 0;
    for (int earlier = 0; earlier < c; ++earlier) quads += count(earlier) * (32 >> earlier);
    return quads;
  }
  EVENLY_HD std::int64_t long_quads() const { return first_quad(long_classes); }
  EVENLY_HD std::int64_t twos_begin() const { return long_quads() + fours() + threes(); }
  EVENLY_HD std::int64_t ones_begin() const { return twos_begin() + (twos() + 1) / 2; }
  /// Ones that fill up quads of threes and the last quad of twos; the others have quads of their own.
  EVENLY_HD std::int64_t ones_with_others() const { return threes() + 2 * (twos() % 2); }
  EVENLY_HD std::int64_t quads() const {
    std::int64_t const alone = ones() - ones_with_others();
    return ones_begin() + (alone > 0 ? (alone + 3) / 4 : 0);
  }
  /// The first atom of piece i of class c.
  EVENLY_HD std::int64_t place(int c, std::int64_t i) const {
    if (c < long_classes) return 4 * (first_quad(c) + i * (32 >> c));
    if (c == 5) return 4 * (long_quads() + i);
    if (c == 6) return 4 * (long_quads() + fours() + i);
    if (c == 7) return 4 * twos_begin() + 2 * i;
    if (i < threes()) return 4 * (long_quads() + fours() + i) + 3;
    std::int64_t const beyond = i - threes();
    if (i < ones_with_others()) return 4 * twos_begin() + 2 * twos() + beyond;
    return 4 * ones_begin() + (i - ones_with_others());
  }
  /// Where the padding ends that follows piece i of class c, whose last atom is followed by place `end`.
  EVENLY_HD std::int64_t padded_end(int c, std::int64_t i, std::int64_t end) const {
    if (c < long_classes) return place(c, i) + 4 * (32 >> c);
    bool const last_in_quad = c == 6   ? i >= ones()                            // no one fills it up
                              : c == 7 ? i + 1 == twos() && ones() <= threes()  // the same
                              : c == 8 ? i >= threes() && i + 1 == ones()
                                       : false;
    return last_in_quad ? (end + 3) / 4 * 4 : end;
  }
};

/// Sizes of each tile: quads, and whether it is there at all; their sums number quads and tiles.
template <class Offset>
struct measure_tile {
  Offset const* bounds;
  std::int64_t* quads;  // behind a leading zero, as is the next
  std::int64_t* there;
  EVENLY_HD void operator()(std::int64_t t) const {
    std::int64_t const size = tile_layout<Offset>{bounds + t * piece_classes}.quads();
    quads[t + 1] = size;
    there[t + 1] = size > 0 ? 1 : 0;
  }
};

template <class Offset, class Column>
struct write_tile {
  two_way_plane<Offset, Column> plane;
  Offset const* bounds;
  std::int64_t const* quads;
  std::int64_t const* numbers;
  two_way_tile* tiles;
  EVENLY_HD void operator()(std::int64_t t) const {
    std::int64_t const all = plane.num_blocks * plane.column_tiles;
    if (t == all) tiles[numbers[t]] = {0, 0, quads[t]};
    else if (numbers[t + 1] > numbers[t])
      tiles[numbers[t]] = {static_cast<std::int32_t>(plane.tile_at(t)),
                           static_cast<std::int32_t>(tile_layout<Offset>{bounds + t * piece_classes}.long_quads()),
                           quads[t]};
  }
};

/// Gives each piece its place, and writes the padding that follows it.
template <class Offset, class Key, class Value>
struct place_pieces {
  Key const* keys;
  Offset const* pieces;
  Offset const* bounds;
  std::int64_t const* quads;
  std::uint16_t const* slots;
  std::uint8_t const* lengths;
  std::int32_t tile_columns;
  std::make_unsigned_t<Offset>* places;
  std::uint32_t* words;
  Value* values;
  EVENLY_HD void operator()(std::int64_t i) const {
    auto const tile = static_cast<std::int64_t>(keys[i] >> class_bits);
    int const c = static_cast<int>(keys[i] & ((1 << class_bits) - 1));
    tile_layout<Offset> const layout{bounds + tile * piece_classes};
    Offset const piece = pieces[i];
    std::int64_t const ordinal = i - static_cast<std::int64_t>(layout.bounds[c]), base = 4 * quads[tile];
    std::int64_t const begin = layout.place(c, ordinal), end = begin + lengths[piece];
    places[piece] = static_cast<std::make_unsigned_t<Offset>>(base + begin);
    for (std::int64_t at = end; at < layout.padded_end(c, ordinal, end); ++at) {
      words[base + at] = two_way_word::of(slots[piece], tile_columns);
      values[base + at] = Value{};
    }
  }
};

/// Writes each atom to its place. source: where atom i of the sorted rows lies in A, null if it is i itself.
template <class Offset, class Column, class Value>
struct place_atoms {
  two_way_plane<Offset, Column> plane;
  Offset const* ids;
  std::uint16_t const* slots;
  std::make_unsigned_t<Offset> const* places;
  Offset const* source;
  std::make_unsigned_t<Offset>* place_of;
  std::uint32_t* words;
  EVENLY_HD void operator()(Offset row, Offset atom) const {
    Offset const piece = static_cast<Offset>(ids[atom] - 1), from = source != nullptr ? source[atom] : atom;
    auto const rank = (atom - plane.run_begin(row, atom)) % piece_atoms;
    auto const place =
        static_cast<std::make_unsigned_t<Offset>>(places[piece] + static_cast<std::make_unsigned_t<Offset>>(rank));
    words[place] = two_way_word::of(slots[piece], static_cast<std::int64_t>(plane.columns[atom]) % plane.tile_columns);
    place_of[from] = place;
  }
};

template <class Place, class Value>
struct scatter_values {
  Value const* from;
  Place const* place;
  Value* to;
  EVENLY_HD void operator()(std::int64_t atom) const { to[place[atom]] = from[atom]; }
};

/// What has been summed up before each row block.
struct block_ends {
  std::int64_t const* from;
  std::int64_t column_tiles;
  std::int64_t* to;
  EVENLY_HD void operator()(std::int64_t block) const { to[block] = from[block * column_tiles]; }
};

/// Cuts a row block's tiles between its units so that each has the same cost: quads, and the fetch of x for each tile.
struct cut_units {
  two_way_tile const* tiles;
  std::int64_t tile_cost;       // in quads
  two_way_unit* units;          // with all tiles of the row block
  std::int64_t const* part_of;  // [units]: which part of its row block a unit is
  EVENLY_HD void operator()(std::int64_t u) const {
    two_way_unit unit = units[u];
    std::int64_t const first = unit.first_tile, last = unit.last_tile;
    unit.first_tile = cut(first, last, part_of[u], unit.parts);
    unit.last_tile = cut(first, last, part_of[u] + 1, unit.parts);
    units[u] = unit;
  }

 private:
  EVENLY_HD std::int64_t cut(std::int64_t first, std::int64_t last, std::int64_t part, std::int64_t parts) const {
    auto const cost = [&](std::int64_t k) {
      return tiles[k].first_quad - tiles[first].first_quad + (k - first) * tile_cost;
    };
    std::int64_t const all = cost(last), wanted = all / parts * part + all % parts * part / parts;
    std::int64_t low = first, high = last;
    while (low < high) {
      std::int64_t const middle = low + (high - low) / 2;
      if (cost(middle) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  }
};

}  // namespace evenly::detail
