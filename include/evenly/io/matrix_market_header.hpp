// SPDX-License-Identifier: Apache-2.0
//
// The first lines of a Matrix Market file: the banner and the sizes, which say what the rest holds. Reading only them
// lets a program choose the types to read with. Everything that the sizes claim is checked here, before anybody
// allocates by them. Source: Boisvert, Pozo, Remington, "The Matrix Market Exchange Formats", NISTIR 5935, 1996.
#pragma once

#include <evenly/core/error.hpp>
#include <evenly/io/detail/number.hpp>
#include <evenly/io/detail/other_formats.hpp>
#include <evenly/sparse/coo.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace evenly {

enum class matrix_market_format { coordinate, array };
enum class matrix_market_field { pattern, integer, real, complex };
enum class matrix_market_symmetry { general, symmetric, skew_symmetric, hermitian };

constexpr std::string_view name_of(matrix_market_format f) {
  return f == matrix_market_format::array ? "array" : "coordinate";
}
constexpr std::string_view name_of(matrix_market_field f) {
  switch (f) {
    case matrix_market_field::pattern:
      return "pattern";
    case matrix_market_field::integer:
      return "integer";
    case matrix_market_field::real:
      return "real";
    default:
      return "complex";
  }
}
constexpr std::string_view name_of(matrix_market_symmetry s) {
  switch (s) {
    case matrix_market_symmetry::general:
      return "general";
    case matrix_market_symmetry::symmetric:
      return "symmetric";
    case matrix_market_symmetry::skew_symmetric:
      return "skew-symmetric";
    default:
      return "hermitian";
  }
}

struct matrix_market_header {
  matrix_market_format format = matrix_market_format::coordinate;
  matrix_market_field field = matrix_market_field::real;
  matrix_market_symmetry symmetry = matrix_market_symmetry::general;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t entries = 0;      // as stored in the file: a symmetric one stores about half of its entries
  std::int64_t size_line = 0;    // the line that declares the sizes, from 1
  std::int64_t size_column = 0;  // where its first size starts, from 1
  std::size_t body = 0;          // bytes before the first entry line

  friend bool operator==(const matrix_market_header&, const matrix_market_header&) = default;
};

namespace detail::mtx {

/// Throws `name:line:column: what` for a place in the text, given as a number of bytes before it.
[[noreturn]] inline void refuse(std::string_view text, std::string_view name, std::size_t at, const std::string& what) {
  const auto before = text.substr(0, std::min(at, text.size()));
  const auto line = 1 + std::ranges::count(before, '\n');
  const auto column = before.size() - (before.find_last_of('\n') + 1) + 1;  // npos + 1 is 0
  throw input_error(std::string(name) + ':' + std::to_string(line) + ':' + std::to_string(column) + ": " + what);
}

/// A word of the file for a message: cut when long, bytes that do not print shown as '?'.
inline std::string quoted(std::string_view word) {
  std::string result(word.substr(0, 40));
  for (char& c : result)
    if (c < ' ' || c > '~') c = '?';
  return '\'' + result + (word.size() > 40 ? "...'" : "'");
}

/// Walks the words of one line, knowing where it is in the whole text.
class line_words {
 public:
  line_words(std::string_view text, std::size_t at)
      : text_(text), at_(at), end_(std::min(text.find('\n', at), text.size())) {}

  /// The next word, empty at the end of the line. `at()` is then where it starts, or where it is missing.
  std::string_view next() {
    const std::size_t previous = at_ + word_;
    at_ = previous;
    word_ = 0;
    while (at_ < end_ && is_blank(text_[at_])) ++at_;
    while (at_ + word_ < end_ && !is_blank(text_[at_ + word_])) ++word_;
    if (word_ == 0) at_ = previous;
    return text_.substr(at_, word_);
  }
  std::size_t at() const { return at_; }
  std::size_t line_end() const { return end_; }

 private:
  std::string_view text_;
  std::size_t at_;
  std::size_t end_;
  std::size_t word_ = 0;
};

/// How many entries the declared shape holds in an array file; negative when that exceeds 64 bits.
inline std::int64_t array_entries(const matrix_market_header& h) {
  const bool whole = h.symmetry == matrix_market_symmetry::general;
  const auto rows = static_cast<wide>(h.rows);
  wide entries = rows * static_cast<wide>(h.columns);
  if (!whole)
    entries = h.symmetry == matrix_market_symmetry::skew_symmetric ? (entries - rows) / 2 : (entries + rows) / 2;
  return entries > static_cast<wide>(std::numeric_limits<std::int64_t>::max()) ? -1
                                                                               : static_cast<std::int64_t>(entries);
}

/// Bytes of the shortest line that holds one entry, its newline included.
inline std::int64_t shortest_entry(const matrix_market_header& h) {
  const int numbers =
      (h.format == matrix_market_format::coordinate ? 2 : 0) + (h.field == matrix_market_field::pattern   ? 0
                                                                : h.field == matrix_market_field::complex ? 2
                                                                                                          : 1);
  return 2 * numbers;
}

inline void parse_banner(line_words& line, std::string_view text, std::string_view name, matrix_market_header& h) {
  if (!lower(text.substr(0, 14)).starts_with("%%matrixmarket")) refuse(text, name, 0, explain_other_format(text, name));
  const auto expect = [&](std::string_view what, auto... choices) {
    const std::string word = lower(line.next());
    std::string names;
    int chosen = -1, i = 0;
    ((names += (i == 0 ? "" : ", ") + std::string(choices), chosen = word == choices ? i : chosen, ++i), ...);
    if (chosen >= 0) return chosen;
    refuse(text, name, line.at(),
           word.empty() ? "the banner has no " + std::string(what) + "; write one of: " + names
                        : std::string(what) + " " + quoted(std::string_view(word)) +
                              " in the banner is not known; write one of: " + names);
  };
  if (const auto first = line.next(); first.size() != 14)
    refuse(text, name, 14, "text " + quoted(first.substr(14)) + " runs on from %%MatrixMarket; put a blank between");
  if (const auto at = line; lower(line_words(at).next()) == "vector") {
    line.next();
    refuse(text, name, line.at(), "a 'vector' file has no rows and columns; write it as a matrix with one column");
  }
  expect("object", "matrix");
  h.format =
      expect("format", "coordinate", "array") == 0 ? matrix_market_format::coordinate : matrix_market_format::array;
  constexpr matrix_market_field fields[] = {matrix_market_field::real, matrix_market_field::real,
                                            matrix_market_field::integer, matrix_market_field::complex,
                                            matrix_market_field::pattern};
  h.field = fields[expect("field", "real", "double", "integer", "complex", "pattern")];
  const std::size_t field_at = line.at();
  h.symmetry =
      static_cast<matrix_market_symmetry>(expect("symmetry", "general", "symmetric", "skew-symmetric", "hermitian"));
  const std::size_t symmetry_at = line.at();
  if (const auto extra = line.next(); !extra.empty())
    refuse(text, name, line.at(),
           "text " + quoted(extra) + " after the banner's five words; remove it, or make it a comment line");
  if (h.field == matrix_market_field::pattern && h.format == matrix_market_format::array)
    refuse(text, name, field_at,
           "an array file has a value for every place and cannot be 'pattern'; write 'real' or 'integer'");
  if (h.symmetry == matrix_market_symmetry::hermitian && h.field != matrix_market_field::complex)
    refuse(text, name, symmetry_at, "'hermitian' needs the field 'complex'; write 'symmetric'");
  if (h.symmetry == matrix_market_symmetry::skew_symmetric && h.field == matrix_market_field::pattern)
    refuse(text, name, symmetry_at,
           "a 'pattern' has no signs and cannot be 'skew-symmetric'; write 'symmetric' or 'general'");
}

inline void parse_sizes(line_words& line, std::string_view text, std::string_view name, matrix_market_header& h,
                        bool whole) {
  const auto size = [&](const char* what) {
    const std::string_view word = line.next();
    std::int64_t value = 0;
    const std::string shape =
        h.format == matrix_market_format::coordinate ? "'rows columns entries'" : "'rows columns'";
    if (word.empty())
      refuse(text, name, line.at(), std::string("the size line lacks the number of ") + what + "; write " + shape);
    const auto* last = word.data() + word.size();
    const auto [end, status] =
        std::from_chars(word.data() + (word.size() > 1 && word[0] == '+' && is_digit(word[1])), last, value);
    if (status == std::errc::result_out_of_range)
      refuse(text, name, line.at(),
             std::string("the number of ") + what + " " + quoted(word) + " does not fit 64 bits; correct it");
    if (status != std::errc{} || end != last)
      refuse(text, name, line.at(),
             quoted(word) + " is not a number of " + what + "; the size line must read " + shape);
    if (value < 0)
      refuse(text, name, line.at(),
             std::string("the number of ") + what + " " + quoted(word) + " is negative; correct it");
    return value;
  };
  h.rows = size("rows");
  const std::size_t first = line.at();
  h.size_line = 1 + std::ranges::count(text.substr(0, first), '\n');
  const std::size_t line_start = text.substr(0, first).find_last_of('\n') + 1;
  h.size_column = static_cast<std::int64_t>(first - line_start) + 1;
  h.columns = size("columns");
  if (h.symmetry != matrix_market_symmetry::general && h.rows != h.columns)
    refuse(text, name, first,
           "a " + std::string(name_of(h.symmetry)) + " matrix must be square, not " + std::to_string(h.rows) + " x " +
               std::to_string(h.columns) + "; correct the sizes or write 'general' in the banner");
  const bool array = h.format == matrix_market_format::array;
  h.entries = array ? array_entries(h) : size("entries");
  const std::size_t entries_at = array ? first : line.at();
  if (const auto extra = line.next(); !extra.empty())
    refuse(text, name, line.at(),
           "text " + quoted(extra) + " after the sizes; " +
               (array ? "an array file declares rows and columns only" : "remove it"));
  h.body = std::min(line.line_end() + 1, text.size());
  if (!whole) return;
  const auto left = static_cast<std::int64_t>(text.size() - h.body);
  // The last entry may lack its newline, hence one byte more.
  if (h.entries < 0 || h.entries > (left + 1) / shortest_entry(h))
    refuse(text, name, entries_at,
           (h.entries < 0 ? std::string("more than 2^63") : std::to_string(h.entries)) + " entries cannot fit in the " +
               std::to_string(left) + " bytes that follow; the size is wrong or the file was cut short");
}

/// Where the first line after the banner starts that is neither blank nor a comment; the text's size when there is
/// none.
inline std::size_t find_size_line(std::string_view text) {
  for (std::size_t at = text.find('\n'); at < text.size();) {
    line_words line(text, ++at);
    const auto first = line.next();
    if (!first.empty() && first[0] != '%') return at;
    at = line.line_end();
  }
  return text.size();
}

/// `whole` is false for the start of a text, against whose length the sizes cannot be checked.
inline matrix_market_header parse_header(std::string_view text, std::string_view name, bool whole) {
  matrix_market_header header;
  line_words banner(text, 0);
  parse_banner(banner, text, name, header);
  const std::size_t at = find_size_line(text);
  if (at == text.size()) {
    const char* sizes = header.format == matrix_market_format::array ? "'rows columns'" : "'rows columns entries'";
    refuse(text, name, at, std::string("the file ends before the size line; write ") + sizes + " after the banner");
  }
  line_words line(text, at);
  parse_sizes(line, text, name, header, whole);
  return header;
}

}  // namespace detail::mtx

/// Reads the banner and the sizes from a whole text. `name` is what errors call the file.
/// Errors: input_error for a banner, a size line or sizes that cannot be right, also against the length of the text.
inline matrix_market_header parse_matrix_market_header(std::string_view text, std::string_view name) {
  return detail::mtx::parse_header(text, name, true);
}

}  // namespace evenly
