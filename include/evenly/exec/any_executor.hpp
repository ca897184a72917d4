// SPDX-License-Identifier: Apache-2.0
//
// any_of<Executors...>: an executor chosen at run time. Passes take it like any other; inside, one branch picks the code
// made for the executor it holds.
#pragma once

#include <evenly/algorithm/spmv.hpp>
#include <evenly/exec/launch.hpp>

#include <utility>
#include <variant>

namespace evenly {

template <executor... Executors>
class any_of {
 public:
  template <class Executor>
    requires(std::is_same_v<Executor, Executors> || ...)
  any_of(Executor run) : held_(std::move(run)) {}

  /// f(executor) with the one that is held.
  template <class F>
  decltype(auto) visit(F&& f) const {
    return std::visit(std::forward<F>(f), held_);
  }

  bool is_device() const {
    return visit([](auto const& run) { return std::remove_cvref_t<decltype(run)>::is_device; });
  }
  char const* name() const {
    return visit([](auto const& run) { return std::remove_cvref_t<decltype(run)>::name; });
  }
  void wait() const {
    visit([](auto const& run) { run.wait(); });
  }

 private:
  std::variant<Executors...> held_;
};

template <executor... Executors, tile_set Set, schedule_for<Set> Schedule, class Map, monoid Op, class Emit>
void reduce_tiles(any_of<Executors...> const& run, Set const& set, Schedule const& schedule, Map const& map,
                  Op const& op, Emit const& emit) {
  run.visit([&](auto const& executor) { reduce_tiles(executor, set, schedule, map, op, emit); });
}

template <executor... Executors, tile_set Set, schedule_for<Set> Schedule, class Visit>
void for_each_atom(any_of<Executors...> const& run, Set const& set, Schedule const& schedule, Visit const& visit) {
  run.visit([&](auto const& executor) { for_each_atom(executor, set, schedule, visit); });
}

template <executor... Executors, class Value, class Offset, class Column, class X, class Y, class Schedule>
void spmv(any_of<Executors...> const& run, csr_view<Value, Offset, Column> const& A, view<X> x, view<Y> y,
          Schedule const& schedule, spmv_options<Y> options = {}) {
  run.visit([&](auto const& executor) { spmv(executor, A, x, y, schedule, options); });
}
template <executor... Executors, class Value, class Offset, class Column, class X, class Y, class Schedule,
          class Accumulator>
void spmv(any_of<Executors...> const& run, csr_view<Value, Offset, Column> const& A, view<X> x, view<Y> y,
          Schedule const& schedule, spmv_device_options<Accumulator> options) {
  run.visit([&](auto const& executor) { spmv(executor, A, x, y, schedule, options); });
}
template <executor... Executors, class Value, class Offset, class Column, class X, class Y>
void spmv(any_of<Executors...> const& run, csr_view<Value, Offset, Column> const& A, view<X> x, view<Y> y,
          spmv_options<std::type_identity_t<Y>> options = {}) {
  run.visit([&](auto const& executor) { spmv(executor, A, x, y, options); });
}
template <executor... Executors, class Value, class Offset, class Column, class X, class Y, class Accumulator>
void spmv(any_of<Executors...> const& run, csr_view<Value, Offset, Column> const& A, view<X> x, view<Y> y,
          spmv_device_options<Accumulator> options) {
  run.visit([&](auto const& executor) { spmv(executor, A, x, y, options); });
}

}  // namespace evenly
