// SPDX-License-Identifier: Apache-2.0
//
// Any bytes at all are read as a Matrix Market text or refused with a place in it, by one thread as by three; what was
// read lies within its shape and is the same after writing and reading again. Build and run (finds go to the first
// folder):
//   clang++ -std=c++20 -O1 -g -fsanitize=fuzzer,address,undefined -Iinclude tests/fuzz/matrix_market_fuzz.cpp -o fuzz
//   mkdir -p found && ./fuzz -max_total_time=600 -dict=tests/fuzz/matrix_market.dict found tests/fuzz/corpus
//   tests/data/malformed
#include <evenly/io/matrix_market.hpp>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

/// A matrix, or the message of its refusal.
template <class Value, class Index>
std::pair<evenly::coo<Value, Index>, std::string> ask(std::string_view text, unsigned threads) {
  try {
    return {evenly::parse_matrix_market<Value, Index>(text, "f", {.threads = threads, .bytes_per_thread = 1}), ""};
  } catch (const evenly::input_error& e) { return {{}, e.what()}; }
}

template <class Value, class Index>
bool same(const evenly::coo<Value, Index>& a, const evenly::coo<Value, Index>& b) {
  if (!(a.shape == b.shape) || a.rows != b.rows || a.columns != b.columns || a.values.size() != b.values.size())
    return false;
  for (std::size_t k = 0; k < a.values.size(); ++k)
    if (evenly::detail::mtx::bits_of(a.values[k]) != evenly::detail::mtx::bits_of(b.values[k])) return false;
  return true;
}

template <class Value, class Index>
void check(std::string_view text, bool threads) {
  const auto [matrix, message] = ask<Value, Index>(text, 1);
  if (threads) {
    const auto [again, same_message] = ask<Value, Index>(text, 3);
    require(message == same_message && same(matrix, again));
  }
  if (!message.empty()) {
    require(message.starts_with("f:") && message.size() > 12 && message.find(": ") != std::string::npos);
    return;
  }
  for (std::size_t k = 0; k < matrix.rows.size(); ++k)
    require(matrix.rows[k] >= 0 && matrix.rows[k] < matrix.shape.rows && matrix.columns[k] >= 0 &&
            matrix.columns[k] < matrix.shape.columns);
  std::ostringstream out;
  evenly::write_matrix_market(out, matrix);
  require(same(matrix, evenly::parse_matrix_market<Value, Index>(out.str(), "written", {.threads = 1})));
  if (matrix.shape.rows < 100000) {
    const auto csr = evenly::parse_matrix_market_csr<Value, std::int64_t, Index>(text, "f", {.threads = 1});
    require(csr.offsets.back() == matrix.nnz() && csr.nnz() == matrix.nnz());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const bool threads = size % 8 == 0;  // starting threads is slow
  check<double, std::int32_t>(text, threads);
  check<evenly::complex<float>, std::int64_t>(text, threads);
  check<std::int64_t, std::int32_t>(text, threads);
  return 0;
}
