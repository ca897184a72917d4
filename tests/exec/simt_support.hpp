// SPDX-License-Identifier: Apache-2.0
//
// For the tests of the emulated grid: what a launch throws, and what it says.
#pragma once

#include <evenly/core/worker.hpp>
#include <evenly/exec/simt.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

namespace simt_tests {

/// What the launch throws; nothing if it does not.
template <class Body>
std::optional<evenly::simt_error> error_of(evenly::simt const& run, evenly::launch_shape shape, Body const& body) {
  try {
    run.launch(shape, body);
  } catch (evenly::simt_error const& thrown) { return thrown; }
  return std::nullopt;
}

/// Expects the launch to throw for that thread, in words that include `words`.
template <class Body>
void expect_error(evenly::simt const& run, evenly::launch_shape shape, Body const& body, std::int64_t block, int thread,
                  std::string const& words) {
  auto const error = error_of(run, shape, body);
  ASSERT_TRUE(error.has_value()) << "nothing was thrown; expected: " << words;
  std::string const what = error->what();
  EXPECT_EQ(error->block, block) << what;
  EXPECT_EQ(error->thread, thread) << what;
  EXPECT_EQ(what.rfind("block " + std::to_string(block) + ", thread " + std::to_string(thread) + ": ", 0), 0u) << what;
  EXPECT_NE(what.find(words), std::string::npos) << what << "\nlacks: " << words;
}

/// The natural order and 20 others.
template <class Visit>
void for_each_seed(Visit const& visit) {
  for (std::uint64_t seed = 0; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    visit(evenly::simt({.seed = seed}));
  }
}

}  // namespace simt_tests
