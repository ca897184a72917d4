// expect: tile_set
// SPDX-License-Identifier: Apache-2.0
//
// A tile set is three functions, not two.
#include <evenly/evenly.hpp>

struct map {
  float operator()(int, int) const { return 1; }
};
struct emit {
  void operator()(int, float) const {}
};
struct sizes_only {
  int num_tiles() const { return 0; }
  int num_atoms() const { return 0; }
};

void use() {
  evenly::reduce_tiles(evenly::host(), sizes_only{}, evenly::merge_path{}, map{}, evenly::plus<float>{}, emit{});
}
