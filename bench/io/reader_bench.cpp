// SPDX-License-Identifier: Apache-2.0
//
// Times the Matrix Market reader on one file, or makes a file to time it on. tools/bench_reader.py runs it next to
// SciPy.
//   reader_bench generate FILE long|short rows|columns ENTRIES    values of 17 or 5 digits, ordered by row or by column
//   reader_bench read FILE THREADS REPEATS    a line a repeat: wall and CPU seconds to CSR, to triplets, a checksum
#include <evenly/io/matrix_market.hpp>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

/// Wall and processor seconds since it was made.
class stopwatch {
 public:
  double wall() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  double cpu() const { return static_cast<double>(std::clock() - clock_) / CLOCKS_PER_SEC; }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::clock_t clock_ = std::clock();
};

int generate(const std::string& path, bool long_values, bool by_row, std::int64_t entries) {
  constexpr std::int32_t size = 1000000;
  std::mt19937_64 random(20240607);
  std::uniform_real_distribution<double> value(-1, 1);
  evenly::coo<double> matrix;
  matrix.shape = {size, size};
  for (std::int64_t k = 0; k < entries; ++k) {
    matrix.columns.push_back(static_cast<std::int32_t>(k * size / entries));
    matrix.rows.push_back(static_cast<std::int32_t>(random() % size));
    const double v = value(random);
    matrix.values.push_back(long_values ? v : std::round(v * 1e5) / 1e3);
  }
  if (by_row) std::swap(matrix.rows, matrix.columns);
  evenly::write_matrix_market(path, matrix);
  return 0;
}

int read(const std::string& path, unsigned threads, int repeats) {
  for (int i = 0; i < repeats; ++i) {
    double sum = 0;
    const stopwatch csr_watch;
    {
      const auto csr = evenly::read_matrix_market_csr<double>(path, {.threads = threads});
      sum += static_cast<double>(csr.nnz());
    }
    std::printf("%.6f %.6f ", csr_watch.wall(), csr_watch.cpu());
    const stopwatch coo_watch;
    {
      const auto coo = evenly::read_matrix_market<double>(path, {.threads = threads});
      sum += coo.values.front() + coo.values.back();
    }
    std::printf("%.6f %.6f %.17g\n", coo_watch.wall(), coo_watch.cpu(), sum);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> args(argv + 1, argv + argc);
    if (args.size() == 5 && args[0] == "generate")
      return generate(args[1], args[2] == "long", args[3] == "rows", std::stoll(args[4]));
    if (args.size() == 4 && args[0] == "read")
      return read(args[1], static_cast<unsigned>(std::stoul(args[2])), std::stoi(args[3]));
    std::fprintf(stderr,
                 "usage: reader_bench generate FILE long|short rows|columns ENTRIES | read FILE THREADS REPEATS\n");
    return 2;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 3;
  }
}
