// SPDX-License-Identifier: Apache-2.0
//
// host, integer sums: every schedule on all small, adversarial and random tile sets. Small sets run on one thread (nothing
// is gained by waking others for 20 atoms), the rest on three.
#include "executor_suite.hpp"

#include <evenly/exec/host.hpp>

namespace {

using checked = tests::integer_sum;

template <class Schedule>
class Host : public ::testing::Test {
 public:
  evenly::host one{{.threads = 1}}, three{{.threads = 3}};
};
TYPED_TEST_SUITE(Host, tests::all_schedules, tests::schedule_names);

TYPED_TEST(Host, emits_every_tile_once_in_all_small_tile_sets) {
  tests::reduces_all_small_tile_sets<checked, TypeParam>(this->one, 1);
}
TYPED_TEST(Host, emits_every_tile_once_against_adversaries) {
  tests::reduces_adversaries<checked, TypeParam>(this->three, 1);
}
TYPED_TEST(Host, emits_every_tile_once_in_random_tile_sets) {
  tests::reduces_random_tile_sets<checked, TypeParam>(this->three, 1);
}

}  // namespace
