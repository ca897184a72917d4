// SPDX-License-Identifier: Apache-2.0
//
// cuda, layer (a): nested ranges with a sink and join, for an op that does not commute, under every schedule.
#include "executor_suite.hpp"
#include "gpu.hpp"

namespace {

using checked = tests::matrix_product;

template <class Schedule>
class CudaRanges : public tests::Gpu {
 public:
  evenly::cuda run;
};
TYPED_TEST_SUITE(CudaRanges, tests::all_schedules, tests::schedule_names);

TYPED_TEST(CudaRanges, emit_every_tile_once_against_adversaries) {
  tests::reduces_adversaries<checked, TypeParam, tests::form::nested_ranges>(this->run, 1);
}
TYPED_TEST(CudaRanges, emit_every_tile_once_in_random_tile_sets) {
  tests::reduces_random_tile_sets<checked, TypeParam, tests::form::nested_ranges>(this->run, 1);
}

}  // namespace
