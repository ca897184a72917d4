// SPDX-License-Identifier: Apache-2.0
#include <evenly/core/operands.hpp>
#include <evenly/core/tile_set.hpp>

#include <gtest/gtest.h>

namespace {

constexpr int columns[] = {4, 5, 6};
constexpr double values[] = {0.5, 1.5, 2.5};
constexpr char flags[] = {'a', 'b', 'c'};

struct bare {
  constexpr int num_tiles() const { return 1; }
  constexpr int num_atoms() const { return 3; }
  constexpr int tile_begin(int tile) const { return 3 * tile; }
};
struct carrying : bare {
  constexpr auto operands() const { return evenly::operand_list<int, double>(columns, values); }
};
static_assert(evenly::tile_set<bare> && evenly::tile_set<carrying>);

constexpr bool loads_what_the_set_carries() {
  bool called = false;
  auto const nothing =
      evenly::operands_of(bare{}).load(1, [&](auto... loaded) { return called = true, sizeof...(loaded) == 0; });
  auto const both =
      evenly::operands_of(carrying{}).load(1, [](int column, double value) { return column == 5 && value == 1.5; });
  return called && nothing && both;
}
static_assert(loads_what_the_set_carries());

constexpr bool more_operands_come_behind() {
  auto const set = evenly::with_operands(carrying{}, flags, columns);
  auto const on_bare = evenly::with_operands(bare{}, flags);
  auto const twice = evenly::with_operands(on_bare, values);
  return set.num_tiles() == 1 && set.tile_begin(1) == 3 &&
         set.operands().load(2, [](int column, double value, char flag,
                                   int again) { return column == 6 && value == 2.5 && flag == 'c' && again == 6; }) &&
         on_bare.operands().load(0, [](char flag) { return flag == 'a'; }) &&
         twice.operands().load(0, [](char flag, double value) { return flag == 'a' && value == 0.5; });
}
static_assert(more_operands_come_behind());
static_assert(evenly::tile_set<decltype(evenly::with_operands(bare{}, flags))>);

TEST(Operands, are_loaded_in_the_order_they_were_declared) {
  EXPECT_TRUE(loads_what_the_set_carries());
  EXPECT_TRUE(more_operands_come_behind());
}

constexpr int takes_anything(evenly::ignored) { return 1; }
static_assert(takes_anything(3) == 1 && takes_anything(std::size_t{3}) == 1 && takes_anything(evenly::ignored{}) == 1);
static_assert(!std::is_convertible_v<double, evenly::ignored>);

}  // namespace
