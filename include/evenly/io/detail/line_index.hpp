// SPDX-License-Identifier: Apache-2.0
//
// The common shape of an entry line, read many numbers at a time where the processor has AVX2 and BMI2. A first stage
// marks every blank and newline of a stretch of text (the idea of simdjson: Langdale, Lemire, "Parsing gigabytes of
// JSON per second", VLDB J. 28, 2019), so that no number waits for the end of the one before. Then the row, the column,
// and the digits on both sides of the point are converted in the lanes of one register. Every function here may answer
// "not the common shape"; the careful parser then decides about that line, so only speed is decided here.
#pragma once

#include <evenly/io/detail/number.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define EVENLY_IO_HAS_AVX2_PATH 1
#include <immintrin.h>

namespace evenly::detail::mtx {

#define EVENLY_IO_AVX2 [[gnu::target("avx2,bmi,bmi2,popcnt")]]
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
#define EVENLY_IO_INLINE [[gnu::always_inline]]
#else
#define EVENLY_IO_INLINE  // slow anyway, and quicker to compile
#endif

inline bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                          __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
  return has;
}

/// Where words end in a stretch of text: the places of all bytes up to ' ' (and of those beyond ASCII).
class line_index {
 public:
  static constexpr std::size_t stretch = 8192;  // bytes: the text and its marks stay in the first-level cache

  /// Marks [begin, begin + stretch), or less where that would pass `end`: whole blocks of 64 bytes only.
  EVENLY_IO_AVX2 void mark(const char* begin, const char* end) {
    begin_ = begin;
    std::uint32_t* place = places_.data();
    const auto left = static_cast<std::size_t>(end - begin);
    const std::size_t bytes = (left < stretch ? left : stretch) / 64 * 64;
    const __m256i above_blank = _mm256_set1_epi8(' ' + 1);
    for (std::size_t at = 0; at < bytes; at += 64) {
      const auto* text = reinterpret_cast<const __m256i*>(begin + at);
      const auto low = _mm256_movemask_epi8(_mm256_cmpgt_epi8(above_blank, _mm256_loadu_si256(text)));
      const auto high = _mm256_movemask_epi8(_mm256_cmpgt_epi8(above_blank, _mm256_loadu_si256(text + 1)));
      std::uint64_t marks = std::uint64_t{static_cast<std::uint32_t>(high)} << 32U | static_cast<std::uint32_t>(low);
      const auto count = static_cast<std::size_t>(__builtin_popcountll(marks));
      const auto base = static_cast<std::uint32_t>(at);
      for (std::size_t done = 0; done < count; done += 8)  // by eights: the exact number cannot be foreseen
        for (std::size_t i = done; i < done + 8; ++i) {
          place[i] = base + static_cast<std::uint32_t>(_tzcnt_u64(marks));
          marks = _blsr_u64(marks);
        }
      place += count;
    }
    size_ = static_cast<std::size_t>(place - places_.data());
  }

  std::size_t size() const { return size_; }
  const char* operator[](std::size_t i) const { return begin_ + places_[i]; }

 private:
  const char* begin_ = nullptr;
  std::size_t size_ = 0;
  std::array<std::uint32_t, stretch + 8> places_;
};

/// keep_last[n] keeps the last n of 8 characters, keep_last_16.data() + n is the same mask for 16.
inline constexpr auto keep_last = [] {
  std::array<std::uint64_t, 9> masks{};
  for (std::size_t n = 1; n < 9; ++n) masks[n] = ~std::uint64_t{0} << (8 * (8 - n));
  return masks;
}();
inline constexpr auto keep_last_16 = [] {
  std::array<unsigned char, 32> masks{};
  for (std::size_t i = 16; i < 32; ++i) masks[i] = 0xFF;
  return masks;
}();

/// The last n of the 8 characters before end as digits 0..9, what is in front of them as zeros.
inline std::uint64_t digits_before(const char* end, std::size_t n) {
  std::uint64_t block;
  std::memcpy(&block, end - 8, 8);
  return (block ^ 0x3030303030303030U) & keep_last[n];
}

/// Converts the digits of one line: four numbers of up to 8, and one of up to 16 that ends at `end`.
/// False when any of them is no digit.
struct line_numbers {
  std::uint32_t row = 0, column = 0, whole = 0, extra = 0;
  std::uint64_t last = 0;  // of up to 16 digits

  EVENLY_IO_AVX2 EVENLY_IO_INLINE bool convert(std::uint64_t r, std::uint64_t c, std::uint64_t w, std::uint64_t e,
                                               const char* end, std::size_t n) {
    const __m256i four = _mm256_set_epi64x(static_cast<long long>(e), static_cast<long long>(w),
                                           static_cast<long long>(c), static_cast<long long>(r));
    const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(end - 16));
    const __m128i keep = _mm_loadu_si128(reinterpret_cast<const __m128i*>(keep_last_16.data() + n));
    const __m128i one = _mm_and_si128(_mm_xor_si128(text, _mm_set1_epi8('0')), keep);
    const __m256i wrong = _mm256_or_si256(_mm256_subs_epu8(four, _mm256_set1_epi8(9)),
                                          _mm256_zextsi128_si256(_mm_subs_epu8(one, _mm_set1_epi8(9))));
    const __m256i fours =
        _mm256_madd_epi16(_mm256_maddubs_epi16(four, _mm256_set1_epi16(0x010A)), _mm256_set1_epi32(0x00010064));
    const __m256i eights = _mm256_madd_epi16(_mm256_packus_epi32(fours, fours), _mm256_set1_epi32(0x00012710));
    const __m128i ones = _mm_madd_epi16(_mm_maddubs_epi16(one, _mm_set1_epi16(0x010A)), _mm_set1_epi32(0x00010064));
    const __m128i halves = _mm_madd_epi16(_mm_packus_epi32(ones, ones), _mm_set1_epi32(0x00012710));
    const auto indices = static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm256_castsi256_si128(eights)));
    const auto others = static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm256_extracti128_si256(eights, 1)));
    const auto last16 = static_cast<std::uint64_t>(_mm_cvtsi128_si64(halves));
    row = static_cast<std::uint32_t>(indices);
    column = static_cast<std::uint32_t>(indices >> 32U);
    whole = static_cast<std::uint32_t>(others);
    extra = static_cast<std::uint32_t>(others >> 32U);
    last = static_cast<std::uint32_t>(last16) * std::uint64_t{100000000} + (last16 >> 32U);
    return _mm256_testz_si256(wrong, wrong) != 0;
  }
};

/// The places of one line: it begins at `begin`, its row and column end at blanks, all of it at `end`. 24 bytes in
/// front of any of these, and 8 behind, may be read.
struct line_places {
  const char* begin;
  const char* row_end;
  const char* column_end;
  const char* end;

  bool convertible() const {
    return static_cast<std::size_t>(row_end - begin) - 1 < 8 && static_cast<std::size_t>(column_end - row_end) - 2 < 8;
  }
  std::uint64_t row() const { return digits_before(row_end, static_cast<std::size_t>(row_end - begin)); }
  std::uint64_t column() const { return digits_before(column_end, static_cast<std::size_t>(column_end - row_end) - 1); }
};

/// A line 'row column' with at most 8 digits each.
EVENLY_IO_AVX2 EVENLY_IO_INLINE inline bool convert_pattern_line(const line_places& line, line_numbers& out) {
  return line.convertible() && out.convert(line.row(), line.column(), 0, 0, line.end, 0);
}

/// A line 'row column [-]integer' of at most 16 digits.
EVENLY_IO_AVX2 EVENLY_IO_INLINE inline bool convert_integer_line(const line_places& line, line_numbers& out,
                                                                 std::int64_t& value) {
  const char* const at = line.column_end + 1;
  const bool negative = *at == '-';
  const auto digits = static_cast<std::size_t>(line.end - at) - static_cast<std::size_t>(negative);
  if (digits - 1 > 15 || !line.convertible() || !out.convert(line.row(), line.column(), 0, 0, line.end, digits))
    return false;
  value = static_cast<std::int64_t>(negative ? 0U - out.last : out.last);
  return true;
}

/// A line 'row column [-]digits[.digits][e sign digit digit]', at most 7 digits before the point and 19 in all.
template <class T>
EVENLY_IO_AVX2 EVENLY_IO_INLINE inline bool convert_real_line(const line_places& line, line_numbers& out, T& value) {
  const char* at = line.column_end + 1;
  const char* end = line.end;
  const bool negative = *at == '-';
  at += static_cast<int>(negative);
  std::int64_t exponent = 0;
  if ((end[-4] | 0x20) == 'e' && end - at > 4) {
    const auto tens = static_cast<unsigned>(end[-2] - '0');
    const auto units = static_cast<unsigned>(end[-1] - '0');
    if (tens > 9 || units > 9 || (end[-3] != '-' && end[-3] != '+')) return false;
    exponent = static_cast<std::int64_t>(10 * tens + units);
    if (end[-3] == '-') exponent = -exponent;
    end -= 4;
  }
  std::uint64_t block;
  std::memcpy(&block, at, 8);
  block ^= 0x2E2E2E2E2E2E2E2EU;  // points become zeros
  const std::uint64_t points = (block - 0x0101010101010101U) & ~block & 0x8080808080808080U;
  const auto length = static_cast<std::size_t>(end - at);
  std::size_t whole = static_cast<std::size_t>(_tzcnt_u64(points)) / 8;  // 8 when there is no point
  whole = whole < length ? whole : length;
  const std::size_t fraction = length - whole - static_cast<std::size_t>(whole < length);
  const std::size_t digits = whole + fraction;
  if (whole > 7 || digits - 1 > 18 || !line.convertible()) return false;
  const std::size_t last = fraction < 16 ? fraction : 16;
  if (!out.convert(line.row(), line.column(), digits_before(at + whole, whole),
                   digits_before(end - 16, fraction - last), end, last))
    return false;
  const std::uint64_t mantissa =
      out.whole * integer_powers_of_ten[fraction] + out.extra * integer_powers_of_ten[16] + out.last;
  return compose_real(mantissa, static_cast<std::int64_t>(digits), exponent - static_cast<std::int64_t>(fraction),
                      negative, value);
}

}  // namespace evenly::detail::mtx
#endif
