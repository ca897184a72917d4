// SPDX-License-Identifier: Apache-2.0
//
// COO, CSC and transposes as rows: the same product as a plain loop over the triplets, on every executor, for random
// structures with duplicates, empty rows and columns, and after the values have been refreshed.
#include <evenly/algorithm/row_form.hpp>
#include <evenly/evenly.hpp>
#include <evenly/simt.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace {

using evenly::view;

struct triplets {
  std::vector<double> values;
  std::vector<int> rows, columns;
  evenly::shape shape;
};

triplets random_triplets(std::mt19937& random) {
  auto const up_to = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n + 1)); };
  triplets t;
  t.shape = {up_to(12), up_to(12)};
  int const nnz = t.shape.rows == 0 || t.shape.columns == 0 ? 0 : up_to(60);
  for (int i = 0; i < nnz; ++i) {
    t.values.push_back(up_to(9));  // small integers: sums are exact in any order
    t.rows.push_back(up_to(static_cast<int>(t.shape.rows) - 1));
    t.columns.push_back(up_to(static_cast<int>(t.shape.columns) - 1));
  }
  return t;
}

std::vector<double> product(triplets const& t, std::vector<double> const& x, bool transposed) {
  std::vector<double> y(static_cast<std::size_t>(transposed ? t.shape.columns : t.shape.rows), 0.0);
  for (std::size_t i = 0; i < t.values.size(); ++i)
    y[static_cast<std::size_t>(transposed ? t.columns[i] : t.rows[i])] +=
        t.values[i] * x[static_cast<std::size_t>(transposed ? t.rows[i] : t.columns[i])];
  return y;
}

// CSC arrays of t: entries of a column in the order they came in.
struct csc_arrays {
  std::vector<double> values;
  std::vector<int> offsets, rows;
};
csc_arrays by_columns(triplets const& t) {
  csc_arrays A;
  A.offsets.push_back(0);
  for (std::int64_t c = 0; c < t.shape.columns; ++c) {
    for (std::size_t i = 0; i < t.values.size(); ++i)
      if (t.columns[i] == c) A.values.push_back(t.values[i]), A.rows.push_back(t.rows[i]);
    A.offsets.push_back(static_cast<int>(A.rows.size()));
  }
  return A;
}

template <class Executor, class Form>
void expect_product(Executor const& run, Form const& form, std::vector<double> const& x,
                    std::vector<double> const& expected) {
  std::vector<double> y(expected.size(), std::nan(""));
  evenly::spmv(run, form.view(), view<double const>{x.data(), static_cast<std::int64_t>(x.size())},
               view<double>{y.data(), static_cast<std::int64_t>(y.size())}, evenly::merge_path{.items_per_thread = 3});
  run.wait();
  EXPECT_EQ(y, expected);
}

template <class Executor>
void every_form_gives_the_product(Executor const& run, int trials) {
  std::mt19937 random(7);
  for (int trial = 0; trial < trials; ++trial) {
    SCOPED_TRACE(trial);
    triplets t = random_triplets(random);
    std::vector<double> x(static_cast<std::size_t>(t.shape.columns)), z(static_cast<std::size_t>(t.shape.rows));
    for (auto& v : x) v = static_cast<double>(random() % 10);
    for (auto& v : z) v = static_cast<double>(random() % 10);
    evenly::coo_view<double> const coo{t.values.data(), t.rows.data(), t.columns.data(), t.shape,
                                       static_cast<std::int64_t>(t.values.size())};
    csc_arrays const C = by_columns(t);
    evenly::csc_view<double> const csc{C.values.data(), C.offsets.data(), C.rows.data(), t.shape,
                                       static_cast<int>(C.rows.size())};

    evenly::row_form from_coo(run, coo);
    expect_product(run, from_coo, x, product(t, x, false));
    evenly::row_form const from_csc(run, csc);
    expect_product(run, from_csc, x, product(t, x, false));
    evenly::row_form const transposed(run, from_csc.view());
    expect_product(run, transposed, z, product(t, z, true));

    for (auto& v : t.values) v = static_cast<double>(random() % 10);
    from_coo.refresh(t.values.data());
    expect_product(run, from_coo, x, product(t, x, false));
  }
}

TEST(RowForm, EveryFormGivesTheProductOnHost) { every_form_gives_the_product(evenly::host({.threads = 2}), 300); }
TEST(RowForm, EveryFormGivesTheProductOnSimt) { every_form_gives_the_product(evenly::simt(), 20); }

TEST(RowForm, AnIndexOutsideTheShapeIsRefusedByName) {
  std::vector<double> const values{1};
  std::vector<int> const rows{5}, columns{0};
  evenly::coo_view<double> const bad{values.data(), rows.data(), columns.data(), {3, 3}, 1};
  try {
    evenly::row_form const form(evenly::host({.threads = 1}), bad);
    FAIL() << "row 5 of 3 was accepted";
  } catch (evenly::argument_error const& e) {
    EXPECT_NE(std::string(e.what()).find("row 5 of 3"), std::string::npos) << e.what();
  }
}

}  // namespace
