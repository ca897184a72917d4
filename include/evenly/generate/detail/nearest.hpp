// SPDX-License-Identifier: Apache-2.0
//
// The name that a user most likely meant: the one with the fewest edits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace evenly::detail {

/// Insertions, deletions and replacements that turn `a` into `b`.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      std::size_t const replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

/// "; did you mean 'x'?" where a name is close, and the list of all names.
template <class Names>
std::string suggest(std::string_view wrong, Names const& names) {
  std::string all, best;
  std::size_t fewest = wrong.size() / 2 + 2;
  for (std::string_view name : names) {
    all += (all.empty() ? "" : ", ") + std::string(name);
    bool const starts = !wrong.empty() && name.starts_with(wrong);
    std::size_t const edits = starts ? 1 : edit_distance(wrong, name);
    if (edits < fewest) {
      fewest = edits;
      best = name;
    }
  }
  return (best.empty() ? std::string() : "; did you mean '" + best + "'?") + " (known: " + all + ")";
}

}  // namespace evenly::detail
