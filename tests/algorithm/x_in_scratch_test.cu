// SPDX-License-Identifier: Apache-2.0
#include "gpu.hpp"
#include "x_in_scratch_suite.hpp"

namespace {

using XInScratchCuda = tests::Gpu;

TEST_F(XInScratchCuda, is_right_with_the_bits_of_the_schedule) { tests::x_in_scratch_is_right(evenly::cuda()); }
TEST_F(XInScratchCuda, refuses_an_x_that_does_not_fit) {
  auto const text = tests::refusal_of_many_columns(evenly::cuda());
  EXPECT_NE(text.find("x_in_scratch: 100000 elements of x take"), std::string::npos) << text;
}

}  // namespace
