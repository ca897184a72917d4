// SPDX-License-Identifier: Apache-2.0
//
// Numbers from text, for the inner loop of the reader. Nothing here looks for an end: the caller promises that a
// newline follows and that 8 bytes behind it may be read, so a number ends at the first byte that cannot continue it.
// Digits are taken eight at a time. A real with at most 19 digits and a small power of ten is converted exactly with
// one division or product of doubles, or one of 128-bit integers (numerator, denominator and remainder all exact, so
// the rounding is right by construction and needs no table beyond 5^27); everything else goes to std::from_chars.
#pragma once

#include <array>
#include <bit>
#include <cfloat>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace evenly::detail::mtx {

__extension__ using wide = unsigned __int128;

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// What may stand between words of a line; a carriage return counts, so CRLF needs no rule of its own.
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
constexpr bool ends_word(char c) { return is_blank(c) || c == '\n'; }
constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

template <class T, std::size_t Size>
constexpr std::array<T, Size> powers(T base) {
  std::array<T, Size> table{};
  T power = 1;
  for (std::size_t i = 0; i < Size; ++i, power *= base) table[i] = power;
  return table;
}
inline constexpr auto integer_powers_of_ten = powers<std::uint64_t, 20>(10);
inline constexpr auto double_powers_of_ten = powers<double, 23>(10.0);  // 10^22 is the last one that is exact
inline constexpr auto float_powers_of_ten = powers<float, 11>(10.0F);   // and 10^10 among floats

template <class T>
constexpr const auto& exact_powers_of_ten() {
  if constexpr (sizeof(T) == sizeof(double)) return double_powers_of_ten;
  else return float_powers_of_ten;
}

/// A power of five with its top bit set, and what dividing by it needs.
struct normalised_power {
  std::uint64_t value;
  std::uint64_t reciprocal;  // floor((2^128 - 1) / value) - 2^64
  int shift;
};
inline constexpr auto powers_of_five = [] {  // 5^27 < 2^63
  std::array<normalised_power, 28> table{};
  const auto power = powers<std::uint64_t, 28>(5);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const int shift = std::countl_zero(power[i]);
    const std::uint64_t value = power[i] << shift;
    table[i] = {value, static_cast<std::uint64_t>(~wide{0} / value), shift};
  }
  return table;
}();

/// Appends the run of digits at p to value (modulo 2^64) and returns the end of the run.
inline const char* scan_digits(const char* p, std::uint64_t& value) {
  if constexpr (std::endian::native != std::endian::little) {
    for (; is_digit(*p); ++p) value = value * 10 + static_cast<std::uint64_t>(*p - '0');
    return p;
  }
  for (;;) {
    std::uint64_t block;
    std::memcpy(&block, p, 8);
    block ^= 0x3030303030303030U;  // digits become 0..9
    // Bytes above 9 raise their top bit. A carry out of a byte only spoils bytes behind the first that is raised.
    const std::uint64_t stops = ((block + 0x7676767676767676U) | block) & 0x8080808080808080U;
    const int count = stops == 0 ? 8 : std::countr_zero(stops) / 8;
    block = block << (4 * (8 - count)) << (4 * (8 - count));  // right-aligned; a shift by 64 is not defined
    block = block * 10 + (block >> 8);                        // pairs, then fours, then all eight
    constexpr std::uint64_t pairs = 0x000000FF000000FFU;
    block = ((block & pairs) * 0x000F424000000064U + ((block >> 16) & pairs) * 0x0000271000000001U) >> 32;
    value = value * integer_powers_of_ten[static_cast<std::size_t>(count)] + block;
    if (count < 8) return p + count;
    p += 8;  // not `count`: the next load need not wait for it
  }
}

/// An unsigned integer with an optional plus sign; beyond 64 bits it saturates. Null when there is no digit.
inline const char* parse_unsigned(const char* p, std::uint64_t& out) {
  out = 0;
  const char* end = scan_digits(p, out);
  if (end - p - 1 < 18 && end != p) return end;
  if (*p == '+') end = scan_digits(++p, out);
  if (end == p) return nullptr;
  while (*p == '0') ++p;
  const auto digits = end - p;
  if (digits > 20) out = std::numeric_limits<std::uint64_t>::max();
  if (digits < 20 || digits > 20) return end;
  std::uint64_t check = 0;
  const auto status = std::from_chars(p, end, check).ec;
  out = status == std::errc{} ? check : std::numeric_limits<std::uint64_t>::max();
  return end;
}

/// A signed 64-bit integer. Null when there is no digit; `overflow` is set when it does not fit.
inline const char* parse_integer(const char* p, std::int64_t& out, bool& overflow) {
  const bool negative = *p == '-';
  if (negative || *p == '+') ++p;
  if (!is_digit(*p)) return nullptr;
  std::uint64_t magnitude = 0;
  p = parse_unsigned(p, magnitude);
  const std::uint64_t most = std::uint64_t{1} << 63U;
  if (magnitude > most - (negative ? 0U : 1U)) overflow = true;
  out = static_cast<std::int64_t>(negative ? 0U - magnitude : magnitude);
  return p;
}

/// floor(upper * 2^64 / divisor) for upper < divisor, its lowest bit set also where something was cut off.
/// Source: Moeller and Granlund, "Improved division by invariant integers", IEEE Trans. Computers 60 (2011),
/// algorithm 4.
inline std::uint64_t divide_sticky(std::uint64_t upper, std::uint64_t lower, const normalised_power& divisor) {
  const wide guess = wide{divisor.reciprocal} * upper + ((wide{upper} << 64U) | lower);
  std::uint64_t quotient = static_cast<std::uint64_t>(guess >> 64U) + 1;
  std::uint64_t remainder = lower - quotient * divisor.value;
  const std::uint64_t over = remainder > static_cast<std::uint64_t>(guess) ? ~std::uint64_t{0} : 0U;
  quotient += over;
  remainder += over & divisor.value;
  if (remainder >= divisor.value) [[unlikely]] {
    ++quotient;
    remainder -= divisor.value;
  }
  return quotient | (remainder != 0 ? 1U : 0U);
}

/// mantissa * 10^exponent, rounded once. Needs mantissa > 0 and |exponent| <= 27.
template <class T>
inline T scale_exactly(std::uint64_t mantissa, int exponent) {
  const auto& five = powers_of_five[static_cast<std::size_t>(exponent < 0 ? -exponent : exponent)];
  const int up = std::countl_zero(mantissa);
  mantissa <<= up;
  std::uint64_t bits = 0;  // 62 or 63 bits and the sticky one: twice T's
  int binary = exponent - up;
  if (exponent < 0) {
    bits = divide_sticky(mantissa >> 2U, mantissa << 62U, five);
    binary += five.shift - 62;
  } else {
    const wide product = wide{mantissa} * five.value;
    bits = static_cast<std::uint64_t>(product >> 65U) | ((product << 63U) != 0 ? 1U : 0U);
    binary += 65 - five.shift;
  }
  const auto rounded = static_cast<double>(static_cast<T>(static_cast<std::int64_t>(bits)));
  const auto scale = std::bit_cast<double>(static_cast<std::uint64_t>(binary + 1023) << 52U);
  return static_cast<T>(rounded * scale);  // exact, or infinity
}

/// +-mantissa * 10^exponent of a mantissa of so many digits (at most 19), correctly rounded. False: beyond what is
/// fast.
template <class T>
inline bool compose_real(std::uint64_t mantissa, std::int64_t digits, std::int64_t exponent, bool negative, T& out) {
  // The number of digits, not the mantissa, chooses the path: it hardly changes within a file, so the branch is
  // foreseen.
  constexpr auto few = std::numeric_limits<T>::digits10;
  constexpr const auto& tens = exact_powers_of_ten<T>();
  constexpr auto last = static_cast<std::int64_t>(tens.size()) - 1;
  T value = 0;
  if (FLT_EVAL_METHOD == 0 && digits <= few && exponent <= last && exponent >= -last) {
    value = static_cast<T>(static_cast<std::int64_t>(mantissa));
    if (exponent < 0) value /= tens[static_cast<std::size_t>(-exponent)];
    else value *= tens[static_cast<std::size_t>(exponent)];
  } else if (mantissa != 0) {
    if (exponent > 27 || exponent < -27) return false;
    value = scale_exactly<T>(mantissa, static_cast<int>(exponent));
  }
  using bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  out =
      std::bit_cast<T>(std::bit_cast<bits>(value) | (static_cast<bits>(negative) << (8 * sizeof(T) - 1)));  // no branch
  return true;
}

/// The general case: any number of digits, any exponent; beyond the range it becomes infinity or zero.
template <class T>
T convert_slowly(const char* begin, const char* end, bool negative) {
  std::string text(begin, end);  // no sign, and Fortran's d becomes e
  std::int64_t magnitude = 0;    // of the first nonzero digit: tells over from underflow
  bool seen = false, point = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char& c = text[i];
    if (c == '.') point = true;
    else if (!is_digit(c)) {
      c = 'e';
      if (text[i + 1] == '+') text.erase(i + 1, 1);
      std::int64_t exponent = 0;
      const auto status = std::from_chars(text.data() + i + 1, text.data() + text.size(), exponent).ec;
      if (status != std::errc{} || exponent > 1000000000 || exponent < -1000000000)
        exponent = text[i + 1] == '-' ? -1000000000000 : 1000000000000;
      magnitude += exponent;
      break;
    } else {
      seen = seen || c != '0';
      if (seen && !point) ++magnitude;
      if (!seen && point) --magnitude;
    }
  }
  T value = 0;
  const auto status = std::from_chars(text.data(), text.data() + text.size(), value).ec;
  if (status == std::errc::result_out_of_range) value = magnitude > 0 ? std::numeric_limits<T>::infinity() : T{0};
  if (!seen) value = 0;
  return negative ? -value : value;
}

/// nan, inf, infinity in any letter case, or null.
template <class T>
const char* parse_named(const char* p, bool negative, T& out) {
  const auto starts = [p](std::string_view word) {
    for (std::size_t i = 0; i < word.size(); ++i)
      if (to_lower(p[i]) != word[i]) return false;
    return true;
  };
  const T sign = negative ? T{-1} : T{1};
  if (starts("nan"))
    return out = negative ? -std::numeric_limits<T>::quiet_NaN() : std::numeric_limits<T>::quiet_NaN(), p + 3;
  if (!starts("inf")) return nullptr;
  out = sign * std::numeric_limits<T>::infinity();
  return starts("infinity") ? p + 8 : p + 3;
}

/// A real: [+-] digits [. digits] [e|d [+-] digits], a digit before or behind the point, or nan, inf, infinity.
/// Correctly rounded. What overflows T becomes infinity, what underflows becomes zero, as IEEE conversion does.
template <class T>
const char* parse_real(const char* p, T& out) {
  const bool negative = *p == '-';
  p += static_cast<int>(negative) | static_cast<int>(*p == '+');  // no branch: signs are hard to foresee
  const char* const begin = p;
  std::uint64_t mantissa = 0;
  if (is_digit(*p) && is_digit(p[1])) p = scan_digits(p, mantissa);
  else if (is_digit(*p)) mantissa = static_cast<std::uint64_t>(*p++ - '0');
  auto digits = p - begin;
  std::int64_t exponent = 0;
  if (*p == '.') {
    const char* const fraction = ++p;
    p = scan_digits(p, mantissa);
    exponent = fraction - p;
    digits -= exponent;
  }
  if (digits == 0) return p == begin ? parse_named(begin, negative, out) : nullptr;
  if (!ends_word(*p)) {
    const char letter = to_lower(*p);
    if (letter != 'e' && letter != 'd') return p;  // the caller sees that no word ends here
    ++p;
    const bool down = *p == '-';
    if (down || *p == '+') ++p;
    if (!is_digit(*p)) return nullptr;
    std::uint64_t power = 0;
    p = parse_unsigned(p, power);
    if (power > 100000) return out = convert_slowly<T>(begin, p, negative), p;
    exponent += down ? -static_cast<std::int64_t>(power) : static_cast<std::int64_t>(power);
  }
  if (digits > 19) {  // leading zeros do not fill the mantissa
    for (const char* q = begin; *q == '0' || *q == '.'; ++q) digits -= *q == '0' ? 1 : 0;
    if (digits > 19) return out = convert_slowly<T>(begin, p, negative), p;
  }
  if (!compose_real(mantissa, digits, exponent, negative, out)) out = convert_slowly<T>(begin, p, negative);
  return p;
}

}  // namespace evenly::detail::mtx
