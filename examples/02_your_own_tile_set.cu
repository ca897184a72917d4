// SPDX-License-Identifier: Apache-2.0
// A tile set is three functions (the paper's Listing 1): from CSR offsets, from a formula, from sizes alone.
#include <evenly/cuda.hpp>
#include <evenly/exec/materialize.hpp>

#include <cstdio>
#include <vector>

// Row r of a lower triangle holds the columns 0 .. r. No storage at all.
struct lower_triangle {
  long rows;
  EVENLY_HD constexpr long num_tiles() const { return rows; }
  EVENLY_HD constexpr long num_atoms() const { return rows * (rows + 1) / 2; }
  EVENLY_HD constexpr long tile_begin(long row) const { return row * (row + 1) / 2; }
};

// The third of the paper's iterators, atoms per tile, as any callable with operator[].
struct sizes_of {
  int const* offsets;
  EVENLY_HD constexpr int operator[](int tile) const { return offsets[tile + 1] - offsets[tile]; }
};

struct one {
  EVENLY_HD constexpr long operator()(evenly::ignored, evenly::ignored) const { return 1; }
};

struct store {
  long* sizes;
  template <class Tile>
  EVENLY_HD constexpr void operator()(Tile tile, long size) const {
    sizes[tile] = size;
  }
};

template <class Set>
bool counts(Set const& set, std::vector<long> const& expected) {
  std::vector<long> sizes(expected.size(), -1);
  evenly::reduce_tiles(evenly::default_executor(), set, evenly::merge_path{}, one{}, evenly::plus<long>{},
                       store{sizes.data()});
  return sizes == expected;
}

int main() {
  std::vector<int> const offsets{0, 1, 1, 5};
  bool const from_offsets = counts(evenly::offset_tiles<int, int>{offsets.data(), 3, 5}, {1, 0, 4});
  bool const from_formula = counts(lower_triangle{4}, {1, 2, 3, 4});
  evenly::materialized_tiles const summed(evenly::default_executor(), sizes_of{offsets.data()}, 3, 5);
  bool const from_sizes = counts(summed.view(), {1, 0, 4});
  std::printf("offsets %d, formula %d, sizes %d\n", from_offsets, from_formula, from_sizes);
  return from_offsets && from_formula && from_sizes ? 0 : 1;
}
