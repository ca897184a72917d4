// SPDX-License-Identifier: Apache-2.0
//
// What a kernel sees of a plan, and the ranges of layer (a): in any body,
//
//     for (auto row : rows.tiles(me)) {        // the tiles of this worker's shares, in order
//       for (auto atom : row.atoms()) ...      // this lane's atoms of the tile
//       out.put(row, value);                   // see sink.hpp: collective over the group
//     }
//
// A launch of any size covers all shares: the groups of the launch take the plan's groups in turn.
#pragma once

#include <evenly/core/range.hpp>
#include <evenly/core/schedule.hpp>
#include <evenly/core/worker.hpp>

#include <cstddef>

namespace evenly {

/// The plan's groups (shares) that one group of a launch works on: every count-th, unless the group knows better.
template <class Group>
EVENLY_HD constexpr step_range<std::int64_t> turns(Group const& group, std::int64_t num_groups) {
  if constexpr (requires { group.turns(num_groups); }) return group.turns(num_groups);
  else
    return group.present() ? step_range<std::int64_t>(group.index(), num_groups, group.count())
                           : step_range<std::int64_t>(num_groups, num_groups, 1);
}

/// A tile as one lane sees it: converts to the tile's id, knows this lane's atoms and what the share does with the tile.
template <class Tile, class Atom, class Group>
class tile_ref {
 public:
  EVENLY_HD constexpr tile_ref(tile_part<Tile, Atom> part, lane_atoms<Atom> mine, Group const& group, std::int64_t turn)
      : part_(part), mine_(mine), group_(&group), turn_(turn) {}

  EVENLY_HD constexpr operator Tile() const { return part_.tile; }
  EVENLY_HD constexpr step_range<Atom> atoms() const { return {mine_.begin, mine_.end, mine_.stride}; }
  EVENLY_HD constexpr tile_part<Tile, Atom> const& part() const { return part_; }
  EVENLY_HD constexpr Group const& group() const { return *group_; }
  EVENLY_HD constexpr std::int64_t turn() const { return turn_; }  // which share of the plan

 private:
  tile_part<Tile, Atom> part_;
  lane_atoms<Atom> mine_;
  Group const* group_;
  std::int64_t turn_;
};

template <tile_set Set, schedule_for<Set> Schedule>
class plan_view;

/// All tiles of one worker's shares. Searches once per share, then reads one offset per tile.
template <class View, class Group>
class tile_range {
 public:
  using tile = typename View::tile;
  using atom = typename View::atom;
  struct sentinel {};

  class iterator {
   public:
    EVENLY_HD constexpr iterator(View const& rows, Group const& group)
        : rows_(rows), group_(group), turns_(turns(group, rows.num_groups())), turn_(turns_.begin()) {
      if (turn_ != turns_.end()) open();
    }
    EVENLY_HD constexpr tile_ref<tile, atom, Group> operator*() const {
      lane_atoms<atom> mine{part_.end, part_.end, 1};
      if (group_.active()) {
        atom const origin = deals_across_tiles<typename View::schedule_type> ? share_.begin.atom : part_.begin;
        mine = deal(part_.begin, part_.end, origin, group_.lane(), group_.size(), rows_.dealing());
      }
      return {part_, mine, group_, *turn_};
    }
    EVENLY_HD constexpr iterator& operator++() {
      part_.begin = part_.end;
      part_.joined = false;
      if (part_.closes) ++part_.tile;
      else share_.begin = share_.end;  // the open tile was the last of the share
      settle(part_.closes);
      return *this;
    }
    friend EVENLY_HD constexpr bool operator!=(iterator const& at, sentinel) { return at.turn_ != at.turns_.end(); }

   private:
    // Starts the share of the current turn.
    EVENLY_HD constexpr void open() {
      share_ = rows_.share(*turn_);
      part_ = {share_.begin.tile, share_.begin.atom, share_.begin.atom, is_joined(rows_.set(), share_), false};
      settle(true);
    }
    // Completes part_ from its tile and begin; moves on to the next share that has a part when this one is used up.
    EVENLY_HD constexpr void settle(bool more) {
      while (true) {
        if (more && part_.tile < share_.end.tile) {
          part_.end = static_cast<atom>(rows_.set().tile_begin(static_cast<tile>(part_.tile + 1)));
          part_.closes = true;
          return;
        }
        if (more && share_.end.atom > part_.begin) {
          part_.end = share_.end.atom;
          part_.closes = false;
          return;
        }
        ++turn_;
        if (!(turn_ != turns_.end())) return;
        share_ = rows_.share(*turn_);
        part_ = {share_.begin.tile, share_.begin.atom, share_.begin.atom, is_joined(rows_.set(), share_), false};
        more = true;
      }
    }

    View const& rows_;
    Group const& group_;
    step_range<std::int64_t> turns_;
    step_range<std::int64_t>::iterator turn_;
    evenly::share<tile, atom> share_{};
    tile_part<tile, atom> part_{};
  };

  EVENLY_HD constexpr tile_range(View const& rows, Group group) : rows_(rows), group_(group) {}
  EVENLY_HD constexpr iterator begin() const { return {rows_, group_}; }
  EVENLY_HD constexpr sentinel end() const { return {}; }

 private:
  View rows_;
  Group group_;
};

/// A schedule bound to a tile set, as kernels take it: trivially copyable, owned by a plan that must outlive it.
template <tile_set Set, schedule_for<Set> Schedule>
class plan_view {
 public:
  using set_type = Set;
  using schedule_type = Schedule;
  using tile = tile_of_t<Set>;
  using atom = atom_of_t<Set>;

  EVENLY_HD constexpr plan_view(Set const& set, Schedule const& schedule, void* carries = nullptr,
                                std::size_t value_bytes = 0)
      : set_(set), schedule_(schedule), num_groups_(schedule.num_groups(set)), carries_(carries),
        value_bytes_(value_bytes) {}

  EVENLY_HD constexpr Set const& set() const { return set_; }
  EVENLY_HD constexpr Schedule const& schedule() const { return schedule_; }
  EVENLY_HD constexpr std::int64_t num_groups() const { return num_groups_; }
  EVENLY_HD constexpr share_of_t<Set> share(std::int64_t group) const { return schedule_.share(set_, group); }
  EVENLY_HD constexpr int lanes() const { return schedule_.lanes; }
  EVENLY_HD constexpr enum dealing dealing() const { return dealing_; }

  /// The same plan with lanes that take contiguous pieces, for an op that does not commute.
  EVENLY_HD constexpr plan_view in_order() const {
    plan_view other = *this;
    other.dealing_ = dealing::pieces;
    return other;
  }

  /// The tiles of this worker's shares. All lanes of a group see the same tiles in the same order.
  template <worker Worker>
  EVENLY_HD constexpr auto tiles(Worker const& me) const {
    using group = decltype(me.group(1));
    return tile_range<plan_view, group>(*this, me.group(lanes()));
  }

  /// Where the two partial results of share `group` go if it splits tiles: its joined first tile, its open last tile.
  template <class T>
  EVENLY_HD constexpr T* carries(std::int64_t group, int width) const {
    return static_cast<T*>(carries_) + 2 * group * width;
  }
  EVENLY_HD constexpr std::size_t value_bytes() const { return value_bytes_; }

 private:
  Set set_;
  Schedule schedule_;
  std::int64_t num_groups_;
  void* carries_;
  std::size_t value_bytes_;  // of one partial result, all columns of a wide sink together
  enum dealing dealing_ = dealing::striped;
};

}  // namespace evenly
