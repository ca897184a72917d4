// SPDX-License-Identifier: Apache-2.0
//
// The command line as a user meets it: exit codes, one JSON object, sentences that say what to do.
#include "run_cli.hpp"

namespace {

using namespace cli_test;

void expect_refusal(std::vector<std::string> const& words, int code, std::string const& text) {
  auto const result = run_cli(words);
  EXPECT_EQ(result.code, code) << describe(result);
  EXPECT_NE(result.err.find(text), std::string::npos) << describe(result);
  EXPECT_EQ(result.out, "") << "errors belong on stderr";
}

TEST(usage, help_starts_with_three_examples) {
  auto const result = run_cli({"--help"});
  EXPECT_EQ(result.code, 0);
  EXPECT_TRUE(result.out.starts_with("Examples:\n  evenly ")) << result.out;
  EXPECT_EQ(run_cli({"spmv", "--help"}).code, 0);
  EXPECT_TRUE(run_cli({"--version"}).out.starts_with("evenly "));
}

TEST(usage, exits_2_and_names_what_was_meant) {
  expect_refusal({}, 2, "--help");
  expect_refusal({"spmw", "gen:tiny"}, 2, "did you mean 'spmv'?");
  expect_refusal({"spmv", "gen:tiny", "--shedule", "all"}, 2, "did you mean '--schedule'?");
  expect_refusal({"spmv", "gen:tiny", "--schedule", "mergepath"}, 2, "did you mean 'merge_path'?");
  expect_refusal({"spmv", "gen:tiny", "--schedule", "group_mapped:lane=4"}, 2, "did you mean 'lanes'?");
  expect_refusal({"spmv", "gen:tiny", "--schedule", "group_mapped:lanes=0"}, 2, "1..1024");
  expect_refusal({"spmv", "gen:tiny", "--schedule", "group_mapped:lanes=x"}, 2, "not a whole number");
  expect_refusal({"spmv", "gen:tiny", "--schedule", "thread_mapped:lanes=2"}, 2, "no options");
  expect_refusal({"spmv", "gen:tiny", "--executor", "hots"}, 2, "did you mean 'host'?");
  expect_refusal({"spmv", "gen:tiny", "--type", "f63"}, 2, "did you mean 'f64'?");
  expect_refusal({"spmv", "gen:tiny", "--alpha", "two"}, 2, "not a number");
  expect_refusal({"spmv", "gen:tiny", "--beta", "1,1"}, 2, "--type c64 or c128");
  expect_refusal({"spmv", "gen:tiny", "--repeat", "-1"}, 2, "--repeat");
  expect_refusal({"spmv"}, 2, "FILE");
  expect_refusal({"spmv", "gen:tynii"}, 2, "did you mean 'tiny'?");
  expect_refusal({"spmv", "gen:rmat?scal=3"}, 2, "did you mean 'scale'?");
  expect_refusal({"explain", "gen:tiny", "--block", "100"}, 2, "multiple of 32");
  expect_refusal({"generate", "gen:tiny"}, 2, "evenly generate gen:rmat");
}

TEST(usage, complex_values_need_a_complex_type) {
  auto const file = spill("complex.mtx", "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 2\n");
  expect_refusal({"spmv", file, "--type", "f64"}, 2, "--type c64 or c128");
}

TEST(bad_input, exits_3_with_file_line_and_column) {
  expect_refusal({"spmv", "/no/such/file.mtx"}, 3, "cannot be opened");
  auto const file = spill("range.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n");
  expect_refusal({"spmv", file}, 3, "range.mtx:3:1: ");
  for (char const* command : {"info", "explain", "validate"}) expect_refusal({command, file}, 3, "range.mtx:3:1: ");
  expect_refusal({"convert", file, (scratch() / "never.mtx").string()}, 3, "range.mtx:3:1: ");
  EXPECT_FALSE(std::filesystem::exists(scratch() / "never.mtx"));
}

TEST(bad_input, sizes_that_no_machine_has_are_refused_without_trying) {
  auto const file = spill("high.mtx", "%%MatrixMarket matrix coordinate real general\n1000000000000 2 1\n3 1 1\n");
  expect_refusal({"spmv", file}, 3, "GB");
  auto const wide = spill("wide.mtx", "%%MatrixMarket matrix coordinate real general\n2 2147483647 1\n2 1 1\n");
  expect_refusal({"spmv", wide}, 3, "");
}

TEST(no_device, exits_4_and_says_what_to_do) {
  if (nlohmann::json const object = parse_only_object(run_cli({"doctor", "--json"}).out); object.is_object())
    for (auto const& item : object["findings"])
      if (item["what"] == "CUDA device" && item["ok"]) GTEST_SKIP() << "this machine has a GPU";
  expect_refusal({"spmv", "gen:tiny", "--executor", "cuda"}, 4, "--executor host");
}

TEST(json, spmv_prints_one_object_with_the_documented_keys) {
  auto const result = run_cli({"spmv", "gen:tiny", "--schedule", "all", "--check", "--json", "--repeat", "2"});
  ASSERT_EQ(result.code, 0) << describe(result);
  auto const object = parse_only_object(result.out);
  EXPECT_EQ(object["command"], "spmv");
  EXPECT_TRUE(object["evenly"].is_string());
  EXPECT_EQ(object["matrix"]["name"], "gen:tiny");
  EXPECT_EQ(object["matrix"]["rows"], 479);
  EXPECT_EQ(object["matrix"]["cols"], 479);
  EXPECT_GT(object["matrix"]["nnz"], 1000);
  ASSERT_GE(object["runs"].size(), 7U);
  for (auto const& run : object["runs"]) {
    for (char const* key : {"schedule", "executor", "type"}) EXPECT_TRUE(run[key].is_string()) << key;
    for (char const* key : {"time_ms", "plan_ms", "gbps", "gflops", "max_error", "error_bound"})
      EXPECT_TRUE(run[key].is_number()) << key;
    EXPECT_EQ(run["ok"], true);
    EXPECT_LE(run["max_error"], run["error_bound"]);
    EXPECT_FALSE(run.contains("chosen_because"));
  }
}

TEST(json, what_was_not_measured_is_null) {
  auto const run = parse_only_object(run_cli({"spmv", "gen:tiny", "--json", "--repeat", "0"}).out)["runs"][0];
  EXPECT_TRUE(run["ok"].is_null());
  EXPECT_TRUE(run["max_error"].is_null());
  EXPECT_TRUE(run["time_ms"].is_null());
  EXPECT_TRUE(run["chosen_because"].is_string());
}

TEST(json, other_commands_print_one_object_too) {
  for (std::string const command : {"info", "explain", "validate"}) {
    auto const result = run_cli({command, "gen:road?side=20", "--json"});
    EXPECT_EQ(result.code, 0) << describe(result);
    auto const object = parse_only_object(result.out);
    EXPECT_EQ(object["command"], command);
    EXPECT_EQ(object["matrix"]["rows"], 400);
  }
  EXPECT_EQ(parse_only_object(run_cli({"doctor", "--json"}).out)["command"], "doctor");
}

TEST(output, quiet_prints_nothing_and_a_pipe_gets_no_colours) {
  auto const quiet = run_cli({"spmv", "gen:tiny", "--check", "--quiet"});
  EXPECT_EQ(quiet.code, 0);
  EXPECT_EQ(quiet.out + quiet.err, "");
  for (char const* command : {"spmv", "info", "explain", "validate"}) {
    auto const result = run_cli({command, "gen:tiny"});
    EXPECT_EQ(result.out.find('\033'), std::string::npos);
    EXPECT_EQ(result.err, "");
  }
}

TEST(automatic, says_why) {
  auto const result = run_cli({"spmv", "gen:hypersparse?rows=10k&columns=10k", "--check"});
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.out.find("was chosen: "), std::string::npos) << result.out;
}

TEST(input, standard_input_is_a_file_too) {
  auto const file = spill("pipe.mtx", "%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 5\n2 1 7\n");
  auto const result = run_cli({"spmv", "-", "--check", "--json"}, file);
  ASSERT_EQ(result.code, 0) << describe(result);
  EXPECT_EQ(parse_only_object(result.out)["matrix"]["nnz"], 3);
  auto const wrong =
      run_cli({"spmv", "-"}, spill("wrong.mtx", "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 x 1\n"));
  EXPECT_EQ(wrong.code, 3);
  EXPECT_NE(wrong.err.find("stdin:3:3: "), std::string::npos) << wrong.err;
}

TEST(out, writes_y_as_matrix_market) {
  auto const file = spill("a.mtx", "%%MatrixMarket matrix coordinate real general\n3 2 3\n1 1 2\n3 1 1\n3 2 4\n");
  auto const y = (scratch() / "y.mtx").string();
  auto const result = run_cli({"spmv", file, "--check", "--out", y, "--alpha", "0", "--beta", "0"});
  EXPECT_EQ(result.code, 0) << describe(result);
  EXPECT_EQ(slurp(y), "%%MatrixMarket matrix array real general\n3 1\n0\n0\n0\n");
  EXPECT_EQ(run_cli({"spmv", y, "--check"}).code, 0) << "what was written can be read";
  EXPECT_EQ(run_cli({"spmv", file, "--out", "/no/such/folder/y.mtx"}).code, 3);
}

TEST(transpose, swaps_the_sides_and_still_checks) {
  auto const result = run_cli(
      {"spmv", "gen:rail?rows=30&columns=2000&length=50", "--transpose", "--check", "--json", "--schedule", "all"});
  ASSERT_EQ(result.code, 0) << describe(result);
  EXPECT_EQ(parse_only_object(result.out)["matrix"]["rows"], 2000);
}

TEST(convert, keeps_integers_symmetry_and_patterns) {
  auto const out = (scratch() / "out.mtx").string();
  auto const integers =
      spill("i.mtx", "%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 9007199254740993\n2 1 -7\n");
  ASSERT_EQ(run_cli({"convert", integers, out, "--quiet"}).code, 0);
  EXPECT_EQ(slurp(out), slurp(integers));
  auto const pattern = spill("p.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 3 2\n2 3\n1 1\n");
  ASSERT_EQ(run_cli({"convert", pattern, out}).code, 0);
  EXPECT_EQ(slurp(out), slurp(pattern));
  ASSERT_EQ(run_cli({"convert", pattern, out, "--sorted"}).code, 0);
  EXPECT_EQ(slurp(out), "%%MatrixMarket matrix coordinate pattern general\n2 3 2\n1 1\n2 3\n");
  EXPECT_EQ(run_cli({"convert", pattern, "-"}).out, slurp(pattern));
  EXPECT_EQ(run_cli({"convert", integers, out, "--symmetry", "symetric"}).code, 2);
}

TEST(generate, writes_what_the_generator_name_reads_as) {
  auto const out = (scratch() / "rmat.mtx").string();
  ASSERT_EQ(run_cli({"generate", "gen:rmat?scale=6", out, "--quiet"}).code, 0);
  auto const from_file = (scratch() / "y1.mtx").string(), from_name = (scratch() / "y2.mtx").string();
  ASSERT_EQ(run_cli({"spmv", out, "--out", from_file, "--check"}).code, 0);
  ASSERT_EQ(run_cli({"spmv", "gen:rmat?scale=6", "--out", from_name, "--check"}).code, 0);
  EXPECT_EQ(slurp(from_file), slurp(from_name));
  EXPECT_NE(run_cli({"generate", "--list"}).out.find("hypersparse"), std::string::npos);
}

TEST(validate, exits_1_where_a_rule_that_was_asked_for_is_broken) {
  auto const file =
      spill("u.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 4\n2 3 1\n2 1 1\n1 1 1\n2 3 1\n");
  EXPECT_EQ(run_cli({"validate", file}).code, 0);
  auto const unsorted = run_cli({"validate", file, "--sorted", "--json"});
  EXPECT_EQ(unsorted.code, 1);
  EXPECT_EQ(parse_only_object(unsorted.out)["row"], 1);
  auto const repeated = run_cli({"validate", file, "--distinct"});
  EXPECT_EQ(repeated.code, 1);
  EXPECT_NE(repeated.out.find("row 1"), std::string::npos) << repeated.out;
}

TEST(explain, draws_a_picture_that_is_complete) {
  auto const svg = (scratch() / "picture.svg").string();
  auto const result = run_cli({"explain", "gen:zipf?rows=2000", "--svg", svg});
  EXPECT_EQ(result.code, 0);
  auto const text = slurp(svg);
  EXPECT_TRUE(text.starts_with("<svg "));
  EXPECT_TRUE(text.ends_with("</svg>\n"));
  EXPECT_EQ(text.find("http", 40), std::string::npos) << "it must need nothing from elsewhere";
  EXPECT_NE(text.find("merge_path"), std::string::npos);
  EXPECT_NE(result.out.find("busiest"), std::string::npos);
}

TEST(seed, the_same_seed_gives_the_same_y_whatever_the_threads) {
  auto const y1 = (scratch() / "y1.mtx").string(), y2 = (scratch() / "y2.mtx").string(),
             y3 = (scratch() / "y3.mtx").string();
  for (auto const& [threads, seed, out] :
       {std::tuple{"1", "5", y1}, std::tuple{"3", "5", y2}, std::tuple{"3", "6", y3}})
    ASSERT_EQ(run_cli({"spmv", "gen:zipf?rows=5k", "--schedule", "merge_path", "--threads", threads, "--seed", seed,
                       "--out", out})
                  .code,
              0);
  EXPECT_EQ(slurp(y1), slurp(y2));
  EXPECT_NE(slurp(y1), slurp(y3));
}

}  // namespace
