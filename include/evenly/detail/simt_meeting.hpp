// SPDX-License-Identifier: Apache-2.0
//
// Where emulated threads wait for each other: the block's barrier, or a collective of a group.
#pragma once

#include <cstddef>
#include <string>

namespace evenly::detail {

enum class simt_operation : unsigned char { sync, reduce, broadcast, shuffle, ballot, count };

/// What a thread brings to a collective; lives on its stack while it waits.
struct simt_exchange {
  void* value = nullptr;
  void* result = nullptr;
  int source_lane = 0;
};

/// The meeting of threads first .. first + members - 1, who all do the same operation.
struct simt_meeting {
  int lanes = 0;  // of the group, surplus ones not counted; 0: the block's barrier
  int local = 0;  // which group of that size in the block
  int first = 0;
  int members = 0;
  int arrived = 0;
  simt_operation operation = simt_operation::sync;
  std::size_t value_bytes = 0;

  std::string text() const {
    static constexpr char const* names[] = {"sync", "reduce", "broadcast", "shuffle", "ballot", "count"};
    if (lanes == 0) return operation == simt_operation::count ? "the block's count" : "the block's barrier";
    return names[static_cast<int>(operation)] + std::string(" of group ") + std::to_string(local) + " of " +
           std::to_string(lanes) + " lanes";
  }
};

}  // namespace evenly::detail
