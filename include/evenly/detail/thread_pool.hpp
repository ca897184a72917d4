// SPDX-License-Identifier: Apache-2.0
//
// A persistent pool that runs f(0) .. f(n-1) once each, the caller working along. Items are taken from one counter, so a
// slow item does not hold up the others. One loop at a time; a loop started from inside an item runs on its own thread.
// Threads without work look out for it for a few ten microseconds before they sleep: waking one takes longer than many a
// loop. A pool of more threads than cores sleeps at once.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace evenly::detail {

class thread_pool {
 public:
  explicit thread_pool(int threads) {
    int const cores = static_cast<int>(std::thread::hardware_concurrency());
    int const count = threads > 0 ? threads : cores;
    looks_ = count <= cores ? 1000 : 0;
    for (int i = 1; i < count; ++i) threads_.emplace_back([this] { serve(); });
  }
  ~thread_pool() {
    stopping_ = true;
    loops_.fetch_add(1);
    loops_.notify_all();
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
    work_ = [](void const* body, std::int64_t i) { (*static_cast<F const*>(body))(i); };
    body_ = &f;
    count_ = count;
    next_ = 0;
    failure_ = nullptr;
    busy_ = static_cast<int>(threads_.size());
    loops_.fetch_add(1);  // what was written before is seen by whoever sees this
    loops_.notify_all();
    take_items();
    for (int busy; (busy = busy_) != 0;) wait_while(busy_, busy);
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void take_items() {
    inside_ = true;
    for (std::int64_t i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < count_;) {
      try {
        work_(body_, i);
      } catch (...) {
        std::lock_guard const lock(failure_mutex_);
        if (!failure_) failure_ = std::current_exception();
        next_ = count_;
      }
    }
    inside_ = false;
  }

  void serve() {
    for (int seen = 0;;) {
      wait_while(loops_, seen);
      if (stopping_) return;
      seen = loops_;
      take_items();
      if (busy_.fetch_sub(1) == 1) busy_.notify_one();
    }
  }

  /// Returns when `number` is no longer `old`.
  void wait_while(std::atomic<int> const& number, int old) const {
    for (int i = 0; i < looks_; ++i) {
      if (number != old) return;
#if defined(__x86_64__) || defined(__i386__)
      _mm_pause();
#endif
    }
    number.wait(old);
  }

  static inline thread_local bool inside_ = false;

  std::vector<std::thread> threads_;
  std::mutex loop_mutex_, failure_mutex_;
  void (*work_)(void const*, std::int64_t) = nullptr;
  void const* body_ = nullptr;
  std::int64_t count_ = 0;
  std::exception_ptr failure_;
  int looks_ = 0;
  std::atomic<bool> stopping_{false};
  std::atomic<int> loops_{0};  // begun so far, the destructor's last one included
  std::atomic<int> busy_{0};   // threads that may still work on this one
  alignas(64) std::atomic<std::int64_t> next_{0};
};

}  // namespace evenly::detail
