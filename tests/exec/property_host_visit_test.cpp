// SPDX-License-Identifier: Apache-2.0
//
// host, for_each_atom: every schedule visits every atom once and knows its tile.
#include "executor_suite.hpp"

#include <evenly/exec/host.hpp>

namespace {

template <class Schedule>
class Host : public ::testing::Test {};
TYPED_TEST_SUITE(Host, tests::all_schedules, tests::schedule_names);

TYPED_TEST(Host, visits_every_atom_once_on_one_thread) {
  tests::visits_all_atoms<TypeParam>(evenly::host({.threads = 1}), {});
}
TYPED_TEST(Host, visits_every_atom_once_on_three_threads) {
  tests::visits_all_atoms<TypeParam>(evenly::host({.threads = 3}), {5, 1, 3});
}

}  // namespace
