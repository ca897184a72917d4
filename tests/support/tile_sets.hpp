// SPDX-License-Identifier: Apache-2.0
//
// The tile sets that every property is tried on, each given by the sizes of its tiles: all small ones, adversaries named
// after the bug they expose, and random ones (random_tile_sets.hpp). Sets too large to store are in implicit_tile_sets.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace tests {

/// Atoms of each tile.
using tile_sizes = std::vector<std::int64_t>;

/// offsets[t] is the first atom of tile t; [tiles + 1].
template <class Offset>
std::vector<Offset> offsets_of(tile_sizes const& sizes) {
  std::vector<Offset> offsets(sizes.size() + 1, Offset{0});
  for (std::size_t t = 0; t < sizes.size(); ++t)
    offsets[t + 1] = static_cast<Offset>(offsets[t] + static_cast<Offset>(sizes[t]));
  return offsets;
}

/// For messages: {3, 0, 4}, shortened where long.
inline std::string show(tile_sizes const& sizes) {
  std::string text = "{";
  std::size_t const shown = std::min<std::size_t>(sizes.size(), 24);
  for (std::size_t t = 0; t < shown; ++t) text += (t == 0 ? "" : ", ") + std::to_string(sizes[t]);
  if (shown < sizes.size()) text += ", ... " + std::to_string(sizes.size()) + " tiles";
  return text + "}";
}

/// visit(sizes) for all sets of 0 .. max_tiles tiles with 0 .. max_atoms atoms each; for (5, 4) that is 3906 sets.
template <class Visit>
void for_each_small_tile_set(int max_tiles, int max_atoms, Visit&& visit) {
  for (int tiles = 0; tiles <= max_tiles; ++tiles) {
    tile_sizes sizes(static_cast<std::size_t>(tiles), 0);
    while (true) {
      visit(static_cast<tile_sizes const&>(sizes));
      std::size_t digit = 0;
      while (digit < sizes.size() && sizes[digit] == max_atoms) sizes[digit++] = 0;
      if (digit == sizes.size()) break;
      ++sizes[digit];
    }
  }
}

struct adversary {
  std::string name;
  std::string exposes;
  tile_sizes sizes;
};

namespace detail {
inline tile_sizes repeated(std::size_t times, tile_sizes const& pattern) {
  tile_sizes sizes;
  for (std::size_t i = 0; i < times; ++i) sizes.insert(sizes.end(), pattern.begin(), pattern.end());
  return sizes;
}
inline tile_sizes joined(std::initializer_list<tile_sizes> parts) {
  tile_sizes sizes;
  for (auto const& part : parts) sizes.insert(sizes.end(), part.begin(), part.end());
  return sizes;
}
inline tile_sizes power_law(std::int64_t largest) {
  tile_sizes sizes;
  for (std::int64_t rank = 1; rank <= 300; ++rank) sizes.push_back(largest / rank);
  return sizes;
}
inline tile_sizes around(std::int64_t middle, std::int64_t reach) {
  tile_sizes sizes;
  for (std::int64_t size = std::max<std::int64_t>(0, middle - reach); size <= middle + reach; ++size)
    sizes.push_back(size);
  return sizes;
}
}  // namespace detail

/// The named list. Worker borders are those of the default option values: 8 steps or atoms, 32 lanes, 256 threads.
inline std::vector<adversary> adversaries() {
  using detail::around, detail::joined, detail::power_law, detail::repeated;
  std::vector<adversary> list{
      {"no tiles", "a launch of zero size, a division by zero", {}},
      {"one empty tile", "a tile set with no atoms is taken for one with no tiles", {0}},
      {"all empty", "empty tiles are forgotten where nobody has an atom", repeated(1000, {0})},
      {"one tile of one atom", "off by one at both ends at once", {1}},
      {"one huge tile", "a tile that spans every worker: nobody holds it whole", {10'000}},
      {"huge tile ending exactly on a merge_path border",
       "the border closes the tile twice or never",
       {799, 3, 1, 0, 2}},
      {"huge tile ending exactly on a nonzero_split border",
       "its end goes to a worker without atoms",
       {800, 3, 1, 0, 2}},
      {"every tile ends on a merge_path border", "border tiles are carried though they are whole", repeated(40, {7})},
      {"every tile ends on a nonzero_split border", "border tiles are emitted by both neighbours", repeated(40, {8})},
      {"a tile end alone in its worker",
       "a worker that owns an end and no atom emits the identity",
       {8, 15, 16, 24, 0, 1}},
      {"empty tiles on a border",
       "empty tiles at a border belong to nobody or to two",
       {8, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8}},
      {"leading empty tiles", "the search skips tiles before the first atom", joined({repeated(70, {0}), {5, 3}})},
      {"trailing empty tiles", "the last worker stops at the last atom", joined({{5, 3}, repeated(70, {0})})},
      {"one atom between many empty tiles", "a search by atoms walks all empty tiles",
       joined({repeated(4000, {0}), {1}, repeated(4000, {0})})},
      {"more workers than atoms", "surplus lanes and workers repeat or invent atoms", {1, 0, 2}},
      {"sizes around a warp", "lane arithmetic at 32 and its multiples",
       joined({around(32, 2), around(64, 2), around(96, 2)})},
      {"sizes around a block", "surplus lanes at 256 and 1024", joined({around(256, 1), around(1024, 1)})},
      {"chains around the long-chain switch", "tiles over 63 to 67 workers change the way they are joined",
       around(8 * 65, 20)},
      {"a chain in every size of share", "short and long chains side by side in one warp",
       joined({around(8, 8), {2000}, around(16, 8), {3000, 0, 4000}})},
      {"every block border inside a short tile", "a border that moves to a tile's begin overfills or empties a block",
       repeated(150, {29, 31})},
      {"tiles around the longest that is not split", "some borders move and some do not",
       joined({repeated(20, around(16, 1)), repeated(10, around(32, 1)), repeated(12, around(124, 1)),
               repeated(5, around(60, 1))})},
      {"every block border inside a long tile", "a block joins one tile and leaves another open",
       repeated(30, {211, 0, 97})},
      {"empty and huge in turn", "one worker's luck decides the run time; carries next to empty tiles",
       repeated(8, {0, 1000})},
      {"one huge tile after many small", "the last worker gets everything", joined({repeated(300, {1}), {5000}})},
      {"one huge tile before many small", "a carry into a share full of whole tiles",
       joined({{5000}, repeated(300, {1})})},
      {"one huge tile in the middle", "tile found by search differs from tile found by walking",
       joined({repeated(100, {2}), {5000}, repeated(100, {3})})},
      {"a power law", "what real graphs do", power_law(3000)},
      {"exactly one share", "share count rounds up to a share that is empty", {3, 3}},
      {"one step beyond a share", "share count rounds down and loses the last tile end", {3, 4}},
      {"ones", "as many tiles as atoms", repeated(257, {1})},
  };
  return list;
}

}  // namespace tests
