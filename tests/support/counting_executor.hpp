// SPDX-License-Identifier: Apache-2.0
//
// An executor that does what another does and counts what it is asked for: allocations, launches, waits, copies.
#pragma once

#include <evenly/exec/executor.hpp>

#include <cstddef>
#include <memory>

namespace tests {

struct calls {
  int allocations = 0, deallocations = 0, launches = 0, empty_launches = 0, waits = 0, copies = 0;
};

template <class Executor>
class counting : public Executor {
 public:
  using Executor::Executor;

  void* allocate(std::size_t bytes) const { return ++calls_->allocations, Executor::allocate(bytes); }
  void deallocate(void* there) const noexcept { ++calls_->deallocations, Executor::deallocate(there); }
  void copy_to(void* there, void const* here, std::size_t bytes) const {
    ++calls_->copies, Executor::copy_to(there, here, bytes);
  }
  void copy_from(void* here, void const* there, std::size_t bytes) const {
    ++calls_->copies, Executor::copy_from(here, there, bytes);
  }
  template <class Body>
  void launch(evenly::launch_shape shape, Body const& body) const {
    ++calls_->launches;
    if (shape.blocks <= 0 || shape.threads <= 0) ++calls_->empty_launches;
    Executor::launch(shape, body);
  }
  void wait() const { ++calls_->waits, Executor::wait(); }

  calls& seen() const { return *calls_; }

 private:
  std::shared_ptr<calls> calls_ = std::make_shared<calls>();
};

}  // namespace tests
