// SPDX-License-Identifier: Apache-2.0
//
// An array in the memory of any executor, made of the executor protocol alone. It starts poisoned (every byte 0xFF: NaN as
// a float, -1 as an int), so that a test sees what was never written.
#pragma once

#include <evenly/exec/executor.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tests {

inline constexpr unsigned char poison = 0xFF;

template <class T, evenly::executor Executor>
class device_vector {
 public:
  explicit device_vector(Executor const& run, std::size_t size = 0) : run_(run) { resize(size); }
  device_vector(Executor const& run, std::vector<T> const& content) : run_(run) { assign(content); }
  device_vector(device_vector&& other) noexcept
      : run_(other.run_), size_(std::exchange(other.size_, 0)), capacity_(std::exchange(other.capacity_, 0)),
        data_(std::exchange(other.data_, nullptr)) {}
  device_vector& operator=(device_vector&&) = delete;
  ~device_vector() {
    if (data_ != nullptr) run_.deallocate(data_);
  }

  /// `size` poisoned elements; memory is kept when it is large enough.
  void resize(std::size_t size) {
    if (size > capacity_) {
      if (data_ != nullptr) run_.deallocate(std::exchange(data_, nullptr));
      data_ = static_cast<T*>(run_.allocate(size * sizeof(T)));
      capacity_ = size;
    }
    size_ = size;
    run_.fill(data_, poison, size * sizeof(T));
  }
  void assign(std::vector<T> const& content) {
    resize(content.size());
    run_.copy_to(data_, content.data(), content.size() * sizeof(T));
  }
  std::vector<T> to_host() const {
    std::vector<T> content(size_);
    run_.copy_from(content.data(), data_, size_ * sizeof(T));
    return content;
  }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  Executor run_;
  std::size_t size_ = 0, capacity_ = 0;
  T* data_ = nullptr;
};

}  // namespace tests
