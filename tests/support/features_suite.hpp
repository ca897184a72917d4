// SPDX-License-Identifier: Apache-2.0
//
// What features_of must tell, on any executor: the counts of a plain loop, exactly, and the sectors of x that neighbouring
// atoms touch, within a few percent of a set that holds them all.
#pragma once

#include "matrices.hpp"
#include "random_tile_sets.hpp"

#include <evenly/algorithm/features_of.hpp>

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace tests {

/// By definition, word for word.
inline evenly::row_features counted_plainly(tile_sizes const& sizes) {
  evenly::row_features result;
  result.tiles = static_cast<std::int64_t>(sizes.size());
  for (auto const size : sizes) {
    result.atoms += size;
    result.longest = std::max(result.longest, size);
    std::size_t bin = 0;
    while (bin < 63 && size >= std::int64_t{1} << bin) ++bin;
    ++result.counts[bin];
  }
  for (std::size_t k = 0; k < result.warp_rounds.size(); ++k) {
    std::int64_t const lanes = std::int64_t{1} << k;
    auto const in_warp = static_cast<std::size_t>(32 / lanes);
    for (std::size_t first = 0; first < sizes.size(); first += in_warp) {
      std::int64_t most = 0;
      for (std::size_t t = first; t < std::min(first + in_warp, sizes.size()); ++t)
        most = std::max(most, (sizes[t] + lanes - 1) / lanes);
      result.warp_rounds[k] += most;
    }
  }
  return result;
}

template <class Offset, class Executor>
void counts_rows_of(Executor const& run, tile_sizes const& sizes) {
  device_vector<Offset, Executor> const offsets(run, offsets_of<Offset>(sizes));
  auto const expected = counted_plainly(sizes);
  evenly::offset_tiles<Offset, Offset> const set{offsets.data(), static_cast<Offset>(sizes.size()),
                                                 static_cast<Offset>(expected.atoms)};
  EXPECT_EQ(evenly::features_of(run, set).rows, expected) << show(sizes) << " on " << Executor::name;
}

/// Sectors of x that `window` neighbouring atoms touch, for each of them; the columns cut into whole windows.
template <class Column>
double sectors_held_in_a_set(std::vector<Column> const& columns, std::size_t window, std::size_t value_bytes) {
  std::size_t touched = 0, seen = 0;
  for (std::size_t first = 0; first + window <= columns.size(); first += window, seen += window) {
    std::set<std::size_t> sectors;
    for (std::size_t i = first; i < first + window; ++i)
      sectors.insert(static_cast<std::size_t>(columns[i]) * value_bytes / 32);
    touched += sectors.size();
  }
  return static_cast<double>(touched) / static_cast<double>(seen);
}

struct column_pattern {
  std::string name;
  std::vector<std::int32_t> columns;
  std::int64_t count;  // of columns
};

inline std::vector<column_pattern> column_patterns(int atoms) {
  auto const make = [&](char const* name, std::int64_t count, auto const& column) {
    column_pattern made{name, {}, count};
    for (int i = 0; i < atoms; ++i) made.columns.push_back(static_cast<std::int32_t>(column(i)));
    return made;
  };
  auto const any = [](int i, int below) { return scrambled(9, i) % static_cast<unsigned>(below); };
  return {make("one column", 1, [](int) { return 0; }),
          make("a diagonal", atoms, [](int i) { return i; }),
          make("random columns", 1 << 22, [&](int i) { return any(i, 1 << 22); }),
          make("random columns of few", 5000, [&](int i) { return any(i, 5000); }),
          make("a band", atoms / 8 + 3000, [&](int i) { return i / 8 + static_cast<int>(any(i, 3000)); }),
          make("five diagonals", atoms / 5 + 2000, [](int i) { return i / 5 + i % 5 * 500; })};
}

template <class Executor>
void estimates_sectors(Executor const& run, int atoms) {
  for (auto const& pattern : column_patterns(atoms)) {
    auto const size = static_cast<std::int64_t>(atoms);
    std::vector<std::int64_t> const offsets{0, size / 3, size / 3, size};
    device_vector<std::int32_t, Executor> const columns(run, pattern.columns);
    device_vector<std::int64_t, Executor> const starts(run, offsets);
    auto const check = [&]<class Value>(Value const* none) {
      evenly::csr_view<Value, std::int64_t, std::int32_t> const A(none, starts.data(), columns.data(),
                                                                  {3, pattern.count}, size);
      auto const found = evenly::features_of(run, A);
      auto const near = sectors_held_in_a_set(pattern.columns, 2048, sizeof(Value)),
                 wide = sectors_held_in_a_set(pattern.columns, 8192, sizeof(Value));
      EXPECT_NEAR(found.columns.near_sectors, near, 0.03 * near + 0.001) << pattern.name << ", " << sizeof(Value);
      EXPECT_NEAR(found.columns.wide_sectors, wide, 0.03 * wide + 0.001) << pattern.name << ", " << sizeof(Value);
      EXPECT_EQ(found.columns.columns, pattern.count);
      EXPECT_EQ(found.rows, counted_plainly({size / 3, 0, size - size / 3}));
      EXPECT_EQ(found.least_bytes(), static_cast<double>(atoms) * (4 + sizeof(Value)) + 8 * 4 +
                                         sizeof(Value) * static_cast<double>(3 + pattern.count));
    };
    check(static_cast<float const*>(nullptr));
    check(static_cast<double const*>(nullptr));
  }
}

}  // namespace tests
