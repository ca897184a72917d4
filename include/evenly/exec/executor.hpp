// SPDX-License-Identifier: Apache-2.0
//
// An executor says who runs: `host` (a thread pool), `simt` (an emulated grid, for tests and debugging), `cuda` (a stream).
// It launches bodies - functions of a worker - over a grid, and owns a kind of memory. Launches are asynchronous where the
// executor is; wait() returns when all that was launched is done and throws what went wrong. Copies of an executor are
// handles to the same thing.
#pragma once

#include <evenly/exec/launch_shape.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace evenly {

namespace detail {
struct no_body {
  template <class Worker>
  void operator()(Worker const&) const {}
};
}  // namespace detail

template <class Executor>
concept executor = std::copyable<Executor> && requires(Executor const& run, void* there, void const* here,
                                                       std::size_t bytes, launch_shape shape) {
  { run.allocate(bytes) } -> std::same_as<void*>;
  { run.deallocate(there) } noexcept;
  run.copy_to(there, here, bytes);    // host memory -> this executor's; returns when `here` may change
  run.copy_from(there, here, bytes);  // this executor's -> host memory; returns when `there` is complete
  run.fill(there, static_cast<unsigned char>(0), bytes);
  {
    run.shape(std::int64_t{1}, 1)
  } -> std::same_as<launch_shape>;  // a good grid for that many groups of that many lanes
  run.launch(shape, detail::no_body{});
  run.wait();
  { Executor::is_device } -> std::convertible_to<bool>;
};

}  // namespace evenly
