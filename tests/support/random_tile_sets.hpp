// SPDX-License-Identifier: Apache-2.0
//
// Random tile sets that shrink: RapidCheck drops tiles and lowers their sizes until a failing set is as small as it gets,
// and prints it with its seed.
#pragma once

#include "tile_sets.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

namespace tests {

/// Mostly small tiles, many empty ones, now and then one that spans many workers.
inline rc::Gen<tile_sizes> any_tile_sizes(std::int64_t largest = 1300) {
  auto const size = rc::gen::weightedOneOf<std::int64_t>({
      {6, rc::gen::just<std::int64_t>(0)},
      {8, rc::gen::inRange<std::int64_t>(0, 5)},
      {4, rc::gen::inRange<std::int64_t>(0, 70)},
      {1, rc::gen::inRange<std::int64_t>(0, largest)},
  });
  return rc::gen::container<tile_sizes>(size);
}

/// Checks `holds(sizes) -> verdict` on random sets.
template <class Property>
void for_random_tile_sets(std::string const& name, Property&& holds) {
  EXPECT_TRUE(rc::check(name, [&] {
    tile_sizes const sizes = *any_tile_sizes();
    std::string const fault = holds(sizes);
    if (!fault.empty()) RC_FAIL(fault);
  }));
}

}  // namespace tests
