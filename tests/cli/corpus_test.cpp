// SPDX-License-Identifier: Apache-2.0
//
// Real matrices: all of them on host with every schedule, small ones on the emulated GPU, all scalars that have a path
// of their own.
#include "run_cli.hpp"

namespace {

using namespace cli_test;

TEST(corpus, every_matrix_is_right_on_host_by_every_schedule_and_every_other_file_is_refused) {
  EVENLY_NEEDS_DATA();
  int right = 0, refused = 0;
  for (auto const& file : data_files()) {
    auto const result = run_cli({"spmv", file, "--schedule", "all", "--check", "--repeat", "0"});
    if (is_matrix_market(file)) {
      EXPECT_EQ(result.code, 0) << file << '\n' << describe(result);
      right += result.code == 0 ? 1 : 0;
    } else {
      EXPECT_EQ(result.code, 3) << file << '\n' << describe(result);
      EXPECT_NE(result.err.find("not Matrix Market"), std::string::npos) << describe(result);
      refused += result.code == 3 ? 1 : 0;
    }
  }
  EXPECT_EQ(right, 95);
  EXPECT_EQ(refused, 7);
}

TEST(corpus, every_matrix_is_right_in_single_precision) {
  EVENLY_NEEDS_DATA();
  int right = 0;
  for (auto const& file : data_files()) {
    if (!is_matrix_market(file)) continue;
    auto result = run_cli({"spmv", file, "--schedule", "all", "--check", "--repeat", "0", "--type", "f32"});
    if (result.code == 2)
      result = run_cli({"spmv", file, "--schedule", "all", "--check", "--repeat", "0", "--type", "c64"});
    EXPECT_EQ(result.code, 0) << file << '\n' << describe(result);
    right += result.code == 0 ? 1 : 0;
  }
  EXPECT_EQ(right, 95);
}

TEST(corpus, small_matrices_are_right_on_simt_by_every_schedule) {
  EVENLY_NEEDS_DATA();
  int right = 0;
  for (std::string const name : small_matrices) {
    auto const result =
        run_cli({"spmv", small_matrix(name), "--schedule", "all", "--check", "--repeat", "0", "--executor", "simt"});
    EXPECT_EQ(result.code, 0) << name << '\n' << describe(result);
    right += result.code == 0 ? 1 : 0;
  }
  EXPECT_EQ(right, 20);
}

void expect_right_for_all_scalars(std::string const& file, std::string const& type) {
  for (char const* alpha : {"0", "1", "-1", "2.5"})
    for (char const* beta : {"0", "1", "-1", "2.5"}) {
      std::vector<std::string> words{"spmv", file,      "--schedule", "all",    "--check", "--repeat",
                                     "0",    "--alpha", alpha,        "--beta", beta};
      if (!type.empty()) words.insert(words.end(), {"--type", type});
      auto const result = run_cli(words);
      EXPECT_EQ(result.code, 0) << file << ": alpha " << alpha << ", beta " << beta << '\n' << describe(result);
    }
}

TEST(scalars, of_real_files) {
  EVENLY_NEEDS_DATA();
  for (std::string const name : small_matrices) expect_right_for_all_scalars(small_matrix(name), "");
}

TEST(scalars, of_generated_matrices) {
  for (char const* name : {"gen:stencil5?side=12", "gen:fem?side=4", "gen:rmat?scale=7", "gen:zipf?rows=500",
                           "gen:hypersparse?rows=3000", "gen:rail?rows=3&columns=4000", "gen:arrow?rows=200",
                           "gen:bimodal?rows=40&long=30", "gen:band?rows=100&width=9&length=30"}) {
    expect_right_for_all_scalars(name, "");
    expect_right_for_all_scalars(name, "f32");
  }
  expect_right_for_all_scalars("gen:web?rows=300", "c64");
  expect_right_for_all_scalars("gen:road?side=20", "c128");
}

TEST(scalars, complex_ones) {
  EXPECT_EQ(run_cli({"spmv", "gen:zipf?rows=500", "--type", "c128", "--alpha", "2,-1", "--beta", "0.5,1", "--schedule",
                     "all", "--check"})
                .code,
            0);
  EXPECT_EQ(run_cli({"spmv", "gen:zipf?rows=500", "--type", "c64", "--alpha", "0,1", "--beta", "0,-1", "--schedule",
                     "all", "--check"})
                .code,
            0);
}

}  // namespace
