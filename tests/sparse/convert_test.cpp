// SPDX-License-Identifier: Apache-2.0
#include <evenly/sparse/convert.hpp>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>

namespace {

using evenly::complex;
using evenly::coo;
using evenly::csr;

/// Entry i has value i, so that its journey can be followed.
template <class Index>
coo<double, Index> numbered(std::vector<std::pair<int, int>> places, evenly::shape shape) {
  coo<double, Index> A;
  A.shape = shape;
  for (auto [row, column] : places) {
    A.values.push_back(static_cast<double>(A.values.size()));
    A.rows.push_back(static_cast<Index>(row));
    A.columns.push_back(static_cast<Index>(column));
  }
  return A;
}

/// The same by std::stable_sort: what a counting sort must equal.
template <class Index>
std::vector<std::tuple<std::int64_t, std::int64_t, double>> sorted_by_row(coo<double, Index> const& A) {
  std::vector<std::tuple<std::int64_t, std::int64_t, double>> list;
  for (std::size_t i = 0; i < A.rows.size(); ++i) list.emplace_back(A.rows[i], A.columns[i], A.values[i]);
  std::ranges::stable_sort(list, {}, [](auto const& entry) { return std::get<0>(entry); });
  return list;
}

template <class Value, class Offset, class Column>
std::vector<std::tuple<std::int64_t, std::int64_t, double>> listed(csr<Value, Offset, Column> const& A) {
  std::vector<std::tuple<std::int64_t, std::int64_t, double>> list;
  for (std::size_t row = 0; row + 1 < A.offsets.size(); ++row)
    for (auto i = static_cast<std::size_t>(A.offsets[row]); i < static_cast<std::size_t>(A.offsets[row + 1]); ++i)
      list.emplace_back(static_cast<std::int64_t>(row), A.columns[i], A.values[i]);
  return list;
}

template <class F>
std::string refusal(F&& f) {
  try {
    f();
  } catch (evenly::argument_error const& failure) { return failure.what(); }
  return "(accepted)";
}

TEST(to_csr, keeps_the_order_of_a_row_and_its_duplicates) {
  auto const A = evenly::to_csr(numbered<int>({{2, 1}, {0, 3}, {2, 0}, {2, 1}, {0, 3}}, {4, 4}));
  EXPECT_EQ(A.offsets, (std::vector<std::int32_t>{0, 2, 2, 5, 5}));
  EXPECT_EQ(A.columns, (std::vector<std::int32_t>{3, 3, 1, 0, 1}));
  EXPECT_EQ(A.values, (std::vector<double>{1, 4, 0, 2, 3}));
}

TEST(to_csr, empty_matrices_have_their_offsets) {
  EXPECT_EQ(evenly::to_csr(numbered<int>({}, {0, 0})).offsets, (std::vector<std::int32_t>{0}));
  EXPECT_EQ(evenly::to_csr(numbered<int>({}, {0, 5})).offsets, (std::vector<std::int32_t>{0}));
  EXPECT_EQ(evenly::to_csr(numbered<int>({}, {3, 0})).offsets, (std::vector<std::int32_t>{0, 0, 0, 0}));
}

TEST(to_csr, converts_values_to_the_type_asked_for) {
  auto const A = evenly::to_csr<float, std::int64_t, std::int16_t>(numbered<std::int64_t>({{0, 1}, {1, 0}}, {2, 2}));
  EXPECT_EQ(A.values, (std::vector<float>{0, 1}));
  auto const B = evenly::to_csr<complex<float>>(numbered<int>({{0, 1}, {1, 0}}, {2, 2}));
  EXPECT_EQ(B.values[1], complex<float>(1, 0));
}

TEST(to_csr, refuses_what_does_not_fit_and_what_lies_outside) {
  EXPECT_EQ(refusal([] { evenly::to_csr<void, std::int8_t>(numbered<int>({}, {127, 1})); }),
            "to_csr: 127 rows do not fit the 8-bit offset type; use a wider one");
  EXPECT_EQ(refusal([] { evenly::to_csr<void, std::int32_t, std::int8_t>(numbered<int>({}, {1, 300})); }),
            "to_csr: 300 columns do not fit the 8-bit column type; use a wider one");
  EXPECT_EQ(
      refusal([] { evenly::to_csr<void, std::int8_t>(numbered<int>(std::vector<std::pair<int, int>>(127), {1, 1})); }),
      "to_csr: 127 nonzeros do not fit the 8-bit offset type; use a wider one");
  EXPECT_EQ(refusal([] { evenly::to_csr(numbered<int>({{0, 0}, {2, 0}}, {2, 2})); }),
            "to_csr: entry 1 lies in row 2 of 2; indices count from 0");
  EXPECT_EQ(refusal([] { evenly::to_csr(numbered<int>({{0, -1}}, {2, 2})); }),
            "to_csr: entry 0 lies in column -1 of 2; indices count from 0");
  auto ragged = numbered<int>({{0, 0}}, {1, 1});
  ragged.values.clear();
  EXPECT_EQ(refusal([&] { evenly::to_csr(ragged); }),
            "to_csr: 1 row indices, 1 column indices and 0 values; a coo has as many of each");
}

TEST(to_csr, a_size_beyond_32_bits_is_refused_before_it_is_allocated) {
  coo<double, std::int64_t> A;
  A.shape = {std::int64_t{1} << 40, 1};
  EXPECT_EQ(refusal([&] { evenly::to_csr(A); }),
            "to_csr: 1099511627776 rows do not fit the 32-bit offset type; use a wider one");
}

TEST(transposed, of_a_small_matrix) {
  auto const A = evenly::to_csr(numbered<int>({{0, 2}, {1, 0}, {1, 2}, {0, 2}}, {2, 3}));
  auto const T = evenly::transposed(A);
  EXPECT_EQ(T.shape, (evenly::shape{3, 2}));
  EXPECT_EQ(T.offsets, (std::vector<std::int32_t>{0, 1, 1, 4}));
  EXPECT_EQ(T.columns, (std::vector<std::int32_t>{1, 0, 0, 1}));
  EXPECT_EQ(T.values, (std::vector<double>{1, 0, 3, 2}));
}

TEST(transposed, refuses_columns_outside) {
  auto A = evenly::to_csr(numbered<int>({{0, 2}}, {1, 3}));
  A.columns[0] = 3;
  EXPECT_EQ(refusal([&] { evenly::transposed(A); }), "transposed: entry 0 lies in column 3 of 3; indices count from 0");
}

TEST(conversions, equal_a_stable_sort_and_come_back) {
  bool const held = rc::check("to_csr, to_coo, transposed", [] {
    auto const rows = *rc::gen::inRange(0, 12), columns = *rc::gen::inRange(0, 12);
    auto places = *rc::gen::container<std::vector<std::pair<int, int>>>(
        rc::gen::pair(rc::gen::inRange(0, std::max(rows, 1)), rc::gen::inRange(0, std::max(columns, 1))));
    if (rows == 0 || columns == 0) places.clear();
    auto const A = numbered<std::int64_t>(places, {rows, columns});
    auto const by_rows = evenly::to_csr<void, std::int64_t, std::int32_t>(A);
    RC_ASSERT(listed(by_rows) == sorted_by_row(A));
    auto const back = evenly::to_coo<std::int64_t>(by_rows);
    RC_ASSERT(back.shape == A.shape);
    RC_ASSERT(listed(evenly::to_csr<void, std::int64_t, std::int32_t>(back)) == sorted_by_row(A));
    auto flipped = back;
    std::swap(flipped.rows, flipped.columns);
    std::swap(flipped.shape.rows, flipped.shape.columns);
    RC_ASSERT(listed(evenly::transposed(by_rows)) == sorted_by_row(flipped));
  });
  EXPECT_TRUE(held);
}

}  // namespace
