// SPDX-License-Identifier: Apache-2.0
//
// Groups of the emulated grid: who is in which, as which lane, for any size in any block; what the collectives give.
#include "simt_support.hpp"

#include <evenly/core/monoid.hpp>
#include <evenly/detail/simt_placement.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace simt_tests;
using evenly::simt;

constexpr std::array sizes{1, 2, 3, 5, 7, 8, 24, 31, 32, 33, 48, 64, 96, 256, 1024};
constexpr std::array blocks{1, 20, 32, 50, 64, 96, 100, 128, 256, 1024};

template <class Visit>
void for_each_size_and_block(Visit const& visit) {
  for (int lanes : sizes)
    for (int threads : blocks) {
      SCOPED_TRACE("groups of " + std::to_string(lanes) + " in a block of " + std::to_string(threads));
      visit(lanes, threads);
    }
}

// Where a thread is, worked out by dealing the block's threads out one by one.
struct seat {
  int group = -1, lane = -1;
  bool active = false, present = false;
};
std::vector<seat> seats(int lanes, int threads) {
  std::vector<seat> list(static_cast<std::size_t>(threads));
  int const unit = lanes <= 32 ? lanes : (lanes + 31) / 32 * 32;
  for (int group = 0, next = 0; next + unit <= threads && (lanes <= 32 || group < 15);) {  // 15: named barriers
    if (lanes <= 32 && next / 32 != (next + unit - 1) / 32) {  // does not fit in this warp any more
      next = (next / 32 + 1) * 32;
      continue;
    }
    for (int lane = 0; lane < unit; ++lane)
      list[static_cast<std::size_t>(next + lane)] = {group, lane, lane < lanes, true};
    ++group;
    next += unit;
  }
  return list;
}

struct note_seats {
  int lanes;
  std::vector<seat>* out;
  bool* right;
  template <evenly::worker Worker>
  void operator()(Worker const& me) const {
    auto const group = me.group(lanes);
    seat& mine = (*out)[static_cast<std::size_t>(me.block() * me.num_threads() + me.thread())];
    mine = {group.local_index(), group.lane(), group.active(), group.present()};
    *right &= group.size() == lanes && group.count() == me.num_blocks() * group.local_count() &&
              group.index() == me.block() * group.local_count() + group.local_index() &&
              group.local_count() == evenly::groups_per_block(lanes, me.num_threads());
  }
};

TEST(SimtGroups, are_placed_by_the_rule) {
  for_each_size_and_block([](int lanes, int threads) {
    auto const expected = seats(lanes, threads);
    std::vector<seat> got(2 * expected.size());
    bool right = true;
    simt().launch({2, threads}, note_seats{lanes, &got, &right});
    EXPECT_TRUE(right);
    for (std::size_t i = 0; i < got.size(); ++i) {
      seat const& e = expected[i % expected.size()];
      ASSERT_EQ(got[i].present, e.present) << "thread " << i;
      ASSERT_EQ(got[i].active, e.active) << "thread " << i;
      if (!e.present) continue;
      ASSERT_EQ(got[i].group, e.group) << "thread " << i;
      ASSERT_EQ(got[i].lane, e.lane) << "thread " << i;
    }
  });
}

constexpr bool placement_is_constexpr() {
  evenly::detail::group_placement const spare(12, 25, 64), second(12, 13, 64), surplus(40, 50, 64);
  return !spare.present && second.lane == 1 && second.first == 12 && surplus.present && !surplus.active &&
         surplus.members == 64;
}
static_assert(placement_is_constexpr());

// A run of lanes, 12 bytes: joins only with the run right after it. Not commutative, and any mistake of order shows.
struct lane_run {
  int first = 0, last = -1;
  bool whole = true;
  friend bool operator==(lane_run const&, lane_run const&) = default;
};
static_assert(sizeof(lane_run) == 12);
struct join_runs {
  lane_run identity() const { return {}; }
  lane_run operator()(lane_run a, lane_run b) const {
    return {a.first, b.last, a.whole && b.whole && a.last + 1 == b.first};
  }
};

struct matrix {
  std::uint32_t a, b, c, d;
  friend bool operator==(matrix const&, matrix const&) = default;
};
struct times {
  static constexpr std::uint64_t p = 1000003;
  matrix identity() const { return {1, 0, 0, 1}; }
  matrix operator()(matrix x, matrix y) const {
    auto const dot = [](std::uint64_t i, std::uint64_t j, std::uint64_t k, std::uint64_t l) {
      return static_cast<std::uint32_t>((i * j + k * l) % p);
    };
    return {dot(x.a, y.a, x.b, y.c), dot(x.a, y.b, x.b, y.d), dot(x.c, y.a, x.d, y.c), dot(x.c, y.b, x.d, y.d)};
  }
};
// Not even associative: shows the shape of the tree.
struct nest {
  std::uint64_t identity() const { return 0; }
  std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const {
    return a * 1099511628211u + (b ^ 0x9e3779b97f4a7c15u);
  }
};
std::uint64_t nest_tree(std::vector<std::uint64_t> values) {
  for (std::size_t d = 1; d < values.size(); d *= 2)
    for (std::size_t i = 0; i + d < values.size(); i += 2 * d) values[i] = nest{}(values[i], values[i + d]);
  return values[0];
}

struct reduce_all {
  int lanes;
  std::vector<lane_run>* runs;
  std::vector<matrix>* products;
  std::vector<std::uint64_t>* nested;
  std::vector<int>* sums;  // three times the lanes' sum, of every lane
  template <evenly::worker Worker>
  void operator()(Worker const& me) const {
    auto const group = me.group(lanes);
    int const lane = group.lane();
    auto const seed = static_cast<std::uint32_t>(lane);
    lane_run const run = group.reduce(lane_run{lane, lane, true}, join_runs{});
    matrix const product = group.reduce(matrix{seed, 1, seed + 5, 7}, times{});
    std::uint64_t const tree = group.reduce(std::uint64_t{seed}, nest{});
    // a surplus lane's value must not count
    int const sum = group.broadcast(3 * group.reduce(group.active() ? lane : 1 << 20, evenly::plus<int>{}));
    if (group.present()) (*sums)[static_cast<std::size_t>(me.thread())] = sum;
    if (!group.active() || lane != 0) return;
    auto const local = static_cast<std::size_t>(group.local_index());
    (*runs)[local] = run;
    (*products)[local] = product;
    (*nested)[local] = tree;
  }
};

TEST(SimtGroups, reduce_in_lane_order_by_a_fixed_tree_whatever_order_lanes_come_in) {
  for_each_size_and_block([](int lanes, int threads) {
    auto const groups = static_cast<std::size_t>(evenly::groups_per_block(lanes, threads));
    matrix product = times{}.identity();
    std::vector<std::uint64_t> values;
    for (std::uint32_t lane = 0; lane < static_cast<std::uint32_t>(lanes); ++lane) {
      product = times{}(product, {lane, 1, lane + 5, 7});
      values.push_back(lane);
    }
    for (std::uint64_t seed : {0u, 1u, 2u}) {
      std::vector<lane_run> runs(groups);
      std::vector<matrix> products(groups);
      std::vector<std::uint64_t> nested(groups);
      std::vector<int> sums(static_cast<std::size_t>(threads), -1);
      simt({.seed = seed}).launch({1, threads}, reduce_all{lanes, &runs, &products, &nested, &sums});
      EXPECT_EQ(runs, std::vector(groups, lane_run{0, lanes - 1, true}));
      EXPECT_EQ(products, std::vector(groups, product));
      EXPECT_EQ(nested, std::vector(groups, nest_tree(values)));
      auto const where = seats(lanes, threads);
      for (std::size_t i = 0; i < sums.size(); ++i)
        EXPECT_EQ(sums[i], where[i].present ? 3 * lanes * (lanes - 1) / 2 : -1);
    }
  });
}

struct junk_beyond_lane_0 {
  int* equal;
  template <evenly::worker Worker>
  void operator()(Worker const& me) const {
    auto const group = me.group(8);
    if (group.reduce(1, evenly::plus<int>{}) == 8) ++*equal;
  }
};

TEST(SimtGroups, only_lane_0_has_the_reduction) {
  int equal = 0;
  simt().launch({1, 64}, junk_beyond_lane_0{&equal});
  EXPECT_EQ(equal, 8);
}

struct rotate {
  int lanes;
  int* wrong;
  template <evenly::worker Worker>
  void operator()(Worker const& me) const {
    auto const group = me.group(lanes);
    if (!group.active()) {
      if (group.shuffle(5, 0) != 5) ++*wrong;  // nobody's lane: keeps its own
      return;
    }
    std::array<int, 3> const mine{me.thread(), -me.thread(), 7};
    int const from = (group.lane() + 1) % lanes;
    auto const got = group.shuffle(mine, from);
    if (got[0] != me.thread() - group.lane() + from || got[1] != -got[0] || got[2] != 7) ++*wrong;
  }
};

TEST(SimtGroups, shuffle_gives_each_lane_the_value_it_asks_for) {
  for_each_size_and_block([](int lanes, int threads) {
    if (lanes > 32) return;
    int wrong = 0;
    for (std::uint64_t seed : {0u, 5u}) simt({.seed = seed}).launch({2, threads}, rotate{lanes, &wrong});
    EXPECT_EQ(wrong, 0);
  });
}

struct ballots {
  int* wrong;
  template <evenly::worker Worker>
  void operator()(Worker const& me) const {
    auto const warp = me.group(32);
    unsigned const threes = warp.ballot(warp.lane() % 3 == 0);
    if (threes != 0x49249249u || warp.first_lane(threes & ~1u) != 3) ++*wrong;
  }
};

TEST(SimtGroups, ballot_has_a_bit_for_each_lane) {
  int wrong = 0;
  simt({.seed = 2}).launch({2, 64}, ballots{&wrong});
  EXPECT_EQ(wrong, 0);
}

// Surplus lanes must take part, spare lanes need not; groups of different sizes go about it at their own pace.
struct own_pace {
  std::vector<int>* rounds;
  template <evenly::worker Worker>
  void operator()(Worker const& me) const {
    auto const group = me.group(me.thread() < 32 ? 24 : 40);
    if (!group.present()) return;
    for (int round = 0; round < 3 + static_cast<int>(group.local_index()); ++round) {
      group.sync();
      ++(*rounds)[static_cast<std::size_t>(me.thread())];
    }
  }
};

TEST(SimtGroups, of_different_sizes_and_paces_live_side_by_side) {
  std::vector<int> rounds(192);
  expect_error(simt(), {1, 192}, own_pace{&rounds}, 0, 32, "group 0 of 40 lanes");  // its threads 0-31 are elsewhere
  EXPECT_EQ(rounds[0], 3);
  EXPECT_EQ(rounds[23], 3);
  EXPECT_EQ(rounds[24], 0);
  EXPECT_EQ(rounds[64], 4);
  EXPECT_EQ(rounds[128 - 1], 4);
  EXPECT_EQ(rounds[128 + 39], 5);
}

struct skips_a_reduce {
  template <evenly::worker Worker>
  void operator()(Worker const& me) const {
    auto const group = me.group(8);
    if (me.block() == 1 && me.thread() == 13) return;
    group.reduce(1.0, evenly::plus<double>{});
  }
};
struct mixes_operations {
  template <evenly::worker Worker>
  void operator()(Worker const& me) const {
    auto const group = me.group(8);
    if (me.thread() == 9) group.sync();
    else group.broadcast(1);
  }
};
struct mixes_types {
  template <evenly::worker Worker>
  void operator()(Worker const& me) const {
    auto const group = me.group(8);
    if (me.thread() == 9) group.broadcast(1.0);
    else group.broadcast(1);
  }
};
struct shuffles_from {
  int lanes, source;
  template <evenly::worker Worker>
  void operator()(Worker const& me) const {
    me.group(lanes).shuffle(1, me.thread() == 3 ? source : 0);
  }
};
struct groups_of {
  int lanes;
  template <evenly::worker Worker>
  void operator()(Worker const& me) const {
    if (me.thread() == 1) me.group(lanes);
  }
};

TEST(SimtGroups, report_a_collective_that_a_lane_misses) {
  for_each_seed([](simt const& run) {
    expect_error(run, {3, 64}, skips_a_reduce{}, 1, 8,
                 "threads 8-12: at reduce of group 1 of 8 lanes (simt_groups_test.cpp:");
    expect_error(run, {3, 64}, skips_a_reduce{}, 1, 8, "thread 13: ended");
  });
}

TEST(SimtGroups, report_lanes_at_different_collectives) {
  expect_error(simt(), {1, 64}, mixes_operations{}, 0, 9, "comes to sync of group 1 of 8 lanes with 0 bytes");
  expect_error(simt(), {1, 64}, mixes_operations{}, 0, 9,
               "where thread 8 waits at broadcast of group 1 of 8 lanes with 4 bytes");
  expect_error(simt(), {1, 64}, mixes_types{}, 0, 9, "with 8 bytes");
  for_each_seed([](simt const& run) { EXPECT_TRUE(error_of(run, {1, 64}, mixes_types{})); });
}

TEST(SimtGroups, report_lanes_and_sizes_that_are_not_there) {
  expect_error(simt(), {1, 64}, shuffles_from{8, 8}, 0, 3, "from lane 8 of a group of 8 lanes");
  expect_error(simt(), {1, 64}, shuffles_from{8, -1}, 0, 3, "from lane -1 of a group of 8 lanes");
  expect_error(simt(), {1, 64}, shuffles_from{64, 0}, 0, 0, "it is for 32 at most");
  expect_error(simt(), {1, 64}, groups_of{0}, 0, 1, "a group of 0 lanes");
  EXPECT_FALSE(error_of(simt(), {1, 64}, groups_of{100000}));  // fits nowhere: no thread is in one
}

}  // namespace
