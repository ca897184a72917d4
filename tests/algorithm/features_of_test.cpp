// SPDX-License-Identifier: Apache-2.0
//
// Features on host and simt: equal to a plain loop's counts and to each other.
#include "features_suite.hpp"

#include <evenly/exec/host.hpp>
#include <evenly/simt.hpp>

#include <gtest/gtest.h>

namespace {

class Features : public ::testing::Test {
 public:
  evenly::host host{{.threads = 3}};
  evenly::simt simt{{.seed = 7, .threads = 64}};
};

TEST_F(Features, counts_rows_as_a_plain_loop_does) {
  for (auto const& adversary : tests::adversaries()) {
    tests::counts_rows_of<std::int32_t>(host, adversary.sizes);
    tests::counts_rows_of<std::int64_t>(host, adversary.sizes);
    tests::counts_rows_of<std::uint32_t>(host, adversary.sizes);
    if (adversary.sizes.size() > 20'000) continue;
    tests::counts_rows_of<std::int32_t>(simt, adversary.sizes);
    tests::counts_rows_of<std::int64_t>(simt, adversary.sizes);
  }
}
TEST_F(Features, counts_random_rows_as_a_plain_loop_does) {
  tests::for_random_tile_sets("features of random rows", [&](tests::tile_sizes const& sizes) {
    tests::counts_rows_of<std::int32_t>(host, sizes);
    tests::counts_rows_of<std::int32_t>(simt, sizes);
    return ::testing::Test::HasFailure() ? "another count" : "";
  });
}

TEST_F(Features, ids_of_8_bits_count_their_tiles) {
  evenly::uniform_tiles<std::uint8_t, std::uint8_t> const set{85, 3};
  EXPECT_EQ(evenly::features_of(host, set).rows, tests::counted_plainly(tests::tile_sizes(85, 3)));
  EXPECT_EQ(evenly::features_of(simt, set).rows, tests::counted_plainly(tests::tile_sizes(85, 3)));
}

TEST_F(Features, tiles_of_2_32_atoms_and_more) {
  auto const begin = [](std::int64_t tile) { return tile * (std::int64_t{1} << 33) + tile * 5; };
  evenly::function_tiles const set{std::int64_t{40}, begin(40), begin};
  tests::tile_sizes const sizes(40, (std::int64_t{1} << 33) + 5);
  EXPECT_EQ(evenly::features_of(host, set).rows, tests::counted_plainly(sizes));
  EXPECT_EQ(evenly::features_of(simt, set).rows, tests::counted_plainly(sizes));
}

TEST_F(Features, sectors_are_within_three_percent) { tests::estimates_sectors(host, 1 << 21); }

TEST_F(Features, sectors_are_the_same_on_simt_as_on_host) {
  for (int const atoms : {0, 1, 31, 2047, 2048, 2049, 8191, 8192, 20'000})
    for (auto const& pattern : tests::column_patterns(atoms)) {
      std::vector<std::int32_t> const offsets{0, atoms / 2, atoms};
      evenly::csr_view<float> const A(nullptr, offsets.data(), pattern.columns.data(), {2, pattern.count}, atoms);
      auto const found = evenly::features_of(host, A);
      EXPECT_EQ(found, evenly::features_of(simt, A)) << pattern.name << ", " << atoms << " atoms";
      EXPECT_GE(found.columns.sampled, std::min(atoms, 8192) / 2048 * 2048);
      EXPECT_LE(found.columns.sampled, 2 * atoms);  // runs of windows may overlap
    }
}

TEST_F(Features, no_tiles_at_all) {
  evenly::features const none = evenly::features_of(host, evenly::csr_view<float>{});
  EXPECT_EQ(none.rows, evenly::row_features{});
  EXPECT_EQ(none.columns.sampled, 0);
  EXPECT_EQ(none.rows.efficiency(3), 1);
}

TEST_F(Features, efficiency_is_of_the_longest_tile_of_each_warp) {
  // one lane a tile: 32 tiles of one warp, of which one has 64 atoms and 31 have 2
  tests::tile_sizes sizes(32, 2);
  sizes[5] = 64;
  auto const offsets = tests::offsets_of<int>(sizes);
  evenly::offset_tiles<int, int> const set{offsets.data(), 32, 126};
  auto const rows = evenly::features_of(host, set).rows;
  EXPECT_DOUBLE_EQ(rows.efficiency(0), 126.0 / (32 * 64));
  EXPECT_DOUBLE_EQ(rows.efficiency(5), 126.0 / (32 * (31 + 2)));
  EXPECT_EQ(rows.tiles_from(2), 1);
  EXPECT_EQ(rows.tiles_from(1), 32);
}

}  // namespace
