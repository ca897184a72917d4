// expect: executor
// SPDX-License-Identifier: Apache-2.0
//
// An executor launches and owns memory.
#include <evenly/evenly.hpp>

struct map {
  float operator()(long, long) const { return 1; }
};
struct emit {
  void operator()(long, float) const {}
};
struct thin_air {
  template <class Body>
  void launch(evenly::launch_shape, Body const&) const {}
  void wait() const {}
};

void use() {
  evenly::reduce_tiles(thin_air{}, evenly::uniform_tiles<long, long>{3, 3}, evenly::merge_path{}, map{},
                       evenly::plus<float>{}, emit{});
}
