// SPDX-License-Identifier: Apache-2.0
//
// Rows of the edge table that are about formats, dense operands and graphs.
#pragma once

#include "edge_schedules.hpp"

#include <evenly/algorithm/row_form.hpp>
#include <evenly/sparse/convert.hpp>
#include <evenly/sparse/validate.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace tests {

template <class Executor>
void unsorted_coo_is_sorted_stably(Executor const& run) {
  evenly::coo<float> const entries{{1, 2, 4, 8, 16, 32}, {2, 0, 2, 0, 2, 0}, {1, 1, 0, 1, 1, 2}, {3, 3}};
  auto const A = evenly::to_csr<float>(entries);
  EXPECT_EQ(A.offsets, (std::vector<int>{0, 3, 3, 6}));
  EXPECT_EQ(A.columns, (std::vector<int>{1, 1, 2, 1, 0, 1}));
  EXPECT_EQ(A.values, (std::vector<float>{2, 8, 32, 1, 4, 16}));
  // the form that a plan takes from triplets in the executor's memory is the same
  device_vector<float, Executor> const values(run, entries.values), x(run, std::vector<float>{1, 10, 100});
  device_vector<int, Executor> const rows(run, entries.rows), columns(run, entries.columns);
  evenly::row_form const form(
      run, evenly::coo_view<float>{values.data(), rows.data(), columns.data(), entries.shape, entries.nnz()});
  auto const there = form.view();
  std::vector<float> sorted_values(6);
  std::vector<int> sorted_columns(6);
  run.wait();
  run.copy_from(sorted_values.data(), there.values(), 6 * sizeof(float));
  run.copy_from(sorted_columns.data(), there.columns(), 6 * sizeof(int));
  EXPECT_EQ(sorted_values, A.values);
  EXPECT_EQ(sorted_columns, A.columns);
  for_each_schedule(run, [&](auto const& schedule) {
    device_vector<float, Executor> const y(run, 3);
    schedule.spmv(run, there, view_of(x), view_of(y), {});
    run.wait();
    EXPECT_EQ(y.to_host(), (std::vector<float>{3300, 0, 174}));
  });
}

template <class Executor>
void bad_structure_is_named(Executor const& run) {
  using evenly::csr_rule;
  evenly::csr<float> const sound{{1, 2, 3, 4}, {0, 2, 2, 4}, {0, 2, 1, 2}, {3, 3}};
  auto const judged = [&](auto const& damage) {
    auto A = sound;
    damage(A);
    device_vector<int, Executor> const offsets(run, A.offsets), columns(run, A.columns);
    return evenly::validate(run, evenly::csr_view<float>(nullptr, offsets.data(), columns.data(), A.shape, 4));
  };
  EXPECT_TRUE(judged([](auto&) {}));
  EXPECT_EQ(judged([](auto& A) { A.offsets[0] = 1; }).rule, csr_rule::first_offset_not_zero);
  auto const descending = judged([](auto& A) { A.offsets[1] = 3; });
  EXPECT_EQ(descending.rule, csr_rule::offset_decreases);
  EXPECT_EQ(descending.row, 1);
  EXPECT_EQ(judged([](auto& A) { A.offsets[3] = 3; }).rule, csr_rule::last_offset_not_nnz);
  auto const outside = judged([](auto& A) { A.columns[2] = 3, A.columns[3] = -1; });
  EXPECT_EQ(outside.rule, csr_rule::column_too_large);
  EXPECT_EQ(outside.row, 2);
  EXPECT_EQ(judged([](auto& A) { A.columns[1] = -1; }).rule, csr_rule::column_negative);
}

/// Sizes that do not fit: refused with the size and the type. The pointers are null and the sizes are such that an
/// allocation, a copy or a launch before the refusal could not pass for one.
template <class Executor>
void sizes_that_do_not_fit_are_refused(Executor const& run) {
  constexpr std::int64_t huge = std::int64_t{1} << 60;
  auto const expect_refusal = [](auto const& f, char const* size, char const* type) {
    try {
      f();
      ADD_FAILURE() << size << " was accepted";
    } catch (evenly::argument_error const& error) {
      EXPECT_NE(std::string(error.what()).find(size), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find(type), std::string::npos) << error.what();
    }
  };
  auto const from_coo = [&](evenly::shape shape, std::int64_t nnz) {
    return [=, &run] { evenly::row_form(run, evenly::coo_view<float>{nullptr, nullptr, nullptr, shape, nnz}); };
  };
  expect_refusal(from_coo({huge, 3}, 0), "1152921504606846976 rows", "32-bit");
  expect_refusal(from_coo({3, huge}, 0), "1152921504606846976 columns", "32-bit");
  expect_refusal(from_coo({3, 3}, huge), "1152921504606846976 entries", "32-bit");
  using wide_csc = evenly::csc_view<float, std::int64_t, std::int32_t>;
  expect_refusal([&] { evenly::row_form(run, wide_csc{nullptr, nullptr, nullptr, {3, huge}, 0}); },
                 "1152921504606846976 columns", "32-bit");
  using wide_csr = evenly::csr_view<float, std::int64_t, std::int32_t>;
  expect_refusal([&] { evenly::row_form(run, wide_csr(nullptr, nullptr, nullptr, {huge, 3}, 0)); },
                 "1152921504606846976", "32-bit");
}

/// Cells apart from each other keep their poison, whichever way round rows and columns lie.
template <class Executor>
void dense_operands_of_any_layout(Executor const& run) {
  auto const A = whole_matrix();
  auto const rows = A.shape.rows, columns = A.shape.columns;
  constexpr int width = 3;
  struct layout {
    char const* name;
    std::int64_t row_stride, column_stride;
  };
  auto const layouts = [](std::int64_t height) {
    return std::vector<layout>{{"row-major", width, 1},
                               {"row-major, rows apart", width + 2, 1},
                               {"column-major", 1, height},
                               {"column-major, columns apart", 1, height + 5},
                               {"strided both ways", 2 * width + 1, 2}};
  };
  std::vector<float> reference;  // [rows][width]
  auto const B_at = [](std::int64_t i, std::int64_t j) { return static_cast<float>((i + 3 * j) % 5 - 2); };
  for (std::size_t row = 0; row + 1 < A.offsets.size(); ++row)
    for (int column = 0; column < width; ++column) {
      float sum = 0;
      for (int i = A.offsets[row]; i < A.offsets[row + 1]; ++i)
        sum += A.values[static_cast<std::size_t>(i)] * B_at(A.columns[static_cast<std::size_t>(i)], column);
      reference.push_back(sum);
    }
  device_matrix<float, int, int, Executor> const matrix(run, A);
  auto const cells = [](std::int64_t height, layout const& how) {
    return static_cast<std::size_t>((height - 1) * how.row_stride + (width - 1) * how.column_stride + 1);
  };
  for (auto const& of_B : layouts(columns)) {
    std::vector<float> B(cells(columns, of_B), nan);
    for (std::int64_t i = 0; i < columns; ++i)
      for (int j = 0; j < width; ++j) dense{B.data(), of_B.row_stride, of_B.column_stride}.at(i, j) = B_at(i, j);
    device_vector<float, Executor> const B_there(run, B);
    for (auto const& of_C : layouts(rows))
      for_each_schedule(run, [&](auto const& schedule) {
        device_vector<float, Executor> const C_there(run, cells(rows, of_C));
        schedule.spmm(run, matrix.view(), {B_there.data(), of_B.row_stride, of_B.column_stride}, width,
                      {C_there.data(), of_C.row_stride, of_C.column_stride});
        auto C = C_there.to_host();
        dense const view{C.data(), of_C.row_stride, of_C.column_stride};
        for (std::int64_t i = 0; i < rows; ++i)
          for (int j = 0; j < width; ++j) {
            EXPECT_EQ(view.at(i, j), reference[static_cast<std::size_t>(i * width + j)])
                << "B " << of_B.name << ", C " << of_C.name << ", row " << i << ", column " << j;
            view.at(i, j) = nan;
          }
        for (float value : C) EXPECT_TRUE(std::isnan(value)) << "a cell between those of C was written";
      });
  }
}

/// Shortest paths from several vertices through the public traversal, against a plain loop: unreachable vertices keep
/// infinity; self loops, parallel edges and edges of no weight change nothing that they should not.
template <class Executor>
void shortest_paths(Executor const& run) {
  constexpr int reached = 60, vertices = 90;  // no edge leads from the first 60 to the others
  evenly::csr<float> graph{{}, {0}, {}, {vertices, vertices}};
  for (int v = 0; v < vertices; ++v) {
    int const degree = v % 7 == 3 ? 0 : v % 11 == 0 ? 70 : v % 4;
    for (int k = 0; k < degree; ++k) {
      auto const bits = scrambled(v, k);
      int const target = v < reached ? static_cast<int>(bits % reached) : reached + static_cast<int>(bits % 30);
      graph.columns.push_back(k % 5 == 4 ? v : target);  // self loops among them
      graph.values.push_back(k % 6 == 5 ? 0.0f : static_cast<float>(bits / 64 % 9));
      if (k % 5 == 1) graph.columns.push_back(target), graph.values.push_back(20);  // parallel and longer
    }
    graph.offsets.push_back(static_cast<int>(graph.columns.size()));
  }
  device_matrix<float, int, int, Executor> const there(run, graph);
  for (auto const& sources : {std::vector<int>{0}, {3}, {0, 17, 59}, {61, 5}, {3, 89}}) {
    std::vector<float> start(vertices, inf);
    for (int source : sources) start[static_cast<std::size_t>(source)] = 0;
    auto expected = start;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t v = 0; v < vertices; ++v)
        for (auto e = static_cast<std::size_t>(graph.offsets[v]); e < static_cast<std::size_t>(graph.offsets[v + 1]);
             ++e) {
          float& far = expected[static_cast<std::size_t>(graph.columns[e])];
          if (expected[v] + graph.values[e] < far) far = expected[v] + graph.values[e], changed = true;
        }
    }
    for_each_schedule(run, [&](auto const& schedule) {
      device_vector<float, Executor> const distance(run, start);
      device_vector<int, Executor> changed(run, 1);
      int rounds = 0;
      do {
        changed.resize(1);  // poisoned: -1
        schedule.relax_all(run, there.view(), {distance.data(), changed.data()});
        run.wait();
      } while (changed.to_host().front() == 1 && ++rounds <= vertices);
      EXPECT_LE(rounds, vertices) << "it must settle";
      EXPECT_EQ(distance.to_host(), expected);
    });
  }
}

}  // namespace tests
