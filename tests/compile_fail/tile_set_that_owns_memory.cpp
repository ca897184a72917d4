// expect: tile_set
// SPDX-License-Identifier: Apache-2.0
//
// Only views enter kernels.
#include <evenly/evenly.hpp>

struct map {
  float operator()(int, int) const { return 1; }
};
struct emit {
  void operator()(int, float) const {}
};
struct owner {
  std::vector<int> offsets;
  int num_tiles() const { return 0; }
  int num_atoms() const { return 0; }
  int tile_begin(int tile) const { return offsets[static_cast<unsigned>(tile)]; }
};

void use() {
  evenly::reduce_tiles(evenly::host(), owner{}, evenly::merge_path{}, map{}, evenly::plus<float>{}, emit{});
}
