// SPDX-License-Identifier: Apache-2.0
//
// Random Matrix Market files: matrices with any bits as values, and texts in every dress that the format allows, with a
// mistake here and there; and the check that the fast parser and the plain one agree on a text, to the bit of the
// matrix and, over numbers of threads, to the letter of the message.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <evenly/io/matrix_market.hpp>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <sstream>
#include <string>

#include "reference_reader.hpp"

namespace random_market {

using evenly::complex;
using random_engine = std::mt19937_64;

inline std::size_t up_to(random_engine& random, std::size_t most) { return random() % (most + 1); }

template <class Real>
Real any_real(random_engine& random) {
  using bits = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;
  switch (random() % 5) {
    case 0:
      return std::bit_cast<Real>(static_cast<bits>(random()));  // anything at all
    case 1:
      return static_cast<Real>(static_cast<int>(random() % 2001) - 1000);
    case 2:
      return static_cast<Real>(static_cast<int>(random() % 2000001) - 1000000) / static_cast<Real>(1000);
    case 3: {
      constexpr Real special[] = {Real{0},
                                  -Real{0},
                                  std::numeric_limits<Real>::infinity(),
                                  -std::numeric_limits<Real>::infinity(),
                                  std::numeric_limits<Real>::max(),
                                  std::numeric_limits<Real>::denorm_min(),
                                  std::numeric_limits<Real>::min(),
                                  std::numeric_limits<Real>::quiet_NaN()};
      return special[random() % std::size(special)];
    }
    default:
      return std::uniform_real_distribution<Real>(-1, 1)(random);
  }
}

template <class Value>
Value any_value(random_engine& random) {
  if constexpr (std::integral<Value>) return std::bit_cast<std::int64_t>(random() >> random() % 64);
  else if constexpr (evenly::is_complex<Value>)
    return {any_real<evenly::real_of_t<Value>>(random), any_real<evenly::real_of_t<Value>>(random)};
  else return any_real<Value>(random);
}

template <class Value, class Index>
evenly::coo<Value, Index> any_matrix(random_engine& random, bool square) {
  evenly::coo<Value, Index> m;
  const auto size = [&] { return static_cast<std::int64_t>(random() % (random() % 2 ? 5 : 30000000)); };
  m.shape.rows = size();
  m.shape.columns = square ? m.shape.rows : size();
  if (m.shape.rows == 0 || m.shape.columns == 0) return m;
  const std::size_t nnz = up_to(random, random() % 4 == 0 ? 2000 : 30);
  for (std::size_t k = 0; k < nnz; ++k) {
    m.rows.push_back(static_cast<Index>(random() % static_cast<std::uint64_t>(m.shape.rows)));
    m.columns.push_back(static_cast<Index>(random() % static_cast<std::uint64_t>(m.shape.columns)));
    m.values.push_back(any_value<Value>(random));
  }
  return m;
}

/// Makes texts in every dress the format allows.
class text_maker {
 public:
  explicit text_maker(random_engine& random) : random_(random), plain_(random() % 3 == 0), crlf_(random() % 4 == 0) {}

  std::string operator()() {
    const bool array = random_() % 4 == 0;
    const std::string field = pick({"real", "integer", "complex", "pattern", "double"});
    std::string symmetry = pick({"general", "symmetric", "skew-symmetric", "hermitian"});
    const bool real_array_pattern = array && field == "pattern" && random_() % 8 != 0;  // mostly valid banners
    const std::string kind = real_array_pattern ? "real" : field;
    if (symmetry == "hermitian" && kind != "complex" && random_() % 8 != 0) symmetry = "symmetric";
    if (symmetry == "skew-symmetric" && kind == "pattern" && random_() % 8 != 0) symmetry = "symmetric";
    std::string text = case_of("%%MatrixMarket") + blank() + case_of("matrix") + blank() +
                       case_of(array ? "array" : "coordinate") + blank() + case_of(kind) + blank() + case_of(symmetry) +
                       end();
    const bool square = symmetry != "general";
    std::size_t rows = up_to(random_, array ? 6 : 12),
                columns = square && random_() % 16 != 0 ? rows : up_to(random_, 6);
    std::size_t entries = up_to(random_, random_() % 4 == 0 ? 400 : 20);
    if (!array && rows * columns == 0) entries = 0;
    text += filler() + lead() + std::to_string(rows) + blank() + std::to_string(columns);
    if (!array) text += blank() + std::to_string(entries);
    text += end();
    if (array) {
      entries = rows * columns;
      if (symmetry == "symmetric" || symmetry == "hermitian") entries = rows * (rows + 1) / 2;
      if (symmetry == "skew-symmetric") entries = rows == 0 ? 0 : rows * (rows - 1) / 2;
    }
    if (random_() % 16 == 0) ++entries;
    if (random_() % 16 == 0 && entries > 0) --entries;
    for (std::size_t k = 0; k < entries; ++k) {
      text += filler() + lead();
      if (!array) {
        std::size_t row = 1 + up_to(random_, rows > 0 ? rows - 1 : 0),
                    column = 1 + up_to(random_, columns > 0 ? columns - 1 : 0);
        if (square && row == column && symmetry != "symmetric" && random_() % 8 != 0)
          row = row % (rows > 0 ? rows : 1) + 1;
        text += index(row) + blank() + index(column);
        if (kind != "pattern") text += blank();
      }
      if (kind == "integer") text += integer();
      else if (kind == "complex") text += real() + blank() + (random_() % 4 == 0 ? "0" : real());
      else if (kind != "pattern") text += real();
      text += end();
    }
    text += filler();
    if (random_() % 3 == 0)
      while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
    return text;
  }

 private:
  std::string pick(std::initializer_list<const char*> words) { return words.begin()[random_() % words.size()]; }
  std::string blank() {
    if (plain_) return " ";
    std::string s = pick({" ", " ", "\t", "  ", " \t "});
    return s;
  }
  std::string lead() { return plain_ ? "" : pick({"", "", " ", "\t", "    "}); }
  std::string end() { return (plain_ ? "" : pick({"", "", " ", "\t", "   "})) + (crlf_ ? "\r\n" : "\n"); }
  std::string filler() {
    std::string s;
    while (!plain_ && random_() % 6 == 0)
      s += pick({"", "%", "% a comment", "  % 1 2 3", " \t", "%%", "%\t7 7 7"}) + end();
    return s;
  }
  std::string case_of(std::string word) {
    if (random_() % 3 == 0)
      for (char& c : word)
        if (random_() % 2 && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return word;
  }
  std::string index(std::size_t i) {
    const std::string zeros = random_() % 32 == 0 ? std::string(up_to(random_, 25), '0') : "";
    return (random_() % 32 == 0 ? "+" : "") + zeros +
           std::to_string(random_() % 256 == 0 ? random_() >> random_() % 64 : i);
  }
  std::string integer() {
    if (random_() % 64 == 0) return pick({"9223372036854775808", "-9223372036854775809", "1.0", "", "-", "0x1", "1e3"});
    if (random_() % 16 == 0)
      return pick({"9223372036854775807", "-9223372036854775808", "+5", "-0", "0000000000000000000000001"});
    return std::to_string(std::bit_cast<std::int64_t>(random_() >> random_() % 64) * (random_() % 2 ? 1 : -1) / 2);
  }
  std::string digits(std::size_t n) {
    std::string s;
    while (s.size() < n) s += static_cast<char>('0' + random_() % 10);
    return s;
  }
  std::string real() {
    if (random_() % 256 == 0)
      return pick({"", ".", "-", "1e", "1e+", "--1", "1.2.3", "nanx", "in", "0x1p3", "1_0", "1,5", "e5", ".e5", "+-1"});
    if (random_() % 32 == 0)
      return pick({"nan", "-NaN", "inf", "+Inf", "-INFINITY", "0", "-0", "-0.0", "1e400", "1E-400", "-1d500"});
    std::string s = pick({"", "", "-", "+"}) + digits(up_to(random_, random_() % 8 == 0 ? 25 : 8));
    if (random_() % 4 != 0) s += '.' + digits(up_to(random_, random_() % 8 == 0 ? 40 : 19));
    if (s.find_first_of("0123456789") == s.npos) s += "7";
    if (random_() % 3 == 0)
      s += pick({"e", "E", "d", "D"}) + pick({"", "+", "-"}) + digits(1 + up_to(random_, random_() % 16 == 0 ? 5 : 1));
    return s;
  }

  random_engine& random_;
  bool plain_;
  bool crlf_;
};

/// The parser's answer: a matrix, or a message.
template <class Value, class Index>
struct answer {
  std::optional<evenly::coo<Value, Index>> matrix;
  std::string message;
};

template <class Value, class Index>
answer<Value, Index> ask(const std::string& text, unsigned threads) {
  try {
    return {evenly::parse_matrix_market<Value, Index>(text, "m", {.threads = threads, .bytes_per_thread = 1}), ""};
  } catch (const evenly::input_error& e) { return {{}, e.what()}; }
}

/// True when the message starts with m:line:column: and both lie in the text.
inline bool has_place(const std::string& message, const std::string& text) {
  std::istringstream in(message);
  std::string name, line, column, rest;
  std::getline(in, name, ':'), std::getline(in, line, ':'), std::getline(in, column, ':'), std::getline(in, rest);
  if (name != "m" || rest.size() < 10 || rest[0] != ' ') return false;
  std::size_t at = 0;
  for (int i = 1; i < std::stoi(line); ++i) {
    at = text.find('\n', at);
    if (at++ == std::string::npos) return false;
  }
  return std::stoul(column) >= 1 && std::stoul(column) <= std::min(text.find('\n', at), text.size()) - at + 1;
}

template <class Value, class Index>
void check_agrees(const std::string& text, unsigned threads) {
  const auto expected = reference::parse<Value, Index>(text);
  const auto one = ask<Value, Index>(text, 1);
  const auto many = ask<Value, Index>(text, threads);
  if (one.matrix.has_value() != expected.has_value()) RC_LOG() << text << "\n" << one.message;
  RC_ASSERT(one.matrix.has_value() == expected.has_value());
  if (expected) RC_ASSERT(reference::same(*one.matrix, *expected));
  if (!expected) RC_ASSERT(has_place(one.message, text));
  RC_ASSERT(many.matrix.has_value() == one.matrix.has_value());
  RC_ASSERT(many.message == one.message);
  if (expected) RC_ASSERT(reference::same(*many.matrix, *one.matrix));
}

template <class Value, class Index>
void check_all_spellings() {
  EXPECT_TRUE(rc::check("the fast parser agrees with the plain one", [](std::uint64_t seed) {
    random_engine random(seed);
    for (int i = 0; i < 10; ++i) {
      const auto text = text_maker(random)();
      check_agrees<Value, Index>(text, static_cast<unsigned>(2 + random() % 7));
    }
  }));
}

}  // namespace random_market
