// SPDX-License-Identifier: Apache-2.0
//
// Numbers from text against the C library: correctly rounded in every path, of every length, at every edge.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <evenly/io/detail/number.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

namespace {

using namespace evenly::detail::mtx;

template <class Real>
Real by_the_library(const std::string& text) {
  if constexpr (sizeof(Real) == sizeof(float)) return std::strtof(text.c_str(), nullptr);
  else return std::strtod(text.c_str(), nullptr);
}

template <class Real>
Real parsed(const std::string& text) {
  const std::string padded = text + '\n' + std::string(8, '\0');
  Real value = 0;
  const char* end = parse_real(padded.data(), value);
  EXPECT_EQ(end, padded.data() + text.size()) << text;
  return value;
}

template <class Real>
bool agrees(const std::string& text) {
  using bits = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;
  const Real expected = by_the_library<Real>(text), got = parsed<Real>(text);
  if (std::bit_cast<bits>(expected) == std::bit_cast<bits>(got)) return true;
  ADD_FAILURE() << text << ": " << got << " for " << expected;
  return false;
}

std::string printed(const char* format, double value) {
  std::array<char, 512> text;
  return {text.data(), static_cast<std::size_t>(std::snprintf(text.data(), text.size(), format, value))};
}

TEST(number, a_real_is_rounded_as_the_c_library_does) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200000; ++i) {
    const auto any = std::bit_cast<double>(random());
    const double near_one = std::uniform_real_distribution<double>(-1000, 1000)(random);
    const double value = i % 2 == 0 ? near_one : any;
    if (!std::isfinite(value)) continue;
    const char* const formats[] = {"%.17g", "%.16g", "%.16e", "%.9g", "%.6f", "%.0f", "%.25g", "%.3e"};
    const std::string text = printed(formats[random() % std::size(formats)], value);
    ASSERT_TRUE(agrees<double>(text));
    ASSERT_TRUE(agrees<float>(text));
  }
}

TEST(number, every_digit_count_and_power_of_ten_is_rounded_right) {
  std::mt19937_64 random(11);
  for (int digits = 1; digits <= 22; ++digits)
    for (int power = -45; power <= 45; ++power)
      for (int i = 0; i < 20; ++i) {
        std::string text = i % 2 == 0 ? "-" : "";
        for (int k = 0; k < digits; ++k) text += static_cast<char>('0' + (i % 5 == 0 ? 9 : random() % 10));
        text.insert(text.size() - random() % (static_cast<std::size_t>(digits) + 1), ".");
        text += 'e' + std::to_string(power);
        ASSERT_TRUE(agrees<double>(text));
        ASSERT_TRUE(agrees<float>(text));
      }
}

TEST(number, halfway_cases_go_to_even_and_a_hair_beyond_does_not) {
  std::mt19937_64 random(13);
  for (int i = 0; i < 20000; ++i) {
    // Halfway between two neighbours of 54 bits: a decimal of at most 19 digits that is exact.
    const std::uint64_t odd = (random() >> 10U | std::uint64_t{1} << 53U) | 1U;
    const std::string text = std::to_string(odd);
    ASSERT_TRUE(agrees<double>(text));
    ASSERT_TRUE(agrees<double>(text + ".0"));
    ASSERT_TRUE(agrees<double>(text + ".001"));
    ASSERT_TRUE(agrees<double>(text + ".0000000000000000000000000000000000000001"));
    const std::uint64_t float_odd = (random() >> 39U | std::uint64_t{1} << 24U) | 1U;
    const int shift = static_cast<int>(random() % 30);
    ASSERT_TRUE(agrees<float>(std::to_string(float_odd << shift)));
    ASSERT_TRUE(agrees<float>(std::to_string((float_odd << shift) + 1)));
    ASSERT_TRUE(agrees<float>(printed("%.30f", static_cast<double>(float_odd) * std::ldexp(1.0, -shift))));
  }
}

TEST(number, division_by_powers_of_five_is_exact) {
  std::mt19937_64 random(17);
  for (const auto& five : powers_of_five)
    for (int i = 0; i < 20000; ++i) {
      std::uint64_t upper = random() >> (random() % 64), lower = random() >> (random() % 64);
      if (i % 3 == 0) upper = five.value - 1 - upper % 4;  // close to the largest allowed
      if (i % 5 == 0) lower = ~std::uint64_t{0} - lower % 4;
      upper %= five.value;
      const wide numerator = wide{upper} << 64U | lower;
      const auto quotient = static_cast<std::uint64_t>(numerator / five.value);
      const bool rest = numerator % five.value != 0;
      ASSERT_EQ(divide_sticky(upper, lower, five), quotient | (rest ? 1U : 0U)) << five.value;
    }
}

TEST(number, integers_up_to_both_ends_of_64_bits) {
  const auto read = [](const std::string& text) {
    const std::string padded = text + '\n' + std::string(8, '\0');
    std::int64_t value = 0;
    bool overflow = false;
    const char* end = parse_integer(padded.data(), value, overflow);
    EXPECT_EQ(end, padded.data() + text.size()) << text;
    return overflow ? "overflow" : std::to_string(value);
  };
  for (const std::string text :
       {"0", "1", "-1", "9223372036854775807", "-9223372036854775808", "12345678", "123456789"})
    EXPECT_EQ(read(text), text);
  EXPECT_EQ(read("+0000000000000000000000000000000042"), "42");
  EXPECT_EQ(read("-0"), "0");
  for (const std::string text :
       {"9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
        "99999999999999999999", "100000000000000000000", "1000000000000000000000000000000"})
    EXPECT_EQ(read(text), "overflow") << text;
}

TEST(number, an_unsigned_beyond_64_bits_saturates) {
  const auto read = [](const std::string& text) {
    const std::string padded = text + ' ' + std::string(8, '\0');
    std::uint64_t value = 0;
    return parse_unsigned(padded.data(), value) == nullptr ? std::string("none") : std::to_string(value);
  };
  EXPECT_EQ(read("18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(read("18446744073709551616"), "18446744073709551615");
  EXPECT_EQ(read("36893488147419103232"), "18446744073709551615");  // 2^65 would wrap to 0
  EXPECT_EQ(read("00000000000000000000000018446744073709551614"), "18446744073709551614");
  EXPECT_EQ(read("+7"), "7");
  for (const std::string text : {"", "+", "-1", "+-1", "x"}) EXPECT_EQ(read(text), "none") << text;
}

}  // namespace
