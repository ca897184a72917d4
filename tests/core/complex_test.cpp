// SPDX-License-Identifier: Apache-2.0
//
// One product formula everywhere, the formula the reference uses; std::complex's layout; conversions both ways.
#include <evenly/core/complex.hpp>

#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <limits>
#include <random>

namespace {

using z = evenly::complex<double>;

static_assert(z{1, 2} * z{3, 4} == z{-5, 10});
static_assert(z{1, 2} + z{3, 4} == z{4, 6} && z{1, 2} - z{3, 5} == z{-2, -3} && -z{1, -2} == z{-1, 2});
static_assert(conj(z{1, 2}) == z{1, -2} && z{3} == z{3, 0} && z{} == z{0, 0});
static_assert([] {
  z a{1, 2};
  a += z{1, 1};
  a *= z{2, 0};
  a -= z{4, 6};
  return a == z{0, 0};
}());
static_assert(evenly::is_complex<z> && !evenly::is_complex<double>);
static_assert(std::is_same_v<evenly::real_of_t<z>, double> && std::is_same_v<evenly::real_of_t<float>, float>);
static_assert(z{evenly::complex<float>{1, 2}} == z{1, 2});
static_assert(sizeof(evenly::complex<float>) == 8 && alignof(evenly::complex<float>) == 4 &&
              std::is_trivially_copyable_v<z>);

TEST(Complex, is_laid_out_as_std_complex) {
  std::complex<double> const theirs[2] = {{1, 2}, {3, 4}};
  z ours[2];
  std::memcpy(ours, theirs, sizeof(ours));
  EXPECT_TRUE((ours[0] == z{1, 2} && ours[1] == z{3, 4}));
}

TEST(Complex, converts_to_and_from_std_complex) {
  std::complex<float> const theirs{1.5f, -2};
  evenly::complex<float> const ours = theirs;
  std::complex<float> const back = ours;
  EXPECT_EQ(back, theirs);
}

// To the bit, with no fused multiply-add in between where the compiler is not asked for it.
TEST(Complex, product_is_the_formula) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-2, 2);
  for (int i = 0; i < 1000; ++i) {
    z const a{any(random), any(random)}, b{any(random), any(random)}, product = a * b;
    double const bound = 4 * std::numeric_limits<double>::epsilon();
    EXPECT_NEAR(product.re, a.re * b.re - a.im * b.im, bound * (std::abs(a.re * b.re) + std::abs(a.im * b.im)));
    EXPECT_NEAR(product.im, a.re * b.im + a.im * b.re, bound * (std::abs(a.re * b.im) + std::abs(a.im * b.re)));
    EXPECT_TRUE(conj(a) * conj(b) == conj(product));
  }
}

// Where C++'s own product recovers an infinity, ours says what the formula says: NaN.
TEST(Complex, product_recovers_no_infinities) {
  double const inf = std::numeric_limits<double>::infinity();
  z const product = z{inf, 0} * z{1, 0};
  EXPECT_EQ(product.re, inf);
  EXPECT_TRUE(std::isnan(product.im));
}

}  // namespace
