// SPDX-License-Identifier: Apache-2.0
//
// Runs the tests of one executable. Where every one of them was skipped (no GPU, say) it exits 77, so that ctest shows
// a skip and never a pass.
#include <gtest/gtest.h>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  int const failed = RUN_ALL_TESTS();
  auto const& result = *testing::UnitTest::GetInstance();
  bool const all_skipped = result.skipped_test_count() > 0 && result.skipped_test_count() == result.test_to_run_count();
  return failed == 0 && all_skipped ? 77 : failed;
}
