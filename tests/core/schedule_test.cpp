// SPDX-License-Identifier: Apache-2.0
//
// deal(): over all lanes, every atom exactly once; also at the ends of its types, where a product or a sum would overflow.
#include <evenly/core/range.hpp>
#include <evenly/core/schedule.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>

namespace {

using evenly::dealing;

template <class Atom>
constexpr bool deals_once(Atom begin, Atom end, Atom origin, int lanes, dealing how) {
  std::array<int, 256> seen{};
  auto last = static_cast<std::int64_t>(0);
  for (int lane = 0; lane < lanes; ++lane) {
    auto const mine = evenly::deal<Atom>(begin, end, origin, lane, lanes, how);
    for (Atom atom : evenly::step_range<Atom>(mine.begin, mine.end, mine.stride)) {
      if (atom < begin || atom >= end) return false;
      auto const i = static_cast<std::int64_t>(atom - begin);
      if (how == dealing::pieces && i != last++) return false;  // lane order is atom order
      if (how == dealing::striped && static_cast<std::int64_t>(atom - origin) % lanes != lane) return false;
      ++seen[static_cast<std::size_t>(i)];
    }
  }
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (seen[i] != (i < static_cast<std::size_t>(end - begin) ? 1 : 0)) return false;
  return true;
}

template <class Atom>
constexpr bool deals_once_both_ways(Atom begin, Atom end, int lanes) {
  return deals_once<Atom>(begin, end, begin, lanes, dealing::striped) &&
         deals_once<Atom>(begin, end, begin, lanes, dealing::pieces);
}

template <class Atom>
inline constexpr Atom top = std::numeric_limits<Atom>::max();

static_assert(deals_once_both_ways(0, 10, 3) && deals_once_both_ways(0, 2, 8) && deals_once_both_ways(5, 5, 4) &&
              deals_once_both_ways(0, 8, 8));
static_assert(deals_once<int>(7, 20, 2, 4, dealing::striped) && deals_once<int>(8, 9, 0, 3, dealing::striped));
static_assert(deals_once_both_ways<int>(top<int> - 100, top<int>, 7) &&
              deals_once_both_ways<int>(top<int> - 1, top<int>, 1024));
static_assert(deals_once_both_ways<std::uint32_t>(top<std::uint32_t> - 100, top<std::uint32_t>, 33));
static_assert(deals_once_both_ways<std::int64_t>(top<std::int64_t> - 100, top<std::int64_t>, 33));
static_assert(deals_once_both_ways<std::uint64_t>(top<std::uint64_t> - 100, top<std::uint64_t>, 33));
static_assert(deals_once_both_ways<std::int64_t>((std::int64_t{1} << 32) - 50, (std::int64_t{1} << 32) + 50, 32));
static_assert(deals_once_both_ways<std::int8_t>(0, 127, 8) && deals_once_both_ways<std::int8_t>(100, 127, 64));
static_assert(deals_once_both_ways<std::uint8_t>(0, 255, 7));

TEST(Deal, gives_every_atom_to_one_lane) {
  for (int lanes : {1, 2, 3, 5, 7, 8, 24, 32, 33, 48, 64, 96, 256, 1024})
    for (int size : {0, 1, 2, 31, 32, 33, 100, 255}) {
      EXPECT_TRUE(deals_once_both_ways(0, size, lanes)) << lanes << " lanes, " << size << " atoms";
      EXPECT_TRUE(deals_once_both_ways(1000, 1000 + size, lanes));
      EXPECT_TRUE((deals_once_both_ways<std::uint8_t>(0, static_cast<std::uint8_t>(size), lanes)))
          << lanes << " lanes, " << size << " atoms";
      for (int ahead : {1, 5, 32, 40})
        EXPECT_TRUE(deals_once<int>(1000, 1000 + size, 1000 - ahead, lanes, dealing::striped));
    }
}

// 2^31 - 1 atoms: no lane's first atom may be computed as size * lane.
TEST(Deal, pieces_of_the_largest_tiles_follow_one_another) {
  for (int lanes : {2, 3, 32, 1000, 1024}) {
    std::int32_t at = 0;
    std::int64_t at64 = 0;
    for (int lane = 0; lane < lanes; ++lane) {
      auto const mine = evenly::deal<std::int32_t>(0, top<std::int32_t>, 0, lane, lanes, dealing::pieces);
      EXPECT_EQ(mine.begin, at);
      at = mine.end;
      auto const wide = evenly::deal<std::int64_t>(0, std::int64_t{1} << 60, 0, lane, lanes, dealing::pieces);
      EXPECT_EQ(wide.begin, at64);
      EXPECT_LE(wide.end - wide.begin, (std::int64_t{1} << 60) / lanes + 1);
      at64 = wide.end;
    }
    EXPECT_EQ(at, top<std::int32_t>);
    EXPECT_EQ(at64, std::int64_t{1} << 60);
  }
}

static_assert(evenly::ceil_div(0, 8) == 0 && evenly::ceil_div(1, 8) == 1 && evenly::ceil_div(8, 8) == 1 &&
              evenly::ceil_div(9, 8) == 2);
static_assert(evenly::ceil_div(top<std::int64_t>, 8) == (std::int64_t{1} << 60) &&
              evenly::ceil_div(top<std::int64_t>, 1) == top<std::int64_t>);
TEST(CeilDiv, does_not_overflow) { EXPECT_EQ(evenly::ceil_div(top<std::int64_t>, top<std::int64_t>), 1); }

}  // namespace
