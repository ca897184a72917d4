// SPDX-License-Identifier: Apache-2.0
#include "x_in_scratch_suite.hpp"

#include <evenly/exec/host.hpp>
#include <evenly/simt.hpp>

#include <gtest/gtest.h>

namespace {

TEST(XInScratch, is_right_with_the_bits_of_the_schedule_on_host) {
  tests::x_in_scratch_is_right(evenly::host({.threads = 2}));
}
TEST(XInScratch, is_right_with_the_bits_of_the_schedule_on_simt) {
  tests::x_in_scratch_is_right(evenly::simt({.seed = 7, .threads = 64}));
}
TEST(XInScratch, refuses_an_x_that_does_not_fit) {
  auto const text = tests::refusal_of_many_columns(evenly::simt());
  EXPECT_NE(text.find("x_in_scratch: 100000 elements of x take"), std::string::npos) << text;
  EXPECT_EQ(tests::refusal_of_many_columns(evenly::host()), "no refusal");  // nothing is copied there
}
TEST(XInScratch, stays_on_the_device) {
  auto const A = tests::matrix_of<float>(tests::structures()[8]);
  evenly::simt const run;
  auto const plan = evenly::make_spmv_plan(run, A.view(), evenly::x_in_scratch{evenly::thread_mapped{}});
  auto const limits = evenly::limits_of(run);
  EXPECT_GT(plan.launched().blocks, 0);
  EXPECT_LE(plan.launched().scratch_bytes, limits.scratch_bytes);
  EXPECT_LE(plan.launched().blocks * plan.launched().threads, limits.units * 2 * limits.threads);
}

}  // namespace
