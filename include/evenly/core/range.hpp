// SPDX-License-Identifier: Apache-2.0
//
// Ranges of integers for kernels and host code, walked by a range-for: a begin, an end and a step, and the strides that a
// kernel needs over its grid, block, warp or group. std::views::iota is not usable in device code, so these thirty lines
// are ours. Every integer type is right from its smallest to its largest value: distances are kept in the unsigned type of
// the same width, which has room for all of them, and no step goes beyond the end.
#pragma once

#include <evenly/core/config.hpp>
#include <evenly/core/worker.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace evenly {

namespace detail {

/// Holds end - begin for all begin <= end of T, which T itself may not.
template <class T>
using distance_of = std::make_unsigned_t<T>;

template <class T>
EVENLY_HD constexpr distance_of<T> distance(T begin, T end) {
  return static_cast<distance_of<T>>(static_cast<distance_of<T>>(end) - static_cast<distance_of<T>>(begin));
}
/// begin + steps, modulo the size of the type.
template <class T>
EVENLY_HD constexpr T advanced(T begin, distance_of<T> steps) {
  return static_cast<T>(static_cast<distance_of<T>>(static_cast<distance_of<T>>(begin) + steps));
}

}  // namespace detail

/// begin, begin + step, ... below end.
template <class T>
class step_range {
 public:
  using distance = detail::distance_of<T>;
  struct sentinel {};
  class iterator {
   public:
    EVENLY_HD constexpr iterator(T at, T end, distance step) : at_(at), end_(end), step_(step) {}
    EVENLY_HD constexpr T operator*() const { return at_; }
    EVENLY_HD constexpr iterator& operator++() {
      at_ = detail::distance(at_, end_) > step_ ? detail::advanced(at_, step_) : end_;
      return *this;
    }
    friend EVENLY_HD constexpr bool operator!=(iterator a, sentinel) { return a.at_ < a.end_; }
    friend EVENLY_HD constexpr bool operator==(iterator a, sentinel) { return !(a.at_ < a.end_); }

   private:
    T at_, end_;
    distance step_;
  };

  /// step: 1 to the largest distance of T.
  template <std::integral Step>
  EVENLY_HD constexpr step_range(T begin, T end, Step step)
      : begin_(begin), end_(end), step_(static_cast<distance>(step)) {}
  EVENLY_HD constexpr iterator begin() const { return {begin_, end_, step_}; }
  EVENLY_HD constexpr sentinel end() const { return {}; }

 private:
  T begin_, end_;
  distance step_;
};

/// start, start + step, ... without end: leave the loop with break. Beyond the type's last value it goes on at the first.
template <class T>
class infinite_range {
 public:
  struct sentinel {};
  class iterator {
   public:
    EVENLY_HD constexpr iterator(T at, T step) : at_(at), step_(step) {}
    EVENLY_HD constexpr T operator*() const { return at_; }
    EVENLY_HD constexpr iterator& operator++() {
      at_ = detail::advanced(at_, static_cast<detail::distance_of<T>>(step_));
      return *this;
    }
    friend EVENLY_HD constexpr bool operator!=(iterator, sentinel) { return true; }

   private:
    T at_, step_;
  };

  EVENLY_HD constexpr infinite_range(T start, T step) : start_(start), step_(step) {}
  EVENLY_HD constexpr iterator begin() const { return {start_, step_}; }
  EVENLY_HD constexpr sentinel end() const { return {}; }

 private:
  T start_, step_;
};

/// begin .. end-1.
template <std::integral T>
EVENLY_HD constexpr step_range<T> range(T begin, std::type_identity_t<T> end) {
  return {begin, end, 1};
}
/// begin, begin + step, ... below end. step: at least 1; a smaller one counts as 1.
template <std::integral T>
EVENLY_HD constexpr step_range<T> range(T begin, std::type_identity_t<T> end, std::type_identity_t<T> step) {
  return {begin, end, step < 1 ? T{1} : step};
}
/// start, start + step, ...; the step may be negative.
template <std::integral T>
EVENLY_HD constexpr infinite_range<T> infinite(T start, std::type_identity_t<T> step = 1) {
  return {start, step};
}

namespace detail {
template <class T>
EVENLY_HD constexpr step_range<T> strided(T begin, T end, std::int64_t rank, std::int64_t size) {
  if (!(begin < end)) return {end, end, 1};
  distance_of<T> const room = distance(begin, end);
  // ranks beyond a short range would pass its end: they get nothing
  if (static_cast<std::uint64_t>(rank) >= room) return {end, end, 1};
  bool const is_short = static_cast<std::uint64_t>(size) >= room;
  return {advanced(begin, static_cast<distance_of<T>>(rank)), end, is_short ? room : static_cast<distance_of<T>>(size)};
}
}  // namespace detail

/// This thread's part of [begin, end), dealt over all threads of the grid.
template <std::integral T, worker Worker>
EVENLY_HD constexpr step_range<T> grid_stride(Worker const& me, T begin, std::type_identity_t<T> end) {
  return detail::strided<T>(begin, end, me.block() * me.num_threads() + me.thread(),
                            me.num_blocks() * me.num_threads());
}
/// This thread's part of [begin, end), dealt over the threads of its block.
template <std::integral T, worker Worker>
EVENLY_HD constexpr step_range<T> block_stride(Worker const& me, T begin, std::type_identity_t<T> end) {
  return detail::strided<T>(begin, end, me.thread(), me.num_threads());
}
/// This thread's part of [begin, end), dealt over the lanes of its group; nothing for an inactive thread.
template <std::integral T, thread_group Group>
EVENLY_HD constexpr step_range<T> group_stride(Group const& group, T begin, std::type_identity_t<T> end) {
  if (!group.active()) return {end, end, 1};
  return detail::strided<T>(begin, end, group.lane(), group.size());
}
/// This thread's part of [begin, end), dealt over the lanes of its warp.
template <std::integral T, worker Worker>
EVENLY_HD constexpr step_range<T> warp_stride(Worker const& me, T begin, std::type_identity_t<T> end) {
  return group_stride(me.group(warp_size), begin, end);
}

}  // namespace evenly
