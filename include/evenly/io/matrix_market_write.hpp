// SPDX-License-Identifier: Apache-2.0
//
// Writes triplets as a Matrix Market coordinate file, in their order, duplicates included. Reals are written with the
// fewest digits that read back to the same bits (std::to_chars), so reading what was written gives equal arrays, signed
// zeros and infinities included (of a NaN the sign is kept, its payload is not). A file is written beside its target
// and renamed when complete, so the target is the old file or the whole new one, never a part.
#pragma once

#include <evenly/core/complex.hpp>
#include <evenly/core/error.hpp>
#include <evenly/io/detail/other_formats.hpp>
#include <evenly/io/matrix_market_header.hpp>
#include <evenly/sparse/coo.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace evenly {

struct write_options {
  /// Anything but general writes the lower triangle only, after a check that the matrix has that symmetry.
  matrix_market_symmetry symmetry = matrix_market_symmetry::general;
  bool pattern = false;           // leave the values out; reading gives 1 for each
  std::string_view comment = {};  // lines put after the banner
};

namespace detail::mtx {

template <class Value>
constexpr matrix_market_field field_of() {
  if (is_complex<Value>) return matrix_market_field::complex;
  return std::integral<Value> ? matrix_market_field::integer : matrix_market_field::real;
}

template <class Value, class Index>
void check_writable(const coo<Value, Index>& matrix) {
  if (matrix.columns.size() != matrix.rows.size() || matrix.values.size() != matrix.rows.size())
    throw argument_error(message({"write_matrix_market: ", matrix.rows.size(), " rows, ", matrix.columns.size(),
                                  " columns and ", matrix.values.size(), " values; give arrays of one length"}));
  for (std::size_t k = 0; k < matrix.rows.size(); ++k) {
    const Index row = matrix.rows[k], column = matrix.columns[k];
    if (row < 0 || row >= matrix.shape.rows || column < 0 || column >= matrix.shape.columns)
      throw argument_error(
          message({"write_matrix_market: entry ", k, " at (", row, ", ", column, ") lies outside the ",
                   matrix.shape.rows, " x ", matrix.shape.columns, " matrix; correct the index or the shape"}));
  }
}

/// Bits of a value, so that NaN equals itself and -0 differs from 0: what "reads back equal" needs.
template <class Value>
auto bits_of(Value value) {
  if constexpr (is_complex<Value>) return std::pair{bits_of(value.re), bits_of(value.im)};
  else if constexpr (sizeof(Value) == 8) return std::bit_cast<std::uint64_t>(value);
  else return std::bit_cast<std::uint32_t>(value);
}

/// Throws unless the entries off the diagonal pair up as the symmetry says and the diagonal is what it allows.
template <class Value, class Index>
void check_symmetry(const coo<Value, Index>& matrix, matrix_market_symmetry symmetry) {
  const auto fail = [&](std::size_t k, const char* why) {
    throw argument_error(message({"write_matrix_market: the entry at (", matrix.rows[k], ", ", matrix.columns[k], ") ",
                                  why, ", so the matrix is not ", name_of(symmetry), "; write it as general"}));
  };
  if (matrix.shape.rows != matrix.shape.columns)
    throw argument_error(
        message({"write_matrix_market: a ", name_of(symmetry), " matrix must be square; write it as general"}));
  const auto mirror_of = [symmetry](Value value) {
    if (symmetry == matrix_market_symmetry::skew_symmetric) {
      if constexpr (std::integral<Value>) return static_cast<Value>(0U - static_cast<std::uint64_t>(value));
      else return -value;
    }
    if constexpr (is_complex<Value>)
      if (symmetry == matrix_market_symmetry::hermitian) return conj(value);
    return value;
  };
  using key = std::tuple<Index, Index, decltype(bits_of(Value{}))>;
  std::vector<std::pair<key, std::size_t>> lower, upper;
  for (std::size_t k = 0; k < matrix.rows.size(); ++k) {
    const Index row = matrix.rows[k], column = matrix.columns[k];
    const Value value = matrix.values[k];
    if (row == column) {
      if (symmetry == matrix_market_symmetry::skew_symmetric && !(value == Value(0))) fail(k, "is not zero");
      if constexpr (is_complex<Value>)
        if (symmetry == matrix_market_symmetry::hermitian && !(value.im == 0)) fail(k, "is not real");
    } else if (row > column) {
      lower.push_back({{row, column, bits_of(mirror_of(value))}, k});
    } else {
      upper.push_back({{column, row, bits_of(value)}, k});
    }
  }
  std::ranges::sort(lower);
  std::ranges::sort(upper);
  for (std::size_t i = 0; i < std::max(lower.size(), upper.size()); ++i) {
    if (i >= upper.size() || (i < lower.size() && lower[i].first < upper[i].first))
      fail(lower[i].second, "has no mirror");
    if (i >= lower.size() || upper[i].first < lower[i].first) fail(upper[i].second, "has no mirror");
  }
}

/// Text in blocks, so that neither a stream nor a file sees single numbers. `put(text)` takes a block.
template <class Put>
class block_writer {
 public:
  explicit block_writer(Put put) : put_(std::move(put)) { text_.reserve(block + 256); }
  void operator()(std::string_view text) { text_ += text; }
  void operator()(char c) { text_ += c; }
  template <class Number>
    requires std::integral<Number> || std::floating_point<Number>
  void operator()(Number number) {
    std::array<char, 64> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    text_.append(digits.data(), end);
  }
  void end_line() {
    text_ += '\n';
    if (text_.size() >= block) flush();
  }
  void flush() {
    put_(std::string_view(text_));
    text_.clear();
  }

 private:
  static constexpr std::size_t block = std::size_t{1} << 18U;
  Put put_;
  std::string text_;
};

template <class Value, class Index, class Put>
void write_text(const coo<Value, Index>& matrix, const write_options& options, Put put) {
  check_writable(matrix);
  using enum matrix_market_symmetry;
  const bool general_file = options.symmetry == general;
  const auto field = options.pattern ? matrix_market_field::pattern : field_of<Value>();
  if (options.symmetry == hermitian && field != matrix_market_field::complex)
    throw argument_error("write_matrix_market: hermitian needs complex values; write it as symmetric");
  if (options.symmetry == skew_symmetric && options.pattern)
    throw argument_error(
        "write_matrix_market: a pattern has no signs to be skew-symmetric; write it as symmetric or general");
  if (!general_file) check_symmetry(matrix, options.symmetry);
  std::size_t stored = matrix.rows.size();
  if (!general_file)
    for (std::size_t k = 0; k < matrix.rows.size(); ++k) stored -= matrix.rows[k] < matrix.columns[k] ? 1 : 0;

  block_writer text(std::move(put));
  text("%%MatrixMarket matrix coordinate ");
  text(name_of(field));
  text(' ');
  text(name_of(options.symmetry));
  text.end_line();
  for (std::size_t at = 0; at < options.comment.size();) {
    const auto end = std::min(options.comment.find('\n', at), options.comment.size());
    text("% ");
    text(options.comment.substr(at, end - at));
    text.end_line();
    at = end + 1;
  }
  text(matrix.shape.rows), text(' '), text(matrix.shape.columns), text(' '), text(stored);
  text.end_line();
  for (std::size_t k = 0; k < matrix.rows.size(); ++k) {
    if (!general_file && matrix.rows[k] < matrix.columns[k]) continue;
    text(static_cast<std::int64_t>(matrix.rows[k]) + 1), text(' '),
        text(static_cast<std::int64_t>(matrix.columns[k]) + 1);
    if (!options.pattern) {
      text(' ');
      if constexpr (is_complex<Value>) text(matrix.values[k].re), text(' '), text(matrix.values[k].im);
      else text(matrix.values[k]);
    }
    text.end_line();
  }
  text.flush();
}

/// A new file beside the target; gone again unless `commit` renames it.
class temporary_file {
 public:
  explicit temporary_file(std::filesystem::path target) : target_(std::move(target)) {
    struct stat old{};
    const bool exists = ::stat(target_.c_str(), &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) throw error(target_.string() + ": is a folder; name a file in it");
    if (exists && !S_ISREG(old.st_mode)) {  // a pipe or a device is written, not replaced
      fd_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
      if (fd_ < 0) fail("cannot be opened");
      return;
    }
    std::error_code ignore;
    if (std::filesystem::is_symlink(target_, ignore)) {  // the link stays, what it names is replaced
      const auto real = std::filesystem::weakly_canonical(target_, ignore);
      if (!ignore) target_ = real;
    }
    const mode_t mode = exists ? old.st_mode & 07777U : 0666U;
    for (int i = 0; fd_ < 0; ++i) {
      path_ = target_;
      path_.replace_filename('.' + target_.filename().string() + '.' + std::to_string(::getpid()) + '-' +
                             std::to_string(i) + ".part");
      fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
      if (fd_ < 0 && errno != EEXIST) {
        path_.clear();
        fail("cannot be written");
      }
    }
    if (exists) ::fchmod(fd_, mode);  // as before, whatever the umask; a failure does no harm
  }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  ~temporary_file() {
    if (fd_ >= 0) ::close(fd_);
    if (!path_.empty()) ::unlink(path_.c_str());
  }

  void put(std::string_view text) {
    while (!text.empty()) {
      const auto written = ::write(fd_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("cannot be written");
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void commit() {
    if (!path_.empty() && ::fsync(fd_) != 0) fail("cannot be written");  // late errors, such as a quota, show here
    if (::close(std::exchange(fd_, -1)) != 0) fail("cannot be written");
    if (path_.empty()) return;
    if (::rename(path_.c_str(), target_.c_str()) != 0) fail("cannot be replaced");
    path_.clear();
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    const int code = errno;
    throw error(target_.string() + ": " + what + " (" + std::strerror(code) +
                "); nothing was left behind: check the folder, its permissions and the free space");
  }

  std::filesystem::path target_;
  std::filesystem::path path_;  // empty when the target itself is written
  int fd_ = -1;
};

}  // namespace detail::mtx

/// Writes to a stream. Errors: argument_error for indices outside the shape, arrays of different lengths, or a symmetry
/// that the matrix does not have; error when the stream fails. Nothing is written before these checks.
template <class Value, class Index>
void write_matrix_market(std::ostream& out, const coo<Value, Index>& matrix, const write_options& options = {}) {
  detail::mtx::write_text(matrix, options, [&out](std::string_view text) {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    if (!out) throw error("write_matrix_market: the stream refused the text; check what it writes to");
  });
}

/// Writes a file, replacing an old one at once or not at all. Errors: as above, and error when the file cannot be
/// written.
template <class Value, class Index>
void write_matrix_market(const std::filesystem::path& path, const coo<Value, Index>& matrix,
                         const write_options& options = {}) {
  const std::string name = detail::mtx::lower(path.filename().string());
  for (const char* packed : {".gz", ".bz2", ".xz", ".zst", ".lz4", ".zip"})
    if (name.ends_with(packed))
      throw argument_error(path.string() +
                           ": files are written plain, which this name denies; write .mtx and compress that");
  detail::mtx::temporary_file file(path);
  detail::mtx::write_text(matrix, options, [&file](std::string_view text) { file.put(text); });
  file.commit();
}

}  // namespace evenly
