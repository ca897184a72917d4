// SPDX-License-Identifier: Apache-2.0
//
// The emulated grid: every thread of every block runs once, barriers hold, orders are as the seed says, and what goes
// wrong comes out of launch() with the block and thread it happened to, leaving nothing behind.
#include "simt_support.hpp"

#include <evenly/core/error.hpp>
#include <evenly/exec/executor.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace simt_tests;
using evenly::simt;

static_assert(evenly::executor<simt>);
static_assert(evenly::worker<evenly::simt_worker>);
static_assert(evenly::thread_group<evenly::simt_group>);

// Hillis and Steele's prefix sum: two barriers a step.
struct prefix_sum {
  int const* in;
  int* out;
  template <evenly::worker Worker>
  void operator()(Worker me) const {
    int const t = me.thread(), size = me.num_threads();
    std::int64_t const at = me.block() * size + t;
    auto sums = me.template scratch<int>(size);
    sums[t] = in[at];
    me.sync();
    for (int d = 1; d < size; d *= 2) {
      int const other = t >= d ? static_cast<int>(sums[t - d]) : 0;
      me.sync();
      sums[t] += other;
      me.sync();
    }
    out[at] = sums[t];
  }
};

TEST(Simt, prefix_sums_by_barriers_are_right_for_every_block_size) {
  simt const run, shuffled({.seed = 7});
  for (int threads : {1, 2, 3, 7, 31, 32, 33, 50, 63, 64, 65, 96, 100, 127, 128, 255, 256, 257, 500, 1023, 1024}) {
    SCOPED_TRACE(threads);
    constexpr int blocks = 3;
    std::vector<int> in(static_cast<std::size_t>(blocks * threads)), out(in.size()), expected(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
      in[i] = static_cast<int>(i * 7919 % 101);
      expected[i] = in[i] + (i % static_cast<std::size_t>(threads) == 0 ? 0 : expected[i - 1]);
    }
    for (simt const* who : {&run, &shuffled}) {
      std::fill(out.begin(), out.end(), -1);
      std::size_t const scratch = sizeof(int) * static_cast<std::size_t>(threads);
      who->launch({blocks, threads, scratch}, prefix_sum{in.data(), out.data()});
      EXPECT_EQ(out, expected);
    }
  }
}

struct counts_flags {
  int* out;  // [threads]
  template <evenly::worker Worker>
  void operator()(Worker me) const {
    auto left = me.template scratch<int>(me.num_threads());
    left[me.thread()] = me.thread();
    int const count = me.count(me.thread() % 3 == 0);  // a barrier: what the next thread left is there
    int const other = left[(me.thread() + 1) % me.num_threads()];
    out[me.thread()] = other == (me.thread() + 1) % me.num_threads() ? count : -1;
  }
};

TEST(Simt, count_tells_every_thread_how_many_flags_are_set_and_is_a_barrier) {
  for_each_seed([](simt const& run) {
    for (int threads : {1, 2, 3, 4, 31, 32, 33, 64, 100, 256}) {
      std::vector<int> out(static_cast<std::size_t>(threads));
      run.launch({1, threads, sizeof(int) * out.size()}, counts_flags{out.data()});
      EXPECT_EQ(out, std::vector<int>(out.size(), (threads + 2) / 3)) << threads;
    }
  });
}

struct note_each {
  std::vector<std::pair<std::int64_t, int>>* order;
  bool syncs = false;
  template <evenly::worker Worker>
  void operator()(Worker const& me) const {
    if (syncs) me.sync();
    order->push_back({me.block(), me.thread()});
  }
};

TEST(Simt, runs_threads_and_blocks_in_natural_order_without_a_seed) {
  for (bool syncs : {false, true}) {
    std::vector<std::pair<std::int64_t, int>> order;
    simt().launch({5, 40}, note_each{&order, syncs});
    EXPECT_EQ(order.size(), 200u);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  }
}

TEST(Simt, runs_every_thread_once_in_an_order_that_the_seed_decides) {
  for (bool syncs : {false, true}) {
    std::set<std::vector<std::pair<std::int64_t, int>>> orders;
    for_each_seed([&](simt const& run) {
      std::vector<std::pair<std::int64_t, int>> first, second;
      run.launch({5, 40}, note_each{&first, syncs});
      run.launch({5, 40}, note_each{&second, syncs});
      EXPECT_EQ(first, second);
      orders.insert(first);
      std::sort(first.begin(), first.end());
      EXPECT_EQ(std::unique(first.begin(), first.end()) - first.begin(), 200);
    });
    EXPECT_EQ(orders.size(), 21u);
  }
}

struct never_called {
  template <class Worker>
  void operator()(Worker const&) const {
    throw std::logic_error("called");
  }
};

TEST(Simt, a_launch_of_no_blocks_or_no_threads_does_nothing) {
  simt const run;
  run.launch({0, 64}, never_called{});
  run.launch({3, 0}, never_called{});
  run.launch({-1, 64}, never_called{});
}

TEST(Simt, refuses_blocks_that_no_gpu_has) {
  EXPECT_THROW(simt().launch({1, 1025}, never_called{}), evenly::argument_error);
}

TEST(Simt, chooses_a_grid_that_covers_all_groups_or_strides) {
  simt const run;
  EXPECT_EQ(run.shape(0, 1).blocks, 0);
  EXPECT_EQ(run.shape(64, 1).blocks, 1);
  EXPECT_EQ(run.shape(65, 1).blocks, 2);
  EXPECT_EQ(run.shape(5, 24).blocks, 3);  // one group of 24 a warp, two warps
  EXPECT_EQ(run.shape(3, 33).threads, 64);
  EXPECT_EQ(run.shape(3, 1000).threads, 1024);
  EXPECT_EQ(run.shape(std::int64_t{1} << 40, 1).blocks, simt::options{}.max_blocks);
  EXPECT_EQ(simt({.threads = 256, .max_blocks = 2}).shape(10000, 1).blocks, 2);
}

TEST(Simt, memory_comes_filled_with_junk) {
  simt const run;
  auto* const there = static_cast<unsigned char*>(run.allocate(100));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(there[i], 0xCD);
  run.fill(there, 0x11, 50);
  unsigned char here[2];
  run.copy_from(here, there + 49, 2);
  EXPECT_EQ(here[0], 0x11);
  EXPECT_EQ(here[1], 0xCD);
  run.copy_to(there, here + 1, 1);
  EXPECT_EQ(there[0], 0xCD);
  run.deallocate(there);
  run.deallocate(run.allocate(0));
}

struct half_wait {
  template <evenly::worker Worker>
  void operator()(Worker const& me) const {
    if (me.block() == 2 && me.thread() >= 40) return;
    me.sync();
  }
};
struct wait_apart {
  template <evenly::worker Worker>
  void operator()(Worker const& me) const {
    if (me.thread() < 10) me.sync();
    else me.group(32).sync();
  }
};
struct two_barriers_apart {  // the same barrier from two places of the program is one barrier
  template <evenly::worker Worker>
  void operator()(Worker const& me) const {
    if (me.thread() < 10) me.sync();
    else me.sync();
  }
};

struct count_and_barrier {
  template <evenly::worker Worker>
  void operator()(Worker const& me) const {
    if (me.thread() == 5) me.sync();
    else static_cast<void>(me.count(true));
  }
};

TEST(Simt, reports_a_count_that_meets_a_barrier) {
  expect_error(simt(), {1, 8}, count_and_barrier{}, 0, 5, "comes to the block's barrier");
}

TEST(Simt, reports_a_barrier_that_some_threads_never_reach) {
  for_each_seed([](simt const& run) {
    expect_error(run, {4, 64}, half_wait{}, 2, 0, "threads 0-39: at the block's barrier (simt_test.cpp:");
    expect_error(run, {4, 64}, half_wait{}, 2, 0, "threads 40-63: ended");
  });
}

TEST(Simt, reports_threads_that_wait_at_different_places) {
  auto const words = "threads 0-9: at the block's barrier (simt_test.cpp:";
  expect_error(simt(), {1, 32}, wait_apart{}, 0, 0, words);
  expect_error(simt(), {1, 32}, wait_apart{}, 0, 0, "threads 10-31: at sync of group 0 of 32 lanes (simt_test.cpp:");
  EXPECT_FALSE(error_of(simt(), {1, 32}, two_barriers_apart{}));
}

struct counted {
  explicit counted(int* count) : count_(count) { ++*count_; }
  ~counted() { --*count_; }
  counted(counted const&) = delete;
  int* count_;
};

struct throws_late {
  int* alive;
  template <evenly::worker Worker>
  void operator()(Worker const& me) const {
    counted const mine(alive);
    std::vector<int> const memory(100, me.thread());  // a leak for ASan to find
    me.sync();
    if (me.block() == 1 && me.thread() == 33) throw std::out_of_range("too far");
    me.sync();
    if (me.block() == 1) throw std::logic_error("went on");
  }
};

TEST(Simt, an_exception_of_a_body_comes_out_with_its_block_and_thread_and_unwinds_the_others) {
  for_each_seed([](simt const& run) {
    int alive = 0;
    expect_error(run, {1 + 1, 100}, throws_late{&alive}, 1, 33, "too far");
    EXPECT_EQ(alive, 0);
    try {
      run.launch({2, 100}, throws_late{&alive});
    } catch (evenly::error const& thrown) { EXPECT_THROW(std::rethrow_if_nested(thrown), std::out_of_range); }
  });
}

struct throws_an_int {
  template <evenly::worker Worker>
  void operator()(Worker const& me) const {
    if (me.thread() == 3) throw 5;
    me.sync();
  }
};

TEST(Simt, anything_can_be_thrown) { expect_error(simt(), {1, 8}, throws_an_int{}, 0, 3, "no std::exception"); }

struct syncs_when_destroyed {
  template <evenly::worker Worker>
  void operator()(Worker const& me) const {
    struct guard {
      Worker const& me;
      ~guard() noexcept(false) { me.sync(); }
    } const last{me};
    if (me.thread() == 5) throw std::runtime_error("five");
    me.sync();
  }
};

TEST(Simt, a_destructor_that_may_throw_may_also_wait) {
  for_each_seed([](simt const& run) { EXPECT_TRUE(error_of(run, {1, 8}, syncs_when_destroyed{})); });
}

// The C++ runtime keeps a list of caught exceptions per host thread; emulated threads must not mix theirs.
struct waits_in_a_handler {
  int* wrong;
  template <evenly::worker Worker>
  void operator()(Worker const& me) const {
    try {
      throw me.thread();
    } catch (int mine) {
      me.sync();
      try {
        throw;
      } catch (int again) {
        if (again != me.thread() || mine != again) ++*wrong;
      }
      me.sync();
    }
    if (std::uncaught_exceptions() != 0 || std::current_exception() != nullptr) ++*wrong;
  }
};

TEST(Simt, threads_may_wait_inside_an_exception_handler) {
  for_each_seed([](simt const& run) {
    int wrong = 0;
    run.launch({2, 33}, waits_in_a_handler{&wrong});
    EXPECT_EQ(wrong, 0);
  });
}

struct launches_again {
  int* sum;
  template <evenly::worker Worker>
  void operator()(Worker const& me) const {
    me.sync();
    std::vector<int> in(8, 1), out(8);
    simt().launch({1, 8, 32}, prefix_sum{in.data(), out.data()});
    me.sync();
    *sum += out[7];
  }
};

TEST(Simt, a_body_may_launch) {
  int sum = 0;
  simt().launch({2, 10}, launches_again{&sum});
  EXPECT_EQ(sum, 160);
}

TEST(Simt, copies_run_on_several_host_threads_at_once) {
  simt const run({.seed = 3});
  std::vector<std::thread> threads;
  std::vector<std::vector<int>> outs(4, std::vector<int>(300));
  for (auto& out : outs)
    threads.emplace_back([run, &out] {
      std::vector<int> const in(300, 1);
      for (int i = 0; i < 20; ++i) run.launch({3, 100, 400}, prefix_sum{in.data(), out.data()});
    });
  for (auto& thread : threads) thread.join();
  for (auto const& out : outs) EXPECT_EQ(out[299], 100);
}

struct digs_deep {
  int* sum;
  template <evenly::worker Worker>
  void operator()(Worker const& me) const {
    char volatile room[400 * 1024];
    std::memset(const_cast<char*>(room), 1, sizeof room);
    me.sync();
    *sum += room[me.thread() * 100];
  }
};

TEST(Simt, stacks_can_be_made_larger) {
  int sum = 0;
  simt({.stack_bytes = 1024 * 1024}).launch({2, 5}, digs_deep{&sum});
  EXPECT_EQ(sum, 10);
}

}  // namespace
