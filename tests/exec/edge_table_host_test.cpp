// SPDX-License-Identifier: Apache-2.0
//
// The contract's edge table on host, and the rows that no executor takes part in.
#include "edge_table.hpp"

#include <evenly/exec/host.hpp>
#include <evenly/sparse/convert.hpp>

#include <gtest/gtest.h>

namespace tests {
INSTANTIATE_TYPED_TEST_SUITE_P(host, EdgeTable, evenly::host);
}

namespace {

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
