// expect: this map takes its atom in a type narrower than the tile set's num_atoms()
// SPDX-License-Identifier: Apache-2.0
//
// An atom id of 64 bits would be cut off.
#include <evenly/evenly.hpp>

struct map {
  float operator()(evenly::ignored, int) const { return 1; }
};
struct emit {
  void operator()(long, float) const {}
};

void use() {
  evenly::reduce_tiles(evenly::host(), evenly::uniform_tiles<long, long>{3, 3}, evenly::merge_path{}, map{},
                       evenly::plus<float>{}, emit{});
}
