// SPDX-License-Identifier: Apache-2.0
//
// The property suite of one executor, one operator and one schedule, over all tile sets; the test files
// tests/exec/property_<executor>_<operator>_test.* make one program for each pair. How much is run depends on what a launch
// costs there: `effort` says how many option values each kind of set is given.
#pragma once

#include "random_tile_sets.hpp"
#include "trial.hpp"

#include <gtest/gtest.h>

namespace tests {

/// Every n-th option value is run on a tile set; which ones shifts from set to set, so that all come up.
struct effort {
  std::size_t small = 1;
  std::size_t adversaries = 1;
  std::size_t random = 1;
};

/// Which forms of a pass are tried. nvcc is slow: there, each has its own program.
enum class form { all, reduce_tiles, nested_ranges };
template <form Form>
inline constexpr bool tries_reduce_tiles = Form != form::nested_ranges;
template <form Form>
inline constexpr bool tries_ranges = Form != form::reduce_tiles;

/// The options of a schedule that are tried on set number `set`.
template <class Schedule, class Visit>
void for_some_options(std::size_t step, std::size_t set, Visit&& visit) {
  auto const& all = options_of<Schedule>();
  for (std::size_t i = set % std::min(step, all.size()); i < all.size(); i += step) visit(all[i]);
}

template <class Case, class Schedule, class Executor>
void reduces_all_small_tile_sets(Executor const& run, std::size_t step) {
  trial<Case, Executor> trial(run);
  std::size_t number = 0;
  for_each_small_tile_set(5, 4, [&](tile_sizes const& sizes) {
    trial.on(sizes);
    for_some_options<Schedule>(step, number++,
                               [&](Schedule const& schedule) { ASSERT_EQ(trial.reduce(schedule), ""); });
  });
}

template <class Case, class Schedule, form Form = form::all, class Executor>
void reduces_adversaries(Executor const& run, std::size_t step) {
  trial<Case, Executor> trial(run);
  std::size_t number = 0;
  for (auto const& adversary : adversaries()) {
    trial.on(adversary.sizes);
    for_some_options<Schedule>(step, number++, [&](Schedule const& schedule) {
      if constexpr (tries_ranges<Form>) {
        EXPECT_EQ(trial.ranges(schedule), "") << adversary.name << " exposes: " << adversary.exposes;
      }
      if constexpr (tries_reduce_tiles<Form>) {
        EXPECT_EQ(trial.reduce(schedule), "") << adversary.name << " exposes: " << adversary.exposes;
        auto const plan = evenly::make_plan(run, trial.set(), schedule, 64);
        EXPECT_EQ(trial.reduce_again(plan), "") << adversary.name;
        EXPECT_EQ(trial.reduce_again(plan), "") << adversary.name << ", second run of a plan";
      }
    });
  }
}

template <class Case, class Schedule, form Form = form::all, class Executor>
void reduces_random_tile_sets(Executor const& run, std::size_t step) {
  trial<Case, Executor> trial(run);
  std::size_t number = 0;
  for_random_tile_sets("every tile emitted once, equal to the reference", [&](tile_sizes const& sizes) {
    trial.on(sizes);
    verdict first;
    for_some_options<Schedule>(step, number++, [&](Schedule const& schedule) {
      if constexpr (tries_reduce_tiles<Form>) first = trial.reduce(schedule);
      if constexpr (tries_ranges<Form>)
        if (first.empty()) first = trial.ranges(schedule);
    });
    return first;
  });
}

template <class Schedule, class Executor>
void visits_all_atoms(Executor const& run, effort step) {
  trial<integer_sum, Executor> trial(run);
  std::size_t number = 0;
  for_each_small_tile_set(5, 4, [&](tile_sizes const& sizes) {
    trial.on(sizes);
    for_some_options<Schedule>(step.small, number++,
                               [&](Schedule const& schedule) { ASSERT_EQ(trial.visit(schedule), ""); });
  });
  for (auto const& adversary : adversaries()) {
    trial.on(adversary.sizes);
    for_some_options<Schedule>(step.adversaries, number++, [&](Schedule const& schedule) {
      EXPECT_EQ(trial.visit(schedule), "") << adversary.name << " exposes: " << adversary.exposes;
    });
  }
  for_random_tile_sets("every atom visited once", [&](tile_sizes const& sizes) {
    trial.on(sizes);
    verdict first;
    for_some_options<Schedule>(step.random, number++, [&](Schedule const& schedule) {
      if (first.empty()) first = trial.visit(schedule);
    });
    return first;
  });
}

}  // namespace tests
