// expect: schedule_for
// SPDX-License-Identifier: Apache-2.0
//
// A schedule is a function from a worker to its share: one without it is none.
#include <evenly/evenly.hpp>

struct map {
  float operator()(long, long) const { return 1; }
};
struct emit {
  void operator()(long, float) const {}
};
struct lazy {
  static constexpr int lanes = 1;
  static constexpr bool splits_tiles = false;
  template <evenly::tile_set Set>
  std::int64_t num_groups(Set const& set) const {
    return set.num_tiles();
  }
};

void use() {
  evenly::reduce_tiles(evenly::host(), evenly::uniform_tiles<long, long>{3, 3}, lazy{}, map{}, evenly::plus<float>{},
                       emit{});
}
