// SPDX-License-Identifier: Apache-2.0
//
// A block's scratch with a memory of its own: who wrote each element, under which request, who read it last, and when.
// That finds reads of what nobody wrote, requests that differ between threads, and races.
//
// Each byte has a cell, and an element uses the cell of its first byte. So of two requests that use the same bytes for
// elements of different sizes, races are seen only where two elements begin at the same byte.
#pragma once

#include <evenly/detail/simt_clock.hpp>
#include <evenly/detail/simt_error.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace evenly::detail {

/// What a thread asked for: count elements of so many bytes, from that byte of the block's scratch on.
struct simt_request {
  std::uint32_t id = 0;  // the same for all threads of the block, never used twice
  std::size_t offset = 0;
  std::int64_t count = 0;
  std::size_t element_bytes = 0;
  simt_source where;

  bool same_as(simt_request const& other) const {
    return offset == other.offset && count == other.count && element_bytes == other.element_bytes;
  }
  std::string text() const {
    return std::to_string(count) + " elements of " + std::to_string(element_bytes) + " bytes (" + where.text() + ")";
  }
};

class simt_scratch_memory {
 public:
  static constexpr std::size_t alignment = 128;

  void start_launch(std::size_t bytes, bool check_races) {
    bytes_ = bytes;
    check_races_ = check_races;
    if (bytes <= capacity_) return;
    data_.reset(static_cast<char*>(std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment)));
    if (data_ == nullptr) throw std::bad_alloc();
    cells_ = std::make_unique<cell[]>(bytes);
    capacity_ = bytes;
  }
  void start_block(std::int64_t block) {
    block_ = block;
    base_ = next_;
    requests_.clear();
    if (base_ > UINT32_MAX / 2) {
      for (std::size_t i = 0; i < capacity_; ++i) cells_[i] = {};
      base_ = next_ = 1;
    }
  }

  char* data() const { return data_.get(); }

  /// A thread's `turn`-th request of this block. used: bytes that its worker has taken already.
  simt_request ask(int thread, std::uint32_t turn, simt_request wanted, std::size_t used) {
    auto const fail = [&](std::string const& why) {
      throw simt_error(block_, thread, "asks for scratch of " + wanted.text() + why);
    };
    if (wanted.count < 0) fail(": a negative count");
    std::size_t const element = wanted.element_bytes, count = static_cast<std::size_t>(wanted.count);
    if (wanted.offset > bytes_ || count > (bytes_ - wanted.offset) / element)
      fail(", " + std::to_string(element * count) + " bytes; available are " +
           std::to_string(used < bytes_ ? bytes_ - used : 0) + " of " + std::to_string(bytes_) +
           ": raise scratch_bytes in the launch_shape");
    if (turn == requests_.size()) {
      wanted.id = next_++;
      requests_.push_back(wanted);
    } else if (!requests_[turn].same_as(wanted)) {
      fail(" at byte " + std::to_string(wanted.offset) + ", where another thread of the block asked for " +
           requests_[turn].text() + " at byte " + std::to_string(requests_[turn].offset) +
           ": all threads must ask for the same sizes in the same order");
    }
    return requests_[turn];
  }

  void read(int thread, simt_request const& from, std::int64_t element, simt_clock const& clock) {
    cell& at = cell_of(from, element);
    if (at.request < from.id) fail_unwritten(thread, from, element);
    if (!check_races_) return;
    if (!clock.ordered(at.writer, at.written, thread)) fail_race(thread, "reads", from, element, "wrote", at.writer);
    if (at.request > from.id) fail_unwritten(thread, from, element);
    // Of many readers the first and the last are kept; one that is ordered before this read is not needed any more.
    bool const is_first = clock.ordered(at.readers[0].thread, at.readers[0].when, thread);
    at.readers[is_first ? 0 : 1] = {clock.now(), static_cast<std::uint16_t>(thread)};
  }

  void write(int thread, simt_request const& to, std::int64_t element, simt_clock const& clock) {
    cell& at = cell_of(to, element);
    if (check_races_ && at.request >= base_) {
      if (!clock.ordered(at.writer, at.written, thread)) fail_race(thread, "writes", to, element, "wrote", at.writer);
      for (auto const& other : at.readers)
        if (!clock.ordered(other.thread, other.when, thread))
          fail_race(thread, "writes", to, element, "read", other.thread);
    }
    at = {to.id, clock.now(), {}, static_cast<std::uint16_t>(thread)};
  }

  [[noreturn]] void fail_range(int thread, simt_request const& in, std::int64_t element) const {
    throw simt_error(block_, thread,
                     "element " + std::to_string(element) + " is out of range in scratch of " + in.text());
  }

 private:
  struct reader {
    std::uint32_t when = 0;  // 0: before anything, so ordered before everything
    std::uint16_t thread = 0;
  };
  struct cell {
    std::uint32_t request = 0;  // under which it was last written
    std::uint32_t written = 0;  // when
    reader readers[2];
    std::uint16_t writer = 0;
  };
  struct free_memory {
    void operator()(char* there) const { std::free(there); }
  };

  cell& cell_of(simt_request const& in, std::int64_t element) {
    return cells_[in.offset + static_cast<std::size_t>(element) * in.element_bytes];
  }

  [[noreturn]] void fail_unwritten(int thread, simt_request const& from, std::int64_t element) const {
    throw simt_error(block_, thread,
                     "reads element " + std::to_string(element) + " of scratch of " + from.text() +
                         ", which no thread of the block has written");
  }
  [[noreturn]] void fail_race(int thread, char const* does, simt_request const& in, std::int64_t element,
                              char const* did, int other) const {
    throw simt_error(block_, thread,
                     std::string("race: ") + does + " element " + std::to_string(element) + " of scratch of " +
                         in.text() + ", which thread " + std::to_string(other) + " " + did +
                         " with no barrier between the two");
  }

  std::size_t bytes_ = 0, capacity_ = 0;
  bool check_races_ = true;
  std::unique_ptr<char, free_memory> data_;
  std::unique_ptr<cell[]> cells_;
  std::int64_t block_ = 0;
  std::uint32_t base_ = 1, next_ = 1;  // ids of this block's requests: base .. next - 1
  std::vector<simt_request> requests_;
};

}  // namespace evenly::detail
