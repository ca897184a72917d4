// SPDX-License-Identifier: Apache-2.0
#include <evenly/core/atomic.hpp>
#include <evenly/exec/host.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace {

template <class T>
struct everyone {
  T *sum, *least, *most;
  void operator()(evenly::host_worker const& me) const {
    for (int i = 0; i < 100; ++i) {
      auto const mine = static_cast<T>(me.block() * 100 + i);
      evenly::atomic_add(sum, mine);
      evenly::atomic_min(least, mine);
      evenly::atomic_max(most, mine);
    }
  }
};

template <class T>
void counts_right() {
  T sum{}, least = std::numeric_limits<T>::max(), most = std::numeric_limits<T>::lowest();
  evenly::host const run({.threads = 4});
  run.launch({.blocks = 64, .threads = 1}, everyone<T>{&sum, &least, &most});
  run.wait();
  EXPECT_EQ(sum, static_cast<T>(6400 * 6399 / 2));
  EXPECT_EQ(least, T{0});
  EXPECT_EQ(most, T{6399});
}

TEST(Atomic, no_update_is_lost) {
  counts_right<int>();
  counts_right<unsigned>();
  counts_right<std::int64_t>();
  counts_right<double>();  // all sums are whole numbers, so their order does not matter
}

TEST(Atomic, each_returns_what_was_there_before) {
  int place = 5;
  EXPECT_EQ(evenly::atomic_add(&place, 2), 5);
  EXPECT_EQ(evenly::atomic_min(&place, 9), 7);
  EXPECT_EQ(evenly::atomic_min(&place, 3), 7);
  EXPECT_EQ(evenly::atomic_max(&place, 1), 3);
  EXPECT_EQ(evenly::atomic_max(&place, 8), 3);
}

}  // namespace
