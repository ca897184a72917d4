// SPDX-License-Identifier: Apache-2.0
//
// Features on a GPU: the counts of a plain loop, and the same sectors as on the host.
#include "features_suite.hpp"
#include "gpu.hpp"

namespace {

class FeaturesOnCuda : public tests::Gpu {
 public:
  evenly::cuda run;
};

TEST_F(FeaturesOnCuda, counts_rows_as_a_plain_loop_does) {
  for (auto const& adversary : tests::adversaries()) {
    tests::counts_rows_of<std::int32_t>(run, adversary.sizes);
    tests::counts_rows_of<std::int64_t>(run, adversary.sizes);
    tests::counts_rows_of<std::uint32_t>(run, adversary.sizes);
  }
  tests::tile_sizes many;
  for (int i = 0; i < 3'000'000; ++i) many.push_back(static_cast<std::int64_t>(tests::scrambled(4, i) % 40u));
  tests::counts_rows_of<std::int32_t>(run, many);
}

TEST_F(FeaturesOnCuda, sectors_are_within_three_percent) { tests::estimates_sectors(run, 1 << 21); }

TEST_F(FeaturesOnCuda, sectors_are_the_same_as_on_the_host) {
  evenly::host const host({.threads = 2});
  for (int const atoms : {1, 2047, 8192, 20'000, 1'500'000})
    for (auto const& pattern : tests::column_patterns(atoms)) {
      std::vector<std::int32_t> const offsets{0, atoms / 2, atoms};
      tests::device_vector<std::int32_t, evenly::cuda> const starts(run, offsets), columns(run, pattern.columns);
      EXPECT_EQ(evenly::features_of(
                    run, evenly::csr_view<float>(nullptr, starts.data(), columns.data(), {2, pattern.count}, atoms)),
                evenly::features_of(host, evenly::csr_view<float>(nullptr, offsets.data(), pattern.columns.data(),
                                                                  {2, pattern.count}, atoms)))
          << pattern.name << ", " << atoms << " atoms";
    }
}

}  // namespace
