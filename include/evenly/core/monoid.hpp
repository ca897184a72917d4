// SPDX-License-Identifier: Apache-2.0
//
// A monoid is an associative op(a, b) with an identity. It need not be commutative and needs no inverse. The value type
// comes from the op (op.identity()), never from a lambda's return type, which nvcc does not know on the host.
#pragma once

#include <evenly/core/config.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace evenly {

template <class Op>
concept monoid = std::is_trivially_copyable_v<Op> && requires(Op const& op) {
  { op.identity() };
  { op(op.identity(), op.identity()) } -> std::convertible_to<decltype(op.identity())>;
} && std::is_trivially_copyable_v<decltype(std::declval<Op const&>().identity())>;

/// The type that an op combines.
template <class Op>
using value_of_t = std::remove_cvref_t<decltype(std::declval<Op const&>().identity())>;

/// Lanes may stride through a tile (which reorders it) only for a commutative op. Opt in with
/// `static constexpr bool is_commutative = true;` in the op.
template <class Op>
concept commutative = monoid<Op> && requires { requires Op::is_commutative; };

namespace detail {
// Constants, because the functions that name them need not exist on a GPU.
template <class T>
inline constexpr T least_of = std::numeric_limits<T>::lowest();
template <class T>
inline constexpr T largest_of = std::numeric_limits<T>::max();
}  // namespace detail

template <class T>
struct plus {
  static constexpr bool is_commutative = true;
  EVENLY_HD constexpr T identity() const { return T{}; }
  EVENLY_HD constexpr T operator()(T a, T b) const { return a + b; }
};

template <class T>
struct minimum {
  static constexpr bool is_commutative = true;
  EVENLY_HD constexpr T identity() const {
    if constexpr (std::numeric_limits<T>::has_infinity) return std::numeric_limits<T>::infinity();
    else return detail::largest_of<T>;
  }
  EVENLY_HD constexpr T operator()(T a, T b) const { return b < a ? b : a; }
};

template <class T>
struct maximum {
  static constexpr bool is_commutative = true;
  EVENLY_HD constexpr T identity() const {
    if constexpr (std::numeric_limits<T>::has_infinity) return -std::numeric_limits<T>::infinity();
    else return detail::least_of<T>;
  }
  EVENLY_HD constexpr T operator()(T a, T b) const { return a < b ? b : a; }
};

template <class T>
struct logical_or {
  static constexpr bool is_commutative = true;
  EVENLY_HD constexpr T identity() const { return T{}; }
  EVENLY_HD constexpr T operator()(T a, T b) const { return a || b; }
};

}  // namespace evenly
