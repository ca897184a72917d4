// SPDX-License-Identifier: Apache-2.0
//
// view: a dense vector that does not own its elements, trivially copyable, the only kind that enters a kernel.
#pragma once

#include <evenly/core/config.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace evenly {

/// data: [size], in the memory of whoever runs.
template <class T>
struct view {
  T* data = nullptr;
  std::int64_t size = 0;

  constexpr view() = default;
  EVENLY_HD constexpr view(T* d, std::int64_t n) : data(d), size(n) {}
  /// From a view of elements that may be written.
  template <class U>
    requires(std::is_same_v<T, U const> && !std::is_const_v<U>)
  EVENLY_HD constexpr view(view<U> other) : data(other.data), size(other.size) {}

  template <std::integral I>
  EVENLY_HD constexpr T& operator[](I i) const {
    return data[i];
  }
};

}  // namespace evenly
