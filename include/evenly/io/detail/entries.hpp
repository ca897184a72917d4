// SPDX-License-Identifier: Apache-2.0
//
// The entry lines of a Matrix Market text, parsed straight into their final places. The text is cut at newlines into
// chunks; a first pass counts the entries of each (only when there are several threads), which says where each chunk
// writes, so the result and the errors do not depend on the number of threads. The inner loop never looks for the end
// of the text: the last few lines are copied into a buffer that ends in a newline and 8 bytes more, and everything
// before them has them behind it. A mistake is a code and a place; explain.hpp makes the message.
#pragma once

#include <evenly/core/complex.hpp>
#include <evenly/io/detail/line_index.hpp>
#include <evenly/io/matrix_market_header.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

namespace evenly::detail::mtx {

enum class mistake {
  none,
  row_bad,
  row_range,
  column_missing,
  column_bad,
  column_range,
  value_missing,
  value_bad,
  value_overflow,
  value_nonzero_diagonal,
  value_not_real,
  text_after_entry,
  too_many,
  too_few
};

/// Where the entries of one matrix go. Null rows and columns: an array file, whose lines hold values only.
template <class Value, class Index>
struct entry_arrays {
  Value* values;
  Index* rows;
  Index* columns;
};

struct chunk {
  const char* begin = nullptr;
  const char* end = nullptr;  // behind a newline; 8 bytes more may be read
  std::size_t offset = 0;     // of begin in the whole text
  bool preceded = false;      // 24 bytes before begin may be read: the banner is longer
  std::int64_t first = 0;     // number of the first entry here
  std::int64_t count = 0;     // entries parsed here
  mistake what = mistake::none;
  const char* where = nullptr;
};

inline const char* next_line(const char* p, const char* end) {
  return static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p))) + 1;
}

inline const char* skip_blanks(const char* p) {
  if (*p == ' ') ++p;  // nearly always exactly one
  if (static_cast<unsigned char>(*p) > ' ') [[likely]]
    return p;
  while (is_blank(*p)) ++p;
  return p;
}

/// Parses one value of the field into Value. Returns the end, or null; p is then where the number starts that is wrong.
template <matrix_market_field Field, class Value>
const char* parse_value(const char*& p, Value& out, mistake& what) {
  using real = real_of_t<Value>;
  if constexpr (Field == matrix_market_field::integer) {
    std::int64_t value = 0;
    bool overflow = false;
    const char* end = parse_integer(p, value, overflow);
    if (overflow) what = mistake::value_overflow;
    out = Value(static_cast<real>(value));
    return overflow ? nullptr : end;
  } else if constexpr (is_complex<Value>) {
    const char* end = parse_real(p, out.re);
    if (Field == matrix_market_field::real || end == nullptr || !ends_word(*end)) return end;
    p = skip_blanks(end);
    return parse_real(p, out.im);
  } else {
    return parse_real(p, out);
  }
}

/// Parses the entries of one chunk, whose `first` is known, up to the declared number.
template <bool Array, matrix_market_field Field, class Value, class Index>
class chunk_parser {
 public:
  chunk_parser(chunk& part, const matrix_market_header& header, entry_arrays<Value, Index> out)
      : part_(part), out_(out), symmetry_(header.symmetry), entries_(header.entries), entry_(part.first),
        rows_(static_cast<std::uint64_t>(header.rows)), columns_(static_cast<std::uint64_t>(header.columns)) {}

  void parse() {
    const char* p = part_.begin;
#if defined(EVENLY_IO_HAS_AVX2_PATH)
    if constexpr (!Array && Field != matrix_market_field::complex)  // and the diagonal needs no look
      if (part_.preceded && !strict_diagonal() && has_avx2()) p = parse_common_lines(p);
#endif
    while (p < part_.end && part_.what == mistake::none) p = parse_line(p);
    part_.count = entry_ - part_.first;
  }

 private:
  static constexpr std::size_t words = Field == matrix_market_field::pattern ? 2 : 3;

  bool strict_diagonal() const {
    return symmetry_ == matrix_market_symmetry::skew_symmetric || symmetry_ == matrix_market_symmetry::hermitian;
  }

  const char* stop(mistake what, const char* where) {
    part_.what = what;
    part_.where = where;
    return where;
  }

#if defined(EVENLY_IO_HAS_AVX2_PATH)
  /// Parses lines to the end or to a mistake, those of the common shape fast.
  EVENLY_IO_AVX2 const char* parse_common_lines(const char* p) {
    line_index marks;
    while (p < part_.end && part_.what == mistake::none) {
      marks.mark(p, part_.end);
      const char* const start = p;
      for (std::size_t next = 0; next + words <= marks.size();) {
        if (convert_line({p, marks[next], marks[next + 1], marks[next + words - 1]})) [[likely]] {
          p = marks[next + words - 1] + 1;
          next += words;
          if (p[-1] == '\r') ++p, ++next;
          continue;
        }
        p = parse_line(p);
        if (part_.what != mistake::none) return p;
        while (next < marks.size() && marks[next] < p) ++next;
      }
      if (p == start) p = parse_line(p);  // a long line, or the last bytes
    }
    return p;
  }

  EVENLY_IO_AVX2 EVENLY_IO_INLINE bool convert_line(line_places line) {
    if (*line.end != '\n' && !(*line.end == '\r' && line.end[1] == '\n')) return false;
    if (!is_blank(*line.row_end) || (words == 3 && !is_blank(*line.column_end))) return false;  // a control character
    line_numbers numbers;
    Value value(1);
    bool good = false;
    if constexpr (Field == matrix_market_field::pattern) {
      good = convert_pattern_line(line, numbers);
    } else if constexpr (Field == matrix_market_field::integer) {
      std::int64_t integer = 0;
      good = convert_integer_line(line, numbers, integer);
      value = Value(static_cast<real_of_t<Value>>(integer));
    } else {
      real_of_t<Value> real = 0;
      good = convert_real_line(line, numbers, real);
      value = Value(real);
    }
    const std::uint64_t row = numbers.row - std::uint64_t{1};  // index 0 wraps around and is too large
    const std::uint64_t column = numbers.column - std::uint64_t{1};
    if (!good || row >= rows_ || column >= columns_ || entry_ >= entries_) return false;
    out_.rows[entry_] = static_cast<Index>(row);
    out_.columns[entry_] = static_cast<Index>(column);
    out_.values[entry_] = value;
    ++entry_;
    return true;
  }
#endif

  /// Parses the line at p, whatever it is. Returns the start of the next line, or notes a mistake.
  const char* parse_line(const char* p) {
    p = skip_blanks(p);
    if (*p == '\n') return p + 1;
    if (*p == '%') return next_line(p, part_.end);
    if (entry_ >= entries_) return stop(mistake::too_many, p);
    std::uint64_t row = 0, column = 0;
    if constexpr (!Array) {
      const char* end = parse_unsigned(p, row);
      if (end == nullptr || !ends_word(*end)) return stop(mistake::row_bad, p);
      if (row - 1 >= rows_) return stop(mistake::row_range, p);
      p = skip_blanks(end);
      end = parse_unsigned(p, column);
      if (end == nullptr || !ends_word(*end))
        return stop(*p == '\n' ? mistake::column_missing : mistake::column_bad, p);
      if (column - 1 >= columns_) return stop(mistake::column_range, p);
      out_.rows[entry_] = static_cast<Index>(row - 1);
      out_.columns[entry_] = static_cast<Index>(column - 1);
      p = Field == matrix_market_field::pattern ? end : skip_blanks(end);
    }
    Value value(1);
    if constexpr (Field != matrix_market_field::pattern) {
      auto what = mistake::value_bad;
      const char* end = parse_value<Field>(p, value, what);
      if (end == nullptr || !ends_word(*end)) return stop(*p == '\n' ? mistake::value_missing : what, p);
      if (!Array && strict_diagonal() && row == column) {
        if (symmetry_ == matrix_market_symmetry::skew_symmetric && !(value == Value(0)))
          return stop(mistake::value_nonzero_diagonal, p);
        if constexpr (is_complex<Value>)
          if (symmetry_ == matrix_market_symmetry::hermitian && !(value.im == 0))
            return stop(mistake::value_not_real, p);
      }
      p = end;
    }
    out_.values[entry_] = value;
    if (*p != '\n') p = skip_blanks(p);
    if (*p != '\n') return stop(mistake::text_after_entry, p);
    ++entry_;
    return p + 1;
  }

  chunk& part_;
  entry_arrays<Value, Index> out_;
  matrix_market_symmetry symmetry_;
  std::int64_t entries_;
  std::int64_t entry_;
  std::uint64_t rows_;
  std::uint64_t columns_;
};

/// The number of entry lines in a chunk: all that are neither blank nor a comment.
inline std::int64_t count_entries(const chunk& part) {
  std::int64_t count = 0;
  for (const char* p = part.begin; p < part.end; p = next_line(p, part.end)) {
    p = skip_blanks(p);
    if (*p != '\n' && *p != '%') ++count;
  }
  return count;
}

/// Calls work(0) ... work(count - 1), each in a thread of its own where threads can be had.
inline void run_threads(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::vector<std::jthread> threads;
  std::size_t next = 1;
  if (count > 1) threads.reserve(count - 1);
  try {
    for (; next < count; ++next) threads.emplace_back([&work, next] { work(next); });
  } catch (const std::system_error&) {  // no more threads: the rest runs here
  }
  work(0);
  for (; next < count; ++next) work(next);
}

/// The text behind the sizes, cut into chunks that are parsed as one.
class entry_text {
 public:
  entry_text(std::string_view text, std::size_t body, std::size_t num_chunks) {
    constexpr std::size_t slack = 64;
    const std::string_view entries = text.substr(body);
    std::size_t tail =
        entries.size() > slack ? entries.find_last_of('\n', entries.size() - slack) + 1 : 0;  // npos + 1 is 0
    tail_.assign(entries.substr(tail));
    tail_ += '\n';
    const std::size_t tail_size = tail_.size();
    tail_.append(slack, '\0');
    for (std::size_t i = 0, at = 0; i < num_chunks && at < tail; ++i) {
      const std::size_t goal = std::max(at, i + 1 == num_chunks ? tail : tail / num_chunks * (i + 1));
      const std::size_t end = goal >= tail ? tail : entries.find('\n', goal) + 1;
      chunks_.push_back(
          {.begin = entries.data() + at, .end = entries.data() + end, .offset = body + at, .preceded = true});
      at = end;
    }
    chunks_.push_back({.begin = tail_.data(), .end = tail_.data() + tail_size, .offset = body + tail});
  }
  entry_text(const entry_text&) = delete;
  entry_text& operator=(const entry_text&) = delete;

  struct outcome {
    mistake what = mistake::none;
    std::size_t at = 0;        // in the whole text
    std::int64_t entries = 0;  // parsed before it
  };

  /// Parses everything, chunk by chunk or all at once; returns the first mistake of the text, if there is one.
  outcome parse(const matrix_market_header& header, const std::function<void(chunk&)>& parse_chunk) {
    if (chunks_.size() > 2) {
      run_threads(chunks_.size(), [this](std::size_t i) { chunks_[i].count = count_entries(chunks_[i]); });
      std::int64_t first = 0;
      for (auto& part : chunks_) part.first = std::exchange(first, first + part.count);
      run_threads(chunks_.size(), [&, this](std::size_t i) { parse_chunk(chunks_[i]); });
    } else {
      std::int64_t first = 0;
      for (auto& part : chunks_) {
        part.first = first;
        parse_chunk(part);
        if (part.what != mistake::none) break;
        first += part.count;
      }
    }
    std::int64_t entries = 0;
    for (const auto& part : chunks_) {
      entries += part.count;
      if (part.what != mistake::none)
        return {part.what, part.offset + static_cast<std::size_t>(part.where - part.begin), entries};
    }
    const auto& last = chunks_.back();
    const auto end =
        last.offset + static_cast<std::size_t>(last.end - last.begin) - 1;  // less the newline that was added
    return {entries < header.entries ? mistake::too_few : mistake::none, end, entries};
  }

 private:
  std::string tail_;
  std::vector<chunk> chunks_;
};

}  // namespace evenly::detail::mtx
