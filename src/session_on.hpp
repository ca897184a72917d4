// SPDX-License-Identifier: Apache-2.0
//
// spmv_session for one executor, value and offset type: the template behind the translation units of this folder.
#pragma once

#include "instances.hpp"

#include <evenly/algorithm/spmv.hpp>
#include <evenly/exec/launch.hpp>
#include <evenly/exec/plan.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

namespace evenly::instances {

/// Times what is launched between start() and stop_ms() by the clock on the wall.
template <class Executor>
class stopwatch {
 public:
  explicit stopwatch(Executor const& run) : run_(run) {}
  void start() {
    run_.wait();
    start_ = std::chrono::steady_clock::now();
  }
  double stop_ms() {
    run_.wait();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  Executor run_;
  std::chrono::steady_clock::time_point start_;
};

template <class Executor, class T, class Offset>
class session_on final : public spmv_session {
 public:
  session_on(Executor run, csr_of<T, Offset> const& A, std::vector<T> const& x)
      : run_(run), values_(upload(A.values)), offsets_(upload(A.offsets)), columns_(upload(A.columns)), x_(upload(x)),
        y_(run_, sizeof(T) * static_cast<std::size_t>(A.shape.rows)),
        A_(static_cast<T const*>(values_.data()), static_cast<Offset const*>(offsets_.data()),
           static_cast<std::int32_t const*>(columns_.data()), A.shape, static_cast<Offset>(A.nnz())) {}

  multiply_result multiply(any_schedule const& schedule, any_vector& y, multiply_options const& options) override {
    return std::visit([&](auto const& chosen) { return multiply_by(chosen, std::get<std::vector<T>>(y), options); },
                      schedule);
  }

 private:
  template <class Element>
  buffer<Executor> upload(std::vector<Element> const& here) const {
    buffer<Executor> there(run_, here.size() * sizeof(Element));
    run_.copy_to(there.data(), here.data(), there.bytes());
    return there;
  }

  static T scalar(complex<double> value) {
    if constexpr (is_complex<T>) return T(value);
    else return static_cast<T>(value.re);
  }

  template <class Schedule>
  multiply_result multiply_by(Schedule const& schedule, std::vector<T>& y, multiply_options const& options) {
    multiply_result result;
    stopwatch<Executor> watch(run_);
    auto const begin = std::chrono::steady_clock::now();
    auto const rows = make_plan(run_, A_, schedule, sizeof(T));
    run_.wait();
    result.plan_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    result.plan_bytes = static_cast<std::int64_t>(rows.bytes());
    view<T const> const x(static_cast<T const*>(x_.data()), A_.shape().columns);
    view<T> const out(static_cast<T*>(y_.data()), A_.shape().rows);
    spmv_options<T> const scalars{scalar(options.alpha), scalar(options.beta)};
    run_.copy_to(y_.data(), y.data(), y_.bytes());
    spmv(rows, x, out, scalars);
    run_.wait();
    run_.copy_from(y.data(), y_.data(), y_.bytes());
    std::vector<double> times;
    for (int i = 0; i < options.repeat; ++i) {
      watch.start();
      spmv(rows, x, out, scalars);
      times.push_back(watch.stop_ms());
    }
    std::ranges::sort(times);
    result.time_ms = times.empty() ? std::numeric_limits<double>::quiet_NaN()
                                   : (times[times.size() / 2] + times[(times.size() - 1) / 2]) / 2;
    return result;
  }

  Executor run_;
  buffer<Executor> values_, offsets_, columns_, x_, y_;
  csr_view<T, Offset, std::int32_t> A_;
};

template <class T, class Offset>
std::unique_ptr<spmv_session> open_host_session(csr_of<T, Offset> const& A, std::vector<T> const& x,
                                                session_options const& options);
template <class T, class Offset>
std::unique_ptr<spmv_session> open_simt_session(csr_of<T, Offset> const& A, std::vector<T> const& x,
                                                session_options const& options);
template <class T, class Offset>
std::unique_ptr<spmv_session> open_cuda_session(csr_of<T, Offset> const& A, std::vector<T> const& x,
                                                session_options const& options);

/// Instantiates one of the three for both offset types.
#define EVENLY_INSTANTIATE_SESSION(open, ...)                                                           \
  template std::unique_ptr<spmv_session> open(csr_of<__VA_ARGS__, std::int32_t> const&,                 \
                                              std::vector<__VA_ARGS__> const&, session_options const&); \
  template std::unique_ptr<spmv_session> open(csr_of<__VA_ARGS__, std::int64_t> const&,                 \
                                              std::vector<__VA_ARGS__> const&, session_options const&)

}  // namespace evenly::instances
