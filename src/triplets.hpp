// SPDX-License-Identifier: Apache-2.0
//
// A matrix as it was read or generated: triplets in double, real or complex, with a name. Every run starts from here:
// the rows that schedules work on are converted from it, and the reference result is computed from it directly.
#pragma once

#include "instances.hpp"

#include <evenly/core/error.hpp>
#include <evenly/sparse/convert.hpp>
#include <evenly/sparse/coo.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <variant>

namespace evenly::instances {

using real_triplets = coo<double, std::int64_t>;
using complex_triplets = coo<complex<double>, std::int64_t>;

struct named_matrix {
  std::string name;
  std::variant<real_triplets, complex_triplets> entries;
  std::string field;     // real, integer, pattern, complex: what the file holds
  std::string symmetry;  // general, symmetric, ...: how the file stores it

  bool is_complex() const { return entries.index() == 1; }
  evenly::shape shape() const {
    return std::visit([](auto const& list) { return list.shape; }, entries);
  }
  std::int64_t nnz() const {
    return std::visit([](auto const& list) { return list.nnz(); }, entries);
  }
};

/// Rows become columns.
inline void transpose(named_matrix& A) {
  std::visit(
      [](auto& list) {
        std::swap(list.rows, list.columns);
        std::swap(list.shape.rows, list.shape.columns);
      },
      A.entries);
}

/// The rows of A with values of `type`; 64-bit offsets only where 32 bits do not do.
/// Errors: argument_error for complex values in a real type, and for 2^31 columns or more.
inline any_csr rows_of(named_matrix const& A, value_type type) {
  bool const wide = A.nnz() >= std::numeric_limits<std::int32_t>::max() ||
                    A.shape().rows >= std::numeric_limits<std::int32_t>::max() - 1;
  return std::visit(
      [&](auto const& list) -> any_csr {
        using From = typename std::remove_cvref_t<decltype(list)>::value_type;
        return with_type(type, [&]<class T>(T) -> any_csr {
          if constexpr (evenly::is_complex<From> && !evenly::is_complex<T>) {
            throw argument_error("'" + A.name + "' holds complex values; use --type c64 or c128");
          } else {
            if (wide) return to_csr<T, std::int64_t, std::int32_t>(list);
            return to_csr<T, std::int32_t, std::int32_t>(list);
          }
        });
      },
      A.entries);
}

}  // namespace evenly::instances
