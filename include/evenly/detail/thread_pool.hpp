// SPDX-License-Identifier: Apache-2.0
//
// A persistent pool that runs f(0) .. f(n-1) once each, the caller working along. Items are taken from one counter, so a
// slow item does not hold up the others. One loop at a time; a loop started from inside an item runs on its own thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace evenly::detail {

class thread_pool {
 public:
  explicit thread_pool(int threads) {
    int const count = threads > 0 ? threads : static_cast<int>(std::thread::hardware_concurrency());
    for (int i = 1; i < count; ++i) threads_.emplace_back([this] { serve(); });
  }
  ~thread_pool() {
    {
      std::lock_guard const lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (auto& thread : threads_) thread.join();
  }
  thread_pool(thread_pool const&) = delete;
  thread_pool& operator=(thread_pool const&) = delete;

  int num_threads() const { return static_cast<int>(threads_.size()) + 1; }

  template <class F>
  void for_each(std::int64_t count, F const& f) {
    if (count <= 0) return;
    if (count == 1 || threads_.empty() || inside_) {
      for (std::int64_t i = 0; i < count; ++i) f(i);
      return;
    }
    std::lock_guard const one_loop(loop_mutex_);
    {
      std::lock_guard const lock(mutex_);
      work_ = [&f](std::int64_t i) { f(i); };
      count_ = count;
      next_ = 0;
      failure_ = nullptr;
      busy_ = static_cast<int>(threads_.size());
      ++generation_;
    }
    wake_.notify_all();
    take_items();
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
    work_ = nullptr;
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void take_items() {
    inside_ = true;
    for (std::int64_t i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < count_;) {
      try {
        work_(i);
      } catch (...) {
        std::lock_guard const lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        next_ = count_;
      }
    }
    inside_ = false;
  }

  void serve() {
    std::uint64_t seen = 0;
    while (true) {
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return stopping_ || generation_ != seen; });
        if (stopping_) return;
        seen = generation_;
      }
      take_items();
      std::lock_guard const lock(mutex_);
      if (--busy_ == 0) done_.notify_one();
    }
  }

  static inline thread_local bool inside_ = false;

  std::vector<std::thread> threads_;
  std::mutex loop_mutex_, mutex_;
  std::condition_variable wake_, done_;
  std::function<void(std::int64_t)> work_;
  std::atomic<std::int64_t> next_{0};
  std::int64_t count_ = 0;
  std::exception_ptr failure_;
  std::uint64_t generation_ = 0;
  int busy_ = 0;
  bool stopping_ = false;
};

}  // namespace evenly::detail
