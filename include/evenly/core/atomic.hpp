// SPDX-License-Identifier: Apache-2.0
//
// Portable atomics on memory that all workers see, for traversals (relaxing a distance, claiming a vertex) and for counting.
// Reductions over tiles need none of them.
#pragma once

#include <evenly/core/config.hpp>

#include <cstring>
#include <type_traits>

#if !defined(__CUDA_ARCH__)
#include <atomic>
#endif

namespace evenly {

namespace detail {

/// *place = f(*place) in one step; returns what it held before. Stops early where f changes nothing.
template <class T, class F>
EVENLY_HD T atomic_update(T* place, F f) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "atomics are for types of 4 or 8 bytes");
#if defined(__CUDA_ARCH__)
  using word = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;
  auto* const raw = reinterpret_cast<word*>(place);
  word seen = *reinterpret_cast<word volatile*>(raw);
  while (true) {
    T before;
    memcpy(&before, &seen, sizeof(T));
    T const after = f(before);
    if (after == before) return before;
    word wanted;
    memcpy(&wanted, &after, sizeof(T));
    word const found = atomicCAS(raw, seen, wanted);
    if (found == seen) return before;
    seen = found;
  }
#else
  std::atomic_ref<T> shared(*place);
  T before = shared.load(std::memory_order_relaxed);
  while (true) {
    T const after = f(before);
    if (after == before || shared.compare_exchange_weak(before, after, std::memory_order_relaxed)) return before;
  }
#endif
}

template <class T>
struct least {
  T other;
  EVENLY_HD T operator()(T held) const { return other < held ? other : held; }
};
template <class T>
struct most {
  T other;
  EVENLY_HD T operator()(T held) const { return held < other ? other : held; }
};
template <class T>
struct sum_with {
  T other;
  EVENLY_HD T operator()(T held) const { return held + other; }
};

}  // namespace detail

/// *place = min(*place, value); returns what it held before. Relaxed.
template <class T>
EVENLY_HD T atomic_min(T* place, std::type_identity_t<T> value) {
  return detail::atomic_update(place, detail::least<T>{value});
}
/// *place = max(*place, value); returns what it held before. Relaxed.
template <class T>
EVENLY_HD T atomic_max(T* place, std::type_identity_t<T> value) {
  return detail::atomic_update(place, detail::most<T>{value});
}

/// *place += value; returns what it held before. Relaxed. Floating sums depend on the order of arrival.
template <class T>
EVENLY_HD T atomic_add(T* place, std::type_identity_t<T> value) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<T, int> || std::is_same_v<T, unsigned> || std::is_same_v<T, float> ||
                std::is_same_v<T, double>)
    return atomicAdd(place, value);
  else if constexpr (std::is_integral_v<T> && sizeof(T) == 8)
    return static_cast<T>(
        atomicAdd(reinterpret_cast<unsigned long long*>(place), static_cast<unsigned long long>(value)));
  else
#endif
    return detail::atomic_update(place, detail::sum_with<T>{value});
}

}  // namespace evenly
