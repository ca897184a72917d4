// SPDX-License-Identifier: Apache-2.0
//
// simt, 2x2 matrix products (which do not commute): every schedule on all small, adversarial and random tile sets, in blocks of 64 threads of a small
// grid, so that blocks stride over shares. A fiber costs more than a thread's turn on host, so each set is run with some
// of the option values; which ones shifts from set to set until all have come up.
#include "executor_suite.hpp"

#include <evenly/simt.hpp>

namespace {

using checked = tests::matrix_product;

template <class Schedule>
class Simt : public ::testing::Test {
 public:
  evenly::simt small{{.threads = 32}}, run{{.threads = 64}};
};
TYPED_TEST_SUITE(Simt, tests::all_schedules, tests::schedule_names);

TYPED_TEST(Simt, emits_every_tile_once_in_all_small_tile_sets) {
  tests::reduces_all_small_tile_sets<checked, TypeParam>(this->small, 3);
}
TYPED_TEST(Simt, emits_every_tile_once_against_adversaries) {
  tests::reduces_adversaries<checked, TypeParam>(this->run, 5);
}
TYPED_TEST(Simt, emits_every_tile_once_in_random_tile_sets) {
  tests::reduces_random_tile_sets<checked, TypeParam>(this->run, 3);
}

}  // namespace
