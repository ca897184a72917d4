// SPDX-License-Identifier: Apache-2.0
//
// The results as JSON, one benchmark on a line so that two files can be compared by eye. Written again after each matrix:
// what was measured is there whatever happens next.
#pragma once

#include <evenly/core/error.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace bench {

/// One JSON object on one line, built key by key.
class json_line {
 public:
  json_line& add(std::string_view key, std::string_view text) {
    std::string quoted = "\"";
    for (char const c : text) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return put(key, quoted + '"');
  }
  json_line& add(std::string_view key, char const* text) { return add(key, std::string_view(text)); }
  json_line& add(std::string_view key, bool value) { return put(key, value ? "true" : "false"); }
  json_line& add(std::string_view key, std::int64_t value) { return put(key, std::to_string(value)); }
  json_line& add(std::string_view key, int value) { return add(key, static_cast<std::int64_t>(value)); }
  /// Four digits; what is no number is null.
  json_line& add(std::string_view key, double value) {
    char digits[32] = "null";
    if (std::isfinite(value)) std::snprintf(digits, sizeof digits, "%.4g", value);
    return put(key, digits);
  }
  std::string text() const { return '{' + members_ + '}'; }

 private:
  json_line& put(std::string_view key, std::string_view value) {
    members_ += (members_.empty() ? "\"" : ", \"") + std::string(key) + "\": " + std::string(value);
    return *this;
  }
  std::string members_;
};

struct report {
  json_line context;
  std::vector<json_line> lines;

  /// Throws error where the file cannot be written. An empty path: nothing to do.
  void write(std::string const& path) const {
    if (path.empty()) return;
    std::string const unfinished = path + ".tmp";
    {
      std::ofstream file(unfinished);
      file << "{\n\"context\": " << context.text() << ",\n\"benchmarks\": [";
      for (std::size_t i = 0; i < lines.size(); ++i) file << (i == 0 ? "\n" : ",\n") << lines[i].text();
      file << "\n]\n}\n";
      if (!file.flush()) throw evenly::error("cannot write " + unfinished);
    }
    std::filesystem::rename(unfinished, path);
  }
};

}  // namespace bench
