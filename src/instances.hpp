// SPDX-License-Identifier: Apache-2.0
//
// What the tools see of the library: matrices and vectors whose types are known at run time, and a session that holds
// one matrix on one executor and multiplies with any schedule. Behind it, one translation unit for each executor and
// value type instantiates offsets {32, 64} x columns 32 x every schedule, so that no tool compiles a kernel itself.
#pragma once

#include "schedules.hpp"

#include <evenly/core/complex.hpp>
#include <evenly/sparse/csr.hpp>

#include <complex>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// The build says what there is; the emulated grid needs Boost.Context alone.
#if !defined(EVENLY_HAS_CUDA)
#define EVENLY_HAS_CUDA 0
#endif
#if !defined(EVENLY_HAS_SIMT)
#if __has_include(<boost/context/detail/fcontext.hpp>)
#define EVENLY_HAS_SIMT 1
#else
#define EVENLY_HAS_SIMT 0
#endif
#endif

namespace evenly::instances {

enum class value_type { f32, f64, c64, c128 };
enum class executor_kind { host, simt, cuda };

std::string_view name_of(value_type type);
std::string_view name_of(executor_kind executor);
/// Errors: argument_error that names the nearest.
value_type parse_value_type(std::string_view text);
executor_kind parse_executor(std::string_view text);

template <class T>
inline constexpr value_type value_type_of = is_complex<T> ? (sizeof(T) == 8 ? value_type::c64 : value_type::c128)
                                                          : (sizeof(T) == 4 ? value_type::f32 : value_type::f64);

/// f(T{}) with the type that `type` names.
template <class F>
decltype(auto) with_type(value_type type, F&& f) {
  switch (type) {
    case value_type::f32:
      return f(float{});
    case value_type::f64:
      return f(double{});
    case value_type::c64:
      return f(complex<float>{});
    default:
      return f(complex<double>{});
  }
}

template <class T, class Offset>
using csr_of = csr<T, Offset, std::int32_t>;

using any_csr = std::variant<csr_of<float, std::int32_t>, csr_of<float, std::int64_t>, csr_of<double, std::int32_t>,
                             csr_of<double, std::int64_t>, csr_of<complex<float>, std::int32_t>,
                             csr_of<complex<float>, std::int64_t>, csr_of<complex<double>, std::int32_t>,
                             csr_of<complex<double>, std::int64_t>>;
using any_vector =
    std::variant<std::vector<float>, std::vector<double>, std::vector<complex<float>>, std::vector<complex<double>>>;

struct session_options {
  executor_kind executor = executor_kind::host;
  int threads = 0;         // host: 0 means one for each core
  std::uint64_t seed = 1;  // simt: the order of its interleaving
};

struct multiply_options {
  complex<double> alpha{1};
  complex<double> beta{};
  int repeat = 1;  // timed multiplications, after one that is not; 0: none
};

struct multiply_result {
  double time_ms = 0;  // median of the timed multiplications; NaN where there are none
  double plan_ms = 0;  // making the plan, once
  std::int64_t plan_bytes = 0;
};

/// One matrix and one x on one executor. The arrays given to open_session must outlive it.
class spmv_session {
 public:
  virtual ~spmv_session() = default;
  /// y = alpha A x + beta y, once; then `repeat` times more into memory of its own, for the time.
  /// Errors: argument_error for options that make no sense, device_error where a device fails.
  virtual multiply_result multiply(any_schedule const& schedule, any_vector& y, multiply_options const& options) = 0;
};

/// Errors: device_error where there is no such executor, with what to do.
std::unique_ptr<spmv_session> open_session(any_csr const& A, any_vector const& x, session_options const& options);

/// CUDA devices that this program can use; 0 in a build without CUDA.
int cuda_devices();
/// The device's name, or why there is none and what to do about it.
std::string cuda_description();
bool built_with_cuda();
bool built_with_simt();

}  // namespace evenly::instances
