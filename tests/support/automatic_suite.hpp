// SPDX-License-Identifier: Apache-2.0
//
// What a plan that chooses its schedule promises, on any executor.
#pragma once

#include "counting_executor.hpp"
#include "matrices.hpp"

#include <evenly/algorithm/automatic_plan.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tests {

/// Matrices that make a rule choose one thing or another: even and uneven, empty, tall and wide.
inline std::vector<tile_sizes> rows_to_choose_for() {
  std::vector<tile_sizes> all{{}, {0}, tile_sizes(70, 0), {1}, tile_sizes(3000, 3), tile_sizes(300, 40)};
  all.push_back(tile_sizes(2000, 2));
  all.back()[1000] = 9000;
  all.push_back({5000, 0, 1});
  tile_sizes random;
  for (std::int64_t i = 0; i < 900; ++i) random.push_back(static_cast<std::int64_t>(scrambled(9, i) % 23u));
  all.push_back(random);
  return all;
}

template <class Value, class Executor, class Plan>
verdict multiplies_right(Executor const& run, evenly::csr<Value> const& A, Plan const& plan, Value alpha, Value beta) {
  auto const x = random_vector<Value>(A.shape.columns);
  auto const old_y = random_vector<Value>(A.shape.rows, 8);
  device_vector<Value, Executor> const there(run, x);
  device_vector<Value, Executor> y(run, old_y);
  evenly::spmv(plan, evenly::view<Value const>(there.data(), A.shape.columns), view_of(y), {alpha, beta});
  run.wait();
  return is_product(A, x, old_y, y.to_host(), alpha, beta);
}

template <class Executor, class Rule>
void automatic_is_right(Executor const& run, Rule const& rule) {
  for (auto const& sizes : rows_to_choose_for()) {
    auto const A = random_matrix<float>(sizes, 777);
    device_matrix<float, std::int32_t, std::int32_t, Executor> const there(run, A);
    auto const plan = evenly::make_spmv_plan(run, there.view(), rule);
    EXPECT_TRUE(plan.reason().starts_with(plan.chosen())) << plan.reason();
    EXPECT_EQ(plan.features().rows.atoms, A.nnz());
    for (auto const& [alpha, beta] : {std::pair{1.0f, 0.0f}, {2.5f, 1.0f}, {0.0f, -1.0f}})
      EXPECT_EQ(multiplies_right(run, A, plan, alpha, beta), "") << plan.reason();
  }
}

/// The same plan object under reduce_tiles and for_each_atom, on a set that is no matrix.
struct one_each {
  EVENLY_HD int operator()(evenly::ignored, evenly::ignored) const { return 1; }
};
struct keep_count {
  int* counts;
  EVENLY_HD void operator()(int tile, int count) const { counts[tile] = count; }
};
struct mark_atom {
  int* seen;
  EVENLY_HD void operator()(int, int atom) const { seen[atom] = 1; }
};

template <class Executor>
void automatic_takes_any_tile_set(Executor const& run) {
  for (auto const& sizes : rows_to_choose_for()) {
    auto const offsets = offsets_of<int>(sizes);
    device_vector<int, Executor> const there(run, offsets);
    device_vector<int, Executor> counts(run, sizes.size()), seen(run, static_cast<std::size_t>(offsets.back()));
    evenly::offset_tiles<int, int> const set{there.data(), static_cast<int>(sizes.size()), offsets.back()};
    auto const plan = evenly::make_plan(run, set, evenly::automatic{});
    evenly::reduce_tiles(plan, one_each{}, evenly::plus<int>{}, keep_count{counts.data()});
    run.wait();
    auto const planned = counts.to_host();
    evenly::reduce_tiles(run, set, evenly::automatic{}, one_each{}, evenly::plus<int>{}, keep_count{counts.data()});
    evenly::for_each_atom(plan, mark_atom{seen.data()});
    run.wait();
    auto const got = counts.to_host();
    EXPECT_EQ(planned, got) << plan.reason();
    EXPECT_TRUE(std::equal(got.begin(), got.end(), sizes.begin(), sizes.end())) << plan.reason();
    for (int const mark : seen.to_host()) EXPECT_EQ(mark, 1) << plan.reason();
  }
}

template <class Executor>
void automatic_runs_without_allocating(counting<Executor> const& run) {
  for (auto const& sizes : rows_to_choose_for()) {
    auto const A = random_matrix<float>(sizes, 777);
    device_matrix<float, std::int32_t, std::int32_t, counting<Executor>> const there(run, A);
    device_vector<float, counting<Executor>> const x(run, random_vector<float>(777));
    device_vector<float, counting<Executor>> const y(run, sizes.size());
    auto const plan = evenly::make_spmv_plan(run, there.view(), evenly::automatic{});
    auto const before = run.seen();
    evenly::spmv(plan, evenly::view<float const>(x.data(), 777), view_of(y));
    EXPECT_EQ(run.seen().allocations, before.allocations) << plan.reason();
    EXPECT_EQ(run.seen().waits, before.waits) << plan.reason();
    EXPECT_EQ(run.seen().empty_launches, before.empty_launches) << plan.reason();
  }
}

template <class Executor>
void tune_returns_a_right_plan(Executor const& run) {
  for (auto const& sizes : rows_to_choose_for()) {
    auto const A = random_matrix<float>(sizes, 777);
    device_matrix<float, std::int32_t, std::int32_t, Executor> const there(run, A);
    device_vector<float, Executor> const x(run, random_vector<float>(777));
    device_vector<float, Executor> const y(run, sizes.size());
    auto const found = evenly::tune(run, there.view(), evenly::view<float const>(x.data(), 777), view_of(y),
                                    {.candidates = 2, .repeats = 1, .samples = 1});
    ASSERT_GE(found.report.size(), 2u);
    EXPECT_EQ(evenly::describe_schedule(found.report[0].schedule), found.plan.chosen());
    EXPECT_TRUE(found.plan.reason().starts_with(found.plan.chosen())) << found.plan.reason();
    for (std::size_t i = 0; i < found.report.size(); ++i) {
      EXPECT_GT(found.report[i].us, 0);
      EXPECT_GE(found.report[i].us, found.report[0].us);
      EXPECT_GE(found.report[i].break_even, 0);
      EXPECT_GT(found.report[i].plan_cost, 0);
    }
    EXPECT_EQ(multiplies_right(run, A, found.plan, 2.0f, 1.0f), "") << found.plan.reason();
  }
}

}  // namespace tests
