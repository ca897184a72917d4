// SPDX-License-Identifier: Apache-2.0
//
// The size of a launch: how many blocks of how many threads, and how much scratch each block has.
#pragma once

#include <cstddef>
#include <cstdint>

namespace evenly {

struct launch_shape {
  std::int64_t blocks = 1;
  int threads = 256;              // a block
  std::size_t scratch_bytes = 0;  // a block
};

}  // namespace evenly
