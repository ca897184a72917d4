// expect: this emit takes its tile in a type narrower than the tile set's num_tiles()
// SPDX-License-Identifier: Apache-2.0
//
// A tile id of 64 bits would be cut off.
#include <evenly/evenly.hpp>

struct map {
  float operator()(long, long) const { return 1; }
};
struct emit {
  void operator()(int, float) const {}
};

void use() {
  evenly::reduce_tiles(evenly::host(), evenly::uniform_tiles<long, long>{3, 3}, evenly::merge_path{}, map{},
                       evenly::plus<float>{}, emit{});
}
