// SPDX-License-Identifier: Apache-2.0
//
// Values, x and the right answer. All numbers are random with every bit of their significand in use. The reference is
// summed on the host in at least twice float's precision, and each row of y has a bound of its own:
// |y - reference| <= (length + 3) eps sum |a||x|.
#pragma once

#include "matrices.hpp"

#include <evenly/generate/random.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <mutex>

namespace bench {

template <class T>
raw_array<T> random_numbers(evenly::host const& run, std::int64_t count, std::uint64_t seed) {
  raw_array<T> made(count);
  parallel(run, count, 65536, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) made[i] = evenly::generate::unit<T>(evenly::generate::hash(seed, i));
  });
  return made;
}

/// The worst row of a result, by error in units of its bound.
struct verdict {
  double error = 0;
  double bound = 0;
  double share = 0;  // error / bound
  std::int64_t row = -1;
  bool ok() const { return share <= 1; }  // false for NaN
};

template <class T>
class reference {
 public:
  reference(evenly::host const& run, structure const& A, raw_array<T> const& values, raw_array<T> const& x)
      : run_(run), sums_(A.rows), bounds_(A.rows) {
    parallel(run, A.rows, rows_at_once, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        auto const first = A.offsets[static_cast<std::size_t>(row)],
                   last = A.offsets[static_cast<std::size_t>(row) + 1];
        long double sum = 0;  // where it is no wider than double, the bound still holds with room to spare
        double size = 0;
        for (auto atom = first; atom < last; ++atom) {
          auto const product = static_cast<long double>(values[atom]) * static_cast<long double>(x[A.indices[atom]]);
          sum += product;
          size += std::abs(static_cast<double>(product));
        }
        sums_[row] = static_cast<double>(sum);
        bounds_[row] = (last - first + 3.0) * std::numeric_limits<T>::epsilon() * size;
      }
    });
  }

  /// y: [rows], on the host. Every row is judged.
  verdict judge(T const* y) const {
    verdict worst;
    std::mutex one_at_a_time;
    parallel(run_, sums_.size(), rows_at_once, [&](std::int64_t begin, std::int64_t end) {
      verdict mine;
      for (std::int64_t row = begin; row < end; ++row) {
        double const error = std::abs(static_cast<double>(y[row]) - sums_[row]), bound = bounds_[row];
        // an empty row must be zero
        double const share = bound > 0 ? error / bound : error == 0 ? 0 : std::numeric_limits<double>::infinity();
        if (!(share <= mine.share)) mine = {error, bound, share, row};
        if (std::isnan(error)) {
          mine = {error, bound, std::numeric_limits<double>::infinity(), row};
          break;
        }
      }
      std::lock_guard const lock(one_at_a_time);
      if (mine.row >= 0 && !(mine.share <= worst.share)) worst = mine;
    });
    return worst;
  }

 private:
  static constexpr std::int64_t rows_at_once = 4096;
  evenly::host run_;
  raw_array<double> sums_, bounds_;
};

}  // namespace bench
