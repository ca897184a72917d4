// SPDX-License-Identifier: Apache-2.0
//
// Equal numbers of atoms; tile ends come along for free, so long runs of empty tiles stay with one worker (merge_path
// counts them). The flat form of SpMV; each worker finds its first tile by one binary search.
//
//     tiles |a a a|a|a a a|, 3 atoms each     worker 0: a a a E   1: a E a a   2: a E
//
// Source: Baxter, moderngpu's load-balancing search; PPoPP 2023, section 5.2 (nonzero split).
#pragma once

#include <evenly/core/schedule.hpp>

namespace evenly {

/// @post every atom in exactly one share
/// @post all shares but the last hold atoms_per_thread atoms
struct nonzero_split {
  static constexpr char const* name = "nonzero_split";
  static constexpr int lanes = 1;
  static constexpr bool splits_tiles = true;
  int atoms_per_thread = 8;

  /// The same schedule with shares of another size; a block takes one of these where a thread would take a small one.
  EVENLY_HD constexpr nonzero_split with_items(int items) const {
    nonzero_split other = *this;
    other.atoms_per_thread = items;
    return other;
  }
  EVENLY_HD constexpr int items() const { return atoms_per_thread; }
  constexpr char const* fault() const {
    return atoms_per_thread > 0 ? nullptr : "nonzero_split: atoms_per_thread must be at least 1";
  }

  template <tile_set Set>
  EVENLY_HD constexpr std::int64_t num_groups(Set const& set) const {
    if (set.num_tiles() == 0) return 0;
    auto const groups = ceil_div(static_cast<std::int64_t>(set.num_atoms()), atoms_per_thread);
    return groups > 0 ? groups : 1;
  }

  template <tile_set Set>
  EVENLY_HD constexpr share_of_t<Set> share(Set const& set, std::int64_t group) const {
    return {cut(set, group), cut(set, group + 1)};
  }

  /// Where share `group` begins: a tile that ends exactly here was closed by the share before.
  template <tile_set Set>
  EVENLY_HD constexpr position_of_t<Set> cut(Set const& set, std::int64_t group) const {
    auto const atoms = static_cast<std::int64_t>(set.num_atoms());
    if (group <= 0) return {};
    if (group >= num_groups(set)) return {set.num_tiles(), set.num_atoms()};
    auto const atom = static_cast<atom_of_t<Set>>(group <= atoms / atoms_per_thread ? group * atoms_per_thread : atoms);
    return {tile_of(set, atom), atom};
  }
};

}  // namespace evenly
