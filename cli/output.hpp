// SPDX-License-Identifier: Apache-2.0
//
// Text for people: colours that know when to keep quiet, tables, bars, a progress line on terminals.
#pragma once

#include "cli.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace evenly::cli {

/// Colours for stdout: off where it is no terminal, by --no-color, NO_COLOR or TERM=dumb.
class palette {
 public:
  explicit palette(bool forbidden);
  std::string good(std::string_view text) const { return paint("32", text); }
  std::string bad(std::string_view text) const { return paint("31;1", text); }
  std::string strong(std::string_view text) const { return paint("1", text); }
  std::string faint(std::string_view text) const { return paint("2", text); }

 private:
  std::string paint(char const* code, std::string_view text) const;
  bool on_ = false;
};

/// Columns as wide as their widest cell, the first aligned left, the others right. Colour codes take no width.
class table {
 public:
  explicit table(std::vector<std::string> head) { rows_.push_back(std::move(head)); }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// A line on stderr that says how far a command is, at most ten times a second, only on a terminal.
class progress {
 public:
  progress(int steps, bool quiet);
  ~progress();
  progress(progress const&) = delete;
  progress& operator=(progress const&) = delete;
  void at(int step, std::string_view what);

 private:
  using clock = std::chrono::steady_clock;
  int steps_;
  bool on_;
  bool shown_ = false;
  clock::time_point begin_ = clock::now(), last_{};
};

/// Eighths of a block: a bar of `fraction` of `width` columns.
std::string bar(double fraction, int width);
/// One character for each value, its height a fraction of `most`.
std::string sparkline(std::vector<double> const& values, double most);
/// With that many digits behind the point; "-" for what is not finite.
std::string number(double value, int digits);
/// 1234567 as 1,234,567.
std::string grouped(std::int64_t count);
/// Milliseconds with a unit that suits them.
std::string duration(double ms);

/// {"name", "rows", "cols", "nnz"}.
nlohmann::ordered_json matrix_json(instances::named_matrix const& A);
/// The object that --json prints, up to the command's own keys.
nlohmann::ordered_json json_head(std::string_view command);
void print_json(nlohmann::ordered_json const& object);

}  // namespace evenly::cli
