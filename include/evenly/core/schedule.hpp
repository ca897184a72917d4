// SPDX-License-Identifier: Apache-2.0
//
// A schedule is a function from a worker to its share of the tiles; over all workers, the shares hold every atom exactly
// once. The workers are virtual: their number belongs to the schedule and the tile set, and any launch strides over them.
// A worker is a group of `lanes` threads (1 for the thread-level schedules) that deal the atoms of a share among them.
//
//     struct my_schedule {
//       static constexpr int lanes = 1;                       // threads that work on one share together
//       static constexpr bool splits_tiles = false;           // may a share begin or end inside a tile?
//       num_groups(set) -> std::int64_t                       // how many shares there are
//       share(set, group) -> evenly::share_of_t<Set>          // the function itself: pure, host and device
//     };
//
// That is the whole interface: no kernel, no memory, nothing that knows of CSR. Where splits_tiles is true the shares
// must follow one another, share(g).end == share(g + 1).begin, and only the last ones may be empty.
#pragma once

#include <evenly/core/share.hpp>

#include <concepts>
#include <type_traits>

namespace evenly {

/// A type that can be asked for shares of `Set`.
template <class Schedule, class Set>
concept schedule_for = std::is_trivially_copyable_v<Schedule> && tile_set<Set> &&
                       requires(Schedule const& schedule, Set const& set, std::int64_t group) {
                         { schedule.lanes } -> std::convertible_to<int>;
                         { Schedule::splits_tiles } -> std::convertible_to<bool>;
                         { schedule.num_groups(set) } -> std::same_as<std::int64_t>;
                         { schedule.share(set, group) } -> std::same_as<share_of_t<Set>>;
                       };

namespace detail {
struct any_tiles {
  EVENLY_HD constexpr int num_tiles() const { return 0; }
  EVENLY_HD constexpr int num_atoms() const { return 0; }
  EVENLY_HD constexpr int tile_begin(int) const { return 0; }
};
}  // namespace detail

/// A schedule for every tile set, judged by the weakest one.
template <class Schedule>
concept schedule = schedule_for<Schedule, detail::any_tiles>;

/// Do lanes deal through the whole share instead of starting anew in each tile? (the paper's group-mapped form)
template <class Schedule>
inline constexpr bool deals_across_tiles = requires { requires Schedule::across_tiles; };

/// How the lanes of a group deal the atoms of a tile.
enum class dealing {
  striped,  // lane, lane + lanes, ...: neighbours touch neighbours; the op must be commutative
  pieces,   // contiguous pieces in lane order: right for every op
};

/// One lane's atoms of one tile part: begin, begin + stride, ... below end.
template <class Atom>
struct lane_atoms {
  Atom begin{};
  Atom end{};
  Atom stride = 1;
};

/// Deals the atoms [begin, end) among `lanes`; `origin` is where stripes start counting.
/// @post over all lanes, every atom of [begin, end) exactly once
template <class Atom>
EVENLY_HD constexpr lane_atoms<Atom> deal(Atom begin, Atom end, Atom origin, int lane, int lanes, dealing how) {
  if (lanes == 1) return {begin, end, 1};
  // in int at least: an 8-bit atom type counts its atoms but not a block's lanes
  using wide = std::common_type_t<Atom, int>;
  auto const size = static_cast<wide>(end - begin), l = static_cast<wide>(lane), n = static_cast<wide>(lanes);
  if (how == dealing::pieces) {
    // size * lane would overflow near the type's end: spread the remainder over the first pieces instead
    wide const piece = size / n, rest = size % n, first = l * piece + (l < rest ? l : rest);
    return {static_cast<Atom>(begin + first), static_cast<Atom>(begin + first + piece + (l < rest ? 1 : 0)), 1};
  }
  wide const into = static_cast<wide>(begin - origin) % n;  // stripes already passed in this round
  wide const ahead = l >= into ? l - into : l + n - into;
  Atom const first = size > ahead ? static_cast<Atom>(begin + ahead) : end;
  if constexpr (sizeof(Atom) < sizeof(int))
    if (size <= n)
      return {first, end, static_cast<Atom>(size > 0 ? size : 1)};  // one atom a lane: the stride need not fit
  return {first, end, static_cast<Atom>(lanes)};
}

/// Smallest n with n * part >= whole, for counts of any size.
EVENLY_HD constexpr std::int64_t ceil_div(std::int64_t whole, std::int64_t part) {
  return whole / part + (whole % part != 0 ? 1 : 0);
}

}  // namespace evenly
