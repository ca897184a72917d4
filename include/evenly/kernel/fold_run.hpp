// SPDX-License-Identifier: Apache-2.0
//
// Neighbouring atoms of one tile folded by one thread of a CPU. Where the op commutes eight sums run side by side, each
// over every eighth atom: one alone would wait for its own last addition, and compilers make vectors of eight.
#pragma once

#include <evenly/core/monoid.hpp>
#include <evenly/core/operands.hpp>

namespace evenly::detail {

/// op over map(tile, atom, operands...) for the atoms [begin, end).
template <class Set, class Tile, class Atom, class Map, monoid Op>
EVENLY_HD constexpr value_of_t<Op> fold_run(Set const& set, Tile tile, Atom begin, Atom end, Map const& map,
                                            Op const& op) {
  using value = value_of_t<Op>;
  auto const operands = operands_of(set);
  auto const at = [&](Atom atom) {
    return operands.load(atom, [&](auto... loaded) -> value { return map(tile, atom, loaded...); });
  };
  value sum = op.identity();
  if constexpr (commutative<Op>) {
    constexpr int width = 8;
    if (end - begin >= width) {
      value sums[width];
      for (int i = 0; i < width; ++i) sums[i] = at(static_cast<Atom>(begin + i));
      for (begin += width; end - begin >= width; begin += width) {
        value next[width];
        for (int i = 0; i < width; ++i) next[i] = at(static_cast<Atom>(begin + i));
        for (int i = 0; i < width; ++i) sums[i] = op(sums[i], next[i]);
      }
      for (int half = width / 2; half > 0; half /= 2)
        for (int i = 0; i < half; ++i) sums[i] = op(sums[i], sums[i + half]);
      sum = sums[0];
    }
  }
  for (; begin < end; ++begin) sum = op(sum, at(begin));
  return sum;
}

}  // namespace evenly::detail
