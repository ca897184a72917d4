// expect: monoid
// SPDX-License-Identifier: Apache-2.0
//
// Empty tiles are emitted with the identity, so an op must have one.
#include <evenly/evenly.hpp>

struct map {
  float operator()(long, long) const { return 1; }
};
struct emit {
  void operator()(long, float) const {}
};
struct add {
  float operator()(float a, float b) const { return a + b; }
};

void use() {
  evenly::reduce_tiles(evenly::host(), evenly::uniform_tiles<long, long>{3, 3}, evenly::merge_path{}, map{}, add{},
                       emit{});
}
