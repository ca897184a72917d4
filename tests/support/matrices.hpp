// SPDX-License-Identifier: Apache-2.0
//
// Random matrices with given row lengths (columns unsorted, duplicates among them), their copies in an executor's memory,
// and SpMV's reference: long double sums with the bound that the contract promises, computed from the data.
#pragma once

#include "device_vector.hpp"
#include "operators.hpp"
#include "properties.hpp"
#include "tile_sets.hpp"

#include <evenly/core/complex.hpp>
#include <evenly/core/view.hpp>
#include <evenly/sparse/csr.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace tests {

/// A number in [-2, 2) of full precision.
template <class T>
T any_number(std::int64_t a, std::int64_t b) {
  if constexpr (evenly::is_complex<T>) {
    using real = evenly::real_of_t<T>;
    return T{any_number<real>(a, b), any_number<real>(b, a + 77)};
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(scrambled(a, b) % 100u);
  } else {
    return static_cast<T>(static_cast<double>(scrambled(a, b)) / 1073741824.0 - 2.0);
  }
}

template <class Value, class Offset = std::int32_t, class Column = std::int32_t>
evenly::csr<Value, Offset, Column> random_matrix(tile_sizes const& sizes, std::int64_t columns) {
  evenly::csr<Value, Offset, Column> A;
  A.shape = {static_cast<std::int64_t>(sizes.size()), columns};
  A.offsets = offsets_of<Offset>(sizes);
  for (Offset i = 0; i < A.offsets.back(); ++i) {
    A.columns.push_back(
        static_cast<Column>(static_cast<std::int64_t>(scrambled(5, static_cast<std::int64_t>(i))) % columns));
    A.values.push_back(any_number<Value>(1, static_cast<std::int64_t>(i)));
  }
  return A;
}
template <class Value>
std::vector<Value> random_vector(std::int64_t size, std::int64_t seed = 3) {
  std::vector<Value> x;
  for (std::int64_t i = 0; i < size; ++i) x.push_back(any_number<Value>(seed, i));
  return x;
}

/// A matrix in the memory of an executor.
template <class Value, class Offset, class Column, evenly::executor Executor>
class device_matrix {
 public:
  device_matrix(Executor const& run, evenly::csr<Value, Offset, Column> const& A)
      : values_(run, A.values), offsets_(run, A.offsets), columns_(run, A.columns), shape_(A.shape),
        nnz_(static_cast<Offset>(A.columns.size())) {}
  evenly::csr_view<Value, Offset, Column> view() const {
    return {values_.data(), offsets_.data(), columns_.data(), shape_, nnz_};
  }

 private:
  device_vector<Value, Executor> values_;
  device_vector<Offset, Executor> offsets_;
  device_vector<Column, Executor> columns_;
  evenly::shape shape_;
  Offset nnz_;
};

template <class T, class Executor>
evenly::view<T> view_of(device_vector<T, Executor> const& vector) {
  return {vector.data(), static_cast<std::int64_t>(vector.size())};
}

/// Components of a number: one, or two of a complex one, as long doubles.
template <class T>
evenly::complex<long double> widened(T value) {
  if constexpr (evenly::is_complex<T>) return {static_cast<long double>(value.re), static_cast<long double>(value.im)};
  else return {static_cast<long double>(value), 0};
}
inline long double size_of(evenly::complex<long double> z) { return std::abs(z.re) + std::abs(z.im); }

/// Is y = alpha A x + beta old_y within (row length + 3) eps (sum |a||x| + |beta y|), and NaN exactly where the reference
/// is? The old y is not looked at where beta is 0.
template <class Value, class Offset, class Column, class X, class Y>
verdict is_product(evenly::csr<Value, Offset, Column> const& A, std::vector<X> const& x, std::vector<Y> const& old_y,
                   std::vector<Y> const& y, Y alpha, Y beta) {
  if (y.size() != static_cast<std::size_t>(A.shape.rows)) return "y has another size";
  auto const a = widened(alpha), b = widened(beta);
  bool const reads_y = !(beta == Y{});
  for (std::size_t row = 0; row < y.size(); ++row) {
    evenly::complex<long double> sum{};
    long double sizes = 0;
    for (Offset i = A.offsets[row]; i < A.offsets[row + 1]; ++i) {
      auto const value = widened(A.values[static_cast<std::size_t>(i)]);
      auto const at = widened(x[static_cast<std::size_t>(A.columns[static_cast<std::size_t>(i)])]);
      sum += value * at;
      sizes += size_of(value) * size_of(at);
    }
    bool const none = alpha == Y{};
    auto expected = none ? evenly::complex<long double>{} : a * sum;
    long double magnitude = none ? 0 : size_of(a) * sizes;
    if (reads_y) {
      expected += b * widened(old_y[row]);
      magnitude += size_of(b) * size_of(widened(old_y[row]));
    }
    if constexpr (!evenly::is_complex<Y>) expected.im = 0;  // 0 * NaN of the imaginary parts that are not there
    auto const got = widened(y[row]);
    auto const where = [&] {
      return fault("row ", row, " is ", static_cast<double>(got.re), ", not ", static_cast<double>(expected.re));
    };
    if (std::isnan(expected.re) != std::isnan(got.re) || std::isnan(expected.im) != std::isnan(got.im)) return where();
    if (!std::isfinite(expected.re) || !std::isfinite(expected.im)) {
      bool const same = (got.re == expected.re || std::isnan(got.re)) && (got.im == expected.im || std::isnan(got.im));
      if (!same) return where();
      continue;
    }
    auto const length = static_cast<long double>(A.offsets[row + 1] - A.offsets[row]);
    long double const eps = static_cast<long double>(std::numeric_limits<evenly::real_of_t<Y>>::epsilon());
    long double const bound = (length + 3) * eps * magnitude;
    if (size_of(got - expected) > bound) return where() + fault(", beyond the bound ", static_cast<double>(bound));
  }
  return {};
}

}  // namespace tests
