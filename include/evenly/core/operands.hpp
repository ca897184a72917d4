// SPDX-License-Identifier: Apache-2.0
//
// Operands are the per-atom arrays a tile set carries (a CSR matrix carries columns and values). They are declared, not
// indexed inside the body, so that a schedule may fetch them its own way - wide, in atom order, staged - and hand the
// body plain values. A set that carries none simply has no operands() member.
#pragma once

#include <evenly/core/config.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace evenly {

/// Stands for a tile or atom id that a body does not need; a schedule may then skip computing it.
struct ignored {
  constexpr ignored() = default;
  template <class T>
    requires std::is_integral_v<T>
  EVENLY_HD constexpr ignored(T) {}
};

/// A list of per-atom arrays.
template <class... Ts>
struct operand_list;

template <>
struct operand_list<> {
  template <class Atom, class F, class... Loaded>
  EVENLY_HD constexpr decltype(auto) load(Atom, F&& f, Loaded... loaded) const {
    return f(loaded...);
  }
};

template <class T, class... Rest>
struct operand_list<T, Rest...> {
  T const* data = nullptr;
  operand_list<Rest...> rest;

  constexpr operand_list() = default;
  EVENLY_HD constexpr explicit operand_list(T const* first, Rest const*... others) : data(first), rest(others...) {}
  EVENLY_HD constexpr operand_list(T const* first, operand_list<Rest...> others) : data(first), rest(others) {}

  /// f(data[atom], ...): one scalar load from each array.
  template <class Atom, class F, class... Loaded>
  EVENLY_HD constexpr decltype(auto) load(Atom atom, F&& f, Loaded... loaded) const {
    return rest.load(atom, f, loaded..., data[atom]);
  }
};
template <class... Ts>
operand_list(Ts const*...) -> operand_list<Ts...>;

template <class... Bs>
EVENLY_HD constexpr auto concat(operand_list<>, operand_list<Bs...> b) {
  return b;
}
template <class A, class... As, class... Bs>
EVENLY_HD constexpr auto concat(operand_list<A, As...> a, operand_list<Bs...> b) {
  return operand_list<A, As..., Bs...>(a.data, concat(a.rest, b));
}

/// The operands that `set` carries, an empty list if it declares none.
template <class Set>
EVENLY_HD constexpr auto operands_of(Set const& set) {
  if constexpr (requires { set.operands(); }) return set.operands();
  else return operand_list<>{};
}

}  // namespace evenly
