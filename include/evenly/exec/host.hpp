// SPDX-License-Identifier: Apache-2.0
//
// The host executor: a persistent pool of threads over the blocks of a launch. A block has one thread, which stands for a
// whole group of any size; each block takes a contiguous run of the plan's shares. Launches return when they are done.
// Results do not depend on the number of threads: they depend on the plan's shares alone.
#pragma once

#include <evenly/core/config.hpp>
#include <evenly/core/error.hpp>
#include <evenly/core/range.hpp>
#include <evenly/core/schedule.hpp>
#include <evenly/core/worker.hpp>
#include <evenly/detail/thread_pool.hpp>
#include <evenly/exec/launch_shape.hpp>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace evenly {

/// A group as one host thread plays it: a single lane that takes every atom.
class host_group {
 public:
  EVENLY_HD constexpr host_group(std::int64_t block, std::int64_t blocks) : block_(block), blocks_(blocks) {}
  EVENLY_HD constexpr int lane() const { return 0; }
  EVENLY_HD constexpr int size() const { return 1; }
  EVENLY_HD constexpr bool active() const { return true; }
  EVENLY_HD constexpr bool present() const { return true; }
  EVENLY_HD constexpr std::int64_t index() const { return block_; }
  EVENLY_HD constexpr std::int64_t count() const { return blocks_; }
  EVENLY_HD constexpr int local_index() const { return 0; }
  EVENLY_HD constexpr int local_count() const { return 1; }
  EVENLY_HD constexpr void sync() const {}
  template <class T, class Op>
  EVENLY_HD constexpr T reduce(T value, Op const&) const {
    return value;
  }
  template <class T>
  EVENLY_HD constexpr T broadcast(T value) const {
    return value;
  }
  template <class T>
  EVENLY_HD constexpr T shuffle(T value, int) const {
    return value;
  }

  /// Neighbouring shares, not every count-th: they touch neighbouring memory.
  EVENLY_HD constexpr step_range<std::int64_t> turns(std::int64_t num_groups) const {
    auto const mine =
        deal<std::int64_t>(0, num_groups, 0, static_cast<int>(block_), static_cast<int>(blocks_), dealing::pieces);
    return {mine.begin, mine.end, 1};
  }

 private:
  std::int64_t block_, blocks_;
};

class host_worker {
 public:
  /// Library loops replay a group's lanes one by one, in the order and by the pieces a device would use.
  static constexpr bool replays_lanes = true;

  EVENLY_HD constexpr host_worker(std::int64_t block, std::int64_t blocks, char* scratch, std::size_t scratch_bytes)
      : block_(block), blocks_(blocks), scratch_(scratch), left_(scratch_bytes) {}
  EVENLY_HD constexpr int thread() const { return 0; }
  EVENLY_HD constexpr int num_threads() const { return 1; }
  EVENLY_HD constexpr std::int64_t block() const { return block_; }
  EVENLY_HD constexpr std::int64_t num_blocks() const { return blocks_; }
  EVENLY_HD constexpr void sync() const {}
  EVENLY_HD constexpr int count(bool flag) const { return flag ? 1 : 0; }
  EVENLY_HD constexpr host_group group(int) const { return {block_, blocks_}; }

  template <class T>
  EVENLY_HD T* scratch(int count) {
    std::size_t const bytes = (sizeof(T) * static_cast<std::size_t>(count) + 15) / 16 * 16;
#if !defined(__CUDA_ARCH__)
    if (bytes > left_)
      throw argument_error("scratch: " + std::to_string(bytes) + " bytes wanted, " + std::to_string(left_) +
                           " left of this launch's scratch_bytes; raise it in the launch_shape");
#endif
    T* const place = reinterpret_cast<T*>(scratch_);
    scratch_ += bytes;
    left_ -= bytes;
    return place;
  }

 private:
  std::int64_t block_, blocks_;
  char* scratch_;
  std::size_t left_;
};

static_assert(worker<host_worker>);

class host {
 public:
  static constexpr bool is_device = false;
  static constexpr bool has_blocks = false;  // a block is one thread: nothing to stage for
  static constexpr char const* name = "host";

  struct options {
    int threads = 0;  // 0: as many as the machine has cores
  };

  host() : host(options{}) {}
  explicit host(options chosen) : pool_(std::make_shared<detail::thread_pool>(chosen.threads)) {}

  int num_threads() const { return pool_->num_threads(); }

  void* allocate(std::size_t bytes) const { return ::operator new(bytes, std::align_val_t{64}); }
  void deallocate(void* there) const noexcept { ::operator delete(there, std::align_val_t{64}); }
  void copy_to(void* there, void const* here, std::size_t bytes) const {
    if (bytes != 0) std::memcpy(there, here, bytes);
  }
  void copy_from(void* here, void const* there, std::size_t bytes) const {
    if (bytes != 0) std::memcpy(here, there, bytes);
  }
  void fill(void* there, unsigned char byte, std::size_t bytes) const {
    if (bytes != 0) std::memset(there, byte, bytes);
  }

  /// A few blocks for each thread, so that a slow one does not hold up the rest.
  launch_shape shape(std::int64_t num_groups, int) const {
    std::int64_t const blocks = 16 * static_cast<std::int64_t>(num_threads());
    return {.blocks = num_groups < blocks ? num_groups : blocks, .threads = 1};
  }

  /// Runs body(me) once for each block and returns when all are done. The first exception of a body is thrown here.
  template <class Body>
  void launch(launch_shape shape, Body const& body) const {
    pool_->for_each(shape.blocks, [&](std::int64_t block) {
      std::vector<std::max_align_t> scratch((shape.scratch_bytes + sizeof(std::max_align_t) - 1) /
                                            sizeof(std::max_align_t));
      body(host_worker(block, shape.blocks, reinterpret_cast<char*>(scratch.data()), shape.scratch_bytes));
    });
  }
  void wait() const {}

 private:
  std::shared_ptr<detail::thread_pool> pool_;
};

/// The executor of a program that includes no CUDA header.
inline host const& default_executor() {
  static host const everyone;
  return everyone;
}

}  // namespace evenly
