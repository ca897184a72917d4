// SPDX-License-Identifier: Apache-2.0
//
// Schedules with x in scratch, on any executor: right on the named and random matrices, with the bits of the schedule alone.
#pragma once

#include "reorder_suite.hpp"

namespace tests {

/// f(name, options) for each schedule that the suite runs.
template <class F>
void each_x_in_scratch(F const& f) {
  using namespace evenly;
  f("merge_path", x_in_scratch{merge_path{7}});
  f("nonzero_split", x_in_scratch{nonzero_split{3}});
  f("thread_mapped", x_in_scratch{thread_mapped{}});
  f("group_mapped/5", x_in_scratch{group_mapped{5}});
  f("group_mapped/64", x_in_scratch{group_mapped{64}});
  f("group_dealt", x_in_scratch{group_dealt{}});
}

template <class Executor>
void x_in_scratch_is_right(Executor const& run) {
  auto matrices = structures();
  for (std::int64_t seed = 61; seed < 67; ++seed) matrices.push_back(random_structure(seed));
  each_x_in_scratch([&](std::string const& name, auto const& choice) {
    for (auto const& from : matrices) {
      converts_right<float, std::int32_t, std::int32_t>(run, from, "x_in_scratch, " + name, choice);
      EXPECT_TRUE(same_numbers(product_by<float>(run, from, choice), product_by<float>(run, from, choice.inner)))
          << name << " alone, " << from.name;
    }
  });
}

/// What a plan says to 100,000 columns of complex numbers.
template <class Executor>
std::string refusal_of_many_columns(Executor const& run) {
  evenly::csr<evenly::complex<double>> A;
  A.values = {1};
  A.offsets = {0, 1};
  A.columns = {0};
  A.shape = {1, 100'000};
  device_matrix<evenly::complex<double>, std::int32_t, std::int32_t, Executor> const there(run, A);
  try {
    evenly::make_spmv_plan(run, there.view(), evenly::x_in_scratch{evenly::merge_path{}});
  } catch (evenly::argument_error const& error) { return error.what(); }
  return "no refusal";
}

}  // namespace tests
