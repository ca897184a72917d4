// SPDX-License-Identifier: Apache-2.0
//
// How long rows are and where their columns lie: small laws, of which row_pattern takes one each. A law that needs more
// than arithmetic carries a table, made once on the host with integers only and copied along to any device; a draw is
// then a search in it. All laws are functions of random bits, so a row's length can be asked for again at any time.
#pragma once

#include <evenly/generate/random.hpp>

#include <array>
#include <bit>
#include <cstdint>

namespace evenly::generate {

/// Lengths that do not vary.
struct constant_length {
  std::int64_t length = 1;
  EVENLY_HD constexpr std::int64_t operator()(std::int64_t, std::uint64_t) const { return length; }
};

/// `heavy` for rows [begin, end) of every `period` rows, `light` for the others.
struct striped_length {
  std::int64_t period = 2, begin = 1, end = 2, light = 1, heavy = 1000;
  EVENLY_HD constexpr std::int64_t operator()(std::int64_t row, std::uint64_t) const {
    std::int64_t const place = row % period;
    return place >= begin && place < end ? heavy : light;
  }
};

/// 0 for `empty` of 100,000 rows, 1 .. most for the others.
struct sparse_length {
  int empty = 99'000;
  std::int64_t most = 4;
  EVENLY_HD constexpr std::int64_t operator()(std::int64_t, std::uint64_t bits) const {
    return below(100'000, bits) < empty ? 0 : 1 + below(most, mix(bits));
  }
};

/// Poisson-distributed lengths of a mean of 1/16 .. 64.
class poisson_length {
 public:
  constexpr explicit poisson_length(std::int64_t mean_in_16ths) {
    // weights from the most likely value down and up: w(k + 1) = w(k) mean / (k + 1); no exp needed
    auto const mean = static_cast<std::uint64_t>(mean_in_16ths);
    std::array<std::uint64_t, size> weights{};
    std::size_t const mode = static_cast<std::size_t>(mean / 16);
    weights[mode] = std::uint64_t{1} << 40;
    for (std::size_t k = mode; k + 1 < size; ++k) weights[k + 1] = weights[k] * mean / (16 * (k + 1));
    for (std::size_t k = mode; k > 0; --k) weights[k - 1] = weights[k] * 16 * k / mean;
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < size; ++k) ends_[k] = sum += weights[k];
  }
  EVENLY_HD constexpr std::int64_t operator()(std::int64_t, std::uint64_t bits) const {
    std::uint64_t const at = mul_high(bits, ends_[size - 1]);
    int low = 0, high = size - 1;
    while (low < high) {
      int const middle = (low + high) / 2;
      if (ends_[middle] <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

 private:
  static constexpr int size = 128;
  std::uint64_t ends_[size] = {};  // ends_[k]: weight of 0 .. k
};

/// Whole numbers 1 .. cap with P(value >= n) about n^(1 - exponent), the discrete Zipf (Pareto) law, by octaves: their
/// weights fall by 2^(1 - exponent) each, inside one the law of exponent 2 is used, which divides instead of taking
/// roots.
class power_law {
 public:
  /// exponent: 1.05 .. 4 in steps of 1/20, given in 20ths; cap: 1 .. 2^31 - 1.
  constexpr power_law(int exponent_in_20ths, std::int64_t cap) : cap_(cap) {
    constexpr std::uint64_t root[20] = {4294967296, 4148664943, 4007346185, 3870841262, 3738986199,
                                        3611622603, 3488597478, 3369763041, 3254976542, 3144100091,
                                        3037000500, 2933549114, 2833621662, 2737098106, 2643862496,
                                        2553802834, 2466810934, 2382782298, 2301615985, 2223214495};  // 2^(32 - i/20)
    auto const steps = static_cast<unsigned>(exponent_in_20ths - 20);
    last_ = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(cap))) - 1;
    last_part_ = (std::uint64_t{1} << 33) - (std::uint64_t{1} << (last_ + 33)) / static_cast<std::uint64_t>(cap + 1);
    std::uint64_t weight = std::uint64_t{1} << 52, sum = 0;
    for (int octave = 0; octave <= last_; ++octave) {
      ends_[octave] = sum += octave == last_ ? mul_high(weight, last_part_ << 31) * 2 : weight;
      weight = (mul_high(weight << 10, root[steps % 20] << 22) >> steps / 20);
    }
  }
  /// Grows with `bits`, so that evenly spread bits give the law's quantiles.
  EVENLY_HD constexpr std::int64_t operator()(std::int64_t, std::uint64_t bits) const {
    std::uint64_t const at = mul_high(bits, ends_[last_]);
    int octave = 0;
    while (octave < last_ && ends_[octave] <= at) ++octave;
    std::uint64_t const begin = octave == 0 ? 0 : ends_[octave - 1], size = ends_[octave] - begin;
    std::uint64_t part = size >> 32 != 0 ? (at - begin) / (size >> 32) : ((at - begin) << 32) / (size > 0 ? size : 1);
    if (part > 0xffffffffu) part = 0xffffffffu;
    if (octave == last_) part = mul_high(part << 31, last_part_) * 2;
    auto const value =
        static_cast<std::int64_t>((std::uint64_t{1} << (octave + 33)) / ((std::uint64_t{1} << 33) - part));
    return value < cap_ ? value : cap_;
  }

 private:
  std::int64_t cap_;
  std::uint64_t last_part_ = 0;  // of 2^32: how much of the last octave lies below the cap
  int last_ = 0;
  std::uint64_t ends_[31] = {};  // ends_[j]: weight of the octaves 0 .. j, of which j holds 2^j .. 2^(j + 1) - 1
};

/// Lengths around `median` whose logarithms are normal with a standard deviation of half an octave.
struct lognormal_length {
  std::int64_t median = 2500;
  EVENLY_HD constexpr std::int64_t operator()(std::int64_t, std::uint64_t bits) const {
    constexpr std::uint64_t root[8] = {1073741824, 1170923762, 1276901417, 1392470869,
                                       1518500250, 1655936265, 1805811301, 1969251188};
    int ones = 0;
    for (std::uint64_t rest = bits; rest != 0; rest &= rest - 1) ++ones;  // of 64 coins: mean 32, deviation 4
    std::uint64_t const scaled =
        mul_high(static_cast<std::uint64_t>(median) << 20, root[ones % 8] << 20);  // median 2^(16..17)
    auto const value =
        static_cast<std::int64_t>(ones / 8 >= 4 ? (scaled >> 6) << (ones / 8 - 4) : (scaled >> 6) >> (4 - ones / 8));
    return value > 0 ? value : 1;
  }
};

/// Distinct columns from anywhere, one of each equal stratum, ascending.
struct scattered_columns {
  EVENLY_HD constexpr std::int64_t room(std::int64_t columns) const { return columns; }
  EVENLY_HD constexpr std::int64_t operator()(std::int64_t, std::int64_t, std::int64_t columns, std::int64_t length,
                                              std::int64_t k, std::uint64_t bits) const {
    return stratum(columns, length, k, bits);
  }
};

/// Distinct columns from a window of `width` that slides along the diagonal, ascending.
struct band_columns {
  std::int64_t width = 64;
  EVENLY_HD constexpr std::int64_t room(std::int64_t columns) const { return width < columns ? width : columns; }
  EVENLY_HD constexpr std::int64_t operator()(std::int64_t row, std::int64_t rows, std::int64_t columns,
                                              std::int64_t length, std::int64_t k, std::uint64_t bits) const {
    std::int64_t const size = room(columns), last = columns - size;
    std::int64_t const diagonal =
        rows == columns
            ? row
            : below(columns, (static_cast<std::uint64_t>(row) << 31) / static_cast<std::uint64_t>(rows) << 33);
    std::int64_t const wanted = diagonal - size / 2;
    return (wanted < 0 ? 0 : wanted > last ? last : wanted) + stratum(size, length, k, bits);
  }
};

/// Columns by a power law, column 0 the most popular; ascending, and a popular one may come twice in a row.
struct popular_columns {
  power_law law;
  EVENLY_HD constexpr std::int64_t room(std::int64_t columns) const { return columns; }
  EVENLY_HD constexpr std::int64_t operator()(std::int64_t, std::int64_t, std::int64_t, std::int64_t length,
                                              std::int64_t k, std::uint64_t bits) const {
    std::uint64_t const step = ~std::uint64_t{0} / static_cast<std::uint64_t>(length);
    return law(0, static_cast<std::uint64_t>(k) * step + mul_high(bits, step)) - 1;
  }
};

/// A matrix by one law for the lengths of its rows and one for their columns.
template <class Lengths, class Columns>
struct row_pattern {
  std::int64_t num_rows = 0;
  std::int64_t num_columns = 0;
  std::uint64_t seed = 1;
  Lengths lengths;
  Columns places;

  EVENLY_HD constexpr std::int64_t rows() const { return num_rows; }
  EVENLY_HD constexpr std::int64_t columns() const { return num_columns; }
  EVENLY_HD constexpr std::int64_t row_length(std::int64_t row) const {
    std::int64_t const wanted = lengths(row, hash(seed, row, -1)), room = places.room(num_columns);
    return wanted < room ? wanted : room;
  }
  EVENLY_HD constexpr std::int64_t column(std::int64_t row, std::int64_t k) const {
    return places(row, num_rows, num_columns, row_length(row), k, hash(seed, row, k));
  }
  EVENLY_HD constexpr double value(std::int64_t row, std::int64_t k) const { return short_unit(hash(~seed, row, k)); }
};

}  // namespace evenly::generate
