// SPDX-License-Identifier: Apache-2.0
//
// A plan is a schedule bound to a tile set, an executor and a largest value size. It owns what partial results of split
// tiles need and what the schedule inspects, is move-only, and must outlive what runs with it. One execution of a plan at a
// time: two at once need two plans. Making a plan may allocate and launch; running one never allocates and never waits.
//
//   shares()  the schedule over the set, for kernels that reduce nothing
//   view()    the same with carries, for bodies of layer (a): asks for their memory the first time it is called
//   staged()  the block form of a schedule that cuts the merge path: the same blocks on every executor
#pragma once

#include <evenly/core/error.hpp>
#include <evenly/core/plan_view.hpp>
#include <evenly/exec/executor.hpp>
#include <evenly/kernel/staged.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace evenly {

/// Memory of an executor, freed with its owner (in stream order where the executor has one).
template <executor Executor>
class buffer {
 public:
  buffer(Executor const& run, std::size_t bytes)
      : run_(run), bytes_(bytes), data_(bytes == 0 ? nullptr : run_.allocate(bytes)) {}
  buffer(buffer&& other) noexcept
      : run_(other.run_), bytes_(std::exchange(other.bytes_, 0)), data_(std::exchange(other.data_, nullptr)) {}
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

/// Are a block's threads many, so that device forms of a schedule make sense?
template <class Executor>
inline constexpr bool has_blocks = !requires { requires !Executor::has_blocks; };

/// Does the schedule cut the merge path, so that a block can take one large share of it?
template <class Set, class Schedule>
inline constexpr bool can_stage = requires(Schedule const& schedule, Set const& set) {
  { schedule.cut(set, std::int64_t{0}) } -> std::same_as<position_of_t<Set>>;
  { schedule.with_items(1) } -> std::same_as<Schedule>;
  { schedule.items() } -> std::same_as<int>;
};

template <executor Executor, tile_set Set, schedule_for<Set> Schedule>
class plan {
 public:
  using executor_type = Executor;
  using set_type = Set;
  using schedule_type = Schedule;
  static constexpr bool is_staged = can_stage<Set, Schedule>;

  /// value_bytes: the largest value, all columns of a wide sink together, that will be reduced with this plan.
  /// Throws argument_error if the schedule's options make no sense.
  plan(Executor run, Set set, Schedule schedule, std::size_t value_bytes = 16)
      : run_(std::move(run)), shares_(checked(set, schedule)), value_bytes_(value_bytes), carries_(run_, 0),
        stage_memory_(run_, 0), staged_(first_stage(set, schedule)) {
    if constexpr (is_staged) make_stage();
    else view();  // its carries now, so that running allocates nothing
  }

  Executor const& run() const { return run_; }
  Set const& set() const { return shares_.set(); }
  plan_view<Set, Schedule> const& shares() const { return shares_; }

  plan_view<Set, Schedule> view() const {
    if constexpr (Schedule::splits_tiles) {
      std::size_t const bytes = 2 * static_cast<std::size_t>(shares_.num_groups()) * value_bytes_;
      if (carries_.bytes() < bytes) carries_ = buffer<Executor>(run_, bytes);
    }
    return plan_view<Set, Schedule>(shares_.set(), shares_.schedule(), carries_.data(), value_bytes_);
  }

  staged_view<Set, Schedule> const& staged() const
    requires is_staged
  {
    return staged_;
  }

  std::size_t value_bytes() const { return value_bytes_; }
  /// Bytes of the executor's memory that this plan holds.
  std::size_t bytes() const { return carries_.bytes() + stage_memory_.bytes(); }

 private:
  static plan_view<Set, Schedule> checked(Set const& set, Schedule const& schedule) {
    int const lanes = schedule.lanes;
    if (lanes < 1 || lanes > 1024)
      throw argument_error("plan: " + std::to_string(lanes) + " lanes; a group has 1 to 1024 lanes");
    if constexpr (requires { schedule.fault(); })
      if (char const* fault = schedule.fault()) throw argument_error(std::string("plan: ") + fault);
    return plan_view<Set, Schedule>(set, schedule);
  }

  static auto first_stage(Set const& set, Schedule const& schedule) {
    if constexpr (is_staged) return staged_view<Set, Schedule>{set, schedule, {}};
    else return not_staged{};
  }

  // A block's scratch for values of value_bytes_ must fit the smallest device we know, with room for what kernels add.
  bool stage_fits() const {
    constexpr std::size_t most = 96 * 1024;
    auto const capacity = static_cast<std::size_t>(staged_.stage.capacity);
    return (value_bytes_ + sizeof(std::uint16_t)) * (capacity + capacity / 16 + 1) <= most;
  }

  void make_stage() {
    using cut = block_cut<tile_of_t<Set>, atom_of_t<Set>>;
    // a block's share is items() for each of its threads; more than 16 would not fit its scratch
    staged_.stage.capacity = staged_.stage.threads * std::clamp(shares_.schedule().items(), 1, 16);
    while (!stage_fits() && staged_.stage.capacity > staged_.stage.threads)
      staged_.stage.capacity -= staged_.stage.threads;
    staged_.set_ = shares_.set();
    staged_.schedule = shares_.schedule().with_items(staged_.stage.steps());
    staged_.num_blocks = staged_.schedule.num_groups(staged_.set_);
    if (staged_.num_blocks >= std::int64_t{1} << 31)
      throw argument_error("plan: " + std::to_string(staged_.num_blocks) +
                           " block shares; raise the schedule's items to stay below 2^31");
    auto const blocks = static_cast<std::size_t>(staged_.num_blocks);
    if (blocks == 0) return;
    auto const in_64s = [](std::size_t bytes) { return (bytes + 63) / 64 * 64; };  // any value's alignment
    std::size_t const cuts = in_64s((blocks + 1) * sizeof(cut)), arrivals = in_64s(blocks * sizeof(std::int32_t));
    std::size_t const partials = 2 * blocks * posted<int>::bytes_for(value_bytes_);
    stage_memory_ = buffer<Executor>(run_, cuts + arrivals + partials);
    char* const memory = static_cast<char*>(stage_memory_.data());
    staged_.cuts = reinterpret_cast<cut*>(memory);
    staged_.arrivals = reinterpret_cast<std::int32_t*>(memory + cuts);
    staged_.partials = memory + cuts + arrivals;
    run_.fill(staged_.arrivals, 0, arrivals + partials);  // nobody has arrived, nothing is posted
    using view = staged_view<Set, Schedule>;
    run_.launch(run_.shape(staged_.num_blocks + 1, 1), cut_body<view>{staged_});
    run_.launch(run_.shape(staged_.num_blocks, 1), span_body<view>{staged_});
  }

  struct not_staged {};

  Executor run_;
  plan_view<Set, Schedule> shares_;
  std::size_t value_bytes_;
  mutable buffer<Executor> carries_;
  buffer<Executor> stage_memory_;
  std::conditional_t<is_staged, staged_view<Set, Schedule>, not_staged> staged_;
};

template <executor Executor, tile_set Set, schedule_for<Set> Schedule>
plan<Executor, Set, Schedule> make_plan(Executor const& run, Set const& set, Schedule const& schedule,
                                        std::size_t value_bytes = 16) {
  return plan<Executor, Set, Schedule>(run, set, schedule, value_bytes);
}

}  // namespace evenly
