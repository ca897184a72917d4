// SPDX-License-Identifier: Apache-2.0
//
// A block copies a stretch of an array to its scratch while it does something else. On a GPU each thread starts copies of
// 16 bytes (or, where the array is not aligned so far, of its elements' alignment) that pass no register; elsewhere the
// copy is done when copy_async returns. Nothing outside the stretch is touched.
//
//     copy_async(me, scratch, data, count);   // any number of them
//     commit_copies();                        // they are one batch
//     await_copies<pending>();                // this thread's batches but the last `pending` have arrived; then me.sync()
//
// All three are for every thread of the block.
#pragma once

#include <evenly/core/range.hpp>
#include <evenly/core/worker.hpp>

#include <cstdint>

namespace evenly {

namespace detail {

#if defined(__CUDA_ARCH__)
/// `bytes` from global to shared memory, both aligned to it.
template <int bytes>
EVENLY_DEVICE inline void copy_word_async(void* to, void const* from) {
  auto const there = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if constexpr (bytes == 16) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(there), "l"(from));
  else asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(there), "l"(from), "n"(bytes));
}

/// Words begin .. end-1 of both arrays, dealt over the block.
template <int bytes, class Worker>
EVENLY_DEVICE void copy_words_async(Worker const& me, void* to, void const* from, int begin, int end) {
  auto* const there = static_cast<unsigned char*>(to);
  auto const* const here = static_cast<unsigned char const*>(from);
  for (int i = begin + me.thread(); i < end; i += me.num_threads())
    copy_word_async<bytes>(there + i * bytes, here + static_cast<std::int64_t>(i) * bytes);
}
#endif

}  // namespace detail

/// to[0 .. count-1] = from[0 .. count-1]. `to` lies in scratch, 16-byte aligned; count elements are less than 2 GB.
template <worker Worker, class Scratch, class T>
EVENLY_HD void copy_async(Worker const& me, Scratch to, T const* from, int count) {
#if defined(__CUDA_ARCH__)
  constexpr int word = alignof(T) >= 8 ? 8 : 4;
  static_assert(sizeof(T) % word == 0 && alignof(T) >= 4, "copies have words of 4, 8 or 16 bytes");
  int const bytes = count * static_cast<int>(sizeof(T));
  bool const wide = (reinterpret_cast<std::uintptr_t>(from) & 15) == 0;
  int const whole = wide ? bytes / 16 : 0;
  detail::copy_words_async<16>(me, to, from, 0, whole);
  detail::copy_words_async<word>(me, to, from, whole * (16 / word), bytes / word);
#else
  for (int i : block_stride(me, 0, count)) to[i] = from[i];
#endif
}

EVENLY_HD inline void commit_copies() {
#if defined(__CUDA_ARCH__)
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

template <int pending>
EVENLY_HD inline void await_copies() {
#if defined(__CUDA_ARCH__)
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
#endif
}

}  // namespace evenly
