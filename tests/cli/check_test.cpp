// SPDX-License-Identifier: Apache-2.0
//
// The judge on trial: right answers of every kind pass, wrong ones are named.
#include "check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace {

using evenly::complex;
using evenly::coo;
using evenly::instances::check_result;
using evenly::instances::reference;

template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
constexpr T nan_of = std::numeric_limits<T>::quiet_NaN();

/// [[2, 0], [0, 0], [1, 3]] with the 3 in two pieces.
template <class Value>
coo<Value, std::int64_t> small() {
  coo<Value, std::int64_t> A;
  A.shape = {3, 2};
  A.rows = {2, 0, 2, 2};
  A.columns = {1, 0, 0, 1};
  A.values = {Value(1), Value(2), Value(1), Value(2)};
  return A;
}

TEST(check, the_right_answer_passes) {
  reference<double> const right(small<double>(), {10, 100}, {}, 1, 0);
  auto const result = right.compare({20, 0, 310});
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.max_error, 0);
  EXPECT_EQ(result.bad_rows, 0);
}

TEST(check, alpha_and_beta) {
  reference<double> const right(small<double>(), {10, 100}, {1, 2, 3}, 2.5, -1);
  EXPECT_TRUE(right.compare({49, -2, 772}).ok);
  EXPECT_FALSE(right.compare({50, -2, 772}).ok);
}

TEST(check, rounding_passes_and_a_little_more_does_not) {
  reference<double> const right(small<double>(), {0.1, 0.7}, {}, 1, 0);
  double const want = 0.1 + 3 * 0.7, bound = 6 * std::numeric_limits<double>::epsilon() * want;
  EXPECT_TRUE(right.compare({0.2, 0, want}).ok);
  EXPECT_TRUE(right.compare({0.2, 0, want + 0.9 * bound}).ok);
  auto const result = right.compare({0.2, 0, want + 1.2 * bound});
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.worst_row, 2);
  EXPECT_EQ(result.bad_rows, 1);
  EXPECT_GT(result.max_error, result.error_bound);
}

TEST(check, a_row_not_written_a_row_missed_and_an_empty_row_left_as_it_was) {
  reference<double> const right(small<double>(), {10, 100}, {}, 1, 0);
  EXPECT_FALSE(right.compare({20, nan_of<double>, 310}).ok);
  EXPECT_FALSE(right.compare({20, 0, nan_of<double>}).ok);
  EXPECT_FALSE(right.compare({0, 0, 310}).ok);
  EXPECT_FALSE(right.compare({20, 1e-300, 310}).ok);
  EXPECT_FALSE(right.compare({20, 0}).ok) << "too short";
  EXPECT_EQ(right.compare({}).bad_rows, 3);
  EXPECT_FALSE(right.compare({20, 0, 310, 0}).ok) << "too long";
  EXPECT_EQ(right.compare({nan_of<double>, nan_of<double>, nan_of<double>}).bad_rows, 3);
}

TEST(check, one_nonzero_forgotten_or_taken_twice_is_found) {
  reference<float> const right(small<double>(), {10, 100}, {}, 1, 0);
  EXPECT_FALSE(right.compare({20, 0, 300}).ok);
  EXPECT_FALSE(right.compare({20, 0, 320}).ok);
  EXPECT_FALSE(right.compare({40, 0, 310}).ok);
}

TEST(check, beta_zero_does_not_read_the_old_y_and_alpha_zero_neither_matrix_nor_x) {
  double const n = nan_of<double>;
  EXPECT_TRUE(reference<double>(small<double>(), {10, 100}, {n, n, n}, 1, 0).compare({20, 0, 310}).ok);
  EXPECT_TRUE(reference<double>(small<double>(), {n, n}, {1, 2, 3}, 0, 2).compare({2, 4, 6}).ok);
  auto const kept = reference<double>(small<double>(), {10, 100}, {n, 2, 3}, 1, 1);
  EXPECT_TRUE(kept.compare({n, 2, 313}).ok);
  EXPECT_FALSE(kept.compare({20, 2, 313}).ok) << "a NaN in the old y must stay where beta is not zero";
}

TEST(check, infinities_are_equal_to_themselves_alone) {
  auto A = small<double>();
  A.values[1] = infinity<double>;
  reference<double> const right(A, {-10, 100}, {}, 1, 0);
  EXPECT_TRUE(right.compare({-infinity<double>, 0, 290}).ok);
  EXPECT_FALSE(right.compare({infinity<double>, 0, 290}).ok);
  EXPECT_FALSE(right.compare({nan_of<double>, 0, 290}).ok);
  EXPECT_FALSE(right.compare({-1e308, 0, 290}).ok);
  reference<double> const zero(A, {0, 100}, {}, 1, 0);
  EXPECT_TRUE(zero.compare({nan_of<double>, 0, 300}).ok) << "infinity times zero is NaN";
  EXPECT_FALSE(zero.compare({0, 0, 300}).ok);
}

TEST(check, a_sum_that_overflows_on_the_way_may_be_infinite) {
  coo<double, std::int64_t> A;
  A.shape = {1, 3};
  A.rows = {0, 0, 0};
  A.columns = {0, 1, 2};
  A.values = {1e308, 1e308, -1e308};
  reference<double> const right(A, {1, 1, 1}, {}, 1, 0);
  EXPECT_TRUE(right.compare({infinity<double>}).ok);
  EXPECT_TRUE(right.compare({1e308}).ok);
  A.values = {1e300, 1e300, -1e300};
  EXPECT_FALSE(reference<double>(A, {1, 1, 1}, {}, 1, 0).compare({infinity<double>}).ok);
}

TEST(check, values_are_rounded_to_the_type_first) {
  coo<double, std::int64_t> A;
  A.shape = {1, 1};
  A.rows = {0};
  A.columns = {0};
  A.values = {1 + 0x1p-30};
  EXPECT_EQ(reference<float>(A, {1}, {}, 1, 0).compare({1}).max_error, 0);
}

TEST(check, complex_numbers_in_both_parts) {
  using z = complex<double>;
  coo<z, std::int64_t> A;
  A.shape = {1, 1};
  A.rows = {0};
  A.columns = {0};
  A.values = {z(1, 2)};
  reference<z> const right(A, {z(3, -1)}, {z(1, 1)}, z(0, 1), z(2, 0));
  EXPECT_TRUE(right.compare({z(-3, 7)}).ok);  // i (1+2i)(3-i) + 2 (1+i) = i (5+5i) + 2+2i
  EXPECT_FALSE(right.compare({z(-3, 7.001)}).ok);
  EXPECT_FALSE(right.compare({z(-3.001, 7)}).ok);
  EXPECT_FALSE(right.compare({z(-3, -7)}).ok) << "conjugated";
}

TEST(check, no_rows_are_right) {
  coo<double, std::int64_t> A;
  A.shape = {0, 3};
  auto const result = reference<double>(A, {1, 1, 1}, {}, 1, 0).compare({});
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.worst_row, -1);
}

}  // namespace
