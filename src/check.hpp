// SPDX-License-Identifier: Apache-2.0
//
// Is y right? The reference is a plain loop over the triplets in long double; it shares no code with conversions,
// schedules or executors. A row of `length` entries may differ from it by
//
//     (length + 3) eps (|alpha| sum |a| |x| + |beta| |y|)
//
// with eps the distance from 1 to the next number of the type, twice its rounding unit. For complex numbers |z| is
// |re| + |im| and errors are measured alike: a product then rounds twice instead of once, which the factor two of eps
// pays for. Results that are not finite are compared as IEEE has it: infinity equals infinity, NaN stands where the
// reference has NaN. A row whose terms sum up beyond the type's range may overflow on the way and may then be infinite
// or NaN although the exact result is not.
#pragma once

#include "triplets.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace evenly::instances {

struct check_result {
  bool ok = true;
  double max_error = 0;         // of the row that comes closest to its bound, or exceeds it most
  double error_bound = 0;       // of that row
  std::int64_t worst_row = -1;  // that row; -1 where there are no rows
  std::int64_t bad_rows = 0;
};

/// The right y for one matrix, x, old y, alpha and beta, with a bound for each row.
template <class T>
class reference {
  using real = real_of_t<T>;
  using wide = std::conditional_t<is_complex<T>, complex<long double>, long double>;

 public:
  /// x: [columns], old_y: [rows]. old_y is not read where beta = 0, nor x and the matrix where alpha = 0.
  template <class Value, class Index>
  reference(coo<Value, Index> const& A, std::vector<T> const& x, std::vector<T> const& old_y, T alpha, T beta)
      : want_(static_cast<std::size_t>(A.shape.rows)), bound_(want_.size()), overflows_(want_.size()) {
    std::vector<long double> size(want_.size());
    std::vector<std::int64_t> length(want_.size());
    if (!(alpha == T{}))
      for (std::size_t i = 0; i < A.rows.size(); ++i) {
        auto const row = static_cast<std::size_t>(A.rows[i]);
        T const value = detail::convert_value<T>(A.values[i]), element = x[static_cast<std::size_t>(A.columns[i])];
        want_[row] = want_[row] + widen(value) * widen(element);
        size[row] += magnitude(value) * magnitude(element);
        ++length[row];
      }
    constexpr long double eps = std::numeric_limits<real>::epsilon(), tiny = std::numeric_limits<real>::denorm_min(),
                          most = std::numeric_limits<real>::max();
    for (std::size_t row = 0; row < want_.size(); ++row) {
      long double all = magnitude(alpha) * size[row];
      want_[row] = widen(alpha) * want_[row];
      if (!(beta == T{})) {
        all += magnitude(beta) * magnitude(old_y[row]);
        want_[row] = want_[row] + widen(beta) * widen(old_y[row]);
      }
      auto const steps = static_cast<long double>(length[row] + 3);
      bound_[row] = steps * (eps * all + tiny * (1 + magnitude(alpha)));
      overflows_[row] = all > most || size[row] > most;
    }
  }

  check_result compare(std::vector<T> const& y) const {
    check_result result;
    double worst = -1;
    for (std::size_t row = 0; row < want_.size(); ++row) {
      long double error = std::numeric_limits<long double>::infinity();  // of a row that y lacks
      if (row < y.size()) {
        if constexpr (is_complex<T>)
          error = difference(y[row].re, want_[row].re, overflows_[row] != 0) +
                  difference(y[row].im, want_[row].im, overflows_[row] != 0);
        else error = difference(y[row], want_[row], overflows_[row] != 0);
      }
      bool const ok =
          error == 0 || (std::isfinite(error) && error <= bound_[row]);  // a NaN bound admits only what is equal
      if (!ok) {
        result.ok = false;
        ++result.bad_rows;
      }
      double ratio = error == 0 ? 0 : static_cast<double>(error / bound_[row]);
      if (!ok && !(ratio > 1)) ratio = std::numeric_limits<double>::infinity();
      if (ratio > worst) {
        worst = ratio;
        result.worst_row = static_cast<std::int64_t>(row);
        result.max_error = static_cast<double>(error);
        result.error_bound = static_cast<double>(bound_[row]);
      }
    }
    if (y.size() != want_.size()) result.ok = false;
    return result;
  }

 private:
  static wide widen(T value) {
    if constexpr (is_complex<T>) return wide(value.re, value.im);
    else return value;
  }
  static long double magnitude(T value) {
    if constexpr (is_complex<T>)
      return std::fabs(static_cast<long double>(value.re)) + std::fabs(static_cast<long double>(value.im));
    else return std::fabs(static_cast<long double>(value));
  }
  /// |got - want|; 0 where both are the same kind of not finite, infinity where only one is.
  static long double difference(real got, long double want, bool overflows) {
    if (std::isnan(want)) return std::isnan(got) ? 0 : std::numeric_limits<long double>::infinity();
    if (std::isinf(want)) return got == want ? 0 : std::numeric_limits<long double>::infinity();
    if (!std::isfinite(got)) return overflows ? 0 : std::numeric_limits<long double>::infinity();
    return std::fabs(static_cast<long double>(got) - want);
  }

  std::vector<wide> want_;
  std::vector<long double> bound_;
  std::vector<char> overflows_;
};

}  // namespace evenly::instances
