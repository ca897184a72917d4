// SPDX-License-Identifier: Apache-2.0
//
// Scratch of the emulated grid: the same memory for all threads of a block, and every misuse of it is reported with its
// block, thread and element. Right bodies are never accused: the clocks are compared with vector clocks of full size.
#include "simt_support.hpp"

#include <evenly/detail/simt_clock.hpp>
#include <evenly/detail/simt_placement.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace simt_tests;
using evenly::simt;

struct wide {
  alignas(64) double values[3];
  char tag;
};

struct takes_and_gives_back {
  int* wrong;
  template <evenly::worker Worker>
  static int sum_of_neighbours(Worker me) {  // a worker by value: what is taken here is free again afterwards
    auto mine = me.template scratch<std::uint8_t>(me.num_threads());
    mine[me.thread()] = static_cast<std::uint8_t>(me.thread());
    me.sync();
    int const next = (me.thread() + 1) % me.num_threads();
    int const sum = mine[me.thread()] + mine[next];
    me.sync();
    return sum;
  }
  template <evenly::worker Worker>
  void operator()(Worker me) const {
    int const t = me.thread(), threads = me.num_threads();
    auto flags = me.template scratch<bool>(1);
    auto all = me.template scratch<wide>(threads);
    for (int i = 0; i < 3; ++i)
      if (sum_of_neighbours(me) != t + (t + 1) % threads) ++*wrong;
    if (t == 0) flags[0] = true;
    all[t] = wide{{1.0, 2.0, t * 0.5}, 'x'};
    me.sync();
    wide const other = all[threads - 1 - t];
    if (!flags[0] || other.values[2] != (threads - 1 - t) * 0.5 || all.size() != threads) ++*wrong;
    me.sync();
    auto const half = all + threads / 2;
    if (t == 0) half[0] = all[0];  // element to element
    me.sync();
    wide const copy = *half;
    if (copy.values[2] != 0) ++*wrong;
  }
};

TEST(SimtScratch, is_one_memory_for_the_block_and_free_again_when_a_function_returns) {
  for_each_seed([](simt const& run) {
    int wrong = 0;
    run.launch({3, 20, 16 + 48 + sizeof(wide) * 20 + 32}, takes_and_gives_back{&wrong});
    EXPECT_EQ(wrong, 0);
  });
}

struct computes {
  template <evenly::worker Worker>
  void operator()(Worker me) const {
    auto s = me.template scratch<std::int64_t>(1);
    if (me.thread() != 0) return;
    s[0] = 5;
    s[0] += 7;
    s[0] -= 2;
    s[0] *= 10;
    s[0] |= 3;
    s[0] &= ~1;
    ++s[0];
    --s[0];
    if (s[0] != 102) throw std::runtime_error("computed " + std::to_string(static_cast<std::int64_t>(s[0])));
  }
};
TEST(SimtScratch, elements_compute_in_place) { EXPECT_FALSE(error_of(simt(), {1, 3, 16}, computes{})); }

struct reads_unwritten {
  bool in_block_1_only;
  template <evenly::worker Worker>
  void operator()(Worker me) const {
    auto s = me.template scratch<float>(40);
    if (me.thread() < 39 || (in_block_1_only && me.block() != 1)) s[me.thread()] = 1;
    me.sync();
    if (me.thread() == 17) [[maybe_unused]]
      float const v = s[39];
  }
};
struct relies_on_an_earlier_use {  // of the same bytes
  template <evenly::worker Worker>
  static void writes(Worker me) {
    me.template scratch<int>(64)[me.thread()] = 0;
  }
  template <evenly::worker Worker>
  static void reads(Worker me) {
    [[maybe_unused]] int const v = me.template scratch<int>(64)[me.thread()];
  }
  template <evenly::worker Worker>
  void operator()(Worker me) const {
    writes(me);
    me.sync();
    reads(me);
  }
};

TEST(SimtScratch, reports_a_read_of_what_nobody_wrote) {
  auto const words = "reads element 39 of scratch of 40 elements of 4 bytes (simt_scratch_test.cpp:";
  for_each_seed([&](simt const& run) {
    expect_error(run, {1, 40, 160}, reads_unwritten{false}, 0, 17, words);
    expect_error(run, {4, 40, 160}, reads_unwritten{true}, 1, 17, words);  // other blocks' writes do not count
  });
  expect_error(simt({.check_races = false}), {1, 40, 160}, reads_unwritten{false}, 0, 17, words);
  expect_error(simt(), {1, 64, 256}, relies_on_an_earlier_use{}, 0, 0, "which no thread of the block has written");
}

struct writes_at {
  int index;
  template <evenly::worker Worker>
  void operator()(Worker me) const {
    auto s = me.template scratch<short>(10);
    if (me.block() == 1 && me.thread() == 2) s[index] = 1;
  }
};
TEST(SimtScratch, reports_an_index_out_of_range) {
  expect_error(simt(), {2, 4, 64}, writes_at{10}, 1, 2,
               "element 10 is out of range in scratch of 10 elements of 2 bytes");
  expect_error(simt(), {2, 4, 64}, writes_at{-1}, 1, 2, "element -1 is out of range");
  EXPECT_FALSE(error_of(simt(), {2, 4, 64}, writes_at{9}));
}

struct asks_for {
  std::int64_t first, then;
  template <evenly::worker Worker>
  void operator()(Worker me) const {
    me.template scratch<int>(first);
    if (me.block() == 1 && me.thread() == 5) me.template scratch<double>(then);
  }
};
TEST(SimtScratch, reports_too_much_of_it_with_what_was_wanted_and_what_there_is) {
  expect_error(simt(), {2, 8, 96}, asks_for{3, 11}, 1, 5, "88 bytes; available are 80 of 96: raise scratch_bytes");
  EXPECT_FALSE(error_of(simt(), {2, 8, 96}, asks_for{3, 10}));
  EXPECT_FALSE(error_of(simt(), {2, 8, 16}, asks_for{3, 0}));
  expect_error(simt(), {2, 8, 96}, asks_for{3, -1}, 1, 5, "a negative count");
  expect_error(simt(), {2, 8, 96}, asks_for{3, INT64_MAX}, 1, 5, "raise scratch_bytes");
  expect_error(simt(), {2, 8, 0}, asks_for{1, 0}, 0, 0, "4 bytes; available are 0 of 0");
}

struct asks_differently {
  template <evenly::worker Worker>
  void operator()(Worker me) const {
    if (me.thread() == 6) me.template scratch<int>(5);
    else me.template scratch<int>(4);
    me.sync();
  }
};
struct asks_in_another_order {
  template <evenly::worker Worker>
  void operator()(Worker me) const {
    if (me.thread() == 6) me.template scratch<char>(32), me.template scratch<double>(4);
    else me.template scratch<double>(4), me.template scratch<char>(32);
  }
};
TEST(SimtScratch, reports_threads_that_ask_for_different_sizes) {
  expect_error(simt(), {1, 8, 64}, asks_differently{}, 0, 6,
               "asks for scratch of 5 elements of 4 bytes (simt_scratch_test.cpp:");
  expect_error(simt(), {1, 8, 64}, asks_differently{}, 0, 6,
               "where another thread of the block asked for 4 elements of 4 bytes");
  expect_error(simt(), {1, 8, 64}, asks_in_another_order{}, 0, 6,
               "all threads must ask for the same sizes in the same order");
  for_each_seed([](simt const& run) { EXPECT_TRUE(error_of(run, {1, 8, 64}, asks_differently{})); });
}

// Thread t writes its element and reads its neighbour's, with some barrier in between; and writes again, after another.
enum class barrier { none, warp, block };
struct exchanges {
  barrier before, after;
  int distance;
  template <evenly::worker Worker>
  static void wait(Worker const& me, barrier which) {
    if (which == barrier::warp) me.group(32).sync();
    if (which == barrier::block) me.sync();
  }
  template <evenly::worker Worker>
  void operator()(Worker me) const {
    auto s = me.template scratch<int>(64);
    s[me.thread()] = me.thread();
    wait(me, before);
    int const other = (me.thread() + distance) % 64;
    if (static_cast<int>(s[other]) != other) throw std::runtime_error("wrong");
    wait(me, after);
    s[me.thread()] = 0;
  }
};

TEST(SimtScratch, a_race_is_reported_and_a_barrier_in_the_right_place_prevents_it) {
  for_each_seed([](simt const& run) {
    for (barrier first : {barrier::none, barrier::warp, barrier::block})
      for (barrier second : {barrier::none, barrier::warp, barrier::block}) {
        // to the thread beyond the warp's end and back
        bool const right = first == barrier::block && second == barrier::block;
        EXPECT_EQ(error_of(run, {1, 64, 256}, exchanges{first, second, 1}).has_value(), !right);
        EXPECT_EQ(error_of(run, {2, 64, 256}, exchanges{first, second, 32}).has_value(), !right);
        // within the warp only
        EXPECT_FALSE(error_of(run, {1, 64, 256}, exchanges{first, second, 0}));
      }
  });
}

struct exchanges_in_warps {
  bool syncs;
  template <evenly::worker Worker>
  void operator()(Worker me) const {
    auto s = me.template scratch<int>(64);
    auto const warp = me.group(32);
    s[me.thread()] = me.thread();
    if (syncs) warp.sync();
    else warp.broadcast(1);  // a shuffle orders no memory
    int const other = me.thread() ^ 1;
    if (static_cast<int>(s[other]) != other) throw std::runtime_error("wrong");
  }
};

TEST(SimtScratch, a_warp_is_ordered_by_its_sync_and_by_nothing_else) {
  for_each_seed([](simt const& run) {
    EXPECT_FALSE(error_of(run, {1, 64, 256}, exchanges_in_warps{true}));
    EXPECT_TRUE(error_of(run, {1, 64, 256}, exchanges_in_warps{false}));
  });
  expect_error(simt(), {1, 64, 256}, exchanges_in_warps{false}, 0, 0,
               "race: reads element 1 of scratch of 64 elements of 4 bytes (simt_scratch_test.cpp:");
  expect_error(simt(), {1, 64, 256}, exchanges_in_warps{false}, 0, 0,
               "which thread 1 wrote with no barrier between the two");
  EXPECT_FALSE(error_of(simt({.check_races = false}), {1, 64, 256}, exchanges_in_warps{false}));
}

struct all_read_then_one_writes {
  int writer;
  bool syncs;
  template <evenly::worker Worker>
  void operator()(Worker me) const {
    auto s = me.template scratch<int>(1);
    if (me.thread() == 5) s[0] = 1;
    me.sync();
    if (s[0] != 1) throw std::runtime_error("wrong");
    if (syncs) me.sync();
    if (me.thread() == writer) s[0] = 1;
  }
};

TEST(SimtScratch, one_write_after_many_reads_needs_a_barrier) {
  for_each_seed([](simt const& run) {
    for (int writer : {0, 1, 5, 62, 63}) {
      EXPECT_TRUE(error_of(run, {1, 64, 16}, all_read_then_one_writes{writer, false}));
      EXPECT_FALSE(error_of(run, {1, 64, 16}, all_read_then_one_writes{writer, true}));
    }
  });
  expect_error(simt(), {1, 64, 16}, all_read_then_one_writes{63, false}, 0, 63, "race: writes element 0");
  expect_error(simt(), {1, 64, 16}, all_read_then_one_writes{63, false}, 0, 63, "which thread 0 read with no barrier");
}

struct both_write {
  template <evenly::worker Worker>
  void operator()(Worker me) const {
    me.template scratch<int>(1)[0] = 1;
  }
};
TEST(SimtScratch, two_writes_race_even_of_the_same_value) {
  expect_error(simt(), {1, 2, 16}, both_write{}, 0, 1, "race: writes element 0 of scratch of 1 elements of 4 bytes");
}

struct reuses_too_early {
  bool syncs;
  template <evenly::worker Worker>
  static void use(Worker me) {
    auto s = me.template scratch<int>(64);
    s[me.thread()] = 1;
    me.sync();
    [[maybe_unused]] int const v = s[63 - me.thread()];
  }
  template <evenly::worker Worker>
  void operator()(Worker me) const {
    use(me);
    if (syncs) me.sync();
    use(me);
  }
};
TEST(SimtScratch, scratch_used_again_needs_a_barrier) {
  for_each_seed([](simt const& run) {
    EXPECT_TRUE(error_of(run, {1, 64, 256}, reuses_too_early{false}));
    EXPECT_FALSE(error_of(run, {1, 64, 256}, reuses_too_early{true}));
  });
}

// A right kernel with all kinds of barriers: segmented sums of a block by pairs, warps, and large groups.
struct by_stages {
  std::vector<std::int64_t>* out;
  template <evenly::worker Worker>
  void operator()(Worker me) const {
    int const t = me.thread();
    auto s = me.template scratch<std::int64_t>(me.num_threads());
    std::int64_t const mine = (me.block() * me.num_threads() + t) % 37;
    s[t] = mine;
    for (int lanes : {2, 8, 32, 64, 128}) {
      auto const group = me.group(lanes);
      group.sync();
      int const half = lanes == 2 ? 1 : lanes == 8 ? 2 : lanes == 32 ? 8 : lanes / 2;
      std::int64_t sum = 0;
      if (group.lane() == 0)
        for (int i = 0; i < lanes; i += half) sum += s[t + i];
      if (group.lane() == 0) s[t] = sum;
    }
    me.sync();
    if (t == 0) (*out)[static_cast<std::size_t>(me.block())] = s[0] + s[128];
  }
};

TEST(SimtScratch, a_right_kernel_gives_the_same_result_in_every_order) {
  std::vector<std::int64_t> expected(7);
  for (std::int64_t i = 0; i < 7 * 256; ++i) expected[static_cast<std::size_t>(i / 256)] += i % 37;
  for_each_seed([&](simt const& run) {
    std::vector<std::int64_t> got(7);
    run.launch({7, 256, 2048}, by_stages{&got});
    EXPECT_EQ(got, expected);
  });
}

// The plain thing that the clock is a small form of: what each thread knows of each other.
class full_clock {
 public:
  explicit full_clock(int threads)
      : knows_(index(threads), std::vector<int>(index(threads), 0)), passed_(index(threads), 0) {}

  void barrier(int first, int members) {
    auto all = knows_[index(first)];
    for (int m = first; m < first + members; ++m)
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::max(all[i], knows_[index(m)][i]);
    for (int m = first; m < first + members; ++m) all[index(m)] = ++passed_[index(m)];
    for (int m = first; m < first + members; ++m) knows_[index(m)] = all;
  }
  int now(int thread) const { return passed_[index(thread)]; }
  bool ordered(int before, int then, int thread) const {
    return thread == before || knows_[index(thread)][index(before)] > then;
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  std::vector<std::vector<int>> knows_;  // [b][a]: how many barriers a had passed when b last heard of it
  std::vector<int> passed_;
};

TEST(SimtClock, orders_exactly_what_vector_clocks_order) {
  constexpr int threads = 160;
  struct access {
    int thread, then;
    std::uint32_t when;
  };
  std::mt19937 random(1);
  auto const any = [&](int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); };
  evenly::detail::simt_clock clock;
  for (int round = 0; round < 20; ++round) {
    clock.start(threads);
    full_clock full(threads);
    std::vector<access> accesses;
    for (int step = 0; step < 60; ++step) {
      int const kind = any(12);
      if (kind == 0) {
        clock.block_barrier();
        full.barrier(0, threads);
      } else if (kind < 9) {  // of overlapping groups, too
        int const lanes = std::array{2, 3, 5, 8, 24, 32, 33, 96}[random() % 8];
        evenly::detail::group_placement const place(lanes, any(threads), threads);
        if (!place.present) continue;
        clock.group_barrier(place.first, place.members);
        full.barrier(place.first, place.members);
      }
      for (int i = 0; i < 5; ++i) {
        int const thread = any(threads);
        accesses.push_back({thread, full.now(thread), clock.now()});
      }
      for (auto const& a : accesses)
        for (int t = 0; t < threads; ++t)
          ASSERT_EQ(clock.ordered(a.thread, a.when, t), full.ordered(a.thread, a.then, t))
              << "an access of thread " << a.thread << " before one of thread " << t;
    }
  }
}

}  // namespace
