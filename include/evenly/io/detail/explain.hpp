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
  const std::string shown = quoted(word);
  const std::string kind(name_of(h.field));
  const std::string line = " on line " + std::to_string(h.size_line);
  const std::string entry = array ? (h.field == matrix_market_field::complex ? "'real imaginary'" : "one value")
                            : h.field == matrix_market_field::pattern ? "'row column'"
                            : h.field == matrix_market_field::complex ? "'row column real imaginary'"
                                                                      : "'row column value'";
  const std::string declared = array ? "the " + std::to_string(h.entries) + " values of the " + std::to_string(h.rows) +
                                           " x " + std::to_string(h.columns) + " array declared" + line
                                     : "the " + std::to_string(h.entries) + " entries declared" + line;

  // A missing word is missing behind the last one, not at the line's end.
  const bool missing = found.what == mistake::column_missing || found.what == mistake::value_missing;
  while (missing && at > 0 && is_blank(text[at - 1])) --at;

  const auto out_of_range = [&](const std::string& which, std::int64_t size) {
    const bool zero = word.find_first_not_of("+0") == std::string_view::npos;
    if (zero) return which + " index 0 is below 1; Matrix Market counts rows and columns from 1: add 1 to every index";
    return which + " index " + std::string(word.substr(0, 40)) + " exceeds the " + std::to_string(size) + " " + which +
           "s declared" + line + "; correct the index or the declared size";
  };
  const auto bad_index = [&](const std::string& which) {
    if (word.starts_with('-')) return which + " index " + shown + " is negative; indices count from 1";
    return shown + " is not a " + which + " index; every line must hold " + entry;
  };
  const auto what = [&]() -> std::string {
    switch (found.what) {
      case mistake::row_bad:
        return bad_index("row");
      case mistake::column_bad:
        return bad_index("column");
      case mistake::row_range:
        return out_of_range("row", h.rows);
      case mistake::column_range:
        return out_of_range("column", h.columns);
      case mistake::column_missing:
        return "the column index is missing; every line must hold " + entry;
      case mistake::value_missing:
        return "the " + kind + " value is missing or incomplete; every line must hold " + entry +
               (array ? "" : ", or declare the field 'pattern'");
      case mistake::value_bad:
        if (h.field == matrix_market_field::integer)
          return shown + " is not an integer; correct it, or declare the field 'real' in the banner";
        return shown + " is not a number; correct the value";
      case mistake::value_overflow:
        return "integer " + shown + " does not fit 64 bits; correct it, or declare the field 'real' in the banner";
      case mistake::value_nonzero_diagonal:
        return "the diagonal of a skew-symmetric matrix is zero, not " + shown +
               "; remove the entry or declare 'general'";
      case mistake::value_not_real:
        return "the diagonal of a hermitian matrix is real, with imaginary part 0; correct the entry or declare "
               "'general'";
      case mistake::text_after_entry:
        if (h.field == matrix_market_field::pattern)
          return "text " + shown +
                 " after the entry of a pattern; declare the field 'real' or 'integer' if these are values";
        return "text " + shown + " after the entry; every line must hold " + entry;
      case mistake::too_many:
        return "more than " + declared + "; correct the size line or remove the surplus lines";
      default:
        return "the file ends after " + std::to_string(found.entries) + " of " + declared +
               "; correct the size line or fetch the file again";
    }
  };
  refuse(text, name, at, what());
}

}  // namespace evenly::detail::mtx
