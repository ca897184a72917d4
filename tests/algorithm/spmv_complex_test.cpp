// SPDX-License-Identifier: Apache-2.0
//
// SpMV over complex numbers, and with every pair of 32- and 64-bit offsets and columns.
#include "spmv_suite.hpp"

#include <evenly/exec/host.hpp>
#include <evenly/simt.hpp>

#include <gtest/gtest.h>

namespace {

using evenly::complex;

TEST(SpmvComplex, is_within_its_bound) {
  evenly::host const host({.threads = 2});
  tests::multiplies_right<complex<double>, complex<double>>(host, evenly::merge_path{});
  tests::multiplies_right<complex<double>, complex<double>>(host, evenly::group_mapped{5});
  tests::multiplies_right<complex<float>, complex<float>>(host, evenly::nonzero_split{});
  tests::multiplies_right<complex<float>, complex<float>>(evenly::simt(), evenly::merge_path{});
}

TEST(SpmvIndexTypes, offsets_of_64_bits_with_columns_of_32) {
  evenly::host const host({.threads = 2});
  tests::multiplies_right<float, float, evenly::host, evenly::merge_path, std::int64_t, std::int32_t>(host, {});
  tests::multiplies_right<float, float, evenly::host, evenly::group_mapped, std::int64_t, std::int32_t>(host, {});
  tests::multiplies_right<float, float, evenly::simt, evenly::merge_path, std::int64_t, std::int32_t>(evenly::simt(),
                                                                                                      {});
}
TEST(SpmvIndexTypes, all_other_pairs) {
  evenly::host const host({.threads = 2});
  tests::multiplies_right<double, double, evenly::host, evenly::merge_path, std::int64_t, std::int64_t>(host, {});
  tests::multiplies_right<double, double, evenly::host, evenly::merge_path, std::int32_t, std::int64_t>(host, {});
  tests::multiplies_right<double, double, evenly::host, evenly::merge_path, std::uint32_t, std::uint16_t>(host, {});
}

// One product formula everywhere: what a map multiplies on the host and on emulated lanes has the same bits.
struct square {
  complex<double> const* z;
  complex<double> operator()(int, int atom) const { return z[atom] * z[atom]; }
};
struct keep {
  complex<double>* out;
  void operator()(int tile, complex<double> value) const { out[tile] = value; }
};
TEST(SpmvComplex, the_product_is_the_same_on_every_executor) {
  auto const z = tests::random_vector<complex<double>>(500);
  std::vector<complex<double>> on_host(500), on_simt(500);
  evenly::uniform_tiles<int, int> const ones{500, 1};
  evenly::reduce_tiles(evenly::host(), ones, evenly::thread_mapped{}, square{z.data()}, evenly::plus<complex<double>>{},
                       keep{on_host.data()});
  evenly::reduce_tiles(evenly::simt(), ones, evenly::thread_mapped{}, square{z.data()}, evenly::plus<complex<double>>{},
                       keep{on_simt.data()});
  for (std::size_t i = 0; i < z.size(); ++i) {
    EXPECT_TRUE(on_host[i] == on_simt[i]);
    EXPECT_TRUE((on_host[i] == complex<double>{} + z[i] * z[i]));
  }
}

}  // namespace
