// SPDX-License-Identifier: Apache-2.0
//
// Fetches a run of atoms with a whole block, in atom order: f(atom, operands...) once for each, by some thread. On a GPU
// each thread takes four neighbouring atoms with 16-byte streaming loads, several of them in flight before the first is
// used; ends that are not whole quads, and arrays that are not 16-byte aligned, are read atom by atom. Nothing outside
// [0, num_atoms) is touched. A GPU thread issues in order, so what else must be loaded is loaded by `meanwhile`, called
// once when the first quads are under way: its latency hides behind theirs.
#pragma once

#include <evenly/core/config.hpp>
#include <evenly/core/operands.hpp>
#include <evenly/core/range.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace evenly {

/// May quads of every array be read by 16-byte loads? True for an empty list.
EVENLY_HD constexpr bool is_wide(operand_list<>) { return true; }
template <class T, class... Rest>
EVENLY_HD bool is_wide(operand_list<T, Rest...> const& list) {
  constexpr std::uintptr_t mask = sizeof(T) * 4 < 16 ? sizeof(T) * 4 - 1 : 15;
  return (sizeof(T) & (sizeof(T) - 1)) == 0 && (reinterpret_cast<std::uintptr_t>(list.data) & mask) == 0 &&
         is_wide(list.rest);
}

namespace detail {

/// Four neighbouring atoms' operands in registers.
template <class... Ts>
struct quad;

template <>
struct quad<> {
  template <bool streaming>
  EVENLY_HD constexpr void load(operand_list<>, std::int64_t) {}
  template <class F, class... Loaded>
  EVENLY_HD constexpr decltype(auto) call(int, F&& f, Loaded... loaded) const {
    return f(loaded...);
  }
};

template <class T, class... Rest>
struct quad<T, Rest...> {
  T values[4];
  quad<Rest...> rest;

  template <bool streaming>
  EVENLY_HD void load(operand_list<T, Rest...> const& list, std::int64_t atom) {
#if defined(__CUDA_ARCH__)
    using word = std::conditional_t<sizeof(T) * 4 >= 16, uint4, std::conditional_t<sizeof(T) == 2, uint2, unsigned>>;
    auto const* const from = reinterpret_cast<word const*>(list.data + atom);
    EVENLY_UNROLL
    for (int i = 0; i < static_cast<int>(sizeof(values) / sizeof(word)); ++i) {
      word const loaded = streaming ? __ldcs(from + i) : from[i];
      memcpy(reinterpret_cast<unsigned char*>(values) + i * sizeof(word), &loaded, sizeof(word));
    }
#else
    std::memcpy(values, list.data + atom, sizeof(values));
#endif
    rest.template load<streaming>(list.rest, atom);
  }
  template <class F, class... Loaded>
  EVENLY_HD decltype(auto) call(int i, F&& f, Loaded... loaded) const {
    return rest.call(i, f, loaded..., values[i]);
  }
};

template <class... Ts>
quad<Ts...> quad_of(operand_list<Ts...>);

/// An unsigned type in which an atom id plus any step of a block stays below the type's end.
template <class Atom>
using roomy = std::conditional_t<std::is_unsigned_v<Atom> && sizeof(Atom) == 4, std::uint64_t,
                                 std::make_unsigned_t<std::common_type_t<Atom, int>>>;

template <class... Ts>
EVENLY_HD constexpr int operand_bytes(operand_list<Ts...>) {
  return (0 + ... + static_cast<int>(sizeof(Ts)));
}

}  // namespace detail

/// f(atom, operands...) for each atom of [begin, end), dealt over the block's threads. total: num_atoms of the set.
template <worker Worker, class Operands, class Atom, class Meanwhile, class F>
EVENLY_HD void fetch_atoms(Worker const& me, Operands const& operands, Atom begin, Atom end,
                           [[maybe_unused]] Atom total, Meanwhile const& meanwhile, F const& f) {
#if defined(__CUDA_ARCH__)
  constexpr int bytes = detail::operand_bytes(Operands{});
  if constexpr (bytes > 0) {
    if (is_wide(operands)) {
      constexpr int in_flight = bytes <= 8 ? 2 : 1;  // 16 registers of operands: more spill (measured on an H200)
      using quad = decltype(detail::quad_of(operands));
      using place = detail::roomy<Atom>;
      auto const first = static_cast<place>(begin), last = static_cast<place>(end), count = static_cast<place>(total);
      auto const threads = static_cast<place>(me.num_threads()), mine = static_cast<place>(me.thread());
      bool waiting = true;
      for (place base = first & ~place{3}; base < last || waiting; base += threads * 4 * in_flight) {
        quad quads[in_flight];
        EVENLY_UNROLL
        for (int q = 0; q < in_flight; ++q) {
          place const atom = base + (static_cast<place>(q) * threads + mine) * 4;
          if (atom < last && count - atom > 3) quads[q].template load<true>(operands, static_cast<std::int64_t>(atom));
        }
        if (waiting) meanwhile();
        waiting = false;
        EVENLY_UNROLL
        for (int q = 0; q < in_flight; ++q) {
          place const atom = base + (static_cast<place>(q) * threads + mine) * 4;
          if (atom < last && count - atom > 3) {
            EVENLY_UNROLL
            for (int i = 0; i < 4; ++i) {
              place const at = atom + static_cast<place>(i);
              if (at >= first && at < last)
                quads[q].call(i, [&](auto... loaded) { f(static_cast<Atom>(at), loaded...); });
            }
          }
        }
      }
      // the last, incomplete quad of the arrays
      place const at = (count & ~place{3}) + mine;
      if (mine < 4 && at >= first && at < last)
        operands.load(at, [&](auto... loaded) { f(static_cast<Atom>(at), loaded...); });
      return;
    }
  }
#endif
  meanwhile();
  for (auto atom : block_stride(me, begin, end)) operands.load(atom, [&](auto... loaded) { f(atom, loaded...); });
}

}  // namespace evenly
