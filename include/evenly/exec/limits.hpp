// SPDX-License-Identifier: Apache-2.0
//
// What a block that fills a processor may use, for plans whose blocks stay (two_way). A host's limits do not depend on its
// threads: a plan, and with it the bits of its results, must not either.
#pragma once

#include <evenly/exec/executor.hpp>

#include <cstddef>
#include <cstdint>

namespace evenly {

struct executor_limits {
  std::int64_t units = 64;                // blocks of that size that run at once, or so many that all have work
  int threads = 1;                        // of a block, whole warps where there are warps
  std::size_t scratch_bytes = 512 << 10;  // of a block: on a host what a core's own cache holds
};

/// Asked of the executor where it knows; else a few blocks of its usual size.
template <executor Executor>
executor_limits limits_of(Executor const& run) {
  if constexpr (requires { run.limits(); }) return run.limits();
  else if constexpr (requires { requires !Executor::has_blocks; }) return {};
  else return {.units = 4, .threads = run.shape(1, 1).threads, .scratch_bytes = 64 << 10};
}

}  // namespace evenly
