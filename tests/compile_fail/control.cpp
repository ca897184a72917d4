// SPDX-License-Identifier: Apache-2.0
//
// Correct code of the kind that the other files get wrong: it must compile, or their refusals prove nothing.
#include <evenly/evenly.hpp>

struct map {
  float operator()(long, long) const { return 1; }
};
struct emit {
  void operator()(long, float) const {}
};

void use() {
  evenly::reduce_tiles(evenly::host(), evenly::uniform_tiles<long, long>{3, 3}, evenly::merge_path{}, map{},
                       evenly::plus<float>{}, emit{});
}
