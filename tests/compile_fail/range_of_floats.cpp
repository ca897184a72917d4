// expect: integral
// SPDX-License-Identifier: Apache-2.0
//
// A range counts; rounding would make it miss its end.
#include <evenly/core/range.hpp>

void use() {
  for (auto x : evenly::range(0.0, 1.0)) (void)x;
}
