// SPDX-License-Identifier: Apache-2.0
//
// Ranges of integers for kernels and host code, walked by a range-for: a begin, an end and a step, and the strides that a
// kernel needs over its grid, block, warp or group. std::views::iota is not usable in device code, so these thirty lines
// are ours. An end is compared with <, in the type itself, and the last step never passes the type's largest value.
#pragma once

#include <evenly/core/config.hpp>
#include <evenly/core/worker.hpp>

#include <cstdint>
#include <type_traits>

namespace evenly {

/// begin, begin + step, ... below end.
template <class T>
class step_range {
 public:
  struct sentinel {};
  class iterator {
   public:
    EVENLY_HD constexpr iterator(T at, T end, T step) : at_(at), end_(end), step_(step) {}
    EVENLY_HD constexpr T operator*() const { return at_; }
    EVENLY_HD constexpr iterator& operator++() {
      at_ = end_ - at_ > step_ ? static_cast<T>(at_ + step_) : end_;
      return *this;
    }
    friend EVENLY_HD constexpr bool operator!=(iterator a, sentinel) { return a.at_ < a.end_; }
    friend EVENLY_HD constexpr bool operator==(iterator a, sentinel) { return !(a.at_ < a.end_); }

   private:
    T at_, end_, step_;
  };

  EVENLY_HD constexpr step_range(T begin, T end, T step) : begin_(begin), end_(end), step_(step) {}
  EVENLY_HD constexpr iterator begin() const { return {begin_, end_, step_}; }
  EVENLY_HD constexpr sentinel end() const { return {}; }

 private:
  T begin_, end_, step_;
};

/// start, start + step, ... without end: leave the loop with break.
template <class T>
class infinite_range {
 public:
  struct sentinel {};
  class iterator {
   public:
    EVENLY_HD constexpr iterator(T at, T step) : at_(at), step_(step) {}
    EVENLY_HD constexpr T operator*() const { return at_; }
    EVENLY_HD constexpr iterator& operator++() { return at_ = static_cast<T>(at_ + step_), *this; }
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
  return {begin, end, T{1}};
}
/// begin, begin + step, ... below end.
template <std::integral T>
EVENLY_HD constexpr step_range<T> range(T begin, std::type_identity_t<T> end, std::type_identity_t<T> step) {
  return {begin, end, step};
}
/// start, start + step, ...
template <std::integral T>
EVENLY_HD constexpr infinite_range<T> infinite(T start, std::type_identity_t<T> step = 1) {
  return {start, step};
}

namespace detail {
template <class T>
EVENLY_HD constexpr step_range<T> strided(T begin, T end, std::int64_t rank, std::int64_t size) {
  // ranks beyond a short range would overflow a narrow T: they get nothing
  if (begin >= end || rank >= static_cast<std::int64_t>(end - begin)) return {end, end, T{1}};
  auto const room = static_cast<std::int64_t>(end - begin);
  return {static_cast<T>(begin + static_cast<T>(rank)), end, static_cast<T>(size < room ? size : room)};
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
  if (!group.active()) return {end, end, T{1}};
  return detail::strided<T>(begin, end, group.lane(), group.size());
}
/// This thread's part of [begin, end), dealt over the lanes of its warp.
template <std::integral T, worker Worker>
EVENLY_HD constexpr step_range<T> warp_stride(Worker const& me, T begin, std::type_identity_t<T> end) {
  return group_stride(me.group(warp_size), begin, end);
}

}  // namespace evenly
