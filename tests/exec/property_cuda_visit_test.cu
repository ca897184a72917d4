// SPDX-License-Identifier: Apache-2.0
//
// cuda, for_each_atom: every schedule visits every atom once and knows its tile.
#include "executor_suite.hpp"
#include "gpu.hpp"

namespace {

template <class Schedule>
class CudaVisit : public tests::Gpu {};
TYPED_TEST_SUITE(CudaVisit, tests::all_schedules, tests::schedule_names);

TYPED_TEST(CudaVisit, visits_every_atom_once) { tests::visits_all_atoms<TypeParam>(evenly::cuda(), {5, 1, 1}); }

}  // namespace
