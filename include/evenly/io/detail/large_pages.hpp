// SPDX-License-Identifier: Apache-2.0
//
// Asks Linux for large pages under a big array that is about to be filled. Scattering entries over rows touches memory
// in no order, and with 4 KiB pages most of that time goes to address translation, most of all in a virtual machine. A
// hint only: where it is not known or not granted, nothing changes but the speed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace evenly::detail::mtx {

/// For memory that is allocated but not touched yet; small arrays are left alone.
template <class T>
void prefer_large_pages(T* array, std::size_t size) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t page = 4096;
  const auto begin = (reinterpret_cast<std::uintptr_t>(array) + page - 1) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(array + size) / page * page;
  if (array != nullptr && end > begin && end - begin >= (std::size_t{4} << 20U))
    ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#else
  (void)array, (void)size;
#endif
}

/// Makes room for `capacity` elements, in large pages if they are many.
template <class T>
void reserve_large(std::vector<T>& array, std::size_t capacity) {
  array.reserve(capacity);
  prefer_large_pages(array.data(), array.capacity());
}

}  // namespace evenly::detail::mtx
