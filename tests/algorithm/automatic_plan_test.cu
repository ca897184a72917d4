// SPDX-License-Identifier: Apache-2.0
#include "automatic_suite.hpp"
#include "gpu.hpp"

namespace {

using AutomaticPlanCuda = tests::Gpu;

TEST_F(AutomaticPlanCuda, is_right) {
  tests::automatic_is_right(evenly::cuda(), evenly::automatic{});
  tests::automatic_is_right(evenly::cuda(), evenly::paper_heuristic{});
}
TEST_F(AutomaticPlanCuda, takes_any_tile_set) { tests::automatic_takes_any_tile_set(evenly::cuda()); }
TEST_F(AutomaticPlanCuda, tune_returns_a_right_plan) { tests::tune_returns_a_right_plan(evenly::cuda()); }

}  // namespace
