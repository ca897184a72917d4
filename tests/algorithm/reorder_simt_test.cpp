// SPDX-License-Identifier: Apache-2.0
//
// Converted plans on simt, whose scratch reports every race: no two threads may meet a slot between two barriers. And the
// same bits whatever order lanes and blocks come in.
#include "reorder_suite.hpp"

#include <evenly/simt.hpp>

#include <gtest/gtest.h>

namespace {

TEST(ReorderSimt, is_within_its_bound_on_every_matrix_in_f32) {
  tests::converts_all_right<float, std::int32_t, std::int32_t>(evenly::simt({.threads = 64}), tests::structures());
}
TEST(ReorderSimt, is_within_its_bound_on_every_matrix_in_c128_with_one_warp_a_block) {
  tests::converts_all_right<evenly::complex<double>, std::int64_t, std::int32_t>(
      evenly::simt({.seed = 3, .threads = 32}), tests::structures());
}
TEST(ReorderSimt, is_within_its_bound_on_random_matrices) {
  std::vector<tests::structure> random;
  for (std::int64_t seed = 1; seed <= 12; ++seed) random.push_back(tests::random_structure(seed));
  tests::converts_all_right<double, std::int32_t, std::int32_t>(evenly::simt({.seed = 5, .threads = 96}), random);
}

TEST(ReorderSimt, bits_do_not_depend_on_the_order_of_lanes_and_blocks) {
  for (std::int64_t matrix : {21, 22}) {
    auto const from = tests::random_structure(matrix);
    tests::each_conversion([&](std::string const& name, auto const& conversion) {
      auto const expected = tests::product_by<float>(evenly::simt(), from, conversion);
      for (std::uint64_t seed = 1; seed <= 20; ++seed)
        ASSERT_TRUE(
            tests::same_numbers(tests::product_by<float>(evenly::simt({.seed = seed}), from, conversion), expected))
            << name << ", " << from.name << ", seed " << seed;
    });
  }
}

}  // namespace
