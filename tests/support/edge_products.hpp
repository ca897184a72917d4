// SPDX-License-Identifier: Apache-2.0
//
// Rows of the edge table that are about y = alpha A x + beta y.
#pragma once

#include "edge_schedules.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace tests {

template <class Executor>
void beta_zero_overwrites_y(Executor const& run) {
  auto const A = whole_matrix();
  auto const x = whole_vector(30);
  for (float old : {nan, inf, -inf, 7.0f})
    for (float alpha : {1.0f, 0.0f}) {
      std::vector<float> const y(A.offsets.size() - 1, old);
      for_each_product(run, A, x, y, {.alpha = alpha, .beta = 0.0f},
                       [&](auto const& result) { EXPECT_EQ(is_product(A, x, y, result, alpha, 0.0f), ""); });
      for_each_product(run, A, x, y, {.alpha = alpha, .beta = -0.0f},
                       [&](auto const& result) { EXPECT_EQ(is_product(A, x, y, result, alpha, 0.0f), ""); });
    }
}

template <class Executor>
void beta_nonzero_keeps_a_nan_of_y(Executor const& run) {
  auto const A = whole_matrix();
  std::vector<float> const y(A.offsets.size() - 1, nan);
  for (float beta : {1.0f, -2.5f, std::numeric_limits<float>::denorm_min()})
    for_each_product(run, A, whole_vector(30), y, {.alpha = 1, .beta = beta}, [&](auto const& result) {
      for (float value : result) EXPECT_TRUE(std::isnan(value));
    });
}

template <class Executor>
void alpha_zero_reads_neither_A_nor_x(Executor const& run) {
  auto A = whole_matrix();
  for (auto& value : A.values) value = nan;
  std::vector<float> const x(30, inf), y(A.offsets.size() - 1, 3.0f);
  for_each_product(run, A, x, y, {.alpha = 0, .beta = 2},
                   [&](auto const& result) { EXPECT_EQ(result, std::vector<float>(y.size(), 6.0f)); });
  for_each_product(run, A, x, y, {.alpha = 0, .beta = 0},
                   [&](auto const& result) { EXPECT_EQ(result, std::vector<float>(y.size(), 0.0f)); });
  // not even where they cannot be read
  device_vector<int, Executor> const offsets(run, A.offsets);
  device_vector<float, Executor> const y_there(run, y);
  evenly::csr_view<float> const unreadable(nullptr, offsets.data(), nullptr, A.shape, A.offsets.back());
  evenly::spmv(run, unreadable, evenly::view<float>(nullptr, 30), view_of(y_there), evenly::merge_path{},
               {.alpha = 0, .beta = 2});
  run.wait();
  EXPECT_EQ(y_there.to_host(), std::vector<float>(y.size(), 6.0f));
}

/// alpha and beta in the executor's memory, either or both of them. `absent`: a null pointer, which stands for 1 and 0.
template <class Executor>
void scalars_in_memory_branch_in_the_kernel(Executor const& run) {
  auto const A = whole_matrix();
  auto poisoned = A;
  for (std::size_t i = 0; i < A.values.size(); ++i) poisoned.values[i] = i % 2 != 0 ? nan : inf;
  auto const x = whole_vector(30);
  std::vector<float> const wild_x(30, inf), numbers(A.offsets.size() - 1, 3.0f), nans(numbers.size(), nan);
  device_matrix<float, int, int, Executor> const sound(run, A), wild(run, poisoned);
  device_vector<float, Executor> const x_there(run, x), wild_x_there(run, wild_x);
  device_vector<float, Executor> y(run), scalars(run, 2);
  constexpr float absent = 77;
  auto const options = [&](float alpha, float beta) {
    scalars.assign({alpha, beta});
    return evenly::spmv_device_options<float>{.alpha = alpha == absent ? nullptr : scalars.data(),
                                              .beta = beta == absent ? nullptr : scalars.data() + 1};
  };
  for_each_schedule(run, [&](auto const& schedule) {
    // alpha = 0: no NaN or Inf of A or x gets through; beta = 0, there or not: none of y's
    for (float alpha : {0.0f, -0.0f})
      for (float beta : {0.0f, -0.0f, absent, 1.0f, 2.5f, nan}) {
        bool const overwrites = beta == 0 || beta == absent;
        y.assign(overwrites ? nans : numbers);
        schedule.spmv_by_memory(run, wild.view(), view_of(wild_x_there), view_of(y), options(alpha, beta));
        run.wait();
        for (float value : y.to_host())
          if (std::isnan(beta)) EXPECT_TRUE(std::isnan(value));
          else EXPECT_EQ(value, overwrites ? 0.0f : 3 * beta);
      }
    for (float alpha : {absent, 1.0f, -2.5f})
      for (float beta : {absent, 0.0f, -0.0f, 1.0f, -2.5f})
        for (auto const* old : {&numbers, &nans}) {
          y.assign(*old);
          schedule.spmv_by_memory(run, sound.view(), view_of(x_there), view_of(y), options(alpha, beta));
          run.wait();
          EXPECT_EQ(is_product(A, x, *old, y.to_host(), alpha == absent ? 1 : alpha, beta == absent ? 0 : beta), "")
              << "alpha " << alpha << ", beta " << beta << (old == &nans ? ", y NaN" : "");
        }
  });
}

template <class Executor>
void stored_zero_times_inf_is_nan(Executor const& run) {
  evenly::csr<float> const A{{0, 1, 0, 1, 1}, {0, 2, 4, 5}, {0, 1, 2, 1, 1}, {3, 3}};
  std::vector<float> const x{inf, 5, nan}, y(3, 0.0f);
  for_each_product(run, A, x, y, {}, [](auto const& result) {
    EXPECT_TRUE(std::isnan(result[0]) && std::isnan(result[1]));
    EXPECT_EQ(result[2], 5.0f);  // nothing stored, nothing read
  });
}

template <class Executor>
void duplicates_are_summed(Executor const& run) {
  evenly::csr<float> const A{{1, 2, 4, 8, 16, 32}, {0, 4, 4, 6}, {1, 1, 0, 1, 2, 2}, {3, 3}};
  for_each_product(run, A, {1, 10, 100}, std::vector<float>(3, nan), {},
                   [](auto const& result) { EXPECT_EQ(result, (std::vector<float>{114, 0, 4800})); });
}

template <class Executor>
void unsorted_columns_are_accepted(Executor const& run) {
  evenly::csr<float> const A{{1, 2, 3, 4, 5}, {0, 3, 5}, {2, 0, 1, 1, 0}, {2, 3}};
  for_each_product(run, A, {1, 10, 100}, std::vector<float>(2, nan), {},
                   [](auto const& result) { EXPECT_EQ(result, (std::vector<float>{132, 45})); });
}

/// Arrays that hold more than belongs to the matrix: wild columns, offsets and values behind the last.
template <class Executor>
void entries_beyond_num_atoms_are_never_read(Executor const& run) {
  auto const A = whole_matrix();
  auto longer = A;
  for (int i = 0; i < 64; ++i)
    longer.columns.push_back(0x7FFFFFF0), longer.values.push_back(nan), longer.offsets.push_back(-1 - i);
  auto const x = whole_vector(30);
  device_vector<float, Executor> const values(run, longer.values), x_there(run, x);
  device_vector<int, Executor> const offsets(run, longer.offsets), columns(run, longer.columns);
  evenly::csr_view<float> const view(values.data(), offsets.data(), columns.data(), A.shape, A.offsets.back());
  for_each_schedule(run, [&](auto const& schedule) {
    device_vector<float, Executor> const y(run, A.offsets.size() - 1 + 4);
    schedule.spmv(run, view, view_of(x_there), evenly::view<float>(y.data(), A.shape.rows), {});
    run.wait();
    auto result = y.to_host();
    for (int i = 0; i < 4; ++i) {
      EXPECT_TRUE(std::isnan(result.back())) << "beyond y";
      result.pop_back();
    }
    EXPECT_EQ(is_product(A, x, {}, result, 1.0f, 0.0f), "");
  });
}

template <class Executor>
void pointers_aligned_only_to_their_element(Executor const& run) {
  auto const A = random_matrix<float>({0, 1, 40, 0, 5, 700, 0, 3}, 30);
  auto const x = random_vector<float>(30);
  for_each_schedule(run, [&](auto const& schedule) {
    for (std::size_t shift = 0; shift < 64; ++shift) {
      std::size_t const by[4] = {shift % 4, shift / 4 % 4, shift / 16 % 4, (shift + 1) % 4};
      auto const shifted = [](auto array, std::size_t places) {
        return array.insert(array.begin(), places, {}), array;
      };
      device_vector<float, Executor> const values(run, shifted(A.values, by[0])), x_there(run, shifted(x, by[3]));
      device_vector<int, Executor> const columns(run, shifted(A.columns, by[1])),
          offsets(run, shifted(A.offsets, by[2]));
      device_vector<float, Executor> const y(run, A.offsets.size() - 1 + by[3]);
      evenly::csr_view<float> const view(values.data() + by[0], offsets.data() + by[2], columns.data() + by[1], A.shape,
                                         A.offsets.back());
      schedule.spmv(run, view, evenly::view<float>(x_there.data() + by[3], 30),
                    evenly::view<float>(y.data() + by[3], A.shape.rows), {});
      run.wait();
      auto result = y.to_host();
      for (std::size_t i = 0; i < by[3]; ++i) EXPECT_TRUE(std::isnan(result[i]));
      result.erase(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(by[3]));
      ASSERT_EQ(is_product(A, x, {}, result, 1.0f, 0.0f), "") << "shift " << shift;
    }
  });
}

template <class Executor>
void y_that_meets_x_or_A_is_refused(Executor const& run) {
  // one stretch of memory from which all arrays are cut: 2 x 2, two nonzeros
  device_vector<std::int32_t, Executor> const memory(run,
                                                     std::vector<std::int32_t>{0, 1, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0});
  auto* const offsets = memory.data();
  auto* const columns = offsets + 3;
  auto* const values = reinterpret_cast<float*>(offsets + 5);
  auto* const x = values + 2;
  auto* const free = x + 2;
  evenly::csr_view<float> const A(values, offsets, columns, {2, 2}, 2);
  auto const refusal = [&](float* y) -> std::string {
    try {
      evenly::spmv(run, A, evenly::view<float>(x, 2), evenly::view<float>(y, 2), evenly::merge_path{});
    } catch (evenly::argument_error const& error) { return error.what(); }
    return "accepted";
  };
  auto const contains = [](std::string const& text, char const* words) {
    return text.find(words) != std::string::npos;
  };
  for (int shift : {-1, 0, 1}) {
    EXPECT_TRUE(contains(refusal(x + shift), "aliasing")) << shift;
    EXPECT_TRUE(contains(refusal(values + shift), "aliasing")) << shift;
    EXPECT_TRUE(contains(refusal(reinterpret_cast<float*>(columns + shift)), "aliasing")) << shift;
  }
  EXPECT_TRUE(contains(refusal(x), "y meets x"));
  EXPECT_TRUE(contains(refusal(values), "A's values"));
  EXPECT_TRUE(contains(refusal(reinterpret_cast<float*>(columns)), "A's columns"));
  EXPECT_TRUE(contains(refusal(reinterpret_cast<float*>(offsets)), "A's offsets"));
  EXPECT_TRUE(contains(refusal(reinterpret_cast<float*>(offsets + 1)), "A's offsets"));
  EXPECT_EQ(refusal(free), "accepted");  // neighbours that do not meet
  auto const with_scalars = [&](float const* alpha, float const* beta) -> std::string {
    try {
      evenly::spmv(run, A, evenly::view<float>(x, 2), evenly::view<float>(free, 2), evenly::merge_path{},
                   evenly::spmv_device_options<float>{alpha, beta});
    } catch (evenly::argument_error const& error) { return error.what(); }
    return "accepted";
  };
  for (int place : {0, 1}) {
    EXPECT_TRUE(contains(with_scalars(free + place, nullptr), "aliasing: y meets alpha")) << place;
    EXPECT_TRUE(contains(with_scalars(nullptr, free + place), "aliasing: y meets beta")) << place;
    EXPECT_TRUE(contains(with_scalars(x, free + place), "aliasing: y meets beta")) << place;
  }
  EXPECT_EQ(with_scalars(free + 2, free - 1), "accepted");
  run.wait();
}

template <class Executor>
void offsets_of_64_bits_with_columns_of_32(Executor const& run) {
  auto const A = random_matrix<float, std::int64_t, std::int32_t>({0, 1, 40, 0, 5, 1700, 0, 3}, 30);
  auto const x = random_vector<float>(30);
  device_matrix<float, std::int64_t, std::int32_t, Executor> const matrix(run, A);
  device_vector<float, Executor> const x_there(run, x);
  auto const multiply = [&](auto const& schedule) {
    device_vector<float, Executor> const y(run, 8);
    evenly::spmv(run, matrix.view(), view_of(x_there), view_of(y), schedule);
    run.wait();
    EXPECT_EQ(is_product(A, x, {}, y.to_host(), 1.0f, 0.0f), "") << show(schedule) << " on " << Executor::name;
  };
  multiply(evenly::merge_path{}), multiply(evenly::group_mapped{}), multiply(evenly::group_dealt{});
}

}  // namespace tests
