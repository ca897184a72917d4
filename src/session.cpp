// SPDX-License-Identifier: Apache-2.0
#include "instances.hpp"

#include <evenly/generate/detail/nearest.hpp>
#include "session_on.hpp"

#include <evenly/core/error.hpp>

#include <array>

namespace evenly::instances {

namespace {
constexpr std::array<std::string_view, 4> types{"f32", "f64", "c64", "c128"};
constexpr std::array<std::string_view, 3> executors{"host", "simt", "cuda"};

template <class Names>
std::size_t find_name(std::string_view text, Names const& names, char const* what) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == text) return i;
  throw argument_error(std::string("there is no ") + what + " '" + std::string(text) + "'" +
                       evenly::detail::suggest(text, names));
}
}  // namespace

std::string_view name_of(value_type type) { return types[static_cast<std::size_t>(type)]; }
std::string_view name_of(executor_kind executor) { return executors[static_cast<std::size_t>(executor)]; }
value_type parse_value_type(std::string_view text) { return static_cast<value_type>(find_name(text, types, "type")); }
executor_kind parse_executor(std::string_view text) {
  return static_cast<executor_kind>(find_name(text, executors, "executor"));
}

std::unique_ptr<spmv_session> open_session(any_csr const& A, any_vector const& x, session_options const& options) {
  return std::visit(
      [&]<class T, class Offset>(csr<T, Offset, std::int32_t> const& matrix) -> std::unique_ptr<spmv_session> {
        auto const& vector = std::get<std::vector<T>>(x);
        switch (options.executor) {
          case executor_kind::cuda:
#if EVENLY_HAS_CUDA
            if (cuda_devices() > 0) return open_cuda_session(matrix, vector, options);
#endif
            throw device_error("no CUDA device: " + cuda_description());
          case executor_kind::simt:
#if EVENLY_HAS_SIMT
            return open_simt_session(matrix, vector, options);
#else
            throw device_error(
                "this build has no simt executor: install Boost.Context (libboost-context-dev) and build again, "
                "or use --executor host");
#endif
          default:
            return open_host_session(matrix, vector, options);
        }
      },
      A);
}

bool built_with_simt() {
#if EVENLY_HAS_SIMT
  return true;
#else
  return false;
#endif
}

#if EVENLY_HAS_CUDA
bool built_with_cuda() { return true; }
#else
bool built_with_cuda() { return false; }
int cuda_devices() { return 0; }
std::string cuda_description() {
  return "this build has no CUDA; build where nvcc (CUDA 13) is found, or use --executor host or simt";
}
#endif

}  // namespace evenly::instances
