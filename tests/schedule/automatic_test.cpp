// SPDX-License-Identifier: Apache-2.0
#include "features_suite.hpp"

#include <evenly/exec/host.hpp>
#include <evenly/schedule/automatic.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <variant>

namespace {

using namespace evenly;

/// A matrix of these rows whose columns nothing is known of but the number.
features features_with(tests::tile_sizes const& sizes, std::int64_t columns = 1000) {
  features f;
  f.rows = tests::counted_plainly(sizes);
  f.columns = {.columns = columns, .sampled = f.rows.atoms, .near_sectors = 0.3, .wide_sectors = 0.3};
  return f;
}

template <class F>
void each_model(F const& f) {
  f(device_profile{});
  f(host_profile{});
}

double least_us(choice const& of) { return std::ranges::min_element(of.predictions, {}, &prediction::us)->us; }
double chosen_us(choice const& of) {
  for (auto const& [schedule, us] : of.predictions)
    if (describe_schedule(schedule) == describe_schedule(of.schedule)) return us;
  return INFINITY;  // it is not among the candidates
}

TEST(Automatic, chooses_what_it_predicts_to_be_within_5_percent_of_the_least) {
  tests::for_random_tile_sets("chooses the least", [](tests::tile_sizes const& sizes) -> std::string {
    std::string fault;
    each_model([&](auto const& profile) {
      auto const found = choose(features_with(sizes), profile);
      for (auto const& one : found.predictions)
        if (!std::isfinite(one.us) || one.us <= 0) fault = describe_schedule(one.schedule) + " takes no time";
      if (chosen_us(found) > 1.05 * least_us(found)) fault = "not the least: " + found.reason;
      if (chosen_us(found) > least_us(found) && !std::holds_alternative<merge_path>(found.schedule))
        fault = "a tie that is not the merge path's: " + found.reason;
    });
    return fault;
  });
}

TEST(Automatic, reason_names_the_chosen_and_numbers) {
  tests::for_random_tile_sets("names the chosen", [](tests::tile_sizes const& sizes) -> std::string {
    std::string fault;
    auto const f = features_with(sizes);
    auto const look = [&](choice const& found) {
      if (!found.reason.starts_with(describe_schedule(found.schedule)) ||
          found.reason.find(std::to_string(f.rows.tiles)) == std::string::npos)
        fault = found.reason;
    };
    each_model([&](auto const& profile) { look(choose(f, profile)); });
    look(choose(f, paper_heuristic{}));
    return fault;
  });
}

TEST(Automatic, ties_go_to_merge_path) {
  each_model([](auto const& profile) {
    // nothing to do: all candidates cost a launch, and those of the host cost the same
    auto even = profile;
    if constexpr (requires { even.staged_launch_us; }) even.staged_launch_us = 1.04 * even.launch_us;
    auto const found = choose(features{}, even);
    EXPECT_TRUE(std::holds_alternative<merge_path>(found.schedule)) << found.reason;
  });
}

TEST(Automatic, more_work_never_takes_less_time) {
  tests::for_random_tile_sets("is monotone", [](tests::tile_sizes const& sizes) -> std::string {
    auto more = sizes;
    for (auto& size : more) size = 2 * size + 1;
    more.push_back(3);
    std::string fault;
    each_model([&](auto const& profile) {
      auto const small = choose(features_with(sizes), profile), large = choose(features_with(more), profile);
      for (std::size_t i = 0; i < small.predictions.size(); ++i)
        if (large.predictions[i].us < small.predictions[i].us * (1 - 1e-12))
          fault = describe_schedule(small.predictions[i].schedule) + " takes less for more";
    });
    return fault;
  });
}

TEST(Automatic, one_huge_row_is_split) {
  tests::tile_sizes sizes(100'000, 3);
  sizes[5] = 10'000'000;
  auto const found = choose(features_with(sizes), device_profile{});
  EXPECT_TRUE(std::holds_alternative<merge_path>(found.schedule)) << found.reason;
  auto const there = choose(features_with(sizes), host_profile{});
  EXPECT_FALSE(std::holds_alternative<thread_mapped>(there.schedule)) << there.reason;
}

TEST(Automatic, rows_of_no_atoms_are_counted_on_the_host) {
  auto const found = choose(features_with(tests::tile_sizes(1'000'000, 0)), host_profile{});
  EXPECT_FALSE(std::holds_alternative<nonzero_split>(found.schedule)) << found.reason;
}

TEST(Automatic, chooses_for_nothing_at_all) {
  each_model([](auto const& profile) {
    for (auto const& sizes : {tests::tile_sizes{}, tests::tile_sizes{0}, tests::tile_sizes(100, 0)})
      for (std::int64_t const columns : {0, 1000}) {
        auto const found = choose(features_with(sizes, columns), profile);
        EXPECT_TRUE(std::isfinite(chosen_us(found))) << found.reason;
      }
  });
}

TEST(PaperHeuristic, is_merge_path_unless_both_are_few) {
  auto const by = [](std::int64_t rows, std::int64_t columns, std::int64_t each) {
    auto const found =
        choose(features_with(tests::tile_sizes(static_cast<std::size_t>(rows), each), columns), paper_heuristic{});
    return describe_schedule(found.schedule).substr(0, 5);
  };
  EXPECT_EQ(by(500, 500, 1), "merge");    // neither is fewer than alpha
  EXPECT_EQ(by(499, 500, 1), "threa");    // rows are
  EXPECT_EQ(by(500, 499, 1), "threa");    // columns are
  EXPECT_EQ(by(100, 900, 99), "group");   // 9900 atoms
  EXPECT_EQ(by(100, 900, 100), "merge");  // beta atoms
  EXPECT_EQ(by(0, 0, 0), "threa");
}

}  // namespace
