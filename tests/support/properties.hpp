// SPDX-License-Identifier: Apache-2.0
//
// What every schedule promises, one function a promise, judged from its shares alone: no kernel, no executor. A verdict is
// empty if the promise holds and otherwise says which tile, atom or share breaks it. What executors make of the shares is
// judged in trial.hpp.
#pragma once

#include "schedules.hpp"
#include "tile_sets.hpp"

#include <evenly/core/range.hpp>
#include <evenly/core/share.hpp>
#include <evenly/core/tile_set.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tests {

using verdict = std::string;

template <class... Parts>
verdict fault(Parts const&... parts) {
  std::string text;
  auto const add = [&](auto const& part) {
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(part)>>) text += std::to_string(part);
    else text += part;
  };
  (add(parts), ...);
  return text;
}

/// A tile set that notes when it is asked for a tile outside 0 .. num_tiles.
template <class Tile, class Atom>
struct watched_tiles {
  Atom const* offsets;
  Tile tiles;
  bool* strayed;
  constexpr Tile num_tiles() const { return tiles; }
  constexpr Atom num_atoms() const { return offsets[tiles]; }
  constexpr Atom tile_begin(Tile tile) const {
    if (tile > tiles || static_cast<std::int64_t>(tile) < 0) {
      *strayed = true;
      return offsets[tiles];
    }
    return offsets[tile];
  }
};

/// Over all shares and their lanes, every atom is dealt exactly once and to its own tile, and every tile ends exactly once.
template <evenly::tile_set Set, evenly::schedule_for<Set> Schedule>
verdict covers_every_atom_once(Set const& set, Schedule const& schedule) {
  using atom_type = evenly::atom_of_t<Set>;
  auto const tiles = static_cast<std::size_t>(set.num_tiles()), atoms = static_cast<std::size_t>(set.num_atoms());
  int const lanes = schedule.lanes;
  for (auto how : {evenly::dealing::striped, evenly::dealing::pieces}) {
    std::vector<int> seen(atoms, 0), ended(tiles, 0);
    verdict wrong;
    for (std::int64_t g = 0; g < schedule.num_groups(set) && wrong.empty(); ++g) {
      auto const share = schedule.share(set, g);
      evenly::for_each_part(set, share, [&](auto part) {
        auto const tile = static_cast<std::size_t>(part.tile);
        if (tile >= tiles) return void(wrong = fault("share ", g, " holds atoms of tile ", tile, " of ", tiles));
        if (part.closes) ++ended[tile];
        if (part.joined != (part.begin > static_cast<atom_type>(set.tile_begin(part.tile))))
          wrong = fault("share ", g, " has the wrong idea of whether tile ", tile, " began earlier");
        auto const origin = evenly::deals_across_tiles<Schedule> ? share.begin.atom : part.begin;
        for (int lane = 0; lane < lanes; ++lane) {
          auto const mine = evenly::deal<atom_type>(part.begin, part.end, origin, lane, lanes, how);
          for (auto atom : evenly::step_range<atom_type>(mine.begin, mine.end, mine.stride)) {
            if (static_cast<std::size_t>(atom) >= atoms || evenly::tile_of(set, atom) != part.tile)
              return void(wrong =
                              fault("lane ", lane, " of share ", g, " takes atom ", atom, " for one of tile ", tile));
            ++seen[static_cast<std::size_t>(atom)];
          }
        }
      });
    }
    if (!wrong.empty()) return wrong;
    for (std::size_t a = 0; a < atoms; ++a)
      if (seen[a] != 1) return fault("atom ", a, " is in ", seen[a], " shares");
    for (std::size_t t = 0; t < tiles; ++t)
      if (ended[t] != 1) return fault("tile ", t, " ends in ", ended[t], " shares");
  }
  return {};
}

/// Shares that may split tiles follow one another from the first step to the last, and only the last may be empty; shares
/// that may not hold whole tiles.
template <evenly::tile_set Set, evenly::schedule_for<Set> Schedule>
verdict shares_follow_one_another(Set const& set, Schedule const& schedule) {
  std::int64_t const groups = schedule.num_groups(set);
  evenly::position_of_t<Set> at{};
  bool was_empty = false;
  for (std::int64_t g = 0; g < groups; ++g) {
    auto const share = schedule.share(set, g);
    if constexpr (Schedule::splits_tiles) {
      if (!(share.begin == at)) return fault("share ", g, " does not begin where share ", g - 1, " ended");
      bool const empty = share.begin == share.end;
      if (was_empty && !empty) return fault("share ", g, " holds work behind an empty share");
      was_empty = empty;
      at = share.end;
    } else {
      auto const first = set.tile_begin(share.begin.tile), last = set.tile_begin(share.end.tile);
      if (share.begin.atom != first || share.end.atom != last) return fault("share ", g, " cuts a tile");
    }
    if (share.end.tile < share.begin.tile || share.end.atom < share.begin.atom)
      return fault("share ", g, " runs backwards");
  }
  if (Schedule::splits_tiles && groups > 0 && !(at == evenly::position_of_t<Set>{set.num_tiles(), set.num_atoms()}))
    return fault("the last share ends at tile ", at.tile, ", atom ", at.atom);
  if (groups == 0 && set.num_tiles() > 0) return "there are tiles and no shares";
  return {};
}

/// The flat view of a share visits what the nested view visits, in the same order.
template <evenly::tile_set Set, evenly::schedule_for<Set> Schedule>
verdict flat_equals_nested(Set const& set, Schedule const& schedule) {
  std::vector<std::int64_t> flat, nested;  // atoms as they are, the end of tile t as -1 - t, a tile id before each atom
  for (std::int64_t g = 0; g < schedule.num_groups(set); ++g) {
    auto const share = schedule.share(set, g);
    flat.clear(), nested.clear();
    evenly::for_each_step(
        set, share,
        [&](auto tile, auto atom) {
          flat.insert(flat.end(), {static_cast<std::int64_t>(tile), static_cast<std::int64_t>(atom)});
        },
        [&](auto tile) { flat.push_back(-1 - static_cast<std::int64_t>(tile)); });
    evenly::for_each_part(set, share, [&](auto part) {
      for (auto atom = part.begin; atom < part.end; ++atom)
        nested.insert(nested.end(), {static_cast<std::int64_t>(part.tile), static_cast<std::int64_t>(atom)});
      if (part.closes) nested.push_back(-1 - static_cast<std::int64_t>(part.tile));
    });
    if (flat != nested) return fault("share ", g, ": for_each_step and for_each_part differ");
    auto const ends = static_cast<std::int64_t>(share.end.tile - share.begin.tile);
    auto const atoms = static_cast<std::int64_t>(share.end.atom - share.begin.atom);
    if (static_cast<std::int64_t>(flat.size()) != 2 * atoms + ends || evenly::num_steps(share) != atoms + ends)
      return fault("share ", g, " has ", evenly::num_steps(share), " steps, its views have ", flat.size());
    bool open = false;
    evenly::for_each_part(set, share, [&](auto part) { open = open || (!part.closes && part.end > part.begin); });
    if (open != evenly::leaves_open(set, share)) return fault("share ", g, ": leaves_open is wrong");
  }
  return {};
}

/// The balance each schedule's header promises.
template <evenly::tile_set Set>
verdict balanced(Set const& set, evenly::merge_path schedule) {
  std::int64_t const groups = schedule.num_groups(set);
  for (std::int64_t g = 0; g < groups; ++g) {
    std::int64_t const steps = evenly::num_steps(schedule.share(set, g));
    if (g + 1 < groups ? steps != schedule.items_per_thread : steps < 1 || steps > schedule.items_per_thread)
      return fault("share ", g, " of ", groups, " has ", steps, " steps");
  }
  return {};
}
template <evenly::tile_set Set>
verdict balanced(Set const& set, evenly::nonzero_split schedule) {
  std::int64_t const groups = schedule.num_groups(set);
  for (std::int64_t g = 0; g < groups; ++g) {
    auto const share = schedule.share(set, g);
    auto const atoms = static_cast<std::int64_t>(share.end.atom - share.begin.atom);
    bool const last = g + 1 == groups;
    if (last ? atoms > schedule.atoms_per_thread || (atoms < 1 && set.num_atoms() > 0)
             : atoms != schedule.atoms_per_thread)
      return fault("share ", g, " of ", groups, " has ", atoms, " atoms");
  }
  return {};
}
/// Lanes of a group: at most one atom apart, within a tile or, where the lanes deal across tiles, within the share.
template <evenly::tile_set Set, evenly::schedule_for<Set> Schedule>
  requires(!Schedule::splits_tiles)
verdict balanced(Set const& set, Schedule const& schedule) {
  using atom_type = evenly::atom_of_t<Set>;
  int const lanes = schedule.lanes;
  for (auto how : {evenly::dealing::striped, evenly::dealing::pieces})
    for (std::int64_t g = 0; g < schedule.num_groups(set); ++g) {
      auto const share = schedule.share(set, g);
      if (!evenly::deals_across_tiles<Schedule> && share.end.tile - share.begin.tile != 1)
        return fault("share ", g, " has ", share.end.tile - share.begin.tile, " tiles");
      auto const atoms = static_cast<std::int64_t>(share.end.atom - share.begin.atom);
      for (int lane = 0; lane < lanes; ++lane) {
        auto const mine = evenly::deal<atom_type>(share.begin.atom, share.end.atom, share.begin.atom, lane, lanes, how);
        std::int64_t count = 0;
        for ([[maybe_unused]] auto atom : evenly::step_range<atom_type>(mine.begin, mine.end, mine.stride)) ++count;
        if (count != atoms / lanes && count != evenly::ceil_div(atoms, lanes))
          return fault("lane ", lane, " of share ", g, " has ", count, " of ", atoms, " atoms");
      }
    }
  return {};
}

/// All of the above, on tile ids and atom ids of the given types; also: no tile is asked for that is not there.
template <class Tile, class Atom, class Schedule>
verdict keeps_its_promises(tile_sizes const& sizes, Schedule const& schedule) {
  auto const offsets = offsets_of<Atom>(sizes);
  bool strayed = false;
  watched_tiles<Tile, Atom> const set{offsets.data(), static_cast<Tile>(sizes.size()), &strayed};
  auto const where = [&] { return show(schedule) + " on " + show(sizes) + ": "; };
  if (auto wrong = covers_every_atom_once(set, schedule); !wrong.empty()) return where() + wrong;
  if (auto wrong = shares_follow_one_another(set, schedule); !wrong.empty()) return where() + wrong;
  if (auto wrong = flat_equals_nested(set, schedule); !wrong.empty()) return where() + wrong;
  if (auto wrong = balanced(set, schedule); !wrong.empty()) return where() + wrong;
  if (strayed) return where() + "tile_begin was asked beyond num_tiles";
  return {};
}

}  // namespace tests
