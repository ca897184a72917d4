// SPDX-License-Identifier: Apache-2.0
//
// How a body's functions are called: which ids they want, which types they may take. A tile or atom id declared as
// `ignored` is one the body does not need; one declared narrower than the set's own type is refused at compile time, since
// it would cut ids off silently for a large enough matrix.
#pragma once

#include <evenly/core/config.hpp>
#include <evenly/core/tile_set.hpp>

#include <concepts>
#include <cstddef>
#include <limits>
#include <tuple>
#include <type_traits>

namespace evenly {

namespace detail {

template <class T>
struct call_signature : std::false_type {};
template <class C, class R, class... Args>
struct call_signature<R (C::*)(Args...) const> : std::true_type {
  using arguments = std::tuple<std::remove_cvref_t<Args>...>;
};
template <class C, class R, class... Args>
struct call_signature<R (C::*)(Args...)> : call_signature<R (C::*)(Args...) const> {};
template <class C, class R, class... Args>
struct call_signature<R (C::*)(Args...) const noexcept> : call_signature<R (C::*)(Args...) const> {};

template <class F, std::size_t I, class Otherwise>
constexpr auto argument_type() {
  if constexpr (requires { &F::operator(); }) {
    using signature = call_signature<decltype(&F::operator())>;
    if constexpr (signature::value) {
      if constexpr (std::tuple_size_v<typename signature::arguments> > I)
        return std::type_identity<std::tuple_element_t<I, typename signature::arguments>>{};
      else return std::type_identity<Otherwise>{};
    } else {
      return std::type_identity<Otherwise>{};
    }
  } else {
    return std::type_identity<Otherwise>{};  // a generic or overloaded operator(): it takes what it is given
  }
}

}  // namespace detail

/// The type F declares for its argument I; `Otherwise` where F is generic.
template <class F, std::size_t I, class Otherwise>
using argument_of_t = typename decltype(detail::argument_type<F, I, Otherwise>())::type;

/// Can every value of From be held by To? True for anything that is not an integer.
template <class From, class To>
inline constexpr bool keeps_ids = [] {
  if constexpr (std::integral<From> && std::integral<To>)
    return std::numeric_limits<To>::digits >= std::numeric_limits<From>::digits;
  else return true;
}();

namespace detail {
template <class Map, class Atom, class... Ts>
constexpr bool works_without_tile(operand_list<Ts...>) {
  if constexpr (requires { &Map::operator(); }) return std::is_same_v<argument_of_t<Map, 0, ignored>, ignored>;
  else return std::is_invocable_v<Map const&, ignored, Atom, Ts...>;
}
}  // namespace detail

/// Does this map need to know an atom's tile? Not if it declares it as `ignored`.
template <class Set, class Map>
inline constexpr bool wants_tile =
    !detail::works_without_tile<Map, atom_of_t<Set>>(decltype(operands_of(std::declval<Set const&>())){});

/// Compile-time refusal of a function whose ids are narrower than the set's.
template <class Set, class Map>
EVENLY_HD constexpr void check_map() {
  static_assert(keeps_ids<tile_of_t<Set>, argument_of_t<Map, 0, tile_of_t<Set>>>,
                "this map takes its tile in a type narrower than the tile set's num_tiles(): declare it at least as "
                "wide, or evenly::ignored");
  static_assert(keeps_ids<atom_of_t<Set>, argument_of_t<Map, 1, atom_of_t<Set>>>,
                "this map takes its atom in a type narrower than the tile set's num_atoms(): declare it at least as "
                "wide, or evenly::ignored");
}
template <class Set, class Emit>
EVENLY_HD constexpr void check_emit() {
  static_assert(
      keeps_ids<tile_of_t<Set>, argument_of_t<Emit, 0, tile_of_t<Set>>>,
      "this emit takes its tile in a type narrower than the tile set's num_tiles(): declare it at least as wide");
}

}  // namespace evenly
