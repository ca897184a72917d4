// SPDX-License-Identifier: Apache-2.0
//
// However a block reduces its tiles (a thread, some lanes, a warp each, or a scan over all), every tile is emitted once and
// equals the reference, for operators that do not commute and for values of 12 bytes too.
#include "operators.hpp"
#include "random_tile_sets.hpp"
#include "schedules.hpp"
#include "trial.hpp"

#include <evenly/simt.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace {

constexpr int always = -4, usual = evenly::stage{}.long_tiles, never = std::numeric_limits<int>::max();

/// Tiles that lie badly for a block of 256 threads and 2048 atoms: long among short, short among long, many empty.
std::vector<tests::tile_sizes> uneven() {
  using tests::tile_sizes;
  auto const mix = [](int count, auto size_of) {
    tile_sizes sizes;
    for (int i = 0; i < count; ++i) sizes.push_back(size_of(i));
    return sizes;
  };
  return {mix(3000, [](int i) { return i % 40 == 7 ? 90 : i % 3; }),
          mix(900, [](int i) { return i % 2 == 0 ? 1 : 33 + i % 64; }),
          mix(600, [](int i) { return i % 100 == 0 ? 1500 : 0; }),
          mix(400, [](int i) { return i % 7 == 3 ? 700 : i % 5; }),
          mix(5000, [](int i) { return i % 1000 == 999 ? 4000
                                       : i % 11 == 0   ? 1
                                                       : 0; }),
          mix(257, [](int) { return 17; }),
          mix(120, [](int i) { return i == 60 ? 9000 : 125; }),
          mix(64, [](int i) { return 32 + i; })};
}

template <class Case, class Schedule>
void reduces_however() {
  tests::trial<Case, evenly::simt> trial(evenly::simt({.seed = 3}));
  int turn = 0;
  auto const judge = [&](tests::tile_sizes const& sizes, std::string const& name) {
    trial.on(sizes);
    for (int items : {1, 2, 8, 16}) {
      if (sizes.size() > 100 && items != 8 && ++turn % 3 != 0) continue;
      auto const plan =
          evenly::make_plan(trial.run(), trial.set(), Schedule{items}, sizeof(typename decltype(trial)::value));
      for (int long_tiles : {always, usual, never})
        EXPECT_EQ(trial.reduce_staged(plan, long_tiles), "") << name << ", items " << items;
    }
  };
  for (auto const& adversary : tests::adversaries()) judge(adversary.sizes, adversary.name);
  for (auto const& sizes : uneven()) judge(sizes, "uneven");
  tests::for_random_tile_sets("a scan reduces as any other way does", [&](tests::tile_sizes const& sizes) {
    trial.on(sizes);
    auto const plan =
        evenly::make_plan(trial.run(), trial.set(), Schedule{1 + ++turn % 4}, sizeof(typename decltype(trial)::value));
    auto wrong = trial.reduce_staged(plan, always);
    if (wrong.empty()) wrong = trial.reduce_staged(plan, usual);
    return wrong;
  });
}

TEST(StagedReduce, sums) { reduces_however<tests::integer_sum, evenly::merge_path>(); }
TEST(StagedReduce, products_that_do_not_commute) {
  reduces_however<tests::matrix_product, evenly::merge_path>();
  reduces_however<tests::matrix_product, evenly::nonzero_split>();
}
TEST(StagedReduce, values_of_twelve_bytes) { reduces_however<tests::twelve_bytes, evenly::nonzero_split>(); }

}  // namespace
