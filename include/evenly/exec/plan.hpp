// SPDX-License-Identifier: Apache-2.0
//
// A plan is a schedule bound to a tile set, an executor and a largest value size. It owns the memory that partial results
// of split tiles need, is move-only, and must outlive what runs with it; kernels take its view(). One execution of a plan
// at a time: two at once need two plans. Making a plan may allocate; running one never does.
#pragma once

#include <evenly/core/error.hpp>
#include <evenly/core/plan_view.hpp>
#include <evenly/exec/executor.hpp>

#include <cstddef>
#include <string>
#include <utility>

namespace evenly {

/// Memory of an executor, freed with its owner (in stream order where the executor has one).
template <executor Executor>
class buffer {
 public:
  buffer(Executor const& run, std::size_t bytes) : run_(run), bytes_(bytes), data_(bytes == 0 ? nullptr : run_.allocate(bytes)) {}
  buffer(buffer&& other) noexcept : run_(other.run_), bytes_(std::exchange(other.bytes_, 0)), data_(std::exchange(other.data_, nullptr)) {}
  buffer& operator=(buffer&& other) noexcept {
    std::swap(run_, other.run_);
    std::swap(bytes_, other.bytes_);
    std::swap(data_, other.data_);
    return *this;
  }
  ~buffer() {
    if (data_ != nullptr) run_.deallocate(data_);
  }
  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  Executor run_;
  std::size_t bytes_;
  void* data_;
};

template <executor Executor, tile_set Set, schedule_for<Set> Schedule>
class plan {
 public:
  using executor_type = Executor;
  using set_type = Set;
  using schedule_type = Schedule;

  /// value_bytes: the largest value, all columns of a wide sink together, that will be reduced with this plan.
  /// Throws argument_error if the schedule's options make no sense.
  plan(Executor run, Set set, Schedule schedule, std::size_t value_bytes = 16)
      : run_(std::move(run)), view_(checked(set, schedule)),
        carries_(run_, Schedule::splits_tiles ? 2 * static_cast<std::size_t>(view_.num_groups()) * value_bytes : 0) {
    view_ = plan_view<Set, Schedule>(set, schedule, carries_.data(), value_bytes);
  }

  plan_view<Set, Schedule> const& view() const { return view_; }
  Executor const& run() const { return run_; }
  /// Bytes of the executor's memory that this plan holds.
  std::size_t bytes() const { return carries_.bytes(); }

 private:
  static plan_view<Set, Schedule> checked(Set const& set, Schedule const& schedule) {
    int const lanes = schedule.lanes;
    if (lanes < 1 || lanes > 1024)
      throw argument_error("plan: " + std::to_string(lanes) + " lanes; a group has 1 to 1024 lanes");
    if constexpr (requires { schedule.fault(); })
      if (char const* fault = schedule.fault()) throw argument_error(std::string("plan: ") + fault);
    return plan_view<Set, Schedule>(set, schedule);
  }

  Executor run_;
  plan_view<Set, Schedule> view_;
  buffer<Executor> carries_;
};

template <executor Executor, tile_set Set, schedule_for<Set> Schedule>
plan<Executor, Set, Schedule> make_plan(Executor const& run, Set const& set, Schedule const& schedule, std::size_t value_bytes = 16) {
  return plan<Executor, Set, Schedule>(run, set, schedule, value_bytes);
}

}  // namespace evenly
