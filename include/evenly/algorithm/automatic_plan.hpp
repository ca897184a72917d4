// SPDX-License-Identifier: Apache-2.0
//
// A plan whose schedule is chosen for its tiles. Any pass takes it like any other plan:
//
//     auto p = make_plan(run, A, automatic{});      // or paper_heuristic{}, or make_spmv_plan(run, A, automatic{})
//     spmv(p, x, y, {.alpha = 2});                  // reduce_tiles(p, map, op, emit); for_each_atom(p, visit)
//     p.chosen();                                   // merge_path:items_per_thread=8
//     p.reason();                                   // why, with numbers
//
// Making it measures the tiles (algorithm/features_of.hpp: one launch, and it waits); running it allocates nothing
// and never waits. What is chosen, and with it every bit of the results, depends on the tiles and the kind of
// executor alone. tune() chooses by the clock instead.
#pragma once

#include <evenly/algorithm/features_of.hpp>
#include <evenly/algorithm/spmv.hpp>
#include <evenly/algorithm/spmv_plan.hpp>
#include <evenly/exec/launch.hpp>
#include <evenly/schedule/automatic.hpp>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace evenly {

/// The model's choice on this kind of executor. The emulated GPU chooses as a GPU does.
template <executor Executor>
choice choose_for(Executor const&, features const& of, automatic const& rule) {
  if constexpr (has_blocks<Executor>) return choose(of, rule.device);
  else return choose(of, rule.host);
}
template <executor Executor>
choice choose_for(Executor const&, features const& of, paper_heuristic const& rule) {
  return choose(of, rule);
}

template <class Rule>
concept choosing_rule = std::same_as<Rule, automatic> || std::same_as<Rule, paper_heuristic>;

template <executor Executor, tile_set Set>
class automatic_plan {
 public:
  using executor_type = Executor;
  using set_type = Set;

  automatic_plan(Executor const& run, Set const& set, features const& measured, choice chosen, std::size_t value_bytes)
      : features_(measured), choice_(std::move(chosen)), plan_(made(run, set, choice_.schedule, value_bytes)) {}

  /// f(plan) with the plan of the chosen schedule.
  template <class F>
  decltype(auto) visit(F&& f) const {
    return std::visit(std::forward<F>(f), plan_);
  }
  Executor const& run() const {
    return visit([](auto const& plan) -> Executor const& { return plan.run(); });
  }
  Set const& set() const {
    return visit([](auto const& plan) -> Set const& { return plan.set(); });
  }
  /// Bytes of the executor's memory that the plan holds.
  std::size_t bytes() const {
    return visit([](auto const& plan) { return plan.bytes(); });
  }
  candidate const& schedule() const { return choice_.schedule; }
  std::string chosen() const { return describe_schedule(choice_.schedule); }
  std::string const& reason() const { return choice_.reason; }
  std::vector<prediction> const& predictions() const { return choice_.predictions; }
  evenly::features const& features() const { return features_; }

 private:
  using any_plan = std::variant<plan<Executor, Set, merge_path>, plan<Executor, Set, group_mapped>,
                                plan<Executor, Set, thread_mapped>, plan<Executor, Set, nonzero_split>>;

  static any_plan made(Executor const& run, Set const& set, candidate const& chosen, std::size_t value_bytes) {
    return std::visit([&](auto const& schedule) -> any_plan { return make_plan(run, set, schedule, value_bytes); },
                      chosen);
  }

  evenly::features features_;
  choice choice_;
  any_plan plan_;
};

namespace detail {

template <executor Executor, tile_set Set>
features features_for_plan(Executor const& run, Set const& set, std::size_t value_bytes) {
  return features_of(run, set, static_cast<int>(value_bytes));
}
template <executor Executor, class Value, class Offset, class Column>
features features_for_plan(Executor const& run, csr_view<Value, Offset, Column> const& A, std::size_t) {
  return features_of(run, A);
}

}  // namespace detail

/// The plan of the schedule that `rule` chooses for `set`. Measures the set first: one launch, and waits.
template <executor Executor, tile_set Set, choosing_rule Rule>
automatic_plan<Executor, Set> make_plan(Executor const& run, Set const& set, Rule const& rule,
                                        std::size_t value_bytes = 16) {
  auto const measured = detail::features_for_plan(run, set, value_bytes);
  return {run, set, measured, choose_for(run, measured, rule), value_bytes};
}

template <executor Executor, class Value, class Offset, class Column, choosing_rule Rule>
auto make_spmv_plan(Executor const& run, csr_view<Value, Offset, Column> const& A, Rule const& rule) {
  return make_plan(run, A, rule, sizeof(Value));
}

template <executor Executor, tile_set Set, class Map, monoid Op, class Emit>
void reduce_tiles(automatic_plan<Executor, Set> const& plan, Map const& map, Op const& op, Emit const& emit) {
  plan.visit([&](auto const& chosen) { reduce_tiles(chosen, map, op, emit); });
}
template <executor Executor, tile_set Set, class Visit>
void for_each_atom(automatic_plan<Executor, Set> const& plan, Visit const& visit) {
  plan.visit([&](auto const& chosen) { for_each_atom(chosen, visit); });
}

/// The same with a plan made for this call, which measures the tiles each time.
template <executor Executor, tile_set Set, choosing_rule Rule, class Map, monoid Op, class Emit>
void reduce_tiles(Executor const& run, Set const& set, Rule const& rule, Map const& map, Op const& op,
                  Emit const& emit) {
  reduce_tiles(make_plan(run, set, rule, sizeof(value_of_t<Op>)), map, op, emit);
}

/// As with the plan of the chosen schedule: same checks, same scalars, same promises.
template <executor Executor, class Value, class Offset, class Column, class X, class Y, class Accumulator = Y>
void spmv(automatic_plan<Executor, csr_view<Value, Offset, Column>> const& plan, view<X> x, view<Y> y,
          spmv_options<std::type_identity_t<Accumulator>> options = {}) {
  plan.visit([&](auto const& chosen) { spmv(chosen, x, y, options); });
}
template <executor Executor, class Value, class Offset, class Column, class X, class Y, class Accumulator>
void spmv(automatic_plan<Executor, csr_view<Value, Offset, Column>> const& plan, view<X> x, view<Y> y,
          spmv_device_options<Accumulator> options) {
  plan.visit([&](auto const& chosen) { spmv(chosen, x, y, options); });
}

/// The same with a plan made for this call, which measures A each time.
template <executor Executor, class Value, class Offset, class Column, class X, class Y, choosing_rule Rule,
          class Accumulator = Y>
void spmv(Executor const& run, csr_view<Value, Offset, Column> const& A, view<X> x, view<Y> y, Rule const& rule,
          spmv_options<std::type_identity_t<Accumulator>> options = {}) {
  spmv(make_plan(run, A, rule, sizeof(Accumulator)), x, y, options);
}

struct tune_options {
  int candidates = 3;  // the model's best so many are timed; the merge path always is
  int repeats = 20;    // products of one measurement
  int samples = 3;     // measurements of each candidate, in turn; the least counts
  automatic rule{};
};

/// What was measured of one candidate.
struct tuned {
  candidate schedule;
  double us = 0;  // one product
  double predicted_us = 0;
  double plan_us = 0;     // making its plan, once
  double plan_cost = 0;   // plan_us in products
  double break_even = 0;  // products after which it has beaten the model's own choice, plans included; inf: never
};

template <executor Executor, tile_set Set>
struct tune_result {
  automatic_plan<Executor, Set> plan;
  std::vector<tuned> report;  // the fastest first
};

/// Times the model's best candidates on A and x and returns the fastest one's plan. y: [rows], overwritten with A x.
/// Waits. Which plan is returned is not deterministic (it depends on the clock); each plan's results are, and all are
/// right.
template <executor Executor, class Value, class Offset, class Column, class X, class Y>
tune_result<Executor, csr_view<Value, Offset, Column>> tune(Executor const& run,
                                                            csr_view<Value, Offset, Column> const& A, view<X> x,
                                                            view<Y> y, tune_options const& options = {}) {
  using clock = std::chrono::steady_clock;
  using plan_type = automatic_plan<Executor, csr_view<Value, Offset, Column>>;
  auto const us_since = [](clock::time_point begin) {
    return std::chrono::duration<double, std::micro>(clock::now() - begin).count();
  };
  auto const measured = features_of(run, A);
  auto const model = choose_for(run, measured, options.rule);
  auto order = model.predictions;
  std::ranges::stable_sort(order, {}, &prediction::us);
  auto const wanted = static_cast<std::size_t>(std::max(options.candidates, 1));
  std::vector<tuned> report;
  std::vector<plan_type> plans;
  bool has_merge = false;
  for (auto const& [schedule, predicted] : order) {
    bool const is_merge = std::holds_alternative<merge_path>(schedule), first_merge = is_merge && !has_merge;
    bool const is_model = describe_schedule(schedule) == describe_schedule(model.schedule);
    if (report.size() >= wanted && !first_merge && !is_model) continue;
    has_merge = has_merge || is_merge;
    run.wait();
    auto const begin = clock::now();
    plans.emplace_back(run, A, measured, choice{schedule, "", model.predictions}, sizeof(Value));
    run.wait();
    report.push_back({.schedule = schedule, .predicted_us = predicted, .plan_us = us_since(begin)});
    spmv(plans.back(), x, y);  // untimed: code is loaded, caches are warm
  }
  int const repeats = std::max(options.repeats, 1);
  for (int sample = 0; sample < std::max(options.samples, 1); ++sample)
    for (std::size_t i = 0; i < plans.size(); ++i) {
      run.wait();
      auto const begin = clock::now();
      for (int i_repeat = 0; i_repeat < repeats; ++i_repeat) spmv(plans[i], x, y);
      run.wait();
      double const us = us_since(begin) / repeats;
      report[i].us = sample == 0 ? us : std::min(report[i].us, us);
    }
  std::size_t best = 0, own = 0;
  for (std::size_t i = 0; i < report.size(); ++i) {
    if (report[i].us < report[best].us) best = i;
    if (describe_schedule(report[i].schedule) == describe_schedule(model.schedule)) own = i;
  }
  tuned const base = report[own];
  for (auto& one : report) {
    one.plan_cost = one.us > 0 ? one.plan_us / one.us : 0;
    double const dearer = std::max(one.plan_us - base.plan_us, 0.0), gain = base.us - one.us;
    one.break_even = dearer == 0 && gain >= 0 ? 0 : gain > 0 ? dearer / gain : std::numeric_limits<double>::infinity();
  }
  choice fastest{report[best].schedule,
                 describe_schedule(report[best].schedule) +
                     detail::text_of(" took %.3g us, the least of %d that were timed; the model's choice, ",
                                     report[best].us, static_cast<int>(report.size())) +
                     describe_schedule(model.schedule) + detail::text_of(", %.3g us", base.us),
                 model.predictions};
  plans.clear();  // before the one that stays is made
  std::ranges::stable_sort(report, {}, &tuned::us);
  return {plan_type(run, A, measured, std::move(fastest), sizeof(Value)), std::move(report)};
}

}  // namespace evenly
