// SPDX-License-Identifier: Apache-2.0
//
// The first lines of a Matrix Market file: the banner and the sizes, which say what the rest holds. Reading only them
// lets a program choose the types to read with. Everything that the sizes claim is checked here, before anybody
// allocates by them. Source: Boisvert, Pozo, Remington, "The Matrix Market Exchange Formats", NISTIR 5935, 1996.
#pragma once

#include <evenly/core/error.hpp>
#include <evenly/io/detail/message.hpp>
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
  if (!lower(text.substr(0, 14)).starts_with("%%matrixmarket"))
    refuse(text, name, 0, {explain_other_format(text, name)});
  const auto expect = [&](std::string_view what, std::initializer_list<std::string_view> choices) {
    const std::string word = lower(line.next());
    const auto* chosen = std::ranges::find(choices, std::string_view(word));
    if (chosen != choices.end()) return static_cast<int>(chosen - choices.begin());
    std::string names;
    for (const auto choice : choices) names += (names.empty() ? "" : ", ") + std::string(choice);
    if (word.empty()) refuse(text, name, line.at(), {"the banner has no ", what, "; write one of: ", names});
    refuse(text, name, line.at(), {what, " ", in_quotes(word), " in the banner is not known; write one of: ", names});
  };
  if (const auto first = line.next(); first.size() != 14)
    refuse(text, name, 14, {"text ", in_quotes(first.substr(14)), " runs on from %%MatrixMarket; put a blank between"});
  if (auto ahead = line; lower(ahead.next()) == "vector")
    refuse(text, name, ahead.at(), {"a 'vector' file has no rows and columns; write it as a matrix with one column"});
  expect("object", {"matrix"});
  h.format = static_cast<matrix_market_format>(expect("format", {"coordinate", "array"}));
  const int field = expect("field", {"pattern", "integer", "real", "complex", "double"});
  h.field = field == 4 ? matrix_market_field::real : static_cast<matrix_market_field>(field);
  const std::size_t field_at = line.at();
  h.symmetry =
      static_cast<matrix_market_symmetry>(expect("symmetry", {"general", "symmetric", "skew-symmetric", "hermitian"}));
  const std::size_t symmetry_at = line.at();
  if (const auto extra = line.next(); !extra.empty())
    refuse(text, name, line.at(),
           {"text ", in_quotes(extra), " after the banner's five words; remove it, or make it a comment line"});
  if (h.field == matrix_market_field::pattern && h.format == matrix_market_format::array)
    refuse(text, name, field_at,
           {"an array file has a value for every place and cannot be 'pattern'; write 'real' or 'integer'"});
  if (h.symmetry == matrix_market_symmetry::hermitian && h.field != matrix_market_field::complex)
    refuse(text, name, symmetry_at, {"'hermitian' needs the field 'complex'; write 'symmetric'"});
  if (h.symmetry == matrix_market_symmetry::skew_symmetric && h.field == matrix_market_field::pattern)
    refuse(text, name, symmetry_at,
           {"a 'pattern' has no signs and cannot be 'skew-symmetric'; write 'symmetric' or 'general'"});
}

inline std::string_view size_words(const matrix_market_header& h) {
  return h.format == matrix_market_format::array ? "'rows columns'" : "'rows columns entries'";
}

inline void parse_sizes(line_words& line, std::string_view text, std::string_view name, matrix_market_header& h,
                        bool whole) {
  const auto size = [&](std::string_view what) {
    const std::string_view word = line.next();
    const auto fail = [&](std::initializer_list<piece> why) { refuse(text, name, line.at(), why); };
    if (word.empty()) fail({"the size line lacks the number of ", what, "; write ", size_words(h)});
    std::int64_t value = 0;
    const bool plus = word.size() > 1 && word[0] == '+' && is_digit(word[1]);
    const auto* last = word.data() + word.size();
    const auto [end, status] = std::from_chars(word.data() + (plus ? 1 : 0), last, value);
    if (status == std::errc::result_out_of_range)
      fail({"the number of ", what, " ", in_quotes(word), " does not fit 64 bits; correct it"});
    if (status != std::errc{} || end != last)
      fail({in_quotes(word), " is not a number of ", what, "; the size line must read ", size_words(h)});
    if (word[0] == '-') fail({"the number of ", what, " ", in_quotes(word), " is negative; correct it"});
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
           {"a ", name_of(h.symmetry), " matrix must be square, not ", h.rows, " x ", h.columns,
            "; correct the sizes or write 'general' in the banner"});
  const bool array = h.format == matrix_market_format::array;
  h.entries = array ? array_entries(h) : size("entries");
  const std::size_t entries_at = array ? first : line.at();
  if (const auto extra = line.next(); !extra.empty())
    refuse(text, name, line.at(),
           {"text ", in_quotes(extra), " after the sizes; ",
            array ? "an array file declares rows and columns only" : "remove it"});
  h.body = std::min(line.line_end() + 1, text.size());
  if (!whole) return;
  const auto left = static_cast<std::int64_t>(text.size() - h.body);
  // The last entry may lack its newline, hence one byte more.
  if (h.entries < 0 || h.entries > (left + 1) / shortest_entry(h))
    refuse(text, name, entries_at,
           {h.entries < 0 ? piece("more than 2^63") : piece(h.entries), " entries cannot fit in the ", left,
            " bytes that follow; the size is wrong or the file was cut short"});
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
  if (at == text.size())
    refuse(text, name, at, {"the file ends before the size line; write ", size_words(header), " after the banner"});
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
