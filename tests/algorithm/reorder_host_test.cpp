// SPDX-License-Identifier: Apache-2.0
//
// Converted plans on host: all value and index types, named and random matrices; refusals; what relabelling leaves alone.
#include "counting_executor.hpp"
#include "reorder_suite.hpp"

#include <evenly/exec/host.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace {

evenly::host const two_threads{{.threads = 2}};

TEST(Reorder, is_within_its_bound_on_every_matrix_in_f64) {
  tests::converts_all_right<double, std::int32_t, std::int32_t>(two_threads, tests::structures());
}
TEST(Reorder, is_within_its_bound_on_every_matrix_in_f32_with_64_bit_offsets) {
  tests::converts_all_right<float, std::int64_t, std::int32_t>(two_threads, tests::structures());
}
TEST(Reorder, is_within_its_bound_on_every_matrix_in_c64_with_64_bit_indices) {
  tests::converts_all_right<evenly::complex<float>, std::int64_t, std::int64_t>(two_threads, tests::structures());
}
TEST(Reorder, is_within_its_bound_on_every_matrix_in_c128_with_64_bit_columns) {
  tests::converts_all_right<evenly::complex<double>, std::int32_t, std::int64_t>(two_threads, tests::structures());
}
TEST(Reorder, is_within_its_bound_on_random_matrices) {
  std::vector<tests::structure> random;
  for (std::int64_t seed = 1; seed <= 150; ++seed) random.push_back(tests::random_structure(seed));
  tests::converts_all_right<double, std::int32_t, std::int32_t>(two_threads, random);
}

TEST(Reorder, bits_do_not_depend_on_the_number_of_threads) {
  for (auto const& from : tests::structures())
    tests::each_conversion([&](std::string const& name, auto const& conversion) {
      auto const expected = tests::product_by<float>(evenly::host({.threads = 1}), from, conversion);
      for (int threads : {2, 3, 8})
        EXPECT_TRUE(tests::same_numbers(tests::product_by<float>(evenly::host({.threads = threads}), from, conversion),
                                        expected))
            << name << ", " << from.name << ", " << threads << " threads";
    });
}

TEST(Reorder, relabelling_leaves_the_bits_of_a_schedule_alone) {
  for (auto const& from : tests::structures())
    EXPECT_TRUE(
        tests::same_numbers(tests::product_by<float>(two_threads, from, evenly::relabelled{evenly::merge_path{5}}),
                            tests::product_by<float>(two_threads, from, evenly::merge_path{5})))
        << from.name;
}

TEST(Reorder, relabels_by_falling_degree_and_keeps_ties_in_order) {
  for (auto const& from : tests::structures()) {
    auto const A = tests::matrix_of<float>(from);
    auto const plan = evenly::make_spmv_plan(two_threads, A.view(), evenly::relabelled{evenly::merge_path{}});
    std::vector<std::int64_t> degree(static_cast<std::size_t>(A.shape.columns));
    std::vector<int> seen(degree.size());
    for (auto const column : A.columns) ++degree[static_cast<std::size_t>(column)];
    for (std::size_t i = 0; i < degree.size(); ++i) {
      auto const column = static_cast<std::size_t>(plan.order()[i]);
      ASSERT_EQ(++seen[column], 1) << from.name << ": column " << column << " is there twice";
      if (i == 0) continue;
      auto const before = static_cast<std::size_t>(plan.order()[i - 1]);
      ASSERT_TRUE(degree[before] > degree[column] || (degree[before] == degree[column] && before < column))
          << from.name << ": column " << before << " before " << column;
    }
  }
}

TEST(Reorder, padding_never_touches_x) {
  // every element of x that A uses is a number, every other one is not
  for (auto const& from : tests::structures())
    tests::each_conversion([&](std::string const& name, auto const& conversion) {
      auto const A = tests::matrix_of<float>(from);
      std::vector<float> x(static_cast<std::size_t>(A.shape.columns), std::numeric_limits<float>::infinity());
      for (auto const column : A.columns) x[static_cast<std::size_t>(column)] = 1;
      std::vector<float> y(static_cast<std::size_t>(A.shape.rows), std::numeric_limits<float>::quiet_NaN());
      evenly::spmv(evenly::make_spmv_plan(two_threads, A.view(), conversion),
                   evenly::view<float const>(x.data(), A.shape.columns), evenly::view<float>(y.data(), A.shape.rows));
      for (float const sum : y) ASSERT_TRUE(std::isfinite(sum)) << name << ", " << from.name;
    });
}

TEST(Reorder, a_nan_reaches_the_rows_that_use_it_and_no_other) {
  for (auto const& from : tests::structures())
    tests::each_conversion([&](std::string const& name, auto const& conversion) {
      auto const A = tests::matrix_of<float>(from);
      if (A.columns.empty()) return;
      auto const bad = A.columns[A.columns.size() / 2];
      std::vector<float> x(static_cast<std::size_t>(A.shape.columns), 1.0f), y(static_cast<std::size_t>(A.shape.rows));
      x[static_cast<std::size_t>(bad)] = std::numeric_limits<float>::quiet_NaN();
      evenly::spmv(evenly::make_spmv_plan(two_threads, A.view(), conversion),
                   evenly::view<float const>(x.data(), A.shape.columns), evenly::view<float>(y.data(), A.shape.rows));
      for (std::size_t row = 0; row < y.size(); ++row) {
        bool const uses = std::find(A.columns.begin() + A.offsets[row], A.columns.begin() + A.offsets[row + 1], bad) !=
                          A.columns.begin() + A.offsets[row + 1];
        ASSERT_EQ(std::isnan(y[row]), uses) << name << ", " << from.name << ", row " << row;
      }
    });
}

TEST(Reorder, running_and_refreshing_allocate_nothing) {
  tests::counting<evenly::host> const run{evenly::host::options{.threads = 1}};
  auto const A = tests::matrix_of<double>(tests::random_structure(7));
  auto const x = tests::random_vector<double>(A.shape.columns);
  std::vector<double> y(static_cast<std::size_t>(A.shape.rows));
  tests::each_conversion([&](std::string const& name, auto const& conversion) {
    auto plan = evenly::make_spmv_plan(run, A.view(), conversion);
    auto const before = run.seen();
    evenly::spmv(plan, evenly::view<double const>(x.data(), A.shape.columns),
                 evenly::view<double>(y.data(), A.shape.rows), {.alpha = 2, .beta = 1});
    plan.refresh(A.values.data());
    EXPECT_EQ(run.seen().allocations, before.allocations) << name;
    EXPECT_EQ(run.seen().waits, before.waits) << name;
    EXPECT_EQ(run.seen().empty_launches, before.empty_launches) << name;
  });
}

template <class F>
std::string refusal(F&& f) {
  try {
    f();
  } catch (evenly::argument_error const& error) { return error.what(); }
  return "no refusal";
}
bool says(std::string const& text, std::string const& words) { return text.find(words) != std::string::npos; }

TEST(Reorder, refuses_what_spmv_refuses) {
  evenly::csr<float> A{{1, 2, 3}, {0, 2, 3}, {0, 2, 1}, {2, 3}};
  std::vector<float> x{1, 2, 3}, y{0, 0};
  tests::each_conversion([&](std::string const&, auto const& conversion) {
    auto const plan = evenly::make_spmv_plan(two_threads, A.view(), conversion);
    auto const with = [&](evenly::view<float> in, evenly::view<float> out) {
      return refusal([&] { evenly::spmv(plan, in, out); });
    };
    EXPECT_TRUE(says(with({x.data(), 2}, {y.data(), 2}), "x has 2 elements, A has 3 columns"));
    EXPECT_TRUE(says(with({x.data(), 3}, {y.data(), 1}), "y has 1 elements, A has 2 rows"));
    EXPECT_TRUE(says(with({x.data(), 3}, {x.data() + 1, 2}), "aliasing: y meets x"));
    EXPECT_TRUE(says(with({x.data(), 3}, {A.values.data(), 2}), "aliasing: y meets A's values"));
    EXPECT_TRUE(says(refusal([&] {
                       evenly::spmv(plan, evenly::view<float>(x.data(), 3), evenly::view<float>(y.data(), 2),
                                    evenly::spmv_device_options<float>{.alpha = y.data() + 1});
                     }),
                     "aliasing: y meets alpha"));
  });
}

TEST(Reorder, refuses_block_sizes_that_make_no_sense) {
  auto const A = tests::matrix_of<float>(tests::random_structure(3));
  auto const with = [&](evenly::two_way const& options) {
    return refusal([&] { evenly::make_spmv_plan(two_threads, A.view(), options); });
  };
  EXPECT_TRUE(says(with({.rows_per_block = -1}), "rows_per_block must lie in"));
  EXPECT_TRUE(says(with({.columns_per_tile = 70'000}), "columns_per_tile must lie in"));
  EXPECT_TRUE(says(with({.buffers = 4}), "buffers must be 2 or 3"));
  EXPECT_TRUE(says(with({.units = -2}), "units must lie in"));
}

TEST(Reorder, refuses_blocks_that_do_not_fit_the_scratch) {
  evenly::csr<double> A{{1}, {0, 1}, {0}, {1, 100'000}};
  auto const text = refusal([&] {
    evenly::make_spmv_plan(two_threads, A.view(),
                           evenly::two_way{.rows_per_block = 60'000, .columns_per_tile = 60'000});
  });
  EXPECT_TRUE(says(text, "do not fit")) << text;
}

}  // namespace
