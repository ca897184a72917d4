// SPDX-License-Identifier: Apache-2.0
//
// Tile sets too large to store, as formulas: borders at and around 2^31 and 2^32 in atoms, in tiles and in their sum.
#pragma once

#include <evenly/core/config.hpp>
#include <evenly/core/tile_set.hpp>

#include <cstdint>
#include <limits>

namespace tests {

inline constexpr std::int64_t two_31 = std::int64_t{1} << 31;
inline constexpr std::int64_t two_32 = std::int64_t{1} << 32;

/// Up to seven tiles of any size.
template <class Tile, class Atom>
struct few_tiles {
  Atom begins[8];
  Tile tiles;
  EVENLY_HD constexpr Tile num_tiles() const { return tiles; }
  EVENLY_HD constexpr Atom num_atoms() const { return begins[tiles]; }
  EVENLY_HD constexpr Atom tile_begin(Tile tile) const { return begins[tile]; }
};

template <class Tile, class Atom, class... Sizes>
constexpr few_tiles<Tile, Atom> few(Sizes... sizes) {
  few_tiles<Tile, Atom> set{{}, static_cast<Tile>(sizeof...(Sizes))};
  Tile t = 0;
  ((set.begins[t + 1] = static_cast<Atom>(set.begins[t] + static_cast<Atom>(sizes)), ++t), ...);
  return set;
}

/// Mostly short tiles, now and then a long one, of mean size `mean`: tile t begins at t * mean + a hash below mean.
template <class Tile, class Atom>
struct rough_tiles {
  Tile tiles;
  std::int64_t mean;
  EVENLY_HD constexpr Tile num_tiles() const { return tiles; }
  EVENLY_HD constexpr Atom num_atoms() const { return tile_begin(tiles); }
  EVENLY_HD constexpr Atom tile_begin(Tile tile) const {
    auto const t = static_cast<std::int64_t>(tile);
    if (t == 0 || tile == tiles) return static_cast<Atom>(t * mean);
    auto const hash = (static_cast<std::uint64_t>(t) * 0x9E3779B97F4A7C15u) >> 40;
    std::int64_t const offset = static_cast<std::int64_t>(hash) % (2 * mean) - mean / 2;
    return static_cast<Atom>(t * mean + (offset < 0 ? 0 : offset < mean ? offset : mean - 1));
  }
};

/// visit(name, set) for each large set.
template <class Visit>
void for_each_large_set(Visit&& visit) {
  using std::int32_t, std::int64_t, std::uint32_t, std::uint64_t;
  constexpr int32_t top = std::numeric_limits<int32_t>::max();
  visit("a tile that ends at 2^31", few<int, int64_t>(two_31, 5, 0, 3));
  visit("ends at 2^31 - 1, 2^31, 2^32 and 2^32 + 1", few<int, int64_t>(two_31 - 1, 1, 0, two_31, 1, 7));
  visit("a tile that ends at 2^32", few<int, int64_t>(3, two_32 - 3, 0, 0, 9));
  visit("a tile of 2^33 atoms", few<int64_t, int64_t>(1, 2 * two_32, 1));
  visit("as many atoms as int32 counts", few<int32_t, int32_t>(7, top - 10, 0, 3));
  visit("as many atoms as uint32 counts", few<uint32_t, uint32_t>(two_31, two_31 - 1));
  visit("atoms of 64 unsigned bits", few<uint64_t, uint64_t>(two_32, 0, two_32 + 1));
  visit("as many tiles and atoms as int32 counts: their sum does not fit",
        evenly::uniform_tiles<int32_t, int32_t>{top, 1});
  visit("as many empty tiles as int32 counts", evenly::uniform_tiles<int32_t, int32_t>{top, 0});
  visit("2^31 + 9 empty tiles", evenly::uniform_tiles<int64_t, int64_t>{two_31 + 9, 0});
  visit("2^32 + 5 tiles of one atom", evenly::uniform_tiles<int64_t, int64_t>{two_32 + 5, 1});
  visit("2^31 tiles of 3 atoms", evenly::uniform_tiles<int64_t, int64_t>{two_31, 3});
  visit("2^28 rough tiles around 20 atoms", rough_tiles<int32_t, int64_t>{1 << 28, 20});
}

}  // namespace tests
