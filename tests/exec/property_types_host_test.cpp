// SPDX-License-Identifier: Apache-2.0
//
// host: tile and atom ids of every kind of integer, the narrow ones filled to their last value.
#include "random_tile_sets.hpp"
#include "schedules.hpp"
#include "trial.hpp"

#include <evenly/exec/host.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace {

template <class Tile, class Atom, class Schedule>
void reduces(Schedule const& schedule, std::vector<tests::tile_sizes> const& sets) {
  tests::trial<tests::twelve_bytes, evenly::host, Tile, Atom> exact{evenly::host({.threads = 2})};
  tests::trial<tests::integer_sum, evenly::host, Tile, Atom> commuting{evenly::host({.threads = 2})};
  for (auto const& sizes : sets) {
    EXPECT_EQ(exact.on(sizes).reduce(schedule), "");
    EXPECT_EQ(commuting.on(sizes).reduce(schedule), "");
    EXPECT_EQ(commuting.visit(schedule), "");
  }
}
template <class Tile, class Atom>
void reduces_under_every_schedule(std::vector<tests::tile_sizes> const& sets) {
  reduces<Tile, Atom>(evenly::thread_mapped{}, sets);
  for (int lanes : {3, 8, 32, 48}) reduces<Tile, Atom>(evenly::group_mapped{lanes}, sets);
  for (int lanes : {3, 33}) reduces<Tile, Atom>(evenly::group_dealt{.lanes = lanes, .tiles = 5}, sets);
  for (int items : {1, 3, 8}) reduces<Tile, Atom>(evenly::merge_path{items}, sets);
  for (int items : {1, 3, 8}) reduces<Tile, Atom>(evenly::nonzero_split{items}, sets);
}

TEST(IdTypesHost, of_8_bits) {
  reduces_under_every_schedule<std::uint8_t, std::uint8_t>(
      {{255}, {0, 254, 1}, {100, 0, 1, 54, 99, 1, 0}, tests::tile_sizes(255, 1)});
  reduces_under_every_schedule<std::int8_t, std::int8_t>(
      {{127}, {0, 30, 1, 0, 40, 50, 0, 0, 6, 0}, tests::tile_sizes(127, 1)});
}
TEST(IdTypesHost, of_16_bits) {
  reduces_under_every_schedule<std::int16_t, std::uint16_t>({{65535}, {0, 30000, 5, 0, 35530}});
}
TEST(IdTypesHost, of_64_bits_and_mixed) {
  reduces_under_every_schedule<std::int64_t, std::int64_t>({{3000}, {0, 300, 5, 0, 355}});
  reduces_under_every_schedule<std::uint8_t, std::uint64_t>({{3000}, tests::tile_sizes(255, 7)});
}

}  // namespace
