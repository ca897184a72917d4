// SPDX-License-Identifier: Apache-2.0
//
// The library's features and rule (schedule/automatic.hpp) for matrices whose types are known at run time.
#pragma once

#include "instances.hpp"

#include <evenly/schedule/automatic.hpp>

#include <string>

namespace evenly::instances {

/// Counted on the host, by one thread.
features features_of(any_csr const& A);

struct chosen_schedule {
  any_schedule schedule;
  std::string because;  // a sentence with numbers, without a full stop
};

/// The rule depends on the matrix and the executor alone, never on the number of threads. simt chooses as a GPU does.
chosen_schedule choose_schedule(features const& of, executor_kind executor);

}  // namespace evenly::instances
