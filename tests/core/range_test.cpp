// SPDX-License-Identifier: Apache-2.0
#include <evenly/core/range.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace {

template <class T, class Range>
constexpr bool walks(Range const& range, std::initializer_list<T> expected) {
  auto next = expected.begin();
  for (T value : range) {
    if (next == expected.end() || value != *next) return false;
    ++next;
  }
  return next == expected.end();
}

constexpr bool walks_what_is_asked() {
  return walks(evenly::range(2, 5), {2, 3, 4}) && walks<int>(evenly::range(5, 5), {}) &&
         walks<int>(evenly::range(6, 5), {}) && walks(evenly::range(0, 10, 4), {0, 4, 8}) &&
         walks(evenly::range(0, 8, 4), {0, 4}) && walks(evenly::range(-3, 0), {-3, -2, -1}) &&
         walks(evenly::range(7, 8, 1000), {7});
}
static_assert(walks_what_is_asked());
TEST(Range, walks_from_begin_to_end_by_its_step) { EXPECT_TRUE(walks_what_is_asked()); }

constexpr bool stops_at_the_end_of_the_type() {
  using std::int64_t, std::uint8_t, std::int8_t;
  constexpr int top = std::numeric_limits<int>::max();
  constexpr int64_t top64 = std::numeric_limits<int64_t>::max();
  return walks(evenly::range(top - 2, top), {top - 2, top - 1}) &&
         walks(evenly::range(top - 5, top, 1000), {top - 5}) &&
         walks(evenly::range(top - 5, top, 4), {top - 5, top - 1}) &&
         walks(evenly::range(top64 - 3, top64, 2), {top64 - 3, top64 - 1}) &&
         walks(evenly::range(uint8_t{250}, uint8_t{255}, uint8_t{4}), {uint8_t{250}, uint8_t{254}}) &&
         walks(evenly::range(int8_t{120}, int8_t{127}, int8_t{6}), {int8_t{120}, int8_t{126}}) &&
         walks(evenly::range(0u, 0xFFFFFFFFu, 0x80000000u), {0u, 0x80000000u});
}
static_assert(stops_at_the_end_of_the_type());
TEST(Range, never_steps_past_the_largest_value_of_its_type) { EXPECT_TRUE(stops_at_the_end_of_the_type()); }

// Against numbers of more bits: the first places of the walk and its length.
__extension__ typedef __int128 wide;
template <class T>
void expect_walk(T begin, T end, T step) {
  wide const stride = step < 1 ? wide{1} : wide{step}, length = wide{end} - wide{begin};
  wide const count = length > 0 ? (length + stride - 1) / stride : 0;
  wide at = begin, taken = 0;
  constexpr wide most = 300;
  for (T value : evenly::range(begin, end, step)) {
    ASSERT_TRUE(wide{value} == at) << +begin << " to " << +end << " by " << +step << ", place " << int(taken);
    at += stride;
    if (++taken == most) break;
  }
  ASSERT_TRUE(taken == std::min(count, most)) << +begin << " to " << +end << " by " << +step;
}

TEST(Range, every_begin_end_and_step_of_the_8_bit_types_is_right) {
  auto const all = []<class T>(T) {
    constexpr int low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    for (int begin = low; begin <= high; ++begin)
      for (int end = low; end <= high; end += end < low + 4 || end > high - 5 ? 1 : 3)
        for (int step : {low, 0, 1, 2, 3, 5, 64, 100, 126, 127, high - 1, high})
          expect_walk(static_cast<T>(begin), static_cast<T>(end), static_cast<T>(step));
  };
  all(std::int8_t{}), all(std::uint8_t{});
}

TEST(Range, the_extremes_of_every_index_type_are_right) {
  auto const all = []<class T>(T) {
    constexpr T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    std::vector<T> const ends{low, T(low + 1), T(low + 7),  T(high / 2), T(high / 2 + 1),
                              0,   1,          T(high - 7), T(high - 1), high};
    for (T begin : ends)
      for (T end : ends)
        for (T step : {T{0}, T{1}, T{2}, T{7}, T(high / 2), T(high / 2 + 1), T(high - 8), T(high - 1), high})
          expect_walk(begin, end, step);
  };
  all(std::int8_t{}), all(std::int16_t{}), all(std::int32_t{}), all(std::int64_t{});
  all(std::uint8_t{}), all(std::uint16_t{}), all(std::uint32_t{}), all(std::uint64_t{});
}

constexpr bool walks_the_extremes() {
  constexpr int low = std::numeric_limits<int>::min(), top = std::numeric_limits<int>::max();
  constexpr std::int64_t low64 = std::numeric_limits<std::int64_t>::min(),
                         top64 = std::numeric_limits<std::int64_t>::max();
  return walks(evenly::range(low, top, top), {low, -1, top - 1}) &&
         walks(evenly::range(low64, top64, top64), {low64, std::int64_t{-1}, top64 - 1}) &&
         walks(evenly::range(std::int8_t{-128}, std::int8_t{127}, std::int8_t{100}),
               {std::int8_t{-128}, std::int8_t{-28}, std::int8_t{72}}) &&
         walks(evenly::range(0ull, ~0ull, ~0ull), {0ull});
}
static_assert(walks_the_extremes());  // where an overflow is an error
TEST(Range, overflows_nowhere_in_a_constant_expression) { EXPECT_TRUE(walks_the_extremes()); }

constexpr bool wraps() {
  constexpr int top = std::numeric_limits<int>::max();
  int last = 0, count = 0;
  for (int i : evenly::infinite(top - 1, 3)) {
    last = i;
    if (++count == 2) break;
  }
  int down = 0;
  for (int i : evenly::infinite(5, -2)) {
    down += i;
    if (i < 0) break;
  }
  return last == std::numeric_limits<int>::min() + 1 && down == 5 + 3 + 1 - 1;
}
static_assert(wraps());
TEST(Range, infinite_goes_on_behind_the_last_number_and_downwards) { EXPECT_TRUE(wraps()); }

constexpr bool goes_on() {
  int sum = 0;
  for (int i : evenly::infinite(3, 2)) {
    if (i > 9) break;
    sum += i;
  }
  return sum == 3 + 5 + 7 + 9;
}
static_assert(goes_on());
TEST(Range, infinite_goes_on_until_the_loop_leaves) { EXPECT_TRUE(goes_on()); }

// A worker of a grid, for the strides: any numbers, no behaviour.
struct group_of_a_warp {
  int at, lanes;
  bool is_active = true;
  constexpr int lane() const { return at; }
  constexpr int size() const { return lanes; }
  constexpr bool active() const { return is_active; }
  constexpr bool present() const { return is_active; }
  constexpr std::int64_t index() const { return 0; }
  constexpr std::int64_t count() const { return 1; }
  constexpr int local_index() const { return 0; }
  constexpr int local_count() const { return 1; }
  constexpr void sync() const {}
  template <class T, class Op>
  constexpr T reduce(T value, Op const&) const {
    return value;
  }
  template <class T>
  constexpr T broadcast(T value) const {
    return value;
  }
  template <class T>
  constexpr T shuffle(T value, int) const {
    return value;
  }
};
struct any_worker {
  int thread_, threads_;
  std::int64_t block_, blocks_;
  constexpr int thread() const { return thread_; }
  constexpr int num_threads() const { return threads_; }
  constexpr std::int64_t block() const { return block_; }
  constexpr std::int64_t num_blocks() const { return blocks_; }
  constexpr void sync() const {}
  constexpr int count(bool flag) const { return flag ? 1 : 0; }
  constexpr group_of_a_warp group(int lanes) const { return {thread_ % lanes, lanes}; }
  template <class T>
  T* scratch(int) {
    return nullptr;
  }
};
static_assert(evenly::worker<any_worker>);

// Over all workers of a grid, every number of [begin, end) once.
template <class T>
constexpr bool grid_covers(T begin, T end, int threads, std::int64_t blocks) {
  std::array<int, 64> seen{};
  for (std::int64_t block = 0; block < blocks; ++block)
    for (int thread = 0; thread < threads; ++thread)
      for (T i : evenly::grid_stride(any_worker{thread, threads, block, blocks}, begin, end))
        ++seen[static_cast<std::size_t>(i - begin)];
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (seen[i] != (i < static_cast<std::size_t>(end - begin) ? 1 : 0)) return false;
  return true;
}
static_assert(grid_covers(0, 37, 4, 3) && grid_covers(5, 5, 4, 3) && grid_covers(0, 2, 32, 4) &&
              grid_covers<std::int64_t>(-7, 50, 3, 5));
static_assert(grid_covers<std::uint8_t>(200, 255, 64, 8) && grid_covers<std::int8_t>(100, 127, 256, 2));
static_assert(grid_covers(std::numeric_limits<int>::max() - 40, std::numeric_limits<int>::max(), 7, 3));
static_assert(grid_covers(std::numeric_limits<std::int64_t>::max() - 40, std::numeric_limits<std::int64_t>::max(), 32,
                          3));
// Ranges longer than the type's largest number.
static_assert(walks(evenly::grid_stride(any_worker{3, 100, 1, 2}, std::int8_t{-128}, std::int8_t{127}),
                    {std::int8_t{-25}}));
template <class T>
void expect_dealt(T begin, T end, int threads, std::int64_t blocks) {
  for (std::int64_t block = 0; block < blocks; ++block)
    for (int thread = 0; thread < threads; ++thread) {
      wide const size = static_cast<wide>(threads) * blocks;
      wide at = wide{begin} + block * threads + thread;
      int taken = 0;
      for (T i : evenly::grid_stride(any_worker{thread, threads, block, blocks}, begin, end)) {
        ASSERT_TRUE(wide{i} == at) << +begin << " to " << +end << ", thread " << thread << " of block " << block;
        at += size;
        if (++taken == 300) break;
      }
      ASSERT_TRUE(taken == 300 || at >= wide{end}) << +begin << " to " << +end << " ended early";
    }
}
TEST(Range, grid_stride_is_right_over_all_of_every_index_type) {
  auto const all = []<class T>(T) {
    constexpr T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    for (T begin : {low, T(low + 3), T(0), T(high - 9), high})
      for (T end : {low, T(low + 90), T(high / 2), T(high - 1), high})
        for (auto const& [threads, blocks] : {std::pair{1, 1}, {3, 5}, {64, 4}, {33, 1}, {100, 2}})
          expect_dealt(begin, end, threads, blocks);
  };
  all(std::int8_t{}), all(std::int16_t{}), all(std::int32_t{}), all(std::int64_t{});
  all(std::uint8_t{}), all(std::uint16_t{}), all(std::uint32_t{}), all(std::uint64_t{});
}
TEST(Range, grid_stride_deals_every_number_to_one_thread) {
  for (int threads : {1, 2, 3, 32, 64})
    for (std::int64_t blocks : {1, 2, 5}) EXPECT_TRUE(grid_covers(3, 60, threads, blocks));
}

static_assert(walks(evenly::block_stride(any_worker{1, 4, 2, 3}, 0, 10), {1, 5, 9}));
static_assert(walks(evenly::group_stride(group_of_a_warp{2, 3}, 10, 20), {12, 15, 18}));
static_assert(walks<int>(evenly::group_stride(group_of_a_warp{0, 3, false}, 10, 20), {}));
static_assert(walks(evenly::warp_stride(any_worker{33, 64, 0, 1}, 0, 40), {1, 33}));
TEST(Range, an_inactive_lane_gets_nothing) {
  EXPECT_TRUE(walks<int>(evenly::group_stride(group_of_a_warp{0, 3, false}, 10, 20), {}));
}

// More threads than a 32-bit number counts: a grid of 2^31 - 1 blocks of 1024.
static_assert(walks(evenly::grid_stride(any_worker{5, 1024, 0, 0x7FFFFFFF}, 0, 100), {5}));
static_assert(walks<int>(evenly::grid_stride(any_worker{5, 1024, 0x7FFFFFFE, 0x7FFFFFFF}, 0, 100), {}));
static_assert(walks<std::int64_t>(evenly::grid_stride(any_worker{5, 1024, 0x7FFFFFFE, 0x7FFFFFFF}, std::int64_t{0},
                                                      std::int64_t{1} << 42),
                                  {0x7FFFFFFEll * 1024 + 5, 0x7FFFFFFEll * 1024 + 5 + 0x7FFFFFFFll * 1024}));
TEST(Range, ranks_in_a_grid_are_counted_in_64_bits) { SUCCEED(); }

}  // namespace
