// SPDX-License-Identifier: Apache-2.0
//
// The contract's edge table on host, and the rows that no executor takes part in.
#include "edge_table.hpp"

#include <evenly/exec/host.hpp>
#include <evenly/simt.hpp>
#include <evenly/sparse/convert.hpp>
#include <evenly/sparse/validate.hpp>

#include <gtest/gtest.h>

namespace tests {
INSTANTIATE_TYPED_TEST_SUITE_P(host, EdgeTable, evenly::host);
}

namespace {

// tile_begin(num_tiles + 1) is never read: a set that notes it. (What the shares ask is noted in every_schedule_test.cpp.)
template <class Schedule>
void never_strays(Schedule const& schedule) {
  auto const offsets = tests::offsets_of<int>({0, 5, 0, 900, 3, 0});
  bool strayed = false;
  tests::watched_tiles<int, int> const set{offsets.data(), 6, &strayed};
  std::vector<int> visits(909, -1), emissions(7, -1);
  std::vector<std::int64_t> out(6);
  evenly::reduce_tiles(evenly::host({.threads = 1}), set, schedule,
                       tests::counted_map<tests::integer_sum, int, int>{{visits.data(), 908}},
                       evenly::plus<std::int64_t>{},
                       tests::counted_emit<std::int64_t, int>{out.data(), {emissions.data(), 6}});
  EXPECT_FALSE(strayed) << tests::show(schedule);
}
TEST(EdgeTable, tile_begin_beyond_num_tiles_is_never_read) {
  never_strays(evenly::thread_mapped{}), never_strays(evenly::group_mapped{}), never_strays(evenly::group_dealt{});
  never_strays(evenly::merge_path{3}), never_strays(evenly::nonzero_split{3});
}

// COO: rows in any order are sorted by the conversion, stably; duplicates stay until a product sums them.
TEST(EdgeTable, coo_whose_rows_are_unsorted_is_sorted_stably_and_its_duplicates_are_summed) {
  evenly::coo<float> const entries{{1, 2, 4, 8, 16, 32}, {2, 0, 2, 0, 2, 0}, {1, 1, 0, 1, 1, 2}, {3, 3}};
  auto const A = evenly::to_csr<float>(entries);
  EXPECT_EQ(A.offsets, (std::vector<int>{0, 3, 3, 6}));
  EXPECT_EQ(A.columns, (std::vector<int>{1, 1, 2, 1, 0, 1}));
  EXPECT_EQ(A.values, (std::vector<float>{2, 8, 32, 1, 4, 16}));
  tests::for_each_product(evenly::host(), A, {1, 10, 100}, std::vector<float>(3, tests::nan), {},
                          [](auto const& y) { EXPECT_EQ(y, (std::vector<float>{3300, 0, 174})); });
}

template <class Executor>
void names_the_first_bad_row(Executor const& run) {
  using evenly::csr_rule;
  evenly::csr<float> const sound{{1, 2, 3, 4}, {0, 2, 2, 4}, {0, 2, 1, 2}, {3, 3}};
  auto const judged = [&](auto const& damage) {
    auto A = sound;
    damage(A);
    return evenly::validate(run,
                            evenly::csr_view<float>(A.values.data(), A.offsets.data(), A.columns.data(), A.shape, 4));
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
TEST(EdgeTable, bad_structure_is_named_by_its_first_bad_row_and_rule) {
  names_the_first_bad_row(evenly::host());
  names_the_first_bad_row(evenly::simt());
}

// Sizes that do not fit: refused with the size and the type, before anything is allocated.
std::string refusal(void (*f)()) {
  try {
    f();
  } catch (evenly::argument_error const& error) { return error.what(); }
  return "no refusal";
}
void expect_words(std::string const& text, std::initializer_list<char const*> words) {
  for (char const* word : words)
    EXPECT_NE(text.find(word), std::string::npos) << "'" << word << "' is not in: " << text;
}
TEST(EdgeTableSizes, rows_that_do_not_fit_the_offset_type_are_refused_by_size_and_type) {
  expect_words(refusal([] { evenly::csr_view<float>(nullptr, nullptr, nullptr, {std::int64_t{1} << 31, 1}, 0); }),
               {"2147483648 rows", "32-bit"});
  expect_words(
      refusal([] { evenly::csr_view<float, std::int64_t, std::int16_t>(nullptr, nullptr, nullptr, {1, 40'000}, 0); }),
      {"40000 columns", "16-bit"});
  expect_words(refusal([] { evenly::csr_view<float>(nullptr, nullptr, nullptr, {-1, 1}, 0); }), {"-1 rows"});
}
TEST(EdgeTableSizes, a_conversion_refuses_sizes_that_do_not_fit_before_it_allocates) {
  // had it allocated offsets for 2^62 rows, this would be bad_alloc
  expect_words(
      refusal([] {
        evenly::to_csr<float, std::int32_t>(evenly::coo<float, std::int64_t>{{}, {}, {}, {std::int64_t{1} << 62, 1}});
      }),
      {"4611686018427387904 rows", "32-bit"});
  expect_words(refusal([] {
                 std::vector<int> const zeros(200, 0);
                 evenly::to_csr<float, std::int8_t>(evenly::coo<float>{std::vector<float>(200), zeros, zeros, {1, 1}});
               }),
               {"200 nonzeros", "8-bit"});
  expect_words(
      refusal([] { evenly::to_coo<std::int8_t>(evenly::csr<float>{{}, std::vector<int>(201, 0), {}, {200, 1}}); }),
      {"200 rows", "8-bit"});
}
TEST(EdgeTableSizes, a_64_bit_type_takes_sizes_beyond_32_bits) {
  evenly::csr_view<float, std::int64_t, std::int64_t> const A(nullptr, nullptr, nullptr,
                                                              {std::int64_t{1} << 40, std::int64_t{1} << 50}, 0);
  EXPECT_EQ(A.shape(), (evenly::shape{std::int64_t{1} << 40, std::int64_t{1} << 50}));
}

}  // namespace
