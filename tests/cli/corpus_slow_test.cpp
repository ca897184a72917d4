// SPDX-License-Identifier: Apache-2.0
// labels: slow
//
// All real matrices on the emulated GPU, by every schedule.
#include "run_cli.hpp"

namespace {

using namespace cli_test;

TEST(corpus, every_matrix_is_right_on_simt_by_every_schedule) {
  EVENLY_NEEDS_DATA();
  int right = 0;
  for (auto const& file : data_files()) {
    if (!is_matrix_market(file)) continue;
    auto const result = run_cli({"spmv", file, "--schedule", "all", "--check", "--repeat", "0", "--executor", "simt"});
    EXPECT_EQ(result.code, 0) << file << '\n' << describe(result);
    right += result.code == 0 ? 1 : 0;
  }
  EXPECT_EQ(right, 95);
}

}  // namespace
