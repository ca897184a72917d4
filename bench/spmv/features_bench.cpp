// SPDX-License-Identifier: Apache-2.0
//
// The features (schedule/features.hpp) of every matrix of the SpMV benchmark, for both precisions, as JSON on stdout. They
// are counts, the same on every executor, so that no GPU is needed: tools/fit_model.py joins them with times measured on
// one. Usage: features_bench [CLASS...]
#include "matrices.hpp"

#include <evenly/algorithm/features_of.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace {

void print(bench::recipe const& of, char const* type, evenly::features const& f) {
  auto const number = [](std::int64_t count) { return static_cast<long long>(count); };
  std::printf("{\"class\": \"%s\", \"size\": \"%s\", \"matrix\": \"%s\", \"type\": \"%s\", ", of.name.c_str(),
              of.size.c_str(), of.text.c_str(), type);
  std::printf("\"rows\": %lld, \"cols\": %lld, \"nnz\": %lld, \"longest\": %lld, ", number(f.rows.tiles),
              number(f.columns.columns), number(f.rows.atoms), number(f.rows.longest));
  std::printf("\"near_sectors\": %.4f, \"wide_sectors\": %.4f, \"warp_rounds\": [", f.columns.near_sectors,
              f.columns.wide_sectors);
  for (std::size_t k = 0; k < f.rows.warp_rounds.size(); ++k)
    std::printf("%s%lld", k == 0 ? "" : ", ", number(f.rows.warp_rounds[k]));
  std::printf("], \"counts\": [");
  int const last = std::max(0, 63 - static_cast<int>(std::find_if(f.rows.counts.rbegin(), f.rows.counts.rend(),
                                                                  [](auto count) { return count != 0; }) -
                                                     f.rows.counts.rbegin()));
  for (int j = 0; j <= last; ++j)
    std::printf("%s%lld", j == 0 ? "" : ", ", number(f.rows.counts[static_cast<std::size_t>(j)]));
  std::printf("]}");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::vector<std::string> const only(argv + 1, argv + argc);
    evenly::host const run;
    std::printf("[");
    bool first = true;
    for (auto const& of : bench::recipes(true)) {
      if (!only.empty() && std::ranges::find(only, of.name) == only.end()) continue;
      auto const A = bench::build(run, of.text);
      auto const nnz = static_cast<std::int32_t>(A.nnz());
      auto const measure = [&]<class Value>(Value const* none) {
        return evenly::features_of(
            run, evenly::csr_view<Value>(none, A.offsets.data(), A.indices.data(), {A.rows, A.columns}, nnz));
      };
      for (bool const wide : {false, true}) {
        std::printf("%s\n", first ? "" : ",");
        first = false;
        if (wide) print(of, "f64", measure(static_cast<double const*>(nullptr)));
        else print(of, "f32", measure(static_cast<float const*>(nullptr)));
      }
      std::fflush(stdout);
    }
    std::printf("\n]\n");
    return 0;
  } catch (std::exception const& e) {
    std::fprintf(stderr, "features_bench: %s\n", e.what());
    return 1;
  }
}
