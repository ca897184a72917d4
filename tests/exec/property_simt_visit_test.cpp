// SPDX-License-Identifier: Apache-2.0
//
// simt, for_each_atom: every schedule visits every atom once and knows its tile.
#include "executor_suite.hpp"

#include <evenly/simt.hpp>

namespace {

template <class Schedule>
class Simt : public ::testing::Test {};
TYPED_TEST_SUITE(Simt, tests::all_schedules, tests::schedule_names);

TYPED_TEST(Simt, visits_every_atom_once) {
  tests::visits_all_atoms<TypeParam>(evenly::simt({.threads = 32}), {7, 5, 5});
}

}  // namespace
