// SPDX-License-Identifier: Apache-2.0
//
// The operators that every schedule is tried with. All are exact, so results must equal the reference to the bit. Each
// comes with `value_at(tile, atom)`, so that a value tells where it came from; the two that do not commute also tell in
// which order.
#pragma once

#include <evenly/core/config.hpp>
#include <evenly/core/monoid.hpp>

#include <cstdint>
#include <string>

namespace tests {

/// Scrambles an atom and its tile into 32 bits.
EVENLY_HD constexpr std::uint32_t scrambled(std::int64_t tile, std::int64_t atom) {
  auto x =
      static_cast<std::uint64_t>(atom) * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(tile) * 0xD1B54A32D192ED03u;
  x = (x ^ (x >> 31)) * 0xBF58476D1CE4E5B9u;
  return static_cast<std::uint32_t>(x ^ (x >> 29));
}

/// 64-bit integers and +.
struct integer_sum {
  static constexpr char const* name = "integer_sum";
  using op = evenly::plus<std::int64_t>;
  EVENLY_HD static constexpr std::int64_t value_at(std::int64_t tile, std::int64_t atom) {
    return scrambled(tile, atom);
  }
};

/// 2x2 matrices over the integers modulo 2^32: associative, not commutative, 16 bytes.
struct matrix {
  std::uint32_t a, b, c, d;
  friend EVENLY_HD constexpr bool operator==(matrix x, matrix y) {
    return x.a == y.a && x.b == y.b && x.c == y.c && x.d == y.d;
  }
};
struct matrix_product {
  static constexpr char const* name = "matrix_product";
  struct op {
    EVENLY_HD constexpr matrix identity() const { return {1, 0, 0, 1}; }
    EVENLY_HD constexpr matrix operator()(matrix x, matrix y) const {
      return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
    }
  };
  // shears, of determinant 1: no product loses anything
  EVENLY_HD static constexpr matrix value_at(std::int64_t tile, std::int64_t atom) {
    std::uint32_t const s = scrambled(tile, atom);
    return s % 2 == 0 ? matrix{1, s, 0, 1} : matrix{1, 0, s, 1};
  }
};

/// The smallest distance and who had it: the min-plus semiring with its witness, 8 bytes, commutative.
struct distance {
  std::int32_t far;
  std::int32_t from;
  friend EVENLY_HD constexpr bool operator==(distance x, distance y) { return x.far == y.far && x.from == y.from; }
};
struct min_plus {
  static constexpr char const* name = "min_plus";
  struct op {
    static constexpr bool is_commutative = true;
    EVENLY_HD constexpr distance identity() const { return {0x7FFFFFFF, -1}; }
    EVENLY_HD constexpr distance operator()(distance x, distance y) const {
      bool const second =
          y.far < x.far || (y.far == x.far && static_cast<std::uint32_t>(y.from) < static_cast<std::uint32_t>(x.from));
      return second ? y : x;
    }
  };
  EVENLY_HD static constexpr distance value_at(std::int64_t tile, std::int64_t atom) {
    return {static_cast<std::int32_t>(scrambled(tile, atom) % 1000 + 7), static_cast<std::int32_t>(atom)};
  }
};

/// First atom, last atom, number of neighbours that follow one another: 12 bytes, aligned to 4, not commutative. Any atom
/// lost, doubled or out of order shows.
struct run_of_atoms {
  std::int32_t first, last, breaks;
  friend EVENLY_HD constexpr bool operator==(run_of_atoms x, run_of_atoms y) {
    return x.first == y.first && x.last == y.last && x.breaks == y.breaks;
  }
};
struct twelve_bytes {
  static constexpr char const* name = "twelve_bytes";
  struct op {
    EVENLY_HD constexpr run_of_atoms identity() const { return {-1, -1, 0}; }
    EVENLY_HD constexpr run_of_atoms operator()(run_of_atoms x, run_of_atoms y) const {
      if (x.first < 0) return y;
      if (y.first < 0) return x;
      return {x.first, y.last, x.breaks + y.breaks + (x.last + 1 == y.first ? 0 : 1)};
    }
  };
  EVENLY_HD static constexpr run_of_atoms value_at(std::int64_t, std::int64_t atom) {
    return {static_cast<std::int32_t>(atom), static_cast<std::int32_t>(atom), 0};
  }
};
static_assert(sizeof(run_of_atoms) == 12 && alignof(run_of_atoms) == 4);
static_assert(!evenly::commutative<matrix_product::op> && !evenly::commutative<twelve_bytes::op>);

/// Floats of many magnitudes and +: not exact, so any change of order shows in the bits. For determinism only.
struct float_sum {
  static constexpr char const* name = "float_sum";
  using op = evenly::plus<float>;
  EVENLY_HD static constexpr float value_at(std::int64_t tile, std::int64_t atom) {
    std::uint32_t const s = scrambled(tile, atom);
    float value = static_cast<float>(s % 65536u) + 0.125f;
    for (std::uint32_t i = 0; i < s / 65536u % 24u; ++i) value *= 0.5f;
    return s % 2 == 0 ? value : -value;
  }
};

}  // namespace tests
