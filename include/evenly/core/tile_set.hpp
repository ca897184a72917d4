// SPDX-License-Identifier: Apache-2.0
//
// A tile set is the whole problem: atoms (nonzeros, edges) numbered 0 .. num_atoms-1, grouped into tiles (rows, vertices)
// numbered 0 .. num_tiles-1. The atoms of tile t are the range [tile_begin(t), tile_begin(t + 1)); tiles may be empty.
// Three functions are all that a schedule ever sees, so whatever has them can be balanced: CSR rows, a frontier, a fibre
// tree, a formula. Everything else here is derived from the three and cannot disagree with them.
// Source: Osama, Porumbescu, Owens, "A Programming Model for GPU Load Balancing" (PPoPP 2023), section 3.1.
#pragma once

#include <evenly/core/config.hpp>
#include <evenly/core/operands.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace evenly {

/// `tile_begin` is monotone, tile_begin(0) == 0 and tile_begin(num_tiles()) == num_atoms(). It is never asked beyond that.
template <class Set>
concept tile_set = std::is_trivially_copyable_v<Set> && requires(Set const& set) {
  { set.num_tiles() } -> std::integral;
  { set.num_atoms() } -> std::integral;
  { set.tile_begin(set.num_tiles()) } -> std::convertible_to<decltype(set.num_atoms())>;
};

/// The type of tile ids: what num_tiles() returns.
template <class Set>
using tile_of_t = std::remove_cvref_t<decltype(std::declval<Set const&>().num_tiles())>;

/// The type of atom ids: what num_atoms() returns.
template <class Set>
using atom_of_t = std::remove_cvref_t<decltype(std::declval<Set const&>().num_atoms())>;

/// Number of atoms in `tile`.
template <tile_set Set>
EVENLY_HD constexpr atom_of_t<Set> tile_size(Set const& set, tile_of_t<Set> tile) {
  return static_cast<atom_of_t<Set>>(set.tile_begin(tile + 1) - set.tile_begin(tile));
}

/// The tile that holds `atom`: the first one that ends beyond it. O(log num_tiles).
template <tile_set Set>
EVENLY_HD constexpr tile_of_t<Set> tile_of(Set const& set, atom_of_t<Set> atom) {
  tile_of_t<Set> low = 0, high = set.num_tiles();
  while (low < high) {
    tile_of_t<Set> const middle = static_cast<tile_of_t<Set>>(low + (high - low) / 2);
    if (set.tile_begin(middle + 1) <= atom) low = static_cast<tile_of_t<Set>>(middle + 1);
    else high = middle;
  }
  return low;
}

/// A tile set over an offset array, as CSR has it. offsets: [tiles + 1], in the memory of whoever runs.
template <class Tile, class Offset>
struct offset_tiles {
  Offset const* offsets = nullptr;
  Tile tiles = 0;
  Offset atoms = 0;

  EVENLY_HD constexpr Tile num_tiles() const { return tiles; }
  EVENLY_HD constexpr Offset num_atoms() const { return atoms; }
  EVENLY_HD constexpr Offset tile_begin(Tile tile) const { return offsets[tile]; }
};

/// A tile set from a function: `begin(tile)` for tile in 0 .. tiles. No storage at all is needed.
template <class Tile, class Atom, class Begin>
struct function_tiles {
  Tile tiles;
  Atom atoms;
  Begin begin;

  EVENLY_HD constexpr Tile num_tiles() const { return tiles; }
  EVENLY_HD constexpr Atom num_atoms() const { return atoms; }
  EVENLY_HD constexpr Atom tile_begin(Tile tile) const { return static_cast<Atom>(begin(tile)); }
};
template <class Tile, class Atom, class Begin>
function_tiles(Tile, Atom, Begin) -> function_tiles<Tile, Atom, Begin>;

/// Tiles of one size: tile t holds atoms t * size .. (t + 1) * size - 1.
template <class Tile, class Atom>
struct uniform_tiles {
  Tile tiles = 0;
  Atom size = 0;

  EVENLY_HD constexpr Tile num_tiles() const { return tiles; }
  EVENLY_HD constexpr Atom num_atoms() const { return static_cast<Atom>(tiles) * size; }
  EVENLY_HD constexpr Atom tile_begin(Tile tile) const { return static_cast<Atom>(tile) * size; }
};

/// Set with further per-atom arrays: `map(tile, atom, operands of Set..., more...)`. Each array: [num_atoms].
template <tile_set Set, class... More>
struct operand_tiles : Set {
  operand_list<More...> more;

  EVENLY_HD constexpr operand_tiles(Set const& set, operand_list<More...> list) : Set(set), more(list) {}
  EVENLY_HD constexpr auto operands() const { return concat(operands_of(static_cast<Set const&>(*this)), more); }
};

template <tile_set Set, class... More>
EVENLY_HD constexpr auto with_operands(Set const& set, More const*... arrays) {
  return operand_tiles<Set, More...>(set, operand_list<More...>(arrays...));
}

}  // namespace evenly
