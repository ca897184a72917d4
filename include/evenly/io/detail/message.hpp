// SPDX-License-Identifier: Apache-2.0
//
// What the reader says when it refuses: the words of a message, the place in the text, and a walk over the words of a
// line that knows its place. Messages are put together here in one function, out of line in spirit: chains of string
// sums in every template made each user's compilation seconds longer.
#pragma once

#include <evenly/core/error.hpp>
#include <evenly/io/detail/number.hpp>

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace evenly::detail::mtx {

/// A part of a message: text, or a number in decimal.
class piece {
 public:
  piece(const char* text) : text_(text) {}
  piece(std::string_view text) : text_(text) {}
  piece(const std::string& text) : text_(text) {}
  template <std::integral Integer>
  piece(Integer number) : piece(std::in_range<std::int64_t>(number), static_cast<std::uint64_t>(number)) {}

  void append_to(std::string& message) const {
    if (kind_ == 't') message.append(text_);
    else if (kind_ == 'i') message.append(std::to_string(static_cast<std::int64_t>(number_)));
    else message.append(std::to_string(number_));
  }

 private:
  piece(bool is_signed, std::uint64_t number) : number_(number), kind_(is_signed ? 'i' : 'u') {}

  std::string_view text_;
  std::uint64_t number_ = 0;
  char kind_ = 't';
};

inline std::string message(std::initializer_list<piece> pieces) {
  std::string result;
  for (const piece& part : pieces) part.append_to(result);
  return result;
}

/// Throws `name:line:column: what` for a place in the text, given as a number of bytes before it.
[[noreturn]] inline void refuse(std::string_view text, std::string_view name, std::size_t at,
                                std::initializer_list<piece> what) {
  const auto before = text.substr(0, std::min(at, text.size()));
  const auto line = 1 + std::ranges::count(before, '\n');
  const auto column = before.size() - (before.find_last_of('\n') + 1) + 1;  // npos + 1 is 0
  throw input_error(message({name, ":", line, ":", column, ": "}) + message(what));
}

/// A word of the file for a message: cut when long, bytes that do not print shown as '#'.
inline std::string in_quotes(std::string_view word) {
  std::string result = message({"'", word.substr(0, 40), word.size() > 40 ? "...'" : "'"});
  for (char& c : result)
    if (c < ' ' || c > '~') c = '#';
  return result;
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

}  // namespace evenly::detail::mtx
