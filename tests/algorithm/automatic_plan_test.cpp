// SPDX-License-Identifier: Apache-2.0
#include "automatic_suite.hpp"
#include "random_tile_sets.hpp"

#include <evenly/exec/host.hpp>
#include <evenly/simt.hpp>

#include <gtest/gtest.h>

namespace {

evenly::simt emulated() { return evenly::simt({.seed = 7, .threads = 64}); }

TEST(AutomaticPlan, is_right_on_host) {
  tests::automatic_is_right(evenly::host({.threads = 2}), evenly::automatic{});
  tests::automatic_is_right(evenly::host({.threads = 2}), evenly::paper_heuristic{});
}
TEST(AutomaticPlan, is_right_on_simt) {
  tests::automatic_is_right(emulated(), evenly::automatic{});
  tests::automatic_is_right(emulated(), evenly::paper_heuristic{});
}
TEST(AutomaticPlan, takes_any_tile_set) {
  tests::automatic_takes_any_tile_set(evenly::host({.threads = 2}));
  tests::automatic_takes_any_tile_set(emulated());
}
TEST(AutomaticPlan, runs_without_allocating) {
  tests::automatic_runs_without_allocating(tests::counting<evenly::host>({.threads = 2}));
  tests::automatic_runs_without_allocating(tests::counting<evenly::simt>({.seed = 7, .threads = 64}));
}
TEST(AutomaticPlan, chooses_the_same_for_any_number_of_threads) {
  tests::for_random_tile_sets("any number of threads", [](tests::tile_sizes const& sizes) -> std::string {
    auto const A = tests::random_matrix<float>(sizes, 99);
    auto const one = evenly::make_spmv_plan(evenly::host({.threads = 1}), A.view(), evenly::automatic{});
    auto const three = evenly::make_spmv_plan(evenly::host({.threads = 3}), A.view(), evenly::automatic{});
    return one.reason() == three.reason() ? "" : one.reason() + " but " + three.reason();
  });
}
TEST(AutomaticPlan, tune_returns_a_right_plan) {
  tests::tune_returns_a_right_plan(evenly::host({.threads = 2}));
  tests::tune_returns_a_right_plan(emulated());
}

}  // namespace
