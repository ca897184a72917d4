// SPDX-License-Identifier: Apache-2.0
//
// Turns a mistake among the entries into its message: what is wrong, where, and what to do about it. Only here is the
// text searched for line numbers, so a file without mistakes does not pay for them.
#pragma once

#include <evenly/io/detail/entries.hpp>

#include <string>
#include <string_view>

namespace evenly::detail::mtx {

/// Where the line of entry k starts to have words, in bytes from the start of the text. It must be there.
inline std::size_t find_entry(std::string_view text, std::size_t body, std::int64_t k) {
  for (std::size_t at = body;; ++at) {
    line_words line(text, at);
    const auto first = line.next();
    if (!first.empty() && first[0] != '%' && k-- == 0) return line.at();
    at = line.line_end();
  }
}

[[noreturn]] inline void explain(std::string_view text, std::string_view name, const matrix_market_header& h,
                                 entry_text::outcome found) {
  std::size_t at = found.at;
  std::size_t end = at;
  while (end < text.size() && !ends_word(text[end])) ++end;
  const std::string_view word = text.substr(at, end - at);
  const bool array = h.format == matrix_market_format::array;
  const std::string shown = in_quotes(word);
  const bool complex = h.field == matrix_market_field::complex;
  const bool pattern = h.field == matrix_market_field::pattern;
  const std::string_view entry = array     ? (complex ? "'real imaginary'" : "one value")
                                 : pattern ? "'row column'"
                                 : complex ? "'row column real imaginary'"
                                           : "'row column value'";
  const std::string declared = array ? message({"the ", h.entries, " values of the ", h.rows, " x ", h.columns,
                                                " array declared on line ", h.size_line})
                                     : message({"the ", h.entries, " entries declared on line ", h.size_line});

  // A missing word is missing behind the last one, not at the line's end.
  const bool missing = found.what == mistake::column_missing || found.what == mistake::value_missing;
  while (missing && at > 0 && is_blank(text[at - 1])) --at;

  const auto say = [&](std::initializer_list<piece> what) { refuse(text, name, at, what); };
  const auto out_of_range = [&](std::string_view which, std::int64_t size) {
    if (word.find_first_not_of("+0") == std::string_view::npos)
      say({which, " index 0 is below 1; Matrix Market counts rows and columns from 1: add 1 to every index"});
    say({which, " index ", word.substr(0, 40), " exceeds the ", size, " ", which, "s declared on line ", h.size_line,
         "; correct the index or the declared size"});
  };
  const auto bad_index = [&](std::string_view which) {
    if (word.starts_with('-')) say({which, " index ", shown, " is negative; indices count from 1"});
    say({shown, " is not a ", which, " index; every line must hold ", entry});
  };
  switch (found.what) {
    case mistake::row_bad:
      bad_index("row");
      break;
    case mistake::column_bad:
      bad_index("column");
      break;
    case mistake::row_range:
      out_of_range("row", h.rows);
      break;
    case mistake::column_range:
      out_of_range("column", h.columns);
      break;
    case mistake::column_missing:
      say({"the column index is missing; every line must hold ", entry});
      break;
    case mistake::value_missing:
      say({"the ", name_of(h.field), " value is missing or incomplete; every line must hold ", entry,
           array ? "" : ", or declare the field 'pattern'"});
      break;
    case mistake::value_bad:
      if (h.field == matrix_market_field::integer)
        say({shown, " is not an integer; correct it, or declare the field 'real' in the banner"});
      say({shown, " is not a number; correct the value"});
      break;
    case mistake::value_overflow:
      say({"integer ", shown, " does not fit 64 bits; correct it, or declare the field 'real' in the banner"});
      break;
    case mistake::value_nonzero_diagonal:
      say({"the diagonal of a skew-symmetric matrix is zero, not ", shown, "; remove the entry or declare 'general'"});
      break;
    case mistake::value_not_real:
      say(
          {"the diagonal of a hermitian matrix is real, with imaginary part 0; correct the entry or declare "
           "'general'"});
      break;
    case mistake::text_after_entry:
      if (pattern)
        say({"text ", shown,
             " after the entry of a pattern; declare the field 'real' or 'integer' if these are values"});
      say({"text ", shown, " after the entry; every line must hold ", entry});
      break;
    case mistake::too_many:
      say({"more than ", declared, "; correct the size line or remove the surplus lines"});
      break;
    default:
      break;
  }
  refuse(text, name, at,
         {"the file ends after ", found.entries, " of ", declared, "; correct the size line or fetch the file again"});
}

}  // namespace evenly::detail::mtx
