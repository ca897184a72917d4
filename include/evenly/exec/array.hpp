// SPDX-License-Identifier: Apache-2.0
//
// array: a host vector and, where a device asks for it, a copy there; whichever side is asked gets the newest contents.
// For examples and tests: it copies whole arrays and waits while it does. view(run) is what to hand to a body that `run`
// executes; elements and view() are the host's.
#pragma once

#include <evenly/core/view.hpp>
#include <evenly/exec/any_executor.hpp>
#include <evenly/exec/plan.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace evenly {

template <class T>
class array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  array() = default;
  explicit array(std::size_t size) : host_(size) {}
  array(std::initializer_list<T> values) : host_(values) {}
  array(std::vector<T> values) : host_(std::move(values)) {}

  std::size_t size() const { return host_.size(); }

  T const& operator[](std::size_t i) const { return fetch(), host_[i]; }
  T& operator[](std::size_t i) { return fetch(), newest_ = side::host, host_[i]; }

  /// The host's elements.
  evenly::view<T> view() { return fetch(), newest_ = side::host, evenly::view<T>{host_.data(), length()}; }
  evenly::view<T const> view() const { return fetch(), evenly::view<T const>{host_.data(), length()}; }

  /// The elements where `run` executes; what it writes there is seen here after run.wait().
  template <executor Executor>
  evenly::view<T> view(Executor const& run) {
    if constexpr (!Executor::is_device) return view();
    else {
      T* const there = send(run);
      newest_ = side::device;
      return {there, length()};
    }
  }
  template <executor... Executors>
  evenly::view<T> view(any_of<Executors...> const& run) {
    return run.visit([this](auto const& executor) { return view(executor); });
  }

 private:
  enum class side { both, host, device };
  std::int64_t length() const { return static_cast<std::int64_t>(host_.size()); }
  std::size_t bytes() const { return host_.size() * sizeof(T); }

  template <executor Executor>
  T* send(Executor const& run) {
    if (!there_) {
      auto const memory = std::make_shared<buffer<Executor>>(run, bytes());
      there_ = std::shared_ptr<void>(memory, memory->data());
      copy_back_ = [run, memory](void* here, std::size_t size) { run.copy_from(here, memory->data(), size); };
      newest_ = side::host;
    }
    if (newest_ == side::host) run.copy_to(there_.get(), host_.data(), bytes());
    if (newest_ == side::host) newest_ = side::both;
    return static_cast<T*>(there_.get());
  }
  void fetch() const {
    if (newest_ != side::device) return;
    copy_back_(host_.data(), bytes());
    newest_ = side::both;
  }

  mutable std::vector<T> host_;
  std::shared_ptr<void> there_;
  std::function<void(void*, std::size_t)> copy_back_;
  mutable side newest_ = side::host;
};

}  // namespace evenly
