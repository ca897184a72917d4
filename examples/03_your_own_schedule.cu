// SPDX-License-Identifier: Apache-2.0
// A schedule is a function from a worker to its share (the paper's Listing 2). This one deals tiles in pairs.
#include <evenly/cuda.hpp>

#include <cstdio>
#include <vector>

struct pair_mapped {
  static constexpr int lanes = 1;              // threads that work on a share together
  static constexpr bool splits_tiles = false;  // shares begin and end between tiles

  template <evenly::tile_set Set>
  EVENLY_HD constexpr std::int64_t num_groups(Set const& set) const {
    return evenly::ceil_div(set.num_tiles(), 2);
  }

  template <evenly::tile_set Set>
  EVENLY_HD constexpr evenly::share_of_t<Set> share(Set const& set, std::int64_t group) const {
    auto const begin = static_cast<evenly::tile_of_t<Set>>(2 * group);
    auto const end = static_cast<evenly::tile_of_t<Set>>(set.num_tiles() - begin > 2 ? begin + 2 : set.num_tiles());
    return {{begin, set.tile_begin(begin)}, {end, set.tile_begin(end)}};
  }
};

struct ones {
  EVENLY_HD constexpr int operator()(evenly::ignored, evenly::ignored) const { return 1; }
};
struct store {
  int* sizes;
  EVENLY_HD constexpr void operator()(int tile, int size) const { sizes[tile] = size; }
};

int main() {
  std::vector<int> const offsets{0, 1, 1, 5, 6, 6};
  std::vector<int> sizes(5, -1);
  evenly::reduce_tiles(evenly::default_executor(), evenly::offset_tiles<int, int>{offsets.data(), 5, 6}, pair_mapped{},
                       ones{}, evenly::plus<int>{}, store{sizes.data()});
  for (int size : sizes) std::printf("%d ", size);
  std::printf("\n");
  return sizes == std::vector<int>{1, 0, 4, 1, 0} ? 0 : 1;
}
