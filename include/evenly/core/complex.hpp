// SPDX-License-Identifier: Apache-2.0
//
// complex<T>: laid out as std::complex<T>, convertible both ways, usable on host and device, with one product formula
// everywhere. std::complex's product differs between compilers (Annex G recovery of infinities or not) and is not
// callable in a kernel; a result that must not depend on the executor needs a formula of its own.
#pragma once

#include <evenly/core/config.hpp>

#include <complex>
#include <type_traits>

namespace evenly {

template <class T>
struct complex {
  using value_type = T;

  T re{};
  T im{};

  constexpr complex() = default;
  EVENLY_HD constexpr complex(T real) : re(real) {}
  EVENLY_HD constexpr complex(T real, T imaginary) : re(real), im(imaginary) {}
  constexpr complex(std::complex<T> z) : re(z.real()), im(z.imag()) {}
  template <class U>
    requires(!std::is_same_v<U, T>)
  EVENLY_HD constexpr explicit complex(complex<U> z) : re(static_cast<T>(z.re)), im(static_cast<T>(z.im)) {}

  constexpr operator std::complex<T>() const { return {re, im}; }

  friend EVENLY_HD constexpr complex operator+(complex a, complex b) { return {a.re + b.re, a.im + b.im}; }
  friend EVENLY_HD constexpr complex operator-(complex a, complex b) { return {a.re - b.re, a.im - b.im}; }
  friend EVENLY_HD constexpr complex operator-(complex a) { return {-a.re, -a.im}; }
  /// (a.re b.re - a.im b.im, a.re b.im + a.im b.re), with no recovery of infinities.
  friend EVENLY_HD constexpr complex operator*(complex a, complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  EVENLY_HD constexpr complex& operator+=(complex b) { return *this = *this + b; }
  EVENLY_HD constexpr complex& operator-=(complex b) { return *this = *this - b; }
  EVENLY_HD constexpr complex& operator*=(complex b) { return *this = *this * b; }
  friend EVENLY_HD constexpr bool operator==(complex a, complex b) { return a.re == b.re && a.im == b.im; }
};

template <class T>
EVENLY_HD constexpr complex<T> conj(complex<T> z) {
  return {z.re, -z.im};
}

/// True for complex<T>.
template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<complex<T>> = true;

/// The real type under T: T itself, or U for complex<U>.
template <class T>
struct real_of {
  using type = T;
};
template <class T>
struct real_of<complex<T>> {
  using type = T;
};
template <class T>
using real_of_t = typename real_of<T>::type;

static_assert(sizeof(complex<double>) == sizeof(std::complex<double>) &&
              alignof(complex<double>) == alignof(std::complex<double>));

}  // namespace evenly
