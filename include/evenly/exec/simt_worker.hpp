// SPDX-License-Identifier: Apache-2.0
//
// An emulated thread as a worker, its groups, and its view of the block's scratch. The members do what CUDA's do, and
// check what CUDA does not. What matters only on the host is left out of device code, where no such worker exists.
#pragma once

#include <evenly/core/config.hpp>
#include <evenly/core/worker.hpp>
#include <evenly/detail/simt_machine.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace evenly {

/// An element of scratch. Reads and writes are checked, so it converts and assigns as the temporary that it is:
/// `T v = s[i]`, not `auto v = s[i]`.
template <class T>
class simt_element {
 public:
  EVENLY_HD simt_element(detail::simt_machine& machine, int thread, detail::simt_request const& request,
                         std::int64_t element)
      : machine_(machine), request_(request), element_(element), thread_(thread) {}

  EVENLY_HD operator T() const&& { return get(); }
  EVENLY_HD simt_element&& operator=(T const& value) && { return set(value); }
  EVENLY_HD simt_element&& operator=(simt_element const& other) && { return set(other.get()); }
  EVENLY_HD simt_element&& operator+=(T const& value) && { return set(static_cast<T>(get() + value)); }
  EVENLY_HD simt_element&& operator-=(T const& value) && { return set(static_cast<T>(get() - value)); }
  EVENLY_HD simt_element&& operator*=(T const& value) && { return set(static_cast<T>(get() * value)); }
  EVENLY_HD simt_element&& operator|=(T const& value) && { return set(static_cast<T>(get() | value)); }
  EVENLY_HD simt_element&& operator&=(T const& value) && { return set(static_cast<T>(get() & value)); }
  EVENLY_HD simt_element&& operator++() && { return set(static_cast<T>(get() + 1)); }
  EVENLY_HD simt_element&& operator--() && { return set(static_cast<T>(get() - 1)); }

 private:
  EVENLY_HD T get() const {
    T value{};
#if !defined(__CUDA_ARCH__)
    machine_.scratch().read(thread_, request_, element_, machine_.clock());
    std::memcpy(&value, place(), sizeof(T));
#endif
    return value;
  }
  EVENLY_HD simt_element&& set([[maybe_unused]] T const& value) {
#if !defined(__CUDA_ARCH__)
    machine_.scratch().write(thread_, request_, element_, machine_.clock());
    std::memcpy(place(), &value, sizeof(T));
#endif
    return static_cast<simt_element&&>(*this);
  }
  char* place() const {
    return machine_.scratch().data() + request_.offset + static_cast<std::size_t>(element_) * sizeof(T);
  }

  detail::simt_machine& machine_;
  detail::simt_request const& request_;
  std::int64_t element_;
  int thread_;
};

/// An array in the block's scratch, in place of the pointer that a GPU gives. Indices must be inside the whole array.
template <class T>
class simt_scratch {
  static_assert(std::is_trivially_copyable_v<T>, "scratch holds bytes: its elements must be trivially copyable");

 public:
  EVENLY_HD simt_scratch(detail::simt_machine* machine, int thread, detail::simt_request request,
                         std::int64_t begin = 0)
      : machine_(machine), request_(request), begin_(begin), thread_(thread) {}

  EVENLY_HD std::int64_t size() const { return request_.count; }
  template <std::integral Index>
  EVENLY_HD simt_element<T> operator[](Index i) const {
    std::int64_t const element = begin_ + static_cast<std::int64_t>(i);
#if !defined(__CUDA_ARCH__)
    if (element < 0 || element >= size()) machine_->scratch().fail_range(thread_, request_, element);
#endif
    return {*machine_, thread_, request_, element};
  }
  EVENLY_HD simt_element<T> operator*() const { return (*this)[0]; }
  EVENLY_HD simt_scratch operator+(std::int64_t n) const { return {machine_, thread_, request_, begin_ + n}; }

 private:
  detail::simt_machine* machine_;
  detail::simt_request request_;
  std::int64_t begin_;
  int thread_;
};

class simt_group {
 public:
  /// first_meeting: where group 0 of that size meets in the machine; the others follow.
  EVENLY_HD simt_group(detail::simt_machine* machine, int first_meeting, int lanes, int thread, int threads,
                       std::int64_t block, std::int64_t blocks)
      : machine_(machine), place_(lanes, thread, threads), lanes_(lanes), thread_(thread),
        meeting_(first_meeting + place_.local), local_count_(groups_per_block(lanes, threads)),
        index_(block * local_count_ + place_.local), count_(blocks * local_count_) {}

  EVENLY_HD int lane() const { return place_.lane; }
  EVENLY_HD int size() const { return lanes_; }
  EVENLY_HD bool active() const { return place_.active; }
  EVENLY_HD bool present() const { return place_.present; }
  EVENLY_HD std::int64_t index() const { return index_; }
  EVENLY_HD std::int64_t count() const { return count_; }
  EVENLY_HD int local_index() const { return place_.local; }
  EVENLY_HD int local_count() const { return local_count_; }

  EVENLY_HD void sync([[maybe_unused]] detail::simt_source where = detail::simt_source::here()) const {
#if !defined(__CUDA_ARCH__)
    if (!is_alone() && meet(detail::simt_operation::sync, 0, nullptr, where)) machine_->part(thread_, meeting_);
#endif
  }

  /// The tree that CUDA's groups use: step d joins lane i with lane i + d for i a multiple of 2 d. Orders no memory.
  /// All lanes but the first get junk, so that nobody relies on them.
  template <class T, class Op>
  EVENLY_HD T reduce(T value, [[maybe_unused]] Op const& op,
                     [[maybe_unused]] detail::simt_source where = detail::simt_source::here()) const {
    static_assert(std::is_trivially_copyable_v<T>, "lanes exchange bytes: values must be trivially copyable");
#if !defined(__CUDA_ARCH__)
    if (is_alone()) return value;
    detail::simt_exchange mine{&value};
    if (meet(detail::simt_operation::reduce, sizeof(T), &mine, where)) {
      for (int d = 1; d < lanes_; d *= 2)
        for (int lane = 0; lane + d < lanes_; lane += 2 * d) {
          T& left = *static_cast<T*>(exchange(lane).value);
          left = op(left, *static_cast<T const*>(exchange(lane + d).value));
        }
      machine_->part(thread_, meeting_);
    }
    if constexpr (!std::is_same_v<T, bool> && !std::is_enum_v<T>)
      if (place_.lane != 0) std::memset(static_cast<void*>(&value), junk<T>, sizeof(T));
#endif
    return value;
  }

  /// Lane 0's value. Orders no memory.
  template <class T>
  EVENLY_HD T broadcast(T value, detail::simt_source where = detail::simt_source::here()) const {
    return pass(detail::simt_operation::broadcast, value, 0, where);
  }

  /// The value of lane `source`, which each lane may choose. For groups of at most 32 lanes. Orders no memory.
  template <class T>
  EVENLY_HD T shuffle(T value, int source, detail::simt_source where = detail::simt_source::here()) const {
#if !defined(__CUDA_ARCH__)
    if (lanes_ > warp_size) fail("shuffle", where, "in a", "; it is for 32 at most");
    if (place_.present && (source < 0 || source >= lanes_))
      fail("shuffle", where, "from lane " + std::to_string(source) + " of a");
#endif
    return pass(detail::simt_operation::shuffle, value, source, where);
  }

  /// The lanes whose flag is set, as bits. For groups of a whole warp.
  EVENLY_HD unsigned ballot(bool flag, [[maybe_unused]] detail::simt_source where = detail::simt_source::here()) const {
    unsigned result = flag ? 1u : 0u;
#if !defined(__CUDA_ARCH__)
    if (lanes_ != warp_size) fail("ballot", where, "in a", "; it is for whole warps");
    if (is_alone()) return result;
    unsigned value = result;
    detail::simt_exchange mine{&value, &result};
    if (meet(detail::simt_operation::ballot, sizeof value, &mine, where)) {
      unsigned all = 0;
      for (int lane = 0; lane < lanes_; ++lane) all |= *static_cast<unsigned const*>(exchange(lane).value) << lane;
      for (int lane = 0; lane < lanes_; ++lane) *static_cast<unsigned*>(exchange(lane).result) = all;
      machine_->part(thread_, meeting_);
    }
#endif
    return result;
  }
  EVENLY_HD static int first_lane([[maybe_unused]] unsigned lanes) {
#if !defined(__CUDA_ARCH__)
    return std::countr_zero(lanes);
#else
    return 0;
#endif
  }

 private:
  // Integers stay small enough for a lane to compute with what it will not use, without an overflow.
  template <class T>
  static constexpr int junk = std::is_integral_v<T> ? 0x01 : 0xCD;

  EVENLY_HD bool is_alone() const { return !place_.present || lanes_ == 1; }

  template <class T>
  EVENLY_HD T pass([[maybe_unused]] detail::simt_operation operation, T value, [[maybe_unused]] int source,
                   [[maybe_unused]] detail::simt_source where) const {
    static_assert(std::is_trivially_copyable_v<T>, "lanes exchange bytes: values must be trivially copyable");
#if !defined(__CUDA_ARCH__)
    if (is_alone()) return value;
    T result = value;
    detail::simt_exchange mine{&value, &result, source};
    if (meet(operation, sizeof(T), &mine, where)) {
      for (int lane = 0; lane < place_.members; ++lane) {
        auto const& to = exchange(lane);
        *static_cast<T*>(to.result) = *static_cast<T const*>(exchange(to.source_lane).value);
      }
      machine_->part(thread_, meeting_);
    }
    return result;
#else
    return value;
#endif
  }

  bool meet(detail::simt_operation operation, std::size_t bytes, detail::simt_exchange* mine,
            detail::simt_source where) const {
    return machine_->meet(thread_, meeting_, operation, bytes, mine, where);
  }
  detail::simt_exchange& exchange(int lane) const { return machine_->exchange(meeting_, lane); }
  [[noreturn]] void fail(std::string const& what, detail::simt_source where, std::string const& how,
                         std::string const& rule = "") const {
    throw simt_error(machine_->block(), thread_,
                     what + " (" + where.text() + ") " + how + " group of " + std::to_string(lanes_) + " lanes" + rule);
  }

  detail::simt_machine* machine_;
  detail::group_placement place_;
  int lanes_, thread_, meeting_, local_count_;
  std::int64_t index_, count_;
};

class simt_worker {
 public:
  EVENLY_HD simt_worker(detail::simt_machine* machine, int thread, int threads, std::int64_t block, std::int64_t blocks)
      : machine_(machine), thread_(thread), threads_(threads), block_(block), blocks_(blocks) {}

  EVENLY_HD int thread() const { return thread_; }
  EVENLY_HD int num_threads() const { return threads_; }
  EVENLY_HD std::int64_t block() const { return block_; }
  EVENLY_HD std::int64_t num_blocks() const { return blocks_; }

  EVENLY_HD void sync([[maybe_unused]] detail::simt_source where = detail::simt_source::here()) const {
#if !defined(__CUDA_ARCH__)
    constexpr int barrier = detail::simt_machine::block_barrier;
    bool const last = machine_->meet(thread_, barrier, detail::simt_operation::sync, 0, nullptr, where);
    if (last) machine_->part(thread_, barrier);
#endif
  }

  EVENLY_HD int count(bool flag, [[maybe_unused]] detail::simt_source where = detail::simt_source::here()) const {
    int result = flag ? 1 : 0;
#if !defined(__CUDA_ARCH__)
    constexpr int barrier = detail::simt_machine::block_barrier;
    int value = result;
    detail::simt_exchange mine{&value, &result};
    if (machine_->meet(thread_, barrier, detail::simt_operation::count, sizeof value, &mine, where)) {
      int all = 0;
      for (int t = 0; t < threads_; ++t) all += *static_cast<int const*>(machine_->exchange(barrier, t).value);
      for (int t = 0; t < threads_; ++t) *static_cast<int*>(machine_->exchange(barrier, t).result) = all;
      machine_->part(thread_, barrier);
    }
#endif
    return result;
  }

  EVENLY_HD simt_group group(int lanes) const {
    int meetings = 0;
#if !defined(__CUDA_ARCH__)
    if (lanes < 1) throw simt_error(block_, thread_, "asks for a group of " + std::to_string(lanes) + " lanes");
    meetings = machine_->meetings_of(lanes);
#endif
    return {machine_, meetings, lanes, thread_, threads_, block_, blocks_};
  }

  template <class T>
  EVENLY_HD simt_scratch<T> scratch(std::int64_t count,
                                    [[maybe_unused]] detail::simt_source where = detail::simt_source::here()) {
    detail::simt_request request;
#if !defined(__CUDA_ARCH__)
    constexpr std::size_t alignment = alignof(T) > 16 ? alignof(T) : 16;
    static_assert(alignment <= detail::simt_scratch_memory::alignment);
    std::size_t const offset = (used_ + alignment - 1) / alignment * alignment;
    request = machine_->ask_scratch(thread_, {0, offset, count, sizeof(T), where}, used_);
    used_ = offset + (sizeof(T) * static_cast<std::size_t>(count) + 15) / 16 * 16;
#endif
    return {machine_, thread_, request};
  }

 private:
  detail::simt_machine* machine_;
  int thread_, threads_;
  std::int64_t block_, blocks_;
  std::size_t used_ = 0;  // bytes of the block's scratch
};

static_assert(thread_group<simt_group>);
static_assert(worker<simt_worker>);

}  // namespace evenly
