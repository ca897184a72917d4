// SPDX-License-Identifier: Apache-2.0
//
// for_each_atom inside a kernel: visit(tile, atom, operands...) once for every atom, with no reduction, for traversals
// (BFS, SSSP). And atoms(me, rows): the same as a range, for a body's own loop, where each atom can name its tile: the
// get_tile of the paper's Listing 5. Schedules that deal across tiles keep the offsets of their chunk (the prefix sum of
// its tile sizes) in scratch and find the tile there; the others know it from their loop.
#pragma once

#include <evenly/core/operands.hpp>
#include <evenly/core/plan_view.hpp>
#include <evenly/kernel/body.hpp>

namespace evenly {

/// Bytes of scratch that for_each_atom needs in a block of `threads`.
template <class View>
EVENLY_HD constexpr std::size_t scratch_bytes(View const& rows, int threads) {
  if constexpr (deals_across_tiles<typename View::schedule_type>) {
    int const groups = groups_per_block(rows.lanes(), threads);  // 0 where one thread stands for a group beyond a warp
    return (sizeof(typename View::atom) * static_cast<std::size_t>(rows.schedule().tiles + 1) *
                static_cast<std::size_t>(groups > 0 ? groups : 1) +
            15) /
           16 * 16;  // scratch comes in 16s
  } else return 0;
}

template <worker Worker, class View, class Visit>
EVENLY_HD constexpr void for_each_atom(Worker me, View const& rows, Visit const& visit) {
  check_map<typename View::set_type, Visit>();
  auto const operands = operands_of(rows.set());
  auto const call = [&](auto tile, auto atom) {
    operands.load(atom, [&](auto... loaded) { visit(tile, atom, loaded...); });
  };
  if constexpr (deals_across_tiles<typename View::schedule_type>) {
    using atom_type = typename View::atom;
    using tile_type = typename View::tile;
    auto const group = me.group(rows.lanes());
    int const chunk = rows.schedule().tiles;
    auto ends = me.template scratch<atom_type>((chunk + 1) * group.local_count());
    if (!group.present()) return;
    int const base = group.local_index() * (chunk + 1);
    for (auto turn : turns(group, rows.num_groups())) {
      auto const share = rows.share(turn);
      int const tiles = static_cast<int>(share.end.tile - share.begin.tile);
      for (int t : group_stride(group, 0, tiles + 1))
        ends[base + t] = static_cast<atom_type>(
            rows.set().tile_begin(static_cast<tile_type>(share.begin.tile + static_cast<tile_type>(t))));
      group.sync();
      if (group.active()) {
        auto const mine =
            deal(share.begin.atom, share.end.atom, share.begin.atom, group.lane(), group.size(), dealing::striped);
        int local = 0;  // atoms come in order, so the search starts where the last one ended
        for (auto atom : step_range<atom_type>(mine.begin, mine.end, mine.stride)) {
          int high = tiles - 1;
          while (local < high) {
            int const middle = local + (high - local) / 2;
            atom_type const end = ends[base + middle + 1];
            if (end <= atom) local = middle + 1;
            else high = middle;
          }
          call(static_cast<tile_type>(share.begin.tile + static_cast<tile_type>(local)), atom);
        }
      }
      group.sync();
    }
  } else {
    for (auto row : rows.tiles(me))
      for (auto atom : row.atoms()) call(static_cast<typename View::tile>(row), atom);
  }
}

}  // namespace evenly
