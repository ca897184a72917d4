// SPDX-License-Identifier: Apache-2.0
//
// SpMV on any executor: every alpha and beta, old contents of y that are numbers and that are NaN, against long double.
#pragma once

#include "matrices.hpp"
#include "schedules.hpp"

#include <evenly/algorithm/spmv.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tests {

inline tile_sizes matrix_rows() {
  return detail::joined({{0, 3, 0, 1, 700, 5, 32, 0, 0, 31, 33},
                         detail::power_law(300),
                         {0, 0, 2500, 0},
                         detail::repeated(40, {7, 8, 9, 0})});
}

/// The same numbers, a NaN being equal to any other.
template <class Y>
bool same_numbers(std::vector<Y> const& a, std::vector<Y> const& b) {
  auto const same = [](auto p, auto q) { return p == q || (std::isnan(p) && std::isnan(q)); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](Y p, Y q) {
    if constexpr (evenly::is_complex<Y>) return same(p.re, q.re) && same(p.im, q.im);
    else return same(p, q);
  });
}

/// y = alpha A x + beta y for one schedule, all pairs of alpha and beta in {0, 1, -1, 2.5}, y of numbers and of NaN;
/// alpha and beta given as numbers and, with the same result, in memory.
template <class Value, class Y, class Executor, class Schedule, class Offset = std::int32_t,
          class Column = std::int32_t>
void multiplies_right(Executor const& run, Schedule const& schedule) {
  auto const A = random_matrix<Value, Offset, Column>(matrix_rows(), 311);
  auto const x = random_vector<Y>(311), numbers = random_vector<Y>(A.shape.rows, 9);
  std::vector<Y> const nans(numbers.size(), Y(std::numeric_limits<evenly::real_of_t<Y>>::quiet_NaN()));
  device_matrix<Value, Offset, Column, Executor> const there(run, A);
  device_vector<Y, Executor> const x_there(run, x);
  device_vector<Y, Executor> y_there(run), scalars(run);
  auto const plan = evenly::make_plan(run, there.view(), schedule, sizeof(Y));
  for (double alpha : {0.0, 1.0, -1.0, 2.5})
    for (double beta : {0.0, 1.0, -1.0, 2.5})
      for (auto const* old_y : {&numbers, &nans}) {
        y_there.assign(*old_y);
        Y const a(static_cast<evenly::real_of_t<Y>>(alpha)), b(static_cast<evenly::real_of_t<Y>>(beta));
        evenly::spmv(plan, view_of(x_there), view_of(y_there), {.alpha = a, .beta = b});
        run.wait();
        EXPECT_EQ(is_product(A, x, *old_y, y_there.to_host(), a, b), "")
            << show(schedule) << " on " << Executor::name << ", alpha " << alpha << ", beta " << beta
            << (old_y == &nans ? ", y NaN" : "");
        auto const by_numbers = y_there.to_host();
        y_there.assign(*old_y);
        scalars.assign({a, b});
        evenly::spmv(plan, view_of(x_there), view_of(y_there),
                     evenly::spmv_device_options<Y>{.alpha = scalars.data(), .beta = scalars.data() + 1});
        run.wait();
        EXPECT_TRUE(same_numbers(y_there.to_host(), by_numbers))
            << show(schedule) << " on " << Executor::name << ", in memory: alpha " << alpha << ", beta " << beta
            << (old_y == &nans ? ", y NaN" : "");
      }
}

}  // namespace tests
