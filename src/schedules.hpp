// SPDX-License-Identifier: Apache-2.0
//
// The table of schedules that the tools know by name, in one place: `all` runs its entries in this order, and
// `name:key=value,key=value` changes the options of one. A new schedule needs one more type in the list below and, for
// options of its own, one more line in each_option() of schedule/options.hpp.
#pragma once

#include <evenly/core/error.hpp>
#include <evenly/schedule/block_mapped.hpp>
#include <evenly/schedule/group_dealt.hpp>
#include <evenly/schedule/group_mapped.hpp>
#include <evenly/schedule/merge_path.hpp>
#include <evenly/schedule/nonzero_split.hpp>
#include <evenly/schedule/options.hpp>
#include <evenly/schedule/thread_mapped.hpp>
#include <evenly/schedule/warp_mapped.hpp>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace evenly::instances {

using any_schedule =
    std::variant<thread_mapped, warp_mapped, block_mapped, group_mapped, group_dealt, nonzero_split, merge_path>;

/// Every schedule with its default options, in the order of the table.
std::vector<any_schedule> const& all_schedules();

/// What `all` runs on the host: the same, and the splitting ones again with long shares, since a core walks thousands
/// of nonzeros in the time of one search.
std::vector<any_schedule> const& all_host_schedules();
inline constexpr int long_share = 4096;

/// The name alone: merge_path.
std::string_view name_of(any_schedule const& schedule);
/// Name and options: merge_path:items_per_thread=8.
std::string describe(any_schedule const& schedule);
/// Reads what describe() writes; options left out keep their defaults. Errors: argument_error that names the nearest.
any_schedule parse_schedule(std::string_view text);

}  // namespace evenly::instances
