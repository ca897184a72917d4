// SPDX-License-Identifier: Apache-2.0
#include <evenly/core/complex.hpp>
#include <evenly/core/monoid.hpp>

#include "operators.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace {

template <class Op>
constexpr bool identity_changes_nothing(Op op, std::initializer_list<evenly::value_of_t<Op>> values) {
  for (auto value : values)
    if (!(op(op.identity(), value) == value) || !(op(value, op.identity()) == value)) return false;
  return true;
}

template <class T>
constexpr bool identities_hold() {
  constexpr T low = std::numeric_limits<T>::lowest(), high = std::numeric_limits<T>::max();
  return identity_changes_nothing(evenly::plus<T>{}, {T{0}, T{1}, low, high}) &&
         identity_changes_nothing(evenly::minimum<T>{}, {T{0}, T{1}, low, high}) &&
         identity_changes_nothing(evenly::maximum<T>{}, {T{0}, T{1}, low, high});
}
static_assert(identities_hold<int>() && identities_hold<std::int64_t>() && identities_hold<std::uint8_t>() &&
              identities_hold<float>() && identities_hold<double>());
constexpr double infinity = std::numeric_limits<double>::infinity();
static_assert(identity_changes_nothing(evenly::minimum<double>{}, {infinity, -infinity}));
static_assert(identity_changes_nothing(evenly::maximum<double>{}, {infinity, -infinity}));
static_assert(identity_changes_nothing(evenly::logical_or<bool>{}, {false, true}));
static_assert(evenly::logical_or<bool>{}(false, true) && !evenly::logical_or<bool>{}(false, false));
static_assert(evenly::minimum<int>{}(3, 4) == 3 && evenly::minimum<int>{}(4, 3) == 3 &&
              evenly::maximum<int>{}(3, 4) == 4 && evenly::maximum<int>{}(4, 3) == 4);
static_assert(evenly::plus<evenly::complex<double>>{}({1, 2}, {3, 4}) == evenly::complex<double>{4, 6});

static_assert(evenly::monoid<evenly::plus<int>> && evenly::commutative<evenly::plus<int>> &&
              evenly::commutative<evenly::minimum<float>>);
static_assert(std::is_same_v<evenly::value_of_t<evenly::maximum<short>>, short>);

// An op that says nothing of commuting is not taken to commute; one that says no neither.
struct says_nothing {
  constexpr int identity() const { return 0; }
  constexpr int operator()(int a, int b) const { return a + b; }
};
struct says_no : says_nothing {
  static constexpr bool is_commutative = false;
};
static_assert(evenly::monoid<says_nothing> && !evenly::commutative<says_nothing> && !evenly::commutative<says_no>);

struct no_identity {
  constexpr int operator()(int a, int b) const { return a + b; }
};
struct owns_memory {
  std::string identity() const { return {}; }
  std::string operator()(std::string a, std::string const& b) const { return a + b; }
};
static_assert(!evenly::monoid<no_identity> && !evenly::monoid<owns_memory>);

// The suite's own operators are monoids, or every test with them is void.
template <class Case>
constexpr bool is_associative() {
  typename Case::op op;
  for (int i = 0; i < 60; ++i) {
    auto const a = Case::value_at(i, 3 * i), b = Case::value_at(i, 3 * i + 1), c = Case::value_at(i, 3 * i + 2);
    if (!(op(op(a, b), c) == op(a, op(b, c))) || !identity_changes_nothing(op, {a, b, c})) return false;
  }
  return true;
}
static_assert(is_associative<tests::integer_sum>() && is_associative<tests::matrix_product>() &&
              is_associative<tests::min_plus>() && is_associative<tests::twelve_bytes>());
template <class Case>
constexpr bool commutes() {
  typename Case::op op;
  for (int i = 0; i < 60; ++i)
    if (!(op(Case::value_at(1, i), Case::value_at(1, i + 1)) == op(Case::value_at(1, i + 1), Case::value_at(1, i))))
      return false;
  return true;
}
static_assert(commutes<tests::integer_sum>() && commutes<tests::min_plus>() && !commutes<tests::matrix_product>() &&
              !commutes<tests::twelve_bytes>());

TEST(Monoid, identities_change_nothing) { EXPECT_TRUE(identities_hold<float>()); }
TEST(Monoid, the_operators_of_the_suite_are_associative) { EXPECT_TRUE(is_associative<tests::matrix_product>()); }

}  // namespace
