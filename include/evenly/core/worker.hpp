// SPDX-License-Identifier: Apache-2.0
//
// A worker is one thread of execution as a body sees it: a CUDA thread, an emulated lane of `simt`, a host thread. Barrier,
// scratch and groups are its members, so that a body is an ordinary function that any executor can call.
//
// Scratch is block-shared memory, handed out by a bump pointer inside the worker: every thread of a block must ask for the
// same sizes in the same order and gets the same memory. A worker is passed by value, so what a function takes is free
// again when it returns. A group is `lanes` neighbouring threads of one block:
//   lanes <= 32: floor(32 / lanes) groups a warp, spare lanes of the warp are inactive;
//   lanes  > 32: rounded up to whole warps, surplus lanes are inactive (they hold no atoms but take part in sync); at most
//                15 groups a block.
#pragma once

#include <evenly/core/config.hpp>
#include <evenly/core/monoid.hpp>

#include <concepts>
#include <cstdint>

namespace evenly {

inline constexpr int warp_size = 32;

/// `lanes` threads that work on one share together. All members but the plain getters are collective over the group.
template <class Group>
concept thread_group = requires(Group const& group, int value, plus<int> op) {
  { group.lane() } -> std::same_as<int>;             // 0 .. size-1 where active
  { group.size() } -> std::same_as<int>;             // lanes that share the work
  { group.active() } -> std::same_as<bool>;          // false: this thread belongs to no group, or is a surplus lane
  { group.present() } -> std::same_as<bool>;         // active, or a surplus lane: must take part in the collectives
  { group.index() } -> std::same_as<std::int64_t>;   // of this group among all groups of the launch
  { group.count() } -> std::same_as<std::int64_t>;   // of groups in the launch
  { group.local_index() } -> std::same_as<int>;      // of this group in its block
  { group.local_count() } -> std::same_as<int>;      // of groups in the block
  group.sync();                                      // barrier of the group, orders scratch and global memory in it
  { group.reduce(value, op) } -> std::same_as<int>;  // in lane order, fixed tree; the result is lane 0's alone
  { group.broadcast(value) } -> std::same_as<int>;   // lane 0's value, to all
  { group.shuffle(value, 0) } -> std::same_as<int>;  // that lane's value, to all; size <= 32
};

template <class Worker>
concept worker = requires(Worker const& me, Worker& mine, int lanes) {
  { me.thread() } -> std::same_as<int>;       // in its block
  { me.num_threads() } -> std::same_as<int>;  // of a block
  { me.block() } -> std::same_as<std::int64_t>;
  { me.num_blocks() } -> std::same_as<std::int64_t>;
  me.sync();                                // barrier of the block
  { me.count(true) } -> std::same_as<int>;  // the same barrier: threads of the block whose flag is set, to all
  { me.group(lanes) } -> thread_group;
  mine.template scratch<int>(lanes);  // block-shared array of that many, indexable; contents undefined
};

/// One thread that plays a whole block: library loops replay its lanes one by one, or walk its tiles where they lie.
template <class Worker>
concept replaying_worker = worker<Worker> && requires { requires Worker::replays_lanes; };

/// A worker whose block has `threads` threads, known to the compiler: loops over the block unroll and divide by a constant.
/// Only for a launch of exactly that many.
template <worker Worker, int threads>
struct sized_worker : Worker {
  EVENLY_HD constexpr explicit sized_worker(Worker const& me) : Worker(me) {}
  EVENLY_HD static constexpr int num_threads() { return threads; }
  EVENLY_HD constexpr auto group(int lanes) const {
    auto const& me = static_cast<Worker const&>(*this);
    if constexpr (requires { me.group(lanes, threads); }) return me.group(lanes, threads);
    else return me.group(lanes);
  }
};

/// Groups of `lanes` threads that fit in a block of `threads`, by the rule above.
EVENLY_HD constexpr int groups_per_block(int lanes, int threads) {
  if (lanes <= warp_size) return (threads / warp_size) * (warp_size / lanes) + (threads % warp_size) / lanes;
  int const groups = threads / ((lanes + warp_size - 1) / warp_size * warp_size);
  return groups < 15 ? groups : 15;  // each meets at a named barrier, and a CUDA block has 16, one of them its own
}

}  // namespace evenly
