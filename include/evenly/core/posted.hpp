// SPDX-License-Identifier: Apache-2.0
//
// A value that one block of a launch leaves for another, without a fence. On a GPU a fence that acquires empties the whole
// level-1 cache of a multiprocessor, whatever its other blocks keep there, and one that releases waits for all of a thread's
// writes. So every 4 bytes of the value travel with a mark in one 8-byte word that is written and read at once: a word says
// itself that it has arrived.
#pragma once

#include <evenly/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#if !defined(__CUDA_ARCH__)
#include <atomic>
#endif

namespace evenly {

namespace detail {

EVENLY_HD inline void store_relaxed(std::uint64_t* place, std::uint64_t word) {
#if defined(__CUDA_ARCH__)
  asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(place), "l"(word) : "memory");
#else
  std::atomic_ref<std::uint64_t>(*place).store(word, std::memory_order_relaxed);
#endif
}

EVENLY_HD inline std::uint64_t load_relaxed(std::uint64_t* place) {
#if defined(__CUDA_ARCH__)
  std::uint64_t word;
  asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(word) : "l"(place) : "memory");
  return word;
#else
  return std::atomic_ref<std::uint64_t>(*place).load(std::memory_order_relaxed);
#endif
}

}  // namespace detail

/// A place for one T in memory that all blocks see; all bytes zero: nothing posted.
template <class T>
class posted {
  static_assert(std::is_trivially_copyable_v<T>, "blocks exchange bytes: values must be trivially copyable");

 public:
  EVENLY_HD void post(T const& value) {
    bits whole;
    whole.value = value;
    EVENLY_UNROLL
    for (int i = 0; i < num_words; ++i) detail::store_relaxed(words_ + i, arrived | whole.raw[i]);
  }

  /// The posted value; the place is then free for the next. Only for who knows that the post has been issued: it waits
  /// for words that are still under way.
  EVENLY_HD T collect() {
    bits whole;
    EVENLY_UNROLL
    for (int i = 0; i < num_words; ++i) {
      std::uint64_t word;
      do word = detail::load_relaxed(words_ + i);
      while (word < arrived);
      whole.raw[i] = static_cast<std::uint32_t>(word);
      detail::store_relaxed(words_ + i, 0);
    }
    return whole.value;
  }

  /// Bytes of a place for values of that many.
  static constexpr std::size_t bytes_for(std::size_t value_bytes) {
    return (value_bytes + 3) / 4 * sizeof(std::uint64_t);
  }

 private:
  static constexpr int num_words = (sizeof(T) + 3) / 4;
  static constexpr std::uint64_t arrived = std::uint64_t{1} << 32;

  union bits {
    EVENLY_HD bits() : raw{} {}
    std::uint32_t raw[num_words];
    T value;
  };

  std::uint64_t words_[num_words];
};

}  // namespace evenly
