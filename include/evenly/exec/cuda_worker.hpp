// SPDX-License-Identifier: Apache-2.0
//
// A CUDA thread as a worker, and groups of CUDA threads of any size. Groups up to a warp shuffle under their own mask
// (their loops end at different times); larger ones are whole warps that meet at a named barrier and exchange through a
// few words of shared memory. this_worker() is what a kernel of the user's own hands to a body.
#pragma once

#include <evenly/core/config.hpp>
#include <evenly/core/worker.hpp>

#include <cstdint>
#include <type_traits>

namespace evenly {

namespace detail {

/// `value` of the lane that `shuffle_word(word)` reads from, a 32-bit word at a time.
template <class T, class ShuffleWord>
EVENLY_HD T shuffle_words(T value, ShuffleWord shuffle_word) {
  static_assert(std::is_trivially_copyable_v<T>);
  constexpr int words = (sizeof(T) + 3) / 4;
  union exchange {
    EVENLY_HD exchange() : raw{} {}
    unsigned raw[words];
    T value;
  } bits;
  bits.value = value;
  EVENLY_UNROLL
  for (int i = 0; i < words; ++i) bits.raw[i] = shuffle_word(bits.raw[i]);
  return bits.value;
}

}  // namespace detail

class cuda_group {
 public:
  /// Holds little and recomputes the rest: registers are dearer than a few integer instructions.
  EVENLY_HD cuda_group(int lanes, int thread, int threads) : size_(lanes) {
    if (lanes <= warp_size) {
      int const warp_lane = thread % warp_size, in_warp = warp_lane / lanes, a_warp = warp_size / lanes;
      lane_ = warp_lane - in_warp * lanes;
      local_ = thread / warp_size * a_warp + in_warp;
      present_ = in_warp < a_warp && local_ < groups_per_block(lanes, threads);
    } else {
      int const group_threads = warps() * warp_size;
      local_ = thread / group_threads;
      lane_ = thread - local_ * group_threads;
      present_ = local_ < groups_per_block(lanes, threads);
      whole_block_ = group_threads == threads;
    }
  }

  EVENLY_HD int lane() const { return lane_; }
  EVENLY_HD int size() const { return size_; }
  EVENLY_HD bool active() const { return present_ && lane_ < size_; }
  EVENLY_HD bool present() const { return present_; }
  EVENLY_HD int local_index() const { return local_; }
  EVENLY_HD int local_count() const {
#if defined(__CUDA_ARCH__)
    return groups_per_block(size_, static_cast<int>(blockDim.x));
#else
    return 1;
#endif
  }
  EVENLY_HD std::int64_t index() const {
#if defined(__CUDA_ARCH__)
    return static_cast<std::int64_t>(blockIdx.x) * local_count() + local_;
#else
    return local_;
#endif
  }
  EVENLY_HD std::int64_t count() const {
#if defined(__CUDA_ARCH__)
    return static_cast<std::int64_t>(gridDim.x) * local_count();
#else
    return 1;
#endif
  }

  EVENLY_HD void sync() const {
#if defined(__CUDA_ARCH__)
    if (!present_ || size_ == 1) return;
    if (size_ <= warp_size) __syncwarp(mask());
    else if (whole_block_) __syncthreads();
    else asm volatile("bar.sync %0, %1;" ::"r"(local_ + 1), "r"(warps() * warp_size) : "memory");
#endif
  }

  /// A tree over lanes 0, 1, 2, ... that keeps their order: step d joins lane i with lane i + d for i a multiple of 2 d.
  template <class T, class Op>
  EVENLY_HD T reduce(T value, Op const& op) const {
#if defined(__CUDA_ARCH__)
    if (!present_ || size_ == 1) return value;
    if (size_ <= warp_size) return reduce_in_warp(value, op, lane_, size_, mask());
    int const warp_lane = lane_ % warp_size, in_warp = size_ - lane_ + warp_lane;  // lanes of this warp that count
    value = reduce_in_warp(value, op, warp_lane, in_warp < warp_size ? in_warp : warp_size, ~0u);
    T* const slots = exchange_slots<T>() + local_ * warps();
    if (warp_lane == 0) slots[lane_ / warp_size] = value;
    sync();
    if (lane_ < warp_size) {
      if (lane_ < warps()) value = slots[lane_];
      value = reduce_in_warp(value, op, lane_, warps(), ~0u);
    }
    sync();  // the slots are free again
    return value;
#else
    return op(value, op.identity());
#endif
  }

  template <class T>
  EVENLY_HD T broadcast(T value) const {
#if defined(__CUDA_ARCH__)
    if (!present_ || size_ == 1) return value;
    if (size_ <= warp_size) return shuffle(value, 0);
    T* const slot = exchange_slots<T>() + local_ * warps();
    if (lane_ == 0) *slot = value;
    sync();
    value = *slot;
    sync();
#endif
    return value;
  }

  /// The lanes of a warp whose flag is set, as bits. For groups of a whole warp.
  EVENLY_HD unsigned ballot([[maybe_unused]] bool flag) const {
#if defined(__CUDA_ARCH__)
    return __ballot_sync(mask(), flag);
#else
    return flag ? 1u : 0u;
#endif
  }

  static EVENLY_HD int first_lane([[maybe_unused]] unsigned lanes) {
#if defined(__CUDA_ARCH__)
    return __ffs(static_cast<int>(lanes)) - 1;
#else
    return 0;
#endif
  }

  template <class T>
  EVENLY_HD T shuffle(T value, [[maybe_unused]] int source) const {
#if defined(__CUDA_ARCH__)
    if (!present_ || size_ == 1) return value;
    int const from = (threadIdx.x & 31) - lane_ + source;
    return detail::shuffle_words(value, [&](unsigned word) { return __shfl_sync(mask(), word, from); });
#else
    return value;
#endif
  }

 private:
  EVENLY_HD int warps() const { return (size_ + warp_size - 1) / warp_size; }

  // The lanes of a group that is no larger than a warp.
  EVENLY_HD unsigned mask() const {
#if defined(__CUDA_ARCH__)
    return size_ == warp_size ? ~0u : ((1u << size_) - 1u) << ((threadIdx.x & 31) - lane_);
#else
    return 1u;
#endif
  }

#if defined(__CUDA_ARCH__)
  template <class T, class Op>
  static EVENLY_DEVICE T reduce_in_warp(T value, Op const& op, int lane, int lanes, unsigned mask) {
    for (int d = 1; d < lanes; d *= 2) {
      T const other = detail::shuffle_words(value, [&](unsigned word) { return __shfl_down_sync(mask, word, d); });
      if (lane % (2 * d) == 0 && lane + d < lanes) value = op(value, other);
    }
    return value;
  }

  // One slot for each warp that a block can have.
  template <class T>
  static EVENLY_DEVICE T* exchange_slots() {
    alignas(alignof(T) < 8 ? 8 : alignof(T)) __shared__ unsigned char slots[sizeof(T) * 32];
    return reinterpret_cast<T*>(slots);
  }
#endif

  int size_, lane_, local_;
  bool present_;
  // A barrier whose number is known at run time only makes the compiler reserve all 16, and then only 4 blocks fit a
  // multiprocessor (seen on an H200): where the compiler knows that the group is the block, that code is gone.
  bool whole_block_ = false;
};

class cuda_worker {
 public:
  EVENLY_HD int thread() const {
#if defined(__CUDA_ARCH__)
    return static_cast<int>(threadIdx.x);
#else
    return 0;
#endif
  }
  EVENLY_HD int num_threads() const {
#if defined(__CUDA_ARCH__)
    return static_cast<int>(blockDim.x);
#else
    return 1;
#endif
  }
  EVENLY_HD std::int64_t block() const {
#if defined(__CUDA_ARCH__)
    return blockIdx.x;
#else
    return 0;
#endif
  }
  EVENLY_HD std::int64_t num_blocks() const {
#if defined(__CUDA_ARCH__)
    return gridDim.x;
#else
    return 1;
#endif
  }
  EVENLY_HD void sync() const {
#if defined(__CUDA_ARCH__)
    __syncthreads();
#endif
  }
  EVENLY_HD int count(bool flag) const {
#if defined(__CUDA_ARCH__)
    return __syncthreads_count(flag);
#else
    return flag ? 1 : 0;
#endif
  }
  EVENLY_HD cuda_group group(int lanes) const { return {lanes, thread(), num_threads()}; }
  EVENLY_HD cuda_group group(int lanes, int threads) const { return {lanes, thread(), threads}; }

  /// From the launch's dynamic shared memory; what a launch asks for is checked on the host (launch_shape.scratch_bytes).
  template <class T>
  EVENLY_HD T* scratch(int count) {
#if defined(__CUDA_ARCH__)
    extern __shared__ __align__(16) unsigned char evenly_scratch[];
    T* const place = reinterpret_cast<T*>(evenly_scratch + used_);
    used_ += (static_cast<unsigned>(sizeof(T)) * static_cast<unsigned>(count) + 15u) / 16u * 16u;
    return place;
#else
    used_ += static_cast<unsigned>(count);
    return nullptr;
#endif
  }

 private:
  unsigned used_ = 0;
};

static_assert(worker<cuda_worker>);

/// The calling CUDA thread. In host code it stands for a grid of one thread and does nothing of use.
EVENLY_HD inline cuda_worker this_worker() { return {}; }

}  // namespace evenly
