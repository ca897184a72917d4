// SPDX-License-Identifier: Apache-2.0
//
// The options of a schedule by name, and a schedule as text: `group_mapped:lanes=8`, as the command line takes it.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

namespace evenly {

/// option(name, value&, least, most) for each option of a schedule that a user may set.
template <class Schedule, class Option>
void each_option(Schedule& schedule, Option&& option) {
  constexpr int many = 1 << 20;
  if constexpr (requires { schedule.lanes = 1; }) option("lanes", schedule.lanes, 1, 1024);
  if constexpr (requires { schedule.tiles = 1; }) option("tiles", schedule.tiles, 1, 1024);
  if constexpr (requires { schedule.items_per_thread = 1; })
    option("items_per_thread", schedule.items_per_thread, 1, many);
  if constexpr (requires { schedule.atoms_per_thread = 1; })
    option("atoms_per_thread", schedule.atoms_per_thread, 1, many);
}

/// Name and options: merge_path:items_per_thread=8.
template <class Schedule>
std::string describe_schedule(Schedule schedule) {
  std::string text(Schedule::name);
  char separator = ':';
  each_option(schedule, [&](std::string_view name, int option, int, int) {
    text += separator + std::string(name) + '=' + std::to_string(option);
    separator = ',';
  });
  return text;
}

}  // namespace evenly
