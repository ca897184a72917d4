// SPDX-License-Identifier: Apache-2.0
//
// The machine under `simt`: runs the threads of one block after another, each on a fiber, until it waits or ends. A
// thread that waits gives way to the next straight away, without a scheduler in between; one that ends leaves its fiber
// to the next thread that has not begun, so threads that never wait cost no change of stacks.
//
// Threads wait for each other at meetings; the last to come does the work for all. When nobody can go on, or a thread
// throws, the waiting threads are unwound by an exception of their own.
#pragma once

#include <evenly/core/error.hpp>
#include <evenly/detail/simt_clock.hpp>
#include <evenly/detail/simt_error.hpp>
#include <evenly/detail/simt_fiber.hpp>
#include <evenly/detail/simt_meeting.hpp>
#include <evenly/detail/simt_order.hpp>
#include <evenly/detail/simt_placement.hpp>
#include <evenly/detail/simt_scratch.hpp>
#include <evenly/exec/launch_shape.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace evenly::detail {

struct simt_settings {
  std::uint64_t seed = 0;
  bool check_races = true;
  std::size_t stack_bytes = 0;
};

class simt_machine {
 public:
  using call = void (*)(void const* body, simt_machine& machine, int thread);
  static constexpr int max_threads = 1024;
#if defined(EVENLY_SIMT_ASAN)
  static constexpr std::size_t usual_stack_bytes = 256 * 1024;
#else
  static constexpr std::size_t usual_stack_bytes = 64 * 1024;
#endif

  simt_machine() { base_of_.fill(-1); }
  ~simt_machine() { drop_fibers(); }
  simt_machine(simt_machine const&) = delete;
  simt_machine& operator=(simt_machine const&) = delete;

  /// run() on a free machine of this host thread: its stacks are warm.
  static void launch(launch_shape shape, simt_settings const& chosen, call function, void const* body) {
    thread_local std::unique_ptr<simt_machine> spare;
    struct lease {  // a body that launches gets another machine
      std::unique_ptr<simt_machine> machine = spare ? std::move(spare) : std::make_unique<simt_machine>();
      ~lease() { spare = std::move(machine); }
    } const borrowed;
    borrowed.machine->run(shape, chosen, function, body);
  }

  void run(launch_shape shape, simt_settings const& chosen, call function, void const* body) {
    if (shape.threads > max_threads)
      throw argument_error("simt: " + std::to_string(shape.threads) + " threads in a block; a GPU has at most 1024");
    num_threads_ = shape.threads;
    num_blocks_ = shape.blocks;
    function_ = function;
    body_ = body;
    threads_.assign(static_cast<std::size_t>(num_threads_), {});
    base_of_.fill(-1);
    meetings_.assign(1, {.members = num_threads_});
    scratch_.start_launch(shape.scratch_bytes, chosen.check_races);
    if (chosen.stack_bytes > stack_bytes_) {
      stack_bytes_ = chosen.stack_bytes;
      drop_fibers();
    }
    order_.start_launch(chosen.seed);
    order_.for_each_block(num_blocks_, [&](std::int64_t block) { run_block(block); });
  }

  int num_threads() const { return num_threads_; }
  std::int64_t block() const { return block_; }
  std::int64_t num_blocks() const { return num_blocks_; }
  simt_clock const& clock() const { return clock_; }
  simt_scratch_memory& scratch() { return scratch_; }

  simt_request ask_scratch(int thread, simt_request const& wanted, std::size_t used) {
    return scratch_.ask(thread, threads_[index(thread)].requests++, wanted, used);
  }

  /// The meeting of the block's groups of that size, for group 0; the others follow.
  int meetings_of(int lanes) {
    if (lanes < 1 || lanes > max_threads) return -1;
    int& base = base_of_[index(lanes)];
    if (base < 0) {
      base = static_cast<int>(meetings_.size());
      int const groups = groups_per_block(lanes, num_threads_);
      for (int thread = 0, local = 0; local < groups; ++thread) {
        group_placement const place(lanes, thread, num_threads_);
        if (!place.present || place.local != local) continue;
        meetings_.push_back({.lanes = lanes, .local = local++, .first = place.first, .members = place.members});
      }
    }
    return base;
  }
  static constexpr int block_barrier = 0;

  /// Called by each member. True for the last to come: it works on the exchanges of all, then calls part(). False for
  /// the others, once that is done.
  bool meet(int thread, int which, simt_operation what, std::size_t value_bytes, simt_exchange* exchange,
            simt_source where) {
    if (stopping()) return false;
    simt_meeting& meeting = meetings_[index(which)];
    thread_state& me = threads_[index(thread)];
    me.exchange = exchange;
    me.where = where;
    if (meeting.arrived > 0 && (meeting.operation != what || meeting.value_bytes != value_bytes))
      fail_mixed(thread, which, what, value_bytes);
    meeting.operation = what;
    meeting.value_bytes = value_bytes;
    me.meeting = which;
    if (++meeting.arrived == meeting.members) return true;
    wait(thread);
    return false;
  }
  simt_exchange& exchange(int which, int lane) {
    return *threads_[index(meetings_[index(which)].first + lane)].exchange;
  }

  /// The meeting is over: all members may go on, and the caller waits for its turn.
  void part(int thread, int which) {
    simt_meeting& meeting = meetings_[index(which)];
    if (meeting.operation == simt_operation::sync || meeting.operation == simt_operation::count) {
      if (which == block_barrier) clock_.block_barrier();
      else clock_.group_barrier(meeting.first, meeting.members);
    }
    meeting.arrived = 0;
    for (int member = meeting.first; member < meeting.first + meeting.members; ++member) {
      threads_[index(member)].meeting = nowhere;
      order_.add(member);
    }
    wait(thread);
  }

 private:
  static constexpr int nowhere = -1;
  struct stop {};  // unwinds a waiting thread

  struct thread_state {
    simt_fiber* fiber = nullptr;  // null: not begun, or ended
    simt_exchange* exchange = nullptr;
    simt_source where;
    int meeting = nowhere;
    std::uint32_t requests = 0;
  };

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  void run_block(std::int64_t block) {
    block_ = block;
    clock_.start(num_threads_);
    scratch_.start_block(block);
    stops_ = false;
    order_.start_block(num_threads_);
    simt_fiber outside;
    outside_ = &outside;
    go_on(order_.next(), outside);
    if (std::any_of(threads_.begin(), threads_.end(), [](auto const& thread) { return thread.fiber != nullptr; })) {
      fail_stuck();
      go_on(order_.next(), outside);
    }
    outside_ = nullptr;
    if (!failure_) return;
    for (auto& meeting : meetings_) meeting.arrived = 0;
    std::rethrow_exception(std::exchange(failure_, nullptr));
  }

  // Leaves the fiber `from` for the thread `next`.
  void go_on(int next, simt_fiber& from) {
    thread_state& thread = threads_[index(next)];
    if (thread.fiber == nullptr) begin(next, free_fiber());
    simt_fiber::change(from, *thread.fiber);
  }

  void begin(int thread, simt_fiber* fiber) {
    threads_[index(thread)] = {};
    threads_[index(thread)].fiber = fiber;
    beginner_ = thread;
  }

  void wait(int thread) {
    simt_fiber& mine = *threads_[index(thread)].fiber;
    int const next = order_.next();
    if (next == thread) return;
    if (next == simt_order::nobody) simt_fiber::change(mine, *outside_);
    else go_on(next, mine);
    stopping();
  }

  // Is this block being unwound? Then the caller is, too, unless it is a destructor that runs because of that.
  bool stopping() const {
    if (!stops_) return false;
    if (std::uncaught_exceptions() > 0) return true;
    throw stop{};
  }

  // What a fiber does: threads that begin, one after another.
  static void fiber_main(void* machine, simt_fiber& me) { static_cast<simt_machine*>(machine)->serve(me); }
  void serve(simt_fiber& me) {
    while (!quits_) {
      int const thread = beginner_;
      try {
        function_(body_, *this, thread);
      } catch (stop const&) {
      } catch (...) { fail(thread); }
      threads_[index(thread)].fiber = nullptr;
      int const next = order_.next();
      if (next != simt_order::nobody && threads_[index(next)].fiber == nullptr) {
        begin(next, &me);
        continue;
      }
      free_.push_back(&me);
      if (next == simt_order::nobody) simt_fiber::change(me, *outside_);
      else go_on(next, me);
    }
  }

  simt_fiber* free_fiber() {
    if (free_.empty()) {
      auto const colour = static_cast<unsigned>(fibers_.size());
      fibers_.push_back(std::make_unique<simt_fiber>(stack_bytes_, colour, &fiber_main, this));
      return fibers_.back().get();
    }
    simt_fiber* const fiber = free_.back();
    free_.pop_back();
    return fiber;
  }
  void drop_fibers() {
    quits_ = true;
    simt_fiber here;
    for (auto const& fiber : fibers_) simt_fiber::change(here, *fiber);
    quits_ = false;
    free_.clear();
    fibers_.clear();
  }

  // Unwinds all threads that wait, and begins no more.
  void stop_all_but(int thread) {
    stops_ = true;
    order_.clear();
    for (int other = 0; other < num_threads_; ++other)
      if (other != thread && threads_[index(other)].fiber != nullptr) order_.add(other);
  }

  // Keeps the exception being handled, with the thread it came from, unless there has been one before.
  void fail(int thread) {
    if (failure_ == nullptr) {
      try {
        throw;
      } catch (simt_error const&) { failure_ = std::current_exception(); } catch (std::exception const& thrown) {
        failure_ = nest(thread, thrown.what());
      } catch (...) { failure_ = nest(thread, "threw something that is no std::exception"); }
    }
    stop_all_but(thread);
  }
  std::exception_ptr nest(int thread, std::string const& what) const {
    try {
      std::throw_with_nested(simt_error(block_, thread, what));
    } catch (...) { return std::current_exception(); }
  }

  // `thread` does something else at a meeting than those who wait there.
  [[noreturn]] void fail_mixed(int thread, int which, simt_operation what, std::size_t value_bytes) const {
    simt_meeting const& theirs = meetings_[index(which)];
    simt_meeting mine = theirs;
    mine.operation = what;
    mine.value_bytes = value_bytes;
    int other = theirs.first;
    while (threads_[index(other)].fiber == nullptr || threads_[index(other)].meeting != which) ++other;
    auto const text = [&](simt_meeting const& meeting, int member) {
      return meeting.text() + " with " + std::to_string(meeting.value_bytes) + " bytes (" +
             threads_[index(member)].where.text() + ")";
    };
    throw simt_error(block_, thread,
                     "divergent: comes to " + text(mine, thread) + ", where thread " + std::to_string(other) +
                         " waits at " + text(theirs, other));
  }

  // All threads have ended or wait for ones that will not come.
  void fail_stuck() {
    int first = -1, num_runs = 0;
    std::string who;
    for (int begin = 0, end = 0; begin < num_threads_; begin = end) {
      std::string const what = state(begin);
      while (end < num_threads_ && state(end) == what) ++end;
      if (first < 0 && threads_[index(begin)].fiber != nullptr) first = begin;
      if (++num_runs > 8) continue;
      who += begin == 0 ? "thread" : "; thread";
      who += end == begin + 1 ? " " : "s " + std::to_string(begin) + "-";
      who += std::to_string(end - 1);
      who += ":" + what;
    }
    if (num_runs > 8) who += "; and so on";
    failure_ = std::make_exception_ptr(simt_error(block_, first, "divergent barrier, nobody can go on: " + who));
    stop_all_but(-1);
  }
  std::string state(int thread) const {
    thread_state const& it = threads_[index(thread)];
    if (it.fiber == nullptr) return " ended";
    return " at " + meetings_[index(it.meeting)].text() + " (" + it.where.text() + ")";
  }

  // of the launch
  int num_threads_ = 0;
  std::int64_t num_blocks_ = 0;
  call function_ = nullptr;
  void const* body_ = nullptr;
  std::array<int, max_threads + 1> base_of_;  // by lanes
  std::vector<simt_meeting> meetings_;        // the block's barrier; then the groups of each size that was asked for

  // of the block
  std::int64_t block_ = 0;
  std::vector<thread_state> threads_;
  int beginner_ = 0;  // the thread that begins on the fiber we change to
  bool stops_ = false, quits_ = false;
  std::exception_ptr failure_;
  simt_fiber* outside_ = nullptr;
  simt_order order_;
  simt_clock clock_;
  simt_scratch_memory scratch_;

  std::size_t stack_bytes_ = 0;
  std::vector<std::unique_ptr<simt_fiber>> fibers_;
  std::vector<simt_fiber*> free_;
};

}  // namespace evenly::detail
