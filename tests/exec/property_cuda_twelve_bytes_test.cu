// SPDX-License-Identifier: Apache-2.0
//
// cuda, values of 12 bytes that know their order: every schedule on all small, adversarial and random tile sets. A launch and its copies cost tens of
// microseconds, so each small set is run with some of the option values; which ones shifts from set to set.
#include "executor_suite.hpp"
#include "gpu.hpp"

namespace {

using checked = tests::twelve_bytes;

template <class Schedule>
class Cuda : public tests::Gpu {
 public:
  evenly::cuda run;
};
TYPED_TEST_SUITE(Cuda, tests::all_schedules, tests::schedule_names);

TYPED_TEST(Cuda, emits_every_tile_once_in_all_small_tile_sets) {
  tests::reduces_all_small_tile_sets<checked, TypeParam>(this->run, 3);
}
TYPED_TEST(Cuda, emits_every_tile_once_against_adversaries) {
  tests::reduces_adversaries<checked, TypeParam, tests::form::reduce_tiles>(this->run, 1);
}
TYPED_TEST(Cuda, emits_every_tile_once_in_random_tile_sets) {
  tests::reduces_random_tile_sets<checked, TypeParam, tests::form::reduce_tiles>(this->run, 1);
}

}  // namespace
