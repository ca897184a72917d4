// SPDX-License-Identifier: Apache-2.0
#include "output.hpp"

#include <evenly/core/config.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <unistd.h>

namespace evenly::cli {

namespace {

/// Columns that a text takes on a terminal: no colour codes, one for each UTF-8 sequence.
std::size_t columns_of(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033') {
      while (i < text.size() && text[i] != 'm') ++i;
      continue;
    }
    count += (static_cast<unsigned char>(text[i]) & 0xc0U) != 0x80U ? 1 : 0;
  }
  return count;
}

bool dumb_terminal() {
  char const* const term = std::getenv("TERM");
  return term != nullptr && std::string_view(term) == "dumb";
}

}  // namespace

palette::palette(bool forbidden) {
  char const* const no_color = std::getenv("NO_COLOR");
  on_ = !forbidden && (no_color == nullptr || *no_color == '\0') && !dumb_terminal() && ::isatty(STDOUT_FILENO) != 0;
}

std::string palette::paint(char const* code, std::string_view text) const {
  return on_ ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
}

std::string table::text() const {
  std::vector<std::size_t> widths;
  for (auto const& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns_of(row[i]));
  }
  std::string result;
  for (auto const& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::string const gap(widths[i] - columns_of(row[i]), ' ');
      line += (i == 0 ? "" : "  ") + (i == 0 ? row[i] + gap : gap + row[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + '\n';
  }
  return result;
}

progress::progress(int steps, bool quiet)
    : steps_(steps), on_(!quiet && steps > 1 && ::isatty(STDERR_FILENO) != 0 && !dumb_terminal()) {}

progress::~progress() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

void progress::at(int step, std::string_view what) {
  if (!on_) return;
  auto const now = clock::now();
  if (shown_ && now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  shown_ = true;
  double const spent = std::chrono::duration<double>(now - begin_).count();
  std::string const left = step > 0 ? fmt::format(", {:.0f} s left", spent / step * (steps_ - step)) : "";
  fmt::print(stderr, "\r\033[K[{:<20}] {}/{} {}{}", bar(static_cast<double>(step) / steps_, 20), step, steps_, what,
             left);
  std::fflush(stderr);
}

namespace {
std::array<char, 4096> partial_output{};
}

void remember_output(std::string const& path) {
  // where temporary_file of io/matrix_market_write.hpp writes before it renames
  auto const target = std::filesystem::path(path);
  auto const beside = target.parent_path() / fmt::format(".{}.{}-0.part", target.filename().string(), ::getpid());
  if (beside.string().size() < partial_output.size()) std::ranges::copy(beside.string() + '\0', partial_output.begin());
}

void remove_partial_output() {
  if (partial_output[0] != '\0') ::unlink(partial_output.data());
}

std::string number(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : "-";
}

std::string bar(double fraction, int width) {
  static constexpr char const* parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  auto const eighths = static_cast<int>(std::lround(std::clamp(fraction, 0.0, 1.0) * width * 8));
  std::string result;
  for (int i = 0; i < eighths / 8; ++i) result += "█";
  return result + parts[eighths % 8];
}

std::string sparkline(std::vector<double> const& values, double most) {
  static constexpr char const* heights[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string result;
  for (double const value : values) {
    double const fraction = most > 0 ? std::clamp(value / most, 0.0, 1.0) : 0;
    result += heights[value > 0 ? std::max(1, static_cast<int>(std::ceil(fraction * 8 - 1e-9))) : 0];
  }
  return result;
}

std::string grouped(std::int64_t count) {
  std::string digits = std::to_string(count);
  for (auto at = static_cast<std::int64_t>(digits.size()) - 3; at > (count < 0 ? 1 : 0); at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string duration(double ms) {
  if (!std::isfinite(ms)) return "-";
  if (ms < 1) return fmt::format("{:.2f} us", ms * 1e3);
  return ms < 1000 ? fmt::format("{:.3f} ms", ms) : fmt::format("{:.3f} s", ms / 1e3);
}

nlohmann::ordered_json matrix_json(instances::named_matrix const& A) {
  return {{"name", A.name}, {"rows", A.shape().rows}, {"cols", A.shape().columns}, {"nnz", A.nnz()}};
}

nlohmann::ordered_json json_head(std::string_view command) {
  return {{"evenly", EVENLY_VERSION}, {"command", command}};
}

void print_json(nlohmann::ordered_json const& object) {
  // names come from files: bytes that are no UTF-8 must not make the printing throw
  fmt::print("{}\n", object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace evenly::cli
