// SPDX-License-Identifier: Apache-2.0
#include <evenly/exec/host.hpp>
#include <evenly/simt.hpp>
#include <evenly/sparse/validate.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace {

using evenly::csr;
using evenly::csr_rule;
using evenly::validate_options;
using evenly::validate_report;

/// 4 x 5: rows of 2, 0, 3 and 1 nonzeros, sorted, distinct.
csr<float> sound() {
  csr<float> A;
  A.shape = {4, 5};
  A.offsets = {0, 2, 2, 5, 6};
  A.columns = {1, 4, 0, 2, 3, 4};
  A.values.assign(6, 1.0F);
  return A;
}

template <class Offset, class Column>
validate_report on_all(csr<float, Offset, Column> const& A, validate_options options = {}) {
  auto const host = evenly::validate(evenly::host({.threads = 2}), A.view(), options);
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    auto const simt = evenly::validate(evenly::simt({.seed = seed}), A.view(), options);
    EXPECT_EQ(simt.rule, host.rule);
    EXPECT_EQ(simt.row, host.row);
    EXPECT_EQ(simt.atom, host.atom);
  }
  return host;
}

void expect(validate_report const& report, csr_rule rule, std::int64_t row, std::int64_t atom, char const* message) {
  EXPECT_FALSE(report);
  EXPECT_EQ(report.rule, rule);
  EXPECT_EQ(report.row, row);
  EXPECT_EQ(report.atom, atom);
  EXPECT_EQ(report.message(), message);
}

TEST(validate, a_sound_matrix_keeps_all_rules) {
  EXPECT_TRUE(on_all(sound(), {.sorted = true, .distinct = true}));
  EXPECT_EQ(on_all(sound()).message(), "all rules hold");
}

TEST(validate, empty_matrices_are_sound) {
  for (evenly::shape const shape : {evenly::shape{0, 0}, {0, 7}, {7, 0}}) {
    csr<float> A;
    A.shape = shape;
    A.offsets.assign(static_cast<std::size_t>(shape.rows) + 1, 0);
    EXPECT_TRUE(on_all(A, {.sorted = true, .distinct = true}));
  }
  EXPECT_TRUE(evenly::validate(evenly::host({.threads = 1}), evenly::csr_view<float>()));
}

TEST(validate, first_offset) {
  auto A = sound();
  A.offsets[0] = 1;
  expect(on_all(A), csr_rule::first_offset_not_zero, 0, -1,
         "offset 0 is not 0; offsets count nonzeros from the first one");
}

TEST(validate, an_offset_that_decreases_names_the_first_such_row) {
  auto A = sound();
  A.offsets[2] = 1;
  expect(on_all(A), csr_rule::offset_decreases, 1, -1, "row 1 ends before it begins; offsets must not decrease");
  A.offsets = {0, 2'000'000'000, -7, 5, 6};
  EXPECT_EQ(on_all(A).row, 1);
}

TEST(validate, last_offset) {
  auto A = sound();
  A.offsets[4] = 5;
  expect(on_all(A), csr_rule::last_offset_not_nnz, 3, -1,
         "the last offset is not the number of nonzeros; the end of row 3 must be it");
}

TEST(validate, columns_out_of_range) {
  auto A = sound();
  A.columns[3] = 5;
  expect(on_all(A), csr_rule::column_too_large, 2, 3,
         "row 2, nonzero 3: the column is not below the number of columns; correct the column or the shape");
  A.columns[1] = -1;
  expect(on_all(A), csr_rule::column_negative, 0, 1, "row 0, nonzero 1: the column is negative; columns count from 0");
}

TEST(validate, offsets_are_judged_before_columns) {
  auto A = sound();
  A.columns[0] = 99;
  A.offsets[4] = 7;
  EXPECT_EQ(on_all(A).rule, csr_rule::last_offset_not_nnz);
}

TEST(validate, order_and_repetition_only_where_asked_for) {
  auto A = sound();
  A.columns[3] = 0;
  EXPECT_TRUE(on_all(A));
  EXPECT_TRUE(on_all(A, {.sorted = true}));
  expect(on_all(A, {.distinct = true}), csr_rule::column_repeated, 2, 3,
         "row 2, nonzero 3: the column was there before; sum the duplicates, or do without options.distinct");
  A.columns[3] = 4;
  expect(on_all(A, {.sorted = true}), csr_rule::column_not_ascending, 2, 4,
         "row 2, nonzero 4: the column is smaller than the one before; sort the row");
}

TEST(validate, a_row_may_begin_below_and_at_the_column_where_the_last_one_ended) {
  csr<float> A;
  A.shape = {5, 3};
  A.offsets = {0, 0, 1, 1, 2, 3};
  A.columns = {2, 2, 0};
  A.values.assign(3, 0.0F);
  EXPECT_TRUE(on_all(A, {.sorted = true, .distinct = true}));
}

TEST(validate, wide_and_narrow_types) {
  csr<float, std::int64_t, std::int16_t> A;
  A.shape = {2, 300};
  A.offsets = {0, 1, 2};
  A.columns = {299, 300};
  A.values.assign(2, 0.0F);
  EXPECT_EQ(on_all(A).rule, csr_rule::column_too_large);
  EXPECT_EQ(on_all(A).row, 1);
}

TEST(validate, the_first_of_many_faults_in_a_large_matrix) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 20; ++trial) {
    csr<float> A;
    A.shape = {3'000, 50};
    A.offsets = {0};
    for (int row = 0; row < 3'000; ++row) A.offsets.push_back(A.offsets.back() + static_cast<int>(random() % 7));
    A.columns.assign(static_cast<std::size_t>(A.offsets.back()), 49);
    A.values.assign(A.columns.size(), 0.0F);
    std::size_t first = A.columns.size();
    for (int fault = 0; fault < 5; ++fault) {
      std::size_t const at = random() % A.columns.size();
      first = std::min(first, at);
      A.columns[at] = 50 + static_cast<int>(random() % 1'000);
    }
    auto const report = on_all(A);
    EXPECT_EQ(report.atom, static_cast<std::int64_t>(first));
    auto const row = static_cast<std::size_t>(report.row);
    EXPECT_LE(A.offsets[row], static_cast<int>(first));
    EXPECT_GT(A.offsets[row + 1], static_cast<int>(first));
  }
}

}  // namespace
