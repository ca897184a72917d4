// SPDX-License-Identifier: Apache-2.0
//
// Where matrices come from: a file, standard input, a generator.
#include "cli.hpp"

#include <evenly/core/error.hpp>
#include <evenly/io/matrix_market.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>

#include <sys/mman.h>
#include <unistd.h>

namespace evenly::cli {

namespace {

using instances::named_matrix;

/// Standard input as a file that can be read twice and mapped.
class input_copy {
 public:
  input_copy() : fd_(::memfd_create("stdin", MFD_CLOEXEC)) {
    if (fd_ < 0) fail();
    std::vector<char> block(std::size_t{1} << 20U);
    for (;;) {
      auto const got = ::read(STDIN_FILENO, block.data(), block.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail();
      if (got == 0) break;
      for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
        auto const put = ::write(fd_, block.data() + at, static_cast<std::size_t>(got) - at);
        if (put < 0) fail();
        at += static_cast<std::size_t>(put);
      }
    }
  }
  ~input_copy() { ::close(fd_); }
  input_copy(input_copy const&) = delete;
  input_copy& operator=(input_copy const&) = delete;
  std::string path() const { return fmt::format("/proc/self/fd/{}", fd_); }

 private:
  [[noreturn]] static void fail() {
    throw input_error(fmt::format("stdin:1:1: cannot be read ({}); give a file instead", std::strerror(errno)));
  }
  int fd_;
};

std::string short_name(std::string const& path) {
  std::string name = std::filesystem::path(path).filename().string();
  for (char const* suffix : {".gz", ".bz2", ".xz", ".zst", ".lz4", ".tar", ".mtx"})
    if (name.size() > std::strlen(suffix) && name.ends_with(suffix)) name.resize(name.size() - std::strlen(suffix));
  return name;
}

named_matrix read(std::string const& path) {
  named_matrix A;
  A.name = short_name(path);
  auto const header = read_matrix_market_header(path);
  A.field = name_of(header.field);
  A.symmetry = name_of(header.symmetry);
  if (header.field == matrix_market_field::complex) A.entries = read_matrix_market<complex<double>, std::int64_t>(path);
  else A.entries = read_matrix_market<double, std::int64_t>(path);
  return A;
}

/// Vectors and offsets are as long as the matrix is high and wide: a few bytes of file must not ask for all the memory.
void require_memory(named_matrix const& A) {
  auto const shape = A.shape();
  auto const available = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  double const needed = 56 * static_cast<double>(shape.rows) + 16 * static_cast<double>(shape.columns);
  if (needed > 0.75 * available)
    throw input_error(fmt::format(
        "{}: {} rows and {} columns need about {:.1f} GB for vectors and offsets, and this machine has {:.1f} GB; "
        "renumber the rows and columns in use, or take a larger machine",
        A.name, shape.rows, shape.columns, needed / 1e9, available / 1e9));
  if (shape.columns >= std::numeric_limits<std::int32_t>::max())
    throw input_error(
        fmt::format("{}: {} columns do not fit the 32-bit column type of this program; transpose the file, or use the "
                    "library with std::int64_t columns",
                    A.name, shape.columns));
}

}  // namespace

named_matrix generate(std::string const& text);

named_matrix load(std::string const& file) {
  named_matrix A;
  if (file.starts_with("gen:")) {
    A = generate(file);
  } else if (file == "-") {
    input_copy const copy;
    try {
      A = read(copy.path());
    } catch (input_error const& failure) {
      std::string what = failure.what();
      if (what.starts_with(copy.path())) what.replace(0, copy.path().size(), "stdin");
      throw input_error(what);
    }
    A.name = "stdin";
  } else {
    A = read(file);
  }
  require_memory(A);
  return A;
}

}  // namespace evenly::cli
