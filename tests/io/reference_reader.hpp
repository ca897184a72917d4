// SPDX-License-Identifier: Apache-2.0
//
// A Matrix Market parser that is slow and plain: lines, words, strtod. The tests hold the fast one against it. It knows
// the rules of the format, not the messages: a text is either refused or gives stored entries in order, mirrors behind
// them.
#pragma once

#include <evenly/io/matrix_market.hpp>

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace reference {

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

inline std::vector<std::string> split_words(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : line + ' ') {
    if (!is_blank(c)) word += c;
    else if (!word.empty()) words.push_back(std::exchange(word, {}));
  }
  return words;
}

inline std::string lower(std::string s) {
  for (char& c : s) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return s;
}

/// A whole number between least and most, which may have a sign.
inline std::optional<std::int64_t> whole_number(const std::string& word, bool minus_allowed) {
  std::size_t at = 0;
  if (word[0] == '+' || (minus_allowed && word[0] == '-')) at = 1;
  if (at == word.size()) return {};
  for (std::size_t i = at; i < word.size(); ++i)
    if (word[i] < '0' || word[i] > '9') return {};
  errno = 0;
  const long long value = std::strtoll(word.c_str(), nullptr, 10);
  if (errno != 0) return {};
  return value;
}

inline bool is_real(const std::string& word) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t start = i;
    while (i < word.size() && word[i] >= '0' && word[i] <= '9') ++i;
    return i - start;
  };
  if (word[i] == '+' || word[i] == '-') ++i;
  const std::string name = lower(word.substr(i));
  if (name == "nan" || name == "inf" || name == "infinity") return true;
  std::size_t count = digits();
  if (i < word.size() && word[i] == '.') ++i, count += digits();
  if (count == 0) return false;
  if (i < word.size() && std::string("eEdD").find(word[i]) != std::string::npos) {
    ++i;
    if (i < word.size() && (word[i] == '+' || word[i] == '-')) ++i;
    if (digits() == 0) return false;
  }
  return i == word.size();
}

template <class Real>
std::optional<Real> real_number(std::string word) {
  if (!is_real(word)) return {};
  const bool named = lower(word).find('n') != std::string::npos;
  for (char& c : word)
    if (!named && (c == 'd' || c == 'D')) c = 'e';
  if constexpr (sizeof(Real) == sizeof(float)) return std::strtof(word.c_str(), nullptr);
  else return std::strtod(word.c_str(), nullptr);
}

template <class Value>
std::optional<Value> value_of(const std::vector<std::string>& words, std::size_t at, const std::string& field) {
  using real = evenly::real_of_t<Value>;
  if (field == "pattern") return Value(1);
  if (field == "integer") {
    const auto value = whole_number(words[at], true);
    if (!value) return {};
    return Value(static_cast<real>(*value));
  }
  if constexpr (!std::integral<Value>) {
    const auto re = real_number<real>(words[at]);
    if (!re) return {};
    if constexpr (evenly::is_complex<Value>) {
      if (field == "complex") {
        const auto im = real_number<real>(words[at + 1]);
        if (!im) return {};
        return Value(*re, *im);
      }
    }
    if (field == "real") return Value(*re);
  }
  return {};
}

template <class Value, class Index>
std::optional<evenly::coo<Value, Index>> parse(const std::string& text) {
  std::istringstream in(text);
  std::string line;
  if (!std::getline(in, line)) return {};
  const auto banner = split_words(lower(line));
  if (banner.size() != 5 || banner[0] != "%%matrixmarket" || line[0] != '%' || banner[1] != "matrix") return {};
  const std::string format = banner[2], symmetry = banner[4];
  const std::string field = banner[3] == "double" ? "real" : banner[3];
  if (format != "coordinate" && format != "array") return {};
  if (field != "real" && field != "integer" && field != "complex" && field != "pattern") return {};
  const bool general = symmetry == "general", skew = symmetry == "skew-symmetric", hermitian = symmetry == "hermitian";
  if (!general && !skew && !hermitian && symmetry != "symmetric") return {};
  if (field == "pattern" && (format == "array" || skew)) return {};
  if (hermitian && field != "complex") return {};
  if (field == "complex" && !evenly::is_complex<Value>) return {};
  if (field == "real" && std::integral<Value>) return {};

  std::vector<std::vector<std::string>> lines;
  while (std::getline(in, line)) {
    const auto words = split_words(line);
    if (!words.empty() && words[0][0] != '%') lines.push_back(words);
  }
  if (lines.empty()) return {};
  const bool array = format == "array";
  if (lines[0].size() != (array ? 2U : 3U)) return {};
  std::int64_t sizes[3] = {0, 0, 0};
  for (std::size_t i = 0; i < lines[0].size(); ++i) {
    const auto size = whole_number(lines[0][i], false);
    if (!size) return {};
    sizes[i] = *size;
  }
  evenly::coo<Value, Index> result;
  result.shape = {sizes[0], sizes[1]};
  if (sizes[0] > std::numeric_limits<Index>::max() || sizes[1] > std::numeric_limits<Index>::max()) return {};
  if (!general && sizes[0] != sizes[1]) return {};
  const std::size_t per_value = field == "pattern" ? 0 : field == "complex" ? 2 : 1;
  lines.erase(lines.begin());
  // Array places, as many as there are lines to fill them; any other number of lines is refused.
  std::vector<std::pair<std::int64_t, std::int64_t>> places;
  if (array)
    for (std::int64_t j = 0; sizes[0] > 0 && j < sizes[1] && places.size() <= lines.size(); ++j)
      for (std::int64_t i = general ? 0 : j + (skew ? 1 : 0); i < sizes[0] && places.size() <= lines.size(); ++i)
        places.push_back({i, j});
  if (lines.size() != (array ? places.size() : static_cast<std::size_t>(sizes[2]))) return {};
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const auto& words = lines[k];
    if (words.size() != per_value + (array ? 0 : 2)) return {};
    std::int64_t row = array ? places[k].first : 0, column = array ? places[k].second : 0;
    if (!array) {
      const auto i = whole_number(words[0], false), j = whole_number(words[1], false);
      if (!i || !j || *i < 1 || *i > sizes[0] || *j < 1 || *j > sizes[1]) return {};
      row = *i - 1;
      column = *j - 1;
    }
    const auto value = value_of<Value>(words, array ? 0 : 2, field);
    if (!value) return {};
    if (row == column && skew && !(*value == Value(0))) return {};
    if constexpr (evenly::is_complex<Value>)
      if (row == column && hermitian && !(value->im == 0)) return {};
    result.rows.push_back(static_cast<Index>(row));
    result.columns.push_back(static_cast<Index>(column));
    result.values.push_back(*value);
  }
  for (std::size_t k = 0; !general && k < lines.size(); ++k) {
    if (result.rows[k] == result.columns[k]) continue;
    Value mirror = result.values[k];
    if constexpr (std::integral<Value>) {
      if (skew) mirror = static_cast<Value>(-static_cast<std::uint64_t>(mirror));
    } else {
      if (skew) mirror = -mirror;
    }
    if constexpr (evenly::is_complex<Value>)
      if (hermitian) mirror = evenly::conj(mirror);
    result.rows.push_back(result.columns[k]);
    result.columns.push_back(result.rows[k]);
    result.values.push_back(mirror);
  }
  return result;
}

/// Equal to the bit; any NaN equals any NaN of its sign.
template <class Value>
bool same_value(Value a, Value b) {
  if constexpr (evenly::is_complex<Value>) return same_value(a.re, b.re) && same_value(a.im, b.im);
  else if constexpr (std::integral<Value>) return a == b;
  else return std::signbit(a) == std::signbit(b) && (a == b || (a != a && b != b));
}

template <class Value, class Index>
bool same(const evenly::coo<Value, Index>& a, const evenly::coo<Value, Index>& b) {
  if (!(a.shape == b.shape) || a.rows != b.rows || a.columns != b.columns || a.values.size() != b.values.size())
    return false;
  for (std::size_t k = 0; k < a.values.size(); ++k)
    if (!same_value(a.values[k], b.values[k])) return false;
  return true;
}

}  // namespace reference
