// SPDX-License-Identifier: Apache-2.0
#include "automatic.hpp"

#include <evenly/algorithm/features_of.hpp>
#include <evenly/exec/host.hpp>

#include <utility>

namespace evenly::instances {

features features_of(any_csr const& A) {
  host const run({.threads = 1});
  return std::visit([&](auto const& matrix) { return evenly::features_of(run, matrix.view()); }, A);
}

chosen_schedule choose_schedule(features const& of, executor_kind executor) {
  automatic const rule;
  auto found = executor == executor_kind::host ? choose(of, rule.host) : choose(of, rule.device);
  auto because = found.reason.substr(describe_schedule(found.schedule).size() + 1);  // the tools print the name before
  return {std::visit([](auto const& chosen) { return any_schedule(chosen); }, found.schedule), std::move(because)};
}

}  // namespace evenly::instances
