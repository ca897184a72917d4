// expect: deleted
// SPDX-License-Identifier: Apache-2.0
//
// A plan owns scratch that one execution at a time may use: it moves and is not copied.
#include <evenly/evenly.hpp>

void use() {
  auto const plan = evenly::make_plan(evenly::host(), evenly::uniform_tiles<int, int>{3, 3}, evenly::merge_path{});
  auto const copy = plan;
}
