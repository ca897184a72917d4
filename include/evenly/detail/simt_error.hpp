// SPDX-License-Identifier: Apache-2.0
//
// What goes wrong on an emulated grid, with the block and thread it happened to, and the line of the body where known.
#pragma once

#include <evenly/core/config.hpp>
#include <evenly/core/error.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace evenly {

/// A body that breaks the rules of the grid (see exec/simt.hpp for the list), or an exception of a body's own; that one
/// is nested in it: std::rethrow_if_nested(). The message starts with "block B, thread T: ".
struct simt_error : error {
  simt_error(std::int64_t in_block, int of_thread, std::string const& what)
      : error("block " + std::to_string(in_block) + ", thread " + std::to_string(of_thread) + ": " + what),
        block(in_block), thread(of_thread) {}

  std::int64_t block;
  int thread;  // in its block
};

namespace detail {

/// A line of a body: the default of a last parameter is the line of the call. (clang 14 has no std::source_location.)
struct simt_source {
  char const* file = "";
  int line = 0;

  EVENLY_HD static constexpr simt_source here(char const* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
  std::string text() const {
    std::string_view const path(file);
    return std::string(path.substr(path.find_last_of('/') + 1)) + ":" + std::to_string(line);
  }
};

}  // namespace detail
}  // namespace evenly
