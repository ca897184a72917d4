// SPDX-License-Identifier: Apache-2.0
#include "balance.hpp"

#include <evenly/core/share.hpp>
#include <evenly/core/worker.hpp>

#include <algorithm>

namespace evenly::instances {

namespace {

/// Gathers the steps of lanes, in the order of the grid, into warps and blocks.
class grid_loads {
 public:
  grid_loads(std::int64_t warps, int warps_per_block, int buckets)
      : warps_(warps), warps_per_block_(warps_per_block),
        profile_(static_cast<std::size_t>(std::clamp<std::int64_t>(warps, 1, buckets))), atoms_(profile_.size()) {}

  void lane(std::int64_t steps, std::int64_t atoms) {
    auto const load = static_cast<double>(steps);
    threads_.mean += load;
    threads_.most = std::max(threads_.most, load);
    ++threads_.count;
    slowest_ = std::max(slowest_, load);
    most_atoms_ = std::max(most_atoms_, static_cast<double>(atoms));
  }
  void warp_ends() {
    auto const bucket = static_cast<std::size_t>(warp_ * static_cast<std::int64_t>(profile_.size()) /
                                                 std::max<std::int64_t>(warps_, 1));
    profile_[bucket] = std::max(profile_[bucket], slowest_);
    atoms_[bucket] = std::max(atoms_[bucket], most_atoms_);
    add(total_warps_, slowest_);
    block_ += slowest_;
    slowest_ = most_atoms_ = 0;
    if (++warp_ % warps_per_block_ == 0) block_ends();
  }

  balance result() {
    if (warp_ % warps_per_block_ != 0) block_ends();
    balance all{threads_, total_warps_, blocks_, 1, profile_, atoms_};
    if (total_warps_.mean > 0) all.lanes_busy = threads_.mean / (32 * total_warps_.mean);
    for (auto* spread : {&all.threads, &all.warps, &all.blocks})
      if (spread->count > 0) spread->mean /= static_cast<double>(spread->count);
    return all;
  }

 private:
  static void add(load_spread& spread, double load) {
    spread.mean += load;
    spread.most = std::max(spread.most, load);
    ++spread.count;
  }
  void block_ends() {
    add(blocks_, block_);
    block_ = 0;
  }

  std::int64_t warps_, warp_ = 0;
  int warps_per_block_;
  double slowest_ = 0, most_atoms_ = 0, block_ = 0;
  load_spread threads_, total_warps_, blocks_;
  std::vector<double> profile_, atoms_;
};

/// Steps of each lane in one share: its atoms, and each tile end as a step of all lanes, who wait for it together.
template <class Schedule, class Set>
void add_share(Schedule const& schedule, Set const& set, std::int64_t group, int lanes,
               std::vector<std::int64_t>& steps, std::vector<std::int64_t>& atoms) {
  auto const share = schedule.share(set, group);
  std::ranges::fill(steps, std::int64_t{0});
  std::ranges::fill(atoms, std::int64_t{0});
  if (lanes == 1) {
    atoms[0] = static_cast<std::int64_t>(share.end.atom - share.begin.atom);
    steps[0] = num_steps(share);
    return;
  }
  for_each_part(set, share, [&](auto const& part) {
    auto const origin = deals_across_tiles<Schedule> ? share.begin.atom : part.begin;
    for (int lane = 0; lane < lanes; ++lane) {
      auto const mine = deal(part.begin, part.end, origin, lane, lanes, dealing::striped);
      std::int64_t const count = mine.begin < mine.end ? ceil_div(static_cast<std::int64_t>(mine.end - mine.begin),
                                                                  static_cast<std::int64_t>(mine.stride))
                                                       : 0;
      atoms[static_cast<std::size_t>(lane)] += count;
      steps[static_cast<std::size_t>(lane)] += count + (part.closes ? 1 : 0);
    }
  });
}

template <class Schedule, class Set>
balance measure(Schedule const& schedule, Set const& set, int threads_per_block, int buckets) {
  int const lanes = schedule.lanes;
  std::int64_t const groups = schedule.num_groups(set);
  std::vector<std::int64_t> steps(static_cast<std::size_t>(lanes)), atoms(steps.size());
  int const per_warp = lanes <= warp_size ? warp_size / lanes : 1;  // groups of a warp
  int const warps_per_group = lanes <= warp_size ? 1 : (lanes + warp_size - 1) / warp_size;
  std::int64_t const warps = ceil_div(groups, per_warp) * warps_per_group;
  grid_loads loads(warps, std::max(1, threads_per_block / warp_size), buckets);
  for (std::int64_t group = 0; group < groups; ++group) {
    add_share(schedule, set, group, lanes, steps, atoms);
    for (int lane = 0; lane < lanes; ++lane) {
      loads.lane(steps[static_cast<std::size_t>(lane)], atoms[static_cast<std::size_t>(lane)]);
      if (lanes > warp_size && (lane % warp_size == warp_size - 1 || lane == lanes - 1)) loads.warp_ends();
    }
    if (lanes <= warp_size && (group % per_warp == per_warp - 1 || group == groups - 1)) loads.warp_ends();
  }
  return loads.result();
}

}  // namespace

balance balance_of(any_csr const& A, any_schedule const& schedule, int threads_per_block, int buckets) {
  return std::visit(
      [&](auto const& matrix, auto const& chosen) {
        using offset = typename std::remove_cvref_t<decltype(matrix.offsets)>::value_type;
        offset_tiles<offset, offset> const rows{matrix.offsets.data(), static_cast<offset>(matrix.shape.rows),
                                                static_cast<offset>(matrix.nnz())};
        return measure(chosen, rows, threads_per_block, buckets);
      },
      A, schedule);
}

}  // namespace evenly::instances
