// SPDX-License-Identifier: Apache-2.0
//
// for_each_index: f(0) .. f(count - 1) on all threads of an executor, each once, in any order: the loop over plain arrays
// that conversions are made of.
#pragma once

#include <evenly/core/range.hpp>
#include <evenly/exec/executor.hpp>

#include <cstdint>

namespace evenly {

namespace detail {
template <class Function>
struct index_body {
  std::int64_t count;
  Function f;
  template <worker Worker>
  EVENLY_HD constexpr void operator()(Worker const& me) const {
    for (auto i : grid_stride(me, std::int64_t{0}, count)) f(i);
  }
};
}  // namespace detail

/// to[i] = from[index[i]]
template <class Index, class From, class To = From>
struct gather {
  Index const* index;
  From const* from;
  To* to;
  EVENLY_HD void operator()(std::int64_t i) const { to[i] = static_cast<To>(from[index[i]]); }
};

/// f is trivially copyable and takes a std::int64_t. Asynchronous where the executor is; allocates nothing.
template <executor Executor, class Function>
void for_each_index(Executor const& run, std::int64_t count, Function const& f) {
  if (count > 0) run.launch(run.shape(count, 1), detail::index_body<Function>{count, f});
}

}  // namespace evenly
