// SPDX-License-Identifier: Apache-2.0
//
// Converted plans of spmv (relabelled, two_way, both) on any executor: named and random matrices, every conversion with
// block sizes small enough that a test matrix has many of them, y poisoned, alpha and beta, new values, aliasing.
#pragma once

#include "matrices.hpp"
#include "spmv_suite.hpp"

#include <evenly/algorithm/relabelled.hpp>
#include <evenly/algorithm/two_way.hpp>
#include <evenly/algorithm/x_in_scratch.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

namespace tests {

struct structure {
  std::string name;
  tile_sizes lengths;  // of rows
  std::int64_t num_columns = 1;
  std::vector<std::int64_t> columns;  // [atoms]
};

namespace detail {

/// Columns from f(row, i): the i-th atom of a row.
template <class F>
structure structured(std::string name, tile_sizes lengths, std::int64_t num_columns, F const& f) {
  structure made{std::move(name), std::move(lengths), num_columns, {}};
  for (std::size_t row = 0; row < made.lengths.size(); ++row)
    for (std::int64_t i = 0; i < made.lengths[row]; ++i)
      made.columns.push_back(f(static_cast<std::int64_t>(row), i) % num_columns);
  return made;
}

inline std::int64_t noise(std::int64_t a, std::int64_t b) { return static_cast<std::int64_t>(scrambled(a, b)); }

}  // namespace detail

/// Matrices named after what they try.
inline std::vector<structure> structures() {
  using detail::noise;
  using detail::structured;
  auto const any = [](std::int64_t row, std::int64_t i) { return noise(row, i); };
  auto const rising = [](std::int64_t, std::int64_t i) { return i; };
  std::vector<structure> all;
  all.push_back({"no rows, no columns", {}, 0, {}});
  all.push_back({"no rows", {}, 5, {}});
  all.push_back({"no columns", {0, 0, 0}, 0, {}});
  all.push_back({"no atoms", detail::repeated(70, {0}), 9, {}});
  all.push_back({"one atom", {1}, 1, {0}});
  all.push_back({"one atom in the last column of the last row", {0, 0, 1}, 1000, {999}});
  all.push_back(structured("one row", {3000}, 700, any));
  all.push_back(structured("one full row, sorted", {700}, 700, rising));
  all.push_back(structured("one column", detail::repeated(300, {1}), 1, rising));
  all.push_back(structured("one column, every atom of it twice", detail::repeated(130, {2, 0}), 1, rising));
  all.push_back(structured("a row of one column 20000 times", {1, 20'000, 3}, 8,
                           [](std::int64_t row, std::int64_t i) { return row == 1 ? 5 : i; }));
  all.push_back(
      structured("identity", detail::repeated(200, {1}), 200, [](std::int64_t row, std::int64_t) { return row; }));
  all.push_back(structured("even and random", detail::repeated(300, {8}), 400, any));
  all.push_back(structured(
      "runs of each length from 0 to 300",
      [] {
        tile_sizes lengths;
        for (int i = 0; i <= 300; ++i) lengths.push_back((i * 7) % 301);
        return lengths;
      }(),
      320, rising));
  all.push_back(structured("power law, hub columns", detail::power_law(400), 500, [](std::int64_t row, std::int64_t i) {
    std::int64_t const u = noise(row, i) % 500, v = noise(i, row + 3) % 500;
    return u * v / 500 * (noise(row, i + 7) % 3) / 2;
  }));
  all.push_back(structured(
      "a hub row and a hub column",
      [] {
        auto lengths = detail::repeated(250, {3});
        lengths[77] = 4000;
        return lengths;
      }(),
      600, [](std::int64_t row, std::int64_t i) { return i == 0 && row != 77 ? 123 : noise(row, i); }));
  all.push_back(
      structured("band", detail::repeated(400, {5}), 400, [](std::int64_t row, std::int64_t i) { return row + i; }));
  all.push_back(structured("empty ends",
                           detail::joined({detail::repeated(90, {0}), {5, 0, 9}, detail::repeated(90, {0})}), 50, any));
  all.push_back(structured("falling columns", detail::repeated(60, {33, 0, 2}), 90,
                           [](std::int64_t row, std::int64_t i) { return 10'000 * 90 + row - 2 * i; }));
  return all;
}

/// Rows of 0 .. 3 * mean atoms or, one in eight, many more.
inline structure random_structure(std::int64_t seed) {
  using detail::noise;
  std::int64_t const rows = noise(seed, 1) % 120, columns = 1 + noise(seed, 2) % 300, mean = 1 + noise(seed, 3) % 12;
  tile_sizes lengths;
  for (std::int64_t row = 0; row < rows; ++row)
    lengths.push_back(noise(seed + 9, row) % (noise(seed + 11, row) % 8 == 0 ? 40 * mean : 3 * mean));
  bool const sorted = noise(seed, 4) % 2 == 0;
  auto made =
      detail::structured("seed " + std::to_string(seed), lengths, columns, [&](std::int64_t row, std::int64_t i) {
        std::int64_t const u = noise(seed + row, i) % columns;
        return noise(seed, 5) % 2 == 0 ? u : u * (noise(seed + i, row) % columns) / columns;
      });
  if (!sorted) return made;
  auto at = made.columns.begin();
  for (auto const length : made.lengths) {
    std::sort(at, at + length);
    at += length;
  }
  return made;
}

template <class Value, class Offset = std::int32_t, class Column = std::int32_t>
evenly::csr<Value, Offset, Column> matrix_of(structure const& from, std::int64_t seed = 1) {
  evenly::csr<Value, Offset, Column> A;
  A.shape = {static_cast<std::int64_t>(from.lengths.size()), from.num_columns};
  A.offsets = offsets_of<Offset>(from.lengths);
  for (std::size_t i = 0; i < from.columns.size(); ++i) {
    A.columns.push_back(static_cast<Column>(from.columns[i]));
    A.values.push_back(any_number<Value>(seed, static_cast<std::int64_t>(i)));
  }
  return A;
}

/// f(name, conversion) for each one that the suite runs.
template <class F>
void each_conversion(F const& f) {
  using namespace evenly;
  f("two_way, usual sizes", two_way{});
  f("two_way, 16 rows x 32 columns", two_way{.rows_per_block = 16, .columns_per_tile = 32});
  f("two_way, 100 rows x 7 columns, 3 buffers, one unit a block",
    two_way{.rows_per_block = 100, .columns_per_tile = 7, .buffers = 3, .units = 1});
  f("two_way, all rows x 40 columns, many units", two_way{.columns_per_tile = 40, .buffers = 2, .units = 50});
  f("two_way, 1 row x 500 columns", two_way{.rows_per_block = 1, .columns_per_tile = 500});
  f("relabelled, merge-path", relabelled{merge_path{7}});
  f("relabelled, two_way of 30 rows x 20 columns", relabelled{two_way{.rows_per_block = 30, .columns_per_tile = 20}});
}

/// Everything on one matrix with one conversion: results within the bound for several alpha and beta from a poisoned y,
/// device scalars with the same bits, and again after a refresh with new values.
template <class Value, class Offset, class Column, class Executor, class Conversion>
void converts_right(Executor const& run, structure const& from, std::string const& name, Conversion const& conversion) {
  SCOPED_TRACE(name + " on " + Executor::name + ", " + from.name);
  auto A = matrix_of<Value, Offset, Column>(from);
  auto const x = random_vector<Value>(A.shape.columns), numbers = random_vector<Value>(A.shape.rows, 9);
  using real = evenly::real_of_t<Value>;
  std::vector<Value> const nans(numbers.size(), Value(std::numeric_limits<real>::quiet_NaN()));
  device_matrix<Value, Offset, Column, Executor> const there(run, A);
  device_vector<Value, Executor> const x_there(run, x);
  device_vector<Value, Executor> y_there(run), scalars(run), new_values(run);
  auto plan = evenly::make_spmv_plan(run, there.view(), conversion);
  struct {
    double alpha, beta;
    bool nan;
  } const cases[] = {{1, 0, true}, {2.5, -1, false}, {0, 2.5, false}, {0, 0, true}, {-1, 1, true}};
  for (int round = 0; round < 2; ++round) {
    for (auto const& c : cases) {
      auto const& old_y = c.nan ? nans : numbers;
      Value const alpha(static_cast<real>(c.alpha)), beta(static_cast<real>(c.beta));
      y_there.assign(old_y);
      evenly::spmv(plan, view_of(x_there), view_of(y_there), {.alpha = alpha, .beta = beta});
      run.wait();
      auto const y = y_there.to_host();
      ASSERT_EQ(is_product(A, x, old_y, y, alpha, beta), "")
          << "alpha " << c.alpha << ", beta " << c.beta << (round == 0 ? "" : ", after refresh");
      y_there.assign(old_y);
      scalars.assign({alpha, beta});
      evenly::spmv(plan, view_of(x_there), view_of(y_there),
                   evenly::spmv_device_options<Value>{.alpha = scalars.data(), .beta = scalars.data() + 1});
      run.wait();
      ASSERT_TRUE(same_numbers(y_there.to_host(), y)) << "in memory: alpha " << c.alpha << ", beta " << c.beta;
    }
    if constexpr (requires { plan.refresh(new_values.data()); }) {
      if (round == 1) break;
      A = matrix_of<Value, Offset, Column>(from, 42);
      new_values.assign(A.values);
      plan.refresh(new_values.data());
      EXPECT_GE(plan.bytes() + 1, A.columns.size() * sizeof(Column) + (A.columns.empty() ? 1 : 0));
    } else {
      break;
    }
  }
}

template <class Value, class Offset, class Column, class Executor>
void converts_all_right(Executor const& run, std::vector<structure> const& matrices) {
  each_conversion([&](std::string const& name, auto const& conversion) {
    for (auto const& from : matrices) converts_right<Value, Offset, Column>(run, from, name, conversion);
  });
}

/// The bits of one product by a plan made for it.
template <class Value, class Executor, class Conversion>
std::vector<Value> product_by(Executor const& run, structure const& from, Conversion const& conversion) {
  auto const A = matrix_of<Value>(from);
  device_matrix<Value, std::int32_t, std::int32_t, Executor> const there(run, A);
  device_vector<Value, Executor> const x(run, random_vector<Value>(A.shape.columns));
  device_vector<Value, Executor> y(run, static_cast<std::size_t>(A.shape.rows));
  auto const plan = evenly::make_spmv_plan(run, there.view(), conversion);
  evenly::spmv(plan, view_of(x), view_of(y));
  run.wait();
  return y.to_host();
}

}  // namespace tests
