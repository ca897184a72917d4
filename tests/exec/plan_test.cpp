// SPDX-License-Identifier: Apache-2.0
//
// Plans: what they refuse and in which words; that running one allocates nothing and never waits; that they give back
// what they took; that a plan can be run again and moved.
#include "counting_executor.hpp"
#include "trial.hpp"

#include <evenly/evenly.hpp>
#include <evenly/simt.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using counting_host = tests::counting<evenly::host>;
using counting_simt = tests::counting<evenly::simt>;
static_assert(evenly::executor<counting_host> && evenly::executor<counting_simt>);

template <class F>
std::string refusal(F&& f) {
  try {
    f();
  } catch (evenly::argument_error const& error) { return error.what(); }
  return "no refusal";
}
void expect_words(std::string const& text, std::initializer_list<char const*> words) {
  for (char const* word : words)
    EXPECT_NE(text.find(word), std::string::npos) << "'" << word << "' is not in: " << text;
}

constexpr evenly::uniform_tiles<int, int> tens{10, 10};

template <class Schedule>
std::string refusal_of(Schedule schedule) {
  return refusal([&] { evenly::make_plan(evenly::host(), tens, schedule); });
}
TEST(Plan, refuses_lanes_that_no_group_has) {
  expect_words(refusal_of(evenly::group_mapped{0}), {"0 lanes", "1 to 1024"});
  expect_words(refusal_of(evenly::group_mapped{-3}), {"-3 lanes", "1 to 1024"});
  expect_words(refusal_of(evenly::group_mapped{1025}), {"1025 lanes", "1 to 1024"});
  expect_words(refusal_of(evenly::group_dealt{.lanes = 2000}), {"2000 lanes"});
  EXPECT_EQ(refusal_of(evenly::group_mapped{1}), "no refusal");
  EXPECT_EQ(refusal_of(evenly::group_mapped{1024}), "no refusal");
}
TEST(Plan, refuses_shares_of_nothing) {
  expect_words(refusal_of(evenly::merge_path{0}), {"merge_path", "items_per_thread", "at least 1"});
  expect_words(refusal_of(evenly::merge_path{-8}), {"items_per_thread", "at least 1"});
  expect_words(refusal_of(evenly::nonzero_split{0}), {"nonzero_split", "atoms_per_thread", "at least 1"});
  expect_words(refusal_of(evenly::group_dealt{.lanes = 32, .tiles = 0}), {"group_dealt", "tiles", "at least 1"});
}

struct big {
  double parts[8];
};
struct big_sum {
  EVENLY_HD big identity() const { return {}; }
  EVENLY_HD big operator()(big a, big b) const {
    for (int i = 0; i < 8; ++i) a.parts[i] += b.parts[i];
    return a;
  }
};
struct big_map {
  EVENLY_HD big operator()(int, int) const { return {{1, 1, 1, 1, 1, 1, 1, 1}}; }
};
struct big_emit {
  big* out;
  EVENLY_HD void operator()(int tile, big value) const { out[tile] = value; }
};

template <class Executor>
void refuses_values_larger_than_it_was_made_for() {
  Executor const run;
  std::vector<big> out(10);
  auto const plan = evenly::make_plan(run, tens, evenly::merge_path{}, 16);
  expect_words(refusal([&] { evenly::reduce_tiles(plan, big_map{}, big_sum{}, big_emit{out.data()}); }),
               {"64 bytes", "16 bytes", "make_plan"});
  auto const larger = evenly::make_plan(run, tens, evenly::merge_path{}, 64);
  evenly::reduce_tiles(larger, big_map{}, big_sum{}, big_emit{out.data()});
  run.wait();
  for (auto const& value : out) EXPECT_EQ(value.parts[7], 10);
  // no partial results, no limit
  auto const whole = evenly::make_plan(run, tens, evenly::group_mapped{4}, 1);
  evenly::reduce_tiles(whole, big_map{}, big_sum{}, big_emit{out.data()});
}
TEST(Plan, refuses_values_larger_than_it_was_made_for) {
  refuses_values_larger_than_it_was_made_for<evenly::host>();
  refuses_values_larger_than_it_was_made_for<evenly::simt>();
}
TEST(Plan, a_sink_refuses_a_width_that_the_plan_was_not_made_for) {
  auto const plan = evenly::make_plan(evenly::host(), tens, evenly::merge_path{}, 24);
  expect_words(refusal([&] { evenly::sink(plan.view(), evenly::plus<double>{}, big_emit{}, 4); }),
               {"8 bytes times 4 columns", "24 bytes"});
  EXPECT_EQ(refusal([&] { evenly::sink(plan.view(), evenly::plus<double>{}, big_emit{}, 3); }), "no refusal");
}

template <class Executor, class Schedule>
void runs_without_asking_for_anything(Schedule const& schedule) {
  Executor const run;
  tests::trial<tests::twelve_bytes, Executor> trial(run);
  trial.on({3, 0, 700, 1, 0, 90, 2000});
  trial.poison_all();
  {
    auto const plan = evenly::make_plan(run, trial.set(), schedule, 12);
    evenly::reduce_tiles(plan, trial.map(), tests::twelve_bytes::op{},
                         trial.emit());  // what a first run may prepare is prepared
    auto const before = run.seen();
    for (int round = 0; round < 3; ++round)
      evenly::reduce_tiles(plan, trial.map(), tests::twelve_bytes::op{}, trial.emit());
    EXPECT_EQ(run.seen().allocations, before.allocations) << schedule.name << " on " << Executor::name;
    EXPECT_EQ(run.seen().deallocations, before.deallocations);
    EXPECT_EQ(run.seen().waits, before.waits);
    EXPECT_EQ(run.seen().copies, before.copies);
    EXPECT_GT(run.seen().launches, before.launches);
    EXPECT_EQ(run.seen().empty_launches, 0);
  }
}
template <class Executor>
void no_schedule_asks_for_anything() {
  runs_without_asking_for_anything<Executor>(evenly::thread_mapped{});
  runs_without_asking_for_anything<Executor>(evenly::group_mapped{});
  runs_without_asking_for_anything<Executor>(evenly::group_dealt{});
  runs_without_asking_for_anything<Executor>(evenly::merge_path{});
  runs_without_asking_for_anything<Executor>(evenly::nonzero_split{});
}
TEST(Plan, running_it_allocates_nothing_and_never_waits_on_host) { no_schedule_asks_for_anything<counting_host>(); }
TEST(Plan, running_it_allocates_nothing_and_never_waits_on_simt) { no_schedule_asks_for_anything<counting_simt>(); }

TEST(Plan, gives_back_what_it_took) {
  counting_host const run;
  {
    auto plan = evenly::make_plan(run, tens, evenly::merge_path{}, 32);
    auto const staged = plan.bytes(), carries = 2 * 32 * static_cast<std::size_t>(plan.shares().num_groups());
    EXPECT_GT(staged, 0u);
    plan.view();
    EXPECT_EQ(plan.bytes(), staged + carries);
    auto moved = std::move(plan);
    EXPECT_EQ(moved.bytes(), staged + carries);
  }
  EXPECT_EQ(run.seen().allocations, run.seen().deallocations);
  EXPECT_GT(run.seen().allocations, 0);
}
TEST(Plan, of_a_schedule_that_splits_nothing_holds_nothing) {
  counting_host const run;
  auto const plan = evenly::make_plan(run, tens, evenly::group_dealt{}, 32);
  plan.view();
  EXPECT_EQ(plan.bytes(), 0u);
  EXPECT_EQ(run.seen().allocations, 0);
}
TEST(Plan, can_be_moved_and_still_runs) {
  tests::trial<tests::matrix_product, evenly::host> trial{evenly::host()};
  trial.on({3, 0, 50, 1});
  auto plan = evenly::make_plan(evenly::host(), trial.set(), evenly::merge_path{3}, 16);
  EXPECT_EQ(trial.reduce_again(plan), "");
  auto moved = std::move(plan);
  EXPECT_EQ(trial.reduce_again(moved), "");
}
static_assert(
    !std::is_copy_constructible_v<evenly::plan<evenly::host, evenly::uniform_tiles<int, int>, evenly::merge_path>>);

// Operands that a set was given, under a schedule that stages: such a set has no default constructor.
struct pick {
  constexpr int operator()(evenly::ignored, evenly::ignored, int value) const { return value; }
};
struct keep {
  int* out;
  constexpr void operator()(int tile, int sum) const { out[tile] = sum; }
};
TEST(Plan, stages_sets_with_operands_of_their_own) {
  std::vector<int> const values{1, 2, 3, 4, 5, 6};
  auto const set = evenly::with_operands(evenly::uniform_tiles<int, int>{2, 3}, values.data());
  std::vector<int> out(2, -1);
  evenly::reduce_tiles(evenly::simt(), set, evenly::merge_path{.items_per_thread = 1}, pick{}, evenly::plus<int>{},
                       keep{out.data()});
  EXPECT_EQ(out, (std::vector<int>{6, 15}));
}

// Values of 512 bytes: fewer of them are staged at a time, and the plan still fits a block's scratch.
TEST(Plan, stages_no_more_than_a_block_can_hold) {
  auto const plan = evenly::make_plan(evenly::simt(), tens, evenly::merge_path{.items_per_thread = 16}, 512);
  EXPECT_EQ(plan.staged().stage.capacity, plan.staged().stage.threads);
}

TEST(Sink, refuses_lanes_that_stride_under_an_op_that_does_not_commute) {
  auto const plan = evenly::make_plan(evenly::host(), tens, evenly::group_mapped{4}, sizeof(big));
  expect_words(refusal([&] { evenly::sink(plan.view(), big_sum{}, big_emit{nullptr}); }), {"in_order()"});
  EXPECT_EQ(refusal([&] { evenly::sink(plan.view().in_order(), big_sum{}, big_emit{nullptr}); }), "no refusal");
  EXPECT_EQ(refusal([&] { evenly::sink(plan.view(), evenly::plus<int>{}, keep{nullptr}); }), "no refusal");
}

// Nothing of size zero is launched, whatever is empty. (Executors let such a launch pass as none: see cuda_error_test.cu.)
TEST(EdgeTable, no_launch_is_of_zero_size) {
  counting_host const run;
  for (evenly::uniform_tiles<int, int> const set :
       {evenly::uniform_tiles<int, int>{0, 0}, evenly::uniform_tiles<int, int>{5, 0}}) {
    std::vector<big> out(5, big{{7}});
    auto const pass = [&](auto const& executor, auto const& schedule) {
      evenly::reduce_tiles(executor, set, schedule, big_map{}, big_sum{}, big_emit{out.data()});
      evenly::for_each_atom(executor, set, schedule, [](int, int) {});
    };
    pass(run, evenly::merge_path{}), pass(run, evenly::nonzero_split{}), pass(run, evenly::group_dealt{}),
        pass(run, evenly::thread_mapped{});
  }
  EXPECT_EQ(run.seen().empty_launches, 0);
}

}  // namespace
