// SPDX-License-Identifier: Apache-2.0
//
// All schedules with the option values that the suite runs. A new schedule is one new line of every_schedule(); it then
// goes through every property on every executor.
#pragma once

#include <evenly/schedule/block_mapped.hpp>
#include <evenly/schedule/group_dealt.hpp>
#include <evenly/schedule/group_mapped.hpp>
#include <evenly/schedule/merge_path.hpp>
#include <evenly/schedule/nonzero_split.hpp>
#include <evenly/schedule/thread_mapped.hpp>
#include <evenly/schedule/warp_mapped.hpp>

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <tuple>
#include <vector>

namespace tests {

namespace detail {

template <class Schedule>
std::vector<Schedule> values(std::initializer_list<int> options) {
  std::vector<Schedule> list;
  for (int option : options) list.push_back(Schedule{option});
  return list;
}

inline std::vector<evenly::group_dealt> chunks(std::initializer_list<int> lanes, std::initializer_list<int> tiles) {
  std::vector<evenly::group_dealt> list;
  for (int l : lanes)
    for (int t : tiles) list.push_back({.lanes = l, .tiles = t});
  return list;
}

}  // namespace detail

inline auto const& every_schedule() {
  using namespace evenly;
  static auto const list = std::tuple{
      std::vector<thread_mapped>{{}},
      detail::values<group_mapped>({1, 2, 3, 5, 7, 8, 24, 32, 33, 48, 64, 96, 256, 1024}),
      std::vector<warp_mapped>{{}},
      detail::values<block_mapped>({128, 256}),
      detail::chunks({1, 2, 3, 7, 32, 33, 64}, {1, 2, 5, 32, 40}),
      detail::values<merge_path>({1, 2, 3, 7, 8, 16, 1000}),
      detail::values<nonzero_split>({1, 2, 3, 8, 1000}),
  };
  return list;
}

namespace detail {
template <class Tuple>
struct schedule_types;
template <class... Schedules>
struct schedule_types<std::tuple<std::vector<Schedules>...> const&> {
  using type = ::testing::Types<Schedules...>;
};
}  // namespace detail

/// For TYPED_TEST_SUITE.
using all_schedules = detail::schedule_types<decltype(every_schedule())>::type;

template <class Schedule>
std::vector<Schedule> const& options_of() {
  return std::get<std::vector<Schedule>>(every_schedule());
}

/// Every n-th option value, the first included: where a run is slow.
template <class Schedule>
std::vector<Schedule> some_options_of(std::size_t step) {
  std::vector<Schedule> list;
  for (std::size_t i = 0; i < options_of<Schedule>().size(); i += step) list.push_back(options_of<Schedule>()[i]);
  return list;
}

/// For messages: merge_path{8}.
template <class Schedule>
std::string show(Schedule const& schedule) {
  std::string text = std::string(Schedule::name) + "{";
  if constexpr (requires { schedule.items_per_thread; }) text += std::to_string(schedule.items_per_thread);
  else if constexpr (requires { schedule.atoms_per_thread; }) text += std::to_string(schedule.atoms_per_thread);
  else text += std::to_string(schedule.lanes);
  if constexpr (requires { schedule.tiles; }) text += ", " + std::to_string(schedule.tiles);
  return text + "}";
}

/// Names typed tests after their schedule.
struct schedule_names {
  template <class Schedule>
  static std::string GetName(int) {
    return Schedule::name;
  }
};

}  // namespace tests
