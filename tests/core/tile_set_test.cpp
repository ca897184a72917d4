// SPDX-License-Identifier: Apache-2.0
//
// A tile set is three functions. Weak archetypes have these three and nothing else, in every integer type, so that no code
// can use more than it asks for.
#include "properties.hpp"

#include <evenly/core/tile_set.hpp>
#include <evenly/exec/host.hpp>
#include <evenly/exec/launch.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace {

// Not default constructible, not comparable, no operands, no more than asked: tile t has t atoms.
template <class Tile, class Atom>
class triangle {
 public:
  explicit constexpr triangle(Tile tiles) : tiles_(tiles) {}
  constexpr Tile num_tiles() const { return tiles_; }
  constexpr Atom num_atoms() const { return tile_begin(tiles_); }
  constexpr Atom tile_begin(Tile tile) const {
    return static_cast<Atom>(static_cast<Atom>(tile) * (static_cast<Atom>(tile) - 1) / 2);
  }

 private:
  Tile tiles_;
};
static_assert(evenly::tile_set<triangle<int, int>> && evenly::tile_set<triangle<std::uint8_t, std::uint64_t>>);
static_assert(!std::is_default_constructible_v<triangle<int, int>>);

struct no_begin {
  constexpr int num_tiles() const { return 0; }
  constexpr int num_atoms() const { return 0; }
};
struct owner {
  std::vector<int> offsets;
  int num_tiles() const { return 0; }
  int num_atoms() const { return 0; }
  int tile_begin(int) const { return 0; }
};
struct counts_in_doubles {
  constexpr double num_tiles() const { return 0; }
  constexpr double num_atoms() const { return 0; }
  constexpr double tile_begin(double) const { return 0; }
};
static_assert(!evenly::tile_set<no_begin> && !evenly::tile_set<owner> && !evenly::tile_set<counts_in_doubles> &&
              !evenly::tile_set<int>);

static_assert(std::is_same_v<evenly::tile_of_t<triangle<short, std::int64_t>>, short>);
static_assert(std::is_same_v<evenly::atom_of_t<triangle<short, std::int64_t>>, std::int64_t>);

template <class Tile, class Atom>
void passes_every_schedule(Tile tiles) {
  triangle<Tile, Atom> const set(tiles);
  std::apply(
      [&](auto const&... lists) {
        auto const each = [&](auto const& list) {
          for (auto const& schedule : list) {
            EXPECT_EQ(tests::covers_every_atom_once(set, schedule), "") << tests::show(schedule);
            EXPECT_EQ(tests::shares_follow_one_another(set, schedule), "") << tests::show(schedule);
          }
        };
        (each(lists), ...);
      },
      tests::every_schedule());
}
TEST(WeakTileSet, works_with_every_schedule) {
  passes_every_schedule<int, int>(20);
  passes_every_schedule<std::int64_t, std::uint32_t>(20);
  passes_every_schedule<std::uint8_t, std::int64_t>(255);
  passes_every_schedule<std::int16_t, std::uint16_t>(20);
}

struct atom_as_value {
  template <class Tile, class Atom>
  std::int64_t operator()(Tile, Atom atom) const {
    return static_cast<std::int64_t>(atom);
  }
};
template <class Tile>
struct store {
  std::int64_t* out;
  void operator()(Tile tile, std::int64_t sum) const { out[tile] = sum; }
};
TEST(WeakTileSet, reduces_on_the_host) {
  std::vector<std::int64_t> out(200, -1);
  evenly::reduce_tiles(evenly::host(), triangle<std::uint8_t, std::uint16_t>(200), evenly::merge_path{},
                       atom_as_value{}, evenly::plus<std::int64_t>{}, store<std::uint8_t>{out.data()});
  for (std::int64_t t = 0; t < 200; ++t) {
    std::int64_t const first = t * (t - 1) / 2;
    EXPECT_EQ(out[static_cast<std::size_t>(t)], t * first + t * (t - 1) / 2);
  }
}

// offset_tiles
constexpr int offsets[] = {0, 2, 2, 5};
constexpr evenly::offset_tiles<int, int> by_offsets{offsets, 3, 5};
static_assert(by_offsets.tile_begin(0) == 0 && by_offsets.tile_begin(3) == 5 && evenly::tile_size(by_offsets, 1) == 0 &&
              evenly::tile_size(by_offsets, 2) == 3);
static_assert(evenly::tile_of(by_offsets, 1) == 0 && evenly::tile_of(by_offsets, 2) == 2 &&
              evenly::tile_of(by_offsets, 4) == 2);
constexpr evenly::offset_tiles<int, int> none{};
static_assert(none.num_tiles() == 0 && none.num_atoms() == 0);  // null offsets: nobody may ask for a tile's begin

// uniform_tiles and function_tiles, beyond 32 bits
constexpr evenly::uniform_tiles<int, std::int64_t> wide{std::numeric_limits<int>::max(), 1000};
static_assert(wide.num_atoms() == 2147483647000ll && wide.tile_begin(2147483647) == wide.num_atoms());
static_assert(evenly::tile_of(wide, 2147483646999ll) == 2147483646 &&
              evenly::tile_of(wide, 2147483646000ll - 1) == 2147483645);

struct halves {
  constexpr std::int64_t operator()(int tile) const {
    return tile == 0 ? 0 : tile == 1 ? (std::int64_t{1} << 32) - 1 : std::int64_t{1} << 33;
  }
};
constexpr evenly::function_tiles two_halves{2, std::int64_t{1} << 33, halves{}};
static_assert(evenly::tile_set<decltype(two_halves)> && evenly::tile_of(two_halves, (std::int64_t{1} << 32) - 2) == 0 &&
              evenly::tile_of(two_halves, (std::int64_t{1} << 32) - 1) == 1);

TEST(TileSet, finds_the_tile_of_an_atom_among_empty_ones) {
  int const many[] = {0, 0, 0, 1, 1, 1, 4, 4};
  evenly::offset_tiles<int, int> const set{many, 7, 4};
  EXPECT_EQ(evenly::tile_of(set, 0), 2);
  EXPECT_EQ(evenly::tile_of(set, 1), 5);
  EXPECT_EQ(evenly::tile_of(set, 3), 5);
  EXPECT_EQ(evenly::tile_of(set, 4), 7);
}

}  // namespace
