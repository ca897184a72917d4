// SPDX-License-Identifier: Apache-2.0
//
// csr_view is a tile set whose rows are tiles, with columns and values as operands; its sizes are checked against its types.
#include "properties.hpp"

#include <evenly/sparse/csr.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace {

using wide = evenly::csr_view<float, std::int64_t, std::int32_t>;
static_assert(evenly::tile_set<evenly::csr_view<float>> && evenly::tile_set<wide> &&
              std::is_trivially_copyable_v<wide>);
static_assert(std::is_same_v<evenly::tile_of_t<wide>, std::int64_t> &&
              std::is_same_v<evenly::atom_of_t<wide>, std::int64_t>);
static_assert(std::is_same_v<wide::column_type, std::int32_t>);

constexpr std::int64_t offsets[] = {0, 2, 2, 3};
constexpr std::int32_t columns[] = {4, 1, 0};
constexpr float values[] = {0.5f, 1.5f, 2.5f};
constexpr wide A(values, offsets, columns, {3, 5}, 3);
static_assert(A.num_tiles() == 3 && A.num_atoms() == 3 && A.tile_begin(1) == 2 && A.tile_begin(3) == 3 &&
              evenly::tile_size(A, 1) == 0);
static_assert(A.value(1) == 1.5f && A.column(0) == 4 && A.shape() == evenly::shape{3, 5});
static_assert(A.operands().load(0, [](std::int32_t column, float value) { return column == 4 && value == 0.5f; }));
constexpr evenly::csr_view<double> none{};
static_assert(none.num_tiles() == 0 && none.num_atoms() == 0 && none.shape() == evenly::shape{});

TEST(CsrView, of_64_bit_offsets_and_32_bit_columns_is_a_tile_set) {
  EXPECT_EQ(tests::covers_every_atom_once(A, evenly::merge_path{2}), "");
  EXPECT_EQ(tests::flat_equals_nested(A, evenly::nonzero_split{2}), "");
}

template <class F>
std::string refusal(F&& f) {
  try {
    f();
  } catch (evenly::argument_error const& error) { return error.what(); }
  return "no refusal";
}
void expect_words(std::string const& text, std::initializer_list<char const*> words) {
  for (char const* word : words)
    EXPECT_NE(text.find(word), std::string::npos) << "'" << word << "' is not in: " << text;
}

TEST(CsrView, refuses_sizes_beyond_its_types) {
  auto const make = [](evenly::shape shape) {
    return refusal([&] { evenly::csr_view<float>(nullptr, nullptr, nullptr, shape, 0); });
  };
  std::int64_t const top = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(make({top - 1, top - 1}), "no refusal");
  expect_words(make({top, 1}), {"2147483647 rows", "32-bit offset", "64-bit"});
  expect_words(make({1, top + 1}), {"2147483648 columns", "32-bit column"});
  expect_words(make({1, -5}), {"-5 columns"});
}
TEST(CsrView, from_views_refuses_lengths_that_contradict_the_shape) {
  std::vector<float> v(3);
  std::vector<int> o{0, 1, 3}, c{0, 1, 2};
  auto const make = [&](std::int64_t n_values, std::int64_t n_offsets, std::int64_t n_columns) {
    return refusal([&] {
      evenly::csr_view made(evenly::view<float>(v.data(), n_values), evenly::view<int>(o.data(), n_offsets),
                            evenly::view<int>(c.data(), n_columns), {2, 3});
      static_cast<void>(made);
    });
  };
  EXPECT_EQ(make(3, 3, 3), "no refusal");
  expect_words(make(3, 4, 3), {"4 offsets", "2 rows"});
  expect_words(make(2, 3, 3), {"2 values", "3 columns"});
}

TEST(Csr, its_view_shows_its_arrays) {
  evenly::csr<double> const owned{{1, 2, 3}, {0, 1, 3}, {2, 0, 1}, {2, 3}};
  auto const view = owned.view();
  EXPECT_EQ(owned.nnz(), 3);
  EXPECT_EQ(view.num_atoms(), 3);
  EXPECT_EQ(view.num_tiles(), 2);
  EXPECT_EQ(view.value(2), 3);
  EXPECT_EQ(view.column(0), 2);
}

// More nonzeros than the offset type counts are refused by name, not cut off.
TEST(EdgeTableSizes, nonzeros_that_do_not_fit_the_offset_type_are_refused_by_a_view) {
  evenly::csr<float, std::int8_t, std::int32_t> const many{
      std::vector<float>(200), {0, 100}, std::vector<std::int32_t>(200), {1, 1}};
  expect_words(refusal([&] { many.view(); }), {"200", "8-bit"});
}
// Unsigned 64-bit offsets hold any size.
TEST(EdgeTableSizes, unsigned_64_bit_types_take_any_size) {
  EXPECT_EQ(
      refusal([] { evenly::csr_view<float, std::uint64_t, std::uint64_t>(nullptr, nullptr, nullptr, {5, 7}, 0); }),
      "no refusal");
}

}  // namespace
