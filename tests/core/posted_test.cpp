// SPDX-License-Identifier: Apache-2.0
//
// A posted value arrives whole, whatever its size, without any other order between the two threads; a collected place is
// as if nothing had ever been posted.
#include <evenly/core/atomic.hpp>
#include <evenly/core/posted.hpp>
#include <evenly/exec/host.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace {

template <int size>
struct bytes {
  unsigned char at[size];
  friend bool operator==(bytes const&, bytes const&) = default;
};

template <int size>
bytes<size> value_of(int which) {
  bytes<size> value;
  for (int i = 0; i < size; ++i) value.at[i] = static_cast<unsigned char>(which * 31 + i * 7);
  return value;
}

/// Each block posts and then counts itself in; the last collects all.
template <int size>
struct hand_over {
  evenly::posted<bytes<size>>* places;
  int* arrivals;
  int* wrong;
  void operator()(evenly::host_worker const& me) const {
    int const mine = static_cast<int>(me.block()), all = static_cast<int>(me.num_blocks());
    places[mine].post(value_of<size>(mine));
    if (evenly::atomic_add(arrivals, 1) != all - 1) return;
    for (int i = 0; i < all; ++i)
      if (!(places[i].collect() == value_of<size>(i))) ++*wrong;
  }
};

template <int size>
void arrives_whole() {
  evenly::host const run({.threads = 4});
  constexpr int blocks = 50;
  std::vector<evenly::posted<bytes<size>>> places(blocks);
  std::memset(static_cast<void*>(places.data()), 0, sizeof(places[0]) * blocks);
  EXPECT_EQ(sizeof(places[0]), evenly::posted<int>::bytes_for(size));
  for (int round = 0; round < 200; ++round) {
    int arrivals = 0, wrong = 0;
    run.launch({.blocks = blocks, .threads = 1}, hand_over<size>{places.data(), &arrivals, &wrong});
    ASSERT_EQ(wrong, 0) << "values of " << size << " bytes, round " << round;
    std::vector<unsigned char> const nothing(sizeof(places[0]) * blocks);
    ASSERT_EQ(std::memcmp(places.data(), nothing.data(), nothing.size()), 0);
  }
}

TEST(Posted, arrives_whole_and_leaves_nothing_behind) {
  arrives_whole<1>();
  arrives_whole<2>();
  arrives_whole<4>();
  arrives_whole<7>();
  arrives_whole<8>();
  arrives_whole<12>();
  arrives_whole<16>();
  arrives_whole<33>();
}

TEST(Posted, a_value_of_zeros_is_a_value) {
  evenly::posted<double> place;
  std::memset(static_cast<void*>(&place), 0, sizeof place);
  place.post(0.0);
  EXPECT_EQ(place.collect(), 0.0);
}

}  // namespace
