// SPDX-License-Identifier: Apache-2.0
//
// The middle of some samples, and how far they scatter.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace bench {

struct middle {
  double median = 0;
  double spread = 0;  // half of the distance between the quartiles
};

inline middle middle_of(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::ranges::sort(samples);
  auto const at = [&](double part) {
    double const place = part * static_cast<double>(samples.size() - 1);
    auto const below = static_cast<std::size_t>(place);
    std::size_t const above = std::min(below + 1, samples.size() - 1);
    return samples[below] + (place - static_cast<double>(below)) * (samples[above] - samples[below]);
  };
  return {at(0.5), (at(0.75) - at(0.25)) / 2};
}

}  // namespace bench
