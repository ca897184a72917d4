// SPDX-License-Identifier: Apache-2.0
//
// The simt executor: a GPU's grid, blocks, warps, barriers, shuffles and scratch, emulated faithfully on one host
// thread, for tests, teaching, and debugging with gdb or a sanitizer. Each thread of a block is a fiber; blocks run one
// after another. launch() throws simt_error, which names block and thread and, where known, the body's line, for
//   - a barrier or collective that some of its threads never reach, and who waits where
//   - a read of scratch that nobody wrote; an index out of range; too much scratch, or threads that ask differently
//   - a race in scratch: two accesses, one of them a write, that no barrier orders; warps are not ordered by themselves
//   - a shuffle from a lane that is not there; and whatever a body throws
// Memory outside scratch is checked by ASan alone. A body must not spin until another thread or block has done
// something: nobody else runs until it waits at a barrier or ends. Needs Boost.Context: link with boost_context.
#pragma once

#include <evenly/core/worker.hpp>
#include <evenly/detail/simt_machine.hpp>
#include <evenly/exec/executor.hpp>
#include <evenly/exec/launch_shape.hpp>
#include <evenly/exec/simt_worker.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

namespace evenly {

class simt {
 public:
  static constexpr bool is_device = false;
  static constexpr char const* name = "simt";

  struct options {
    std::uint64_t seed = 0;        // 0: threads and blocks in natural order; else the seed decides
    bool check_races = true;       // in scratch
    int threads = 64;              // of a block, where the library chooses the shape
    std::int64_t max_blocks = 16;  // the same
    std::size_t stack_bytes = detail::simt_machine::usual_stack_bytes;  // of each thread; a guard page lies below
  };

  simt() : simt(options{}) {}
  explicit simt(options chosen) : chosen_(chosen) {}

  /// Filled with junk, so that nothing relies on zeros.
  void* allocate(std::size_t bytes) const {
    void* const there = ::operator new(bytes, std::align_val_t{64});
    fill(there, 0xCD, bytes);
    return there;
  }
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

  /// A small grid, whose blocks have to stride where there are many groups.
  launch_shape shape(std::int64_t num_groups, int lanes) const {
    int const whole_warps = (std::max(lanes, chosen_.threads) + warp_size - 1) / warp_size * warp_size;
    std::int64_t const in_block = groups_per_block(lanes, whole_warps);
    std::int64_t const blocks = num_groups / in_block + (num_groups % in_block != 0 ? 1 : 0);
    return {.blocks = std::min(blocks, chosen_.max_blocks), .threads = whole_warps};
  }

  /// body(me) for every thread of every block; returns when all are done. Throws simt_error; argument_error for a block
  /// of more than 1024 threads.
  template <class Body>
  void launch(launch_shape shape, Body const& body) const {
    if (shape.blocks <= 0 || shape.threads <= 0) return;
    detail::simt_machine::launch(shape, {chosen_.seed, chosen_.check_races, chosen_.stack_bytes}, &call<Body>, &body);
  }
  void wait() const {}

 private:
  template <class Body>
  static void call(void const* body, detail::simt_machine& machine, int thread) {
    simt_worker const me(&machine, thread, machine.num_threads(), machine.block(), machine.num_blocks());
    (*static_cast<Body const*>(body))(me);
  }

  options chosen_;
};

static_assert(executor<simt>);

}  // namespace evenly
