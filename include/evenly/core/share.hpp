// SPDX-License-Identifier: Apache-2.0
//
// Lay all work of a tile set on one line: the atoms of tile 0, then "tile 0 ends", the atoms of tile 1, "tile 1 ends", ...
// This line is the merge path. A position on it is a pair (tiles ended, atoms passed). A share is a stretch of the line,
// and that is all a schedule ever hands out:
//
//     tiles   |a a a|a|a a a|        3 tiles, 7 atoms, 10 steps
//     line     a a a E a E a a a E
//     shares  [a a a E][a E a][a a E]  e.g. merge-path with 3 workers: 4 + 3 + 3 steps
//
// Who owns the "tile ends" step closes the tile and emits it. A tile whose atoms began in an earlier share is joined, one
// whose end lies in a later share is left open; both together make a split tile.
#pragma once

#include <evenly/core/config.hpp>
#include <evenly/core/tile_set.hpp>

#include <cstdint>

namespace evenly {

/// A place on the merge path: `tile` tiles have ended, `atom` atoms have passed.
template <class Tile, class Atom>
struct position {
  Tile tile{};
  Atom atom{};
  friend EVENLY_HD constexpr bool operator==(position a, position b) { return a.tile == b.tile && a.atom == b.atom; }
};

/// The stretch [begin, end) of the merge path that one group of lanes works on.
template <class Tile, class Atom>
struct share {
  position<Tile, Atom> begin;
  position<Tile, Atom> end;
  friend EVENLY_HD constexpr bool operator==(share a, share b) { return a.begin == b.begin && a.end == b.end; }
};

template <class Set>
using position_of_t = position<tile_of_t<Set>, atom_of_t<Set>>;
template <class Set>
using share_of_t = share<tile_of_t<Set>, atom_of_t<Set>>;

/// Steps (atoms + tile ends) in a share, in 64 bits.
template <class Tile, class Atom>
EVENLY_HD constexpr std::int64_t num_steps(share<Tile, Atom> s) {
  return static_cast<std::int64_t>(s.end.tile - s.begin.tile) + static_cast<std::int64_t>(s.end.atom - s.begin.atom);
}

/// Does the first tile of the share hold atoms of an earlier share?
template <tile_set Set>
EVENLY_HD constexpr bool is_joined(Set const& set, share_of_t<Set> s) {
  return s.begin.tile < set.num_tiles() && s.begin.atom > static_cast<atom_of_t<Set>>(set.tile_begin(s.begin.tile));
}

/// Does the share hold atoms of a tile that it does not close?
template <tile_set Set>
EVENLY_HD constexpr bool leaves_open(Set const& set, share_of_t<Set> s) {
  if (s.end.tile >= set.num_tiles()) return false;
  atom_of_t<Set> const first = set.tile_begin(s.end.tile);
  return s.end.atom > (first > s.begin.atom ? first : s.begin.atom);
}

/// The atoms [begin, end) of one tile that belong to one share, and what the share does with the tile.
template <class Tile, class Atom>
struct tile_part {
  Tile tile{};
  Atom begin{};
  Atom end{};
  bool joined = false;  // atoms of the tile lie in an earlier share
  bool closes = false;  // the tile's end lies in this share
  EVENLY_HD constexpr bool is_whole() const { return !joined && closes; }
};

/// Nested view: visit(part) for each tile of the share in order, the open one at its end included.
template <tile_set Set, class Visit>
EVENLY_HD constexpr void for_each_part(Set const& set, share_of_t<Set> s, Visit&& visit) {
  using Atom = atom_of_t<Set>;
  Atom first = s.begin.atom;
  bool joined = is_joined(set, s);
  for (auto tile = s.begin.tile; tile < s.end.tile; ++tile) {
    Atom const last = set.tile_begin(tile + 1);
    visit(tile_part<tile_of_t<Set>, Atom>{tile, first, last, joined, true});
    first = last;
    joined = false;
  }
  if (s.end.atom > first) visit(tile_part<tile_of_t<Set>, Atom>{s.end.tile, first, s.end.atom, joined, false});
}

/// Flat view of the same sequence, step by step: on_atom(tile, atom) and on_tile_end(tile), with no inner loop to diverge.
template <tile_set Set, class OnAtom, class OnTileEnd>
EVENLY_HD constexpr void for_each_step(Set const& set, share_of_t<Set> s, OnAtom&& on_atom, OnTileEnd&& on_tile_end) {
  auto tile = s.begin.tile;
  auto atom = s.begin.atom;
  if (s.begin == s.end) return;
  atom_of_t<Set> tile_end = tile < set.num_tiles() ? set.tile_begin(tile + 1) : atom;
  while (!(tile == s.end.tile && atom == s.end.atom)) {
    if (atom < tile_end) {
      on_atom(tile, atom);
      ++atom;
    } else {
      on_tile_end(tile);
      ++tile;
      if (tile < set.num_tiles()) tile_end = set.tile_begin(tile + 1);
    }
  }
}

}  // namespace evenly
