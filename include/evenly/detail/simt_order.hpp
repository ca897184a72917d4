// SPDX-License-Identifier: Apache-2.0
//
// In which order blocks run, and which thread of a block is next. Without a seed: blocks and threads by their number,
// and threads that may go on before ones that have not begun, so that few stacks are in use. With one: any at random.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace evenly::detail {

class simt_order {
 public:
  static constexpr int nobody = -1;

  void start_launch(std::uint64_t seed) {
    seeded_ = seed != 0;
    random_ = seed;
  }

  template <class Run>
  void for_each_block(std::int64_t num_blocks, Run const& run) {
    if (!seeded_) {
      for (std::int64_t block = 0; block < num_blocks; ++block) run(block);
      return;
    }
    std::vector<std::int64_t> left(static_cast<std::size_t>(num_blocks));
    std::iota(left.begin(), left.end(), std::int64_t{0});
    while (!left.empty()) run(take(left, random_below(left.size())));
  }

  /// No thread has begun.
  void start_block(int num_threads) {
    clear();
    num_threads_ = num_threads;
    if (seeded_) {
      fresh_.resize(static_cast<std::size_t>(num_threads));
      std::iota(fresh_.begin(), fresh_.end(), 0);
    } else {
      next_fresh_ = 0;
    }
  }

  /// Nobody is next: threads that have not begun never will.
  void clear() {
    ready_.clear();
    next_ready_ = 0;
    fresh_.clear();
    next_fresh_ = num_threads_;
  }

  /// This thread may go on.
  void add(int thread) { ready_.push_back(thread); }

  /// Takes out the next thread; it may have to begin.
  int next() {
    if (seeded_) {
      std::size_t const num = ready_.size() + fresh_.size();
      if (num == 0) return nobody;
      std::size_t const chosen = random_below(num);
      return chosen < ready_.size() ? take(ready_, chosen) : take(fresh_, chosen - ready_.size());
    }
    if (ready_.empty()) return next_fresh_ < num_threads_ ? next_fresh_++ : nobody;
    int const first = ready_[next_ready_++];
    if (next_ready_ == ready_.size()) {
      ready_.clear();
      next_ready_ = 0;
    }
    return first;
  }

 private:
  template <class T>
  static T take(std::vector<T>& from, std::size_t i) {
    T const taken = std::exchange(from[i], from.back());
    from.pop_back();
    return taken;
  }

  std::size_t random_below(std::size_t end) {  // splitmix64
    std::uint64_t z = random_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<std::size_t>(((z ^ (z >> 31)) >> 32) * end >> 32);
  }

  bool seeded_ = false;
  std::uint64_t random_ = 0;
  int num_threads_ = 0;
  std::vector<int> ready_;  // have begun and may go on; in natural order from next_ready_ on
  std::size_t next_ready_ = 0;
  std::vector<int> fresh_;  // have not begun; in natural order they are next_fresh_, next_fresh_ + 1, ...
  int next_fresh_ = 0;
};

}  // namespace evenly::detail
