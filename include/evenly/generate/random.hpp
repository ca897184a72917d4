// SPDX-License-Identifier: Apache-2.0
//
// Random numbers that are counted, not drawn: number (row, k) of a seed is a hash of the three, so that a host thread,
// a GPU thread and any number of either make the same matrix, in any order. Only integers and exact conversions are
// used: no pow, log or exp, whose last bits differ between libraries.
// Source of mix(): Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA 2014), SplitMix64.
#pragma once

#include <evenly/core/complex.hpp>
#include <evenly/core/config.hpp>

#include <cstdint>

namespace evenly::generate {

/// A bijection of 64 bits that spreads every input bit over all output bits.
EVENLY_HD constexpr std::uint64_t mix(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// 64 random bits for a place (a, b) of a seed.
EVENLY_HD constexpr std::uint64_t hash(std::uint64_t seed, std::int64_t a, std::int64_t b = 0) {
  return mix(mix(mix(seed) + static_cast<std::uint64_t>(a)) + static_cast<std::uint64_t>(b));
}

/// The upper 64 bits of a * b: scales 64 random bits to 0 .. b-1.
EVENLY_HD constexpr std::uint64_t mul_high(std::uint64_t a, std::uint64_t b) {
  std::uint64_t const a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
  std::uint64_t const low = a0 * b0, left = a1 * b0 + (low >> 32), right = a0 * b1 + (left & 0xffffffffu);
  return a1 * b1 + (left >> 32) + (right >> 32);
}

/// One of 0 .. count-1 from 64 random bits; 0 for count 0.
EVENLY_HD constexpr std::int64_t below(std::int64_t count, std::uint64_t bits) {
  return static_cast<std::int64_t>(mul_high(bits, static_cast<std::uint64_t>(count)));
}

/// True for `percent` of all random bits.
EVENLY_HD constexpr bool happens(int percent, std::uint64_t bits) { return below(100, bits) < percent; }

/// A multiple of 2^-23 in [-1, 1): the same number in float and double.
EVENLY_HD constexpr double short_unit(std::uint64_t bits) {
  return static_cast<double>(static_cast<std::int64_t>(bits >> 40) - (std::int64_t{1} << 23)) * (1.0 / (1 << 23));
}

/// A random T in [-1, 1) with every bit of its significand in use; both parts for a complex one.
template <class T>
EVENLY_HD constexpr T unit(std::uint64_t bits) {
  if constexpr (is_complex<T>) return T(unit<real_of_t<T>>(bits), unit<real_of_t<T>>(mix(bits)));
  else if constexpr (sizeof(T) == 4) return static_cast<T>(short_unit(bits));
  else
    return static_cast<T>(static_cast<double>(static_cast<std::int64_t>(bits >> 11) - (std::int64_t{1} << 52)) *
                          (1.0 / static_cast<double>(std::int64_t{1} << 52)));
}

/// Element k of `length` sorted, distinct numbers of 0 .. count-1, one from each of `length` equal strata. count >=
/// length.
EVENLY_HD constexpr std::int64_t stratum(std::int64_t count, std::int64_t length, std::int64_t k, std::uint64_t bits) {
  std::int64_t const size = count / length, rest = count % length;  // the first `rest` strata hold one more
  std::int64_t const begin = k * size + (k < rest ? k : rest);
  return begin + below(size + (k < rest ? 1 : 0), bits);
}

/// A permutation of 0 .. count-1 that can be asked for any element, both ways: four Feistel rounds on the smallest even
/// number of bits that holds `count`, walked along its cycle until the result is in range.
class permutation {
 public:
  constexpr permutation() = default;
  EVENLY_HD constexpr permutation(std::int64_t count, std::uint64_t seed) : count_(count), seed_(seed) {
    while (half_ < 31 && (std::int64_t{1} << (2 * half_)) < count) ++half_;
  }
  EVENLY_HD constexpr std::int64_t operator()(std::int64_t i) const {
    auto z = static_cast<std::uint64_t>(i);
    do {
      for (int round = 0; round < 4; ++round) z = (right(z) << half_) | (left(z) ^ noise(round, right(z)));
    } while (z >= static_cast<std::uint64_t>(count_));
    return static_cast<std::int64_t>(z);
  }
  EVENLY_HD constexpr std::int64_t inverse(std::int64_t i) const {
    auto z = static_cast<std::uint64_t>(i);
    do {
      for (int round = 3; round >= 0; --round) z = ((right(z) ^ noise(round, left(z))) << half_) | left(z);
    } while (z >= static_cast<std::uint64_t>(count_));
    return static_cast<std::int64_t>(z);
  }

 private:
  EVENLY_HD constexpr std::uint64_t left(std::uint64_t z) const { return z >> half_; }
  EVENLY_HD constexpr std::uint64_t right(std::uint64_t z) const { return z & ((std::uint64_t{1} << half_) - 1); }
  EVENLY_HD constexpr std::uint64_t noise(int round, std::uint64_t z) const {
    return right(hash(seed_, round, static_cast<std::int64_t>(z)));
  }

  std::int64_t count_ = 1;
  std::uint64_t seed_ = 0;
  int half_ = 1;
};

}  // namespace evenly::generate
