// SPDX-License-Identifier: Apache-2.0
//
// Reads Matrix Market files (plain, and compressed through libarchive) into triplets or CSR. The order of the entries
// and duplicates are kept; symmetric storage is expanded: the stored entries come first, in the order of the file, then
// the mirror of each that is off the diagonal, in the same order (skew-symmetric: negated; hermitian: conjugated). The
// diagonal of a skew-symmetric file must be absent or zero, that of a hermitian one real. A value beyond the range of
// its type becomes infinity, as in IEEE conversion; an integer beyond 64 bits is refused. Every refusal is an
// input_error that reads `file:line:column: what is wrong; what to do`.
#pragma once

#include <evenly/core/complex.hpp>
#include <evenly/io/csr_arrays.hpp>
#include <evenly/io/detail/entries.hpp>
#include <evenly/io/detail/explain.hpp>
#include <evenly/io/detail/large_pages.hpp>
#include <evenly/io/detail/text_file.hpp>
#include <evenly/io/matrix_market_header.hpp>
#include <evenly/io/matrix_market_write.hpp>
#include <evenly/sparse/coo.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <thread>

namespace evenly {

struct read_options {
  unsigned threads = 0;                                  // 0: one for each core
  std::size_t bytes_per_thread = std::size_t{1} << 20U;  // a text with less for each uses fewer threads
};

namespace detail::mtx {

/// Refuses what the chosen types cannot hold, before anything is allocated.
template <class Value, class Index>
void check_types(const matrix_market_header& h, std::string_view text, std::string_view name) {
  const auto line_start = [&] {
    std::size_t at = 0;
    for (std::int64_t line = 1; line < h.size_line; ++line) at = text.find('\n', at) + 1;
    return at;
  };
  const std::int64_t most = std::numeric_limits<Index>::max();
  for (const auto& [size, what] : {std::pair{h.rows, " rows"}, std::pair{h.columns, " columns"}})
    if (size > most)
      refuse(text, name, line_start() + static_cast<std::size_t>(h.size_column) - 1,
             {size, what, " do not fit a ", 8 * sizeof(Index), "-bit index; read with std::int64_t indices"});
  if (h.field == matrix_market_field::complex && !is_complex<Value>)
    refuse(text, name, 0,
           {"the file holds complex values; read it as complex<double> or complex<float>, or take the part you want"});
  if (h.field == matrix_market_field::real && std::integral<Value>)
    refuse(text, name, 0, {"the file holds real values, which an integer would cut; read it as double or float"});
}

/// Rows and columns of an array file's values, which come column by column; only the lower triangle where it is
/// symmetric.
template <class Value, class Index>
void fill_array_indices(const matrix_market_header& h, coo<Value, Index>& result) {
  const bool general = h.symmetry == matrix_market_symmetry::general;
  const std::int64_t skip = h.symmetry == matrix_market_symmetry::skew_symmetric ? 1 : 0;
  std::size_t entry = 0;
  if (h.entries == 0) return;
  for (std::int64_t column = 0; column < h.columns; ++column)
    for (std::int64_t row = general ? 0 : column + skip; row < h.rows; ++row, ++entry) {
      result.rows[entry] = static_cast<Index>(row);
      result.columns[entry] = static_cast<Index>(column);
    }
}

/// Coordinates have their diagonal checked as they are read; in an array file it is known only afterwards.
template <class Value, class Index>
void check_array_diagonal(const matrix_market_header& h, const coo<Value, Index>& result, std::string_view text,
                          std::string_view name) {
  if constexpr (is_complex<Value>) {
    if (h.symmetry != matrix_market_symmetry::hermitian) return;
    std::int64_t entry = 0;
    for (std::int64_t column = 0; column < h.columns; entry += h.rows - column, ++column)
      if (!(result.values[static_cast<std::size_t>(entry)].im == 0))
        explain(text, name, h, {mistake::value_not_real, find_entry(text, h.body, entry), entry});
  }
}

template <class Value, class Index>
void append_mirrors(matrix_market_symmetry symmetry, coo<Value, Index>& result) {
  if (symmetry == matrix_market_symmetry::general) return;
  const std::size_t stored = result.rows.size();
  std::size_t total = stored;
  for (std::size_t k = 0; k < stored; ++k) total += result.rows[k] != result.columns[k] ? 1 : 0;
  result.rows.resize(total);
  result.columns.resize(total);
  result.values.resize(total);
  for (std::size_t k = 0, to = stored; k < stored; ++k) {
    const Index row = result.rows[k];
    const Index column = result.columns[k];
    if (row == column) continue;
    Value mirror = result.values[k];
    if (symmetry == matrix_market_symmetry::skew_symmetric) {
      if constexpr (std::integral<Value>) mirror = static_cast<Value>(0U - static_cast<std::uint64_t>(mirror));
      else mirror = -mirror;
    } else if (symmetry == matrix_market_symmetry::hermitian) {
      if constexpr (is_complex<Value>) mirror = conj(mirror);
    }
    result.rows[to] = column;
    result.columns[to] = row;
    result.values[to] = mirror;
    ++to;
  }
}

template <bool Array, class Value, class Index>
void parse_one_chunk(chunk& part, const matrix_market_header& h, entry_arrays<Value, Index> out) {
  using enum matrix_market_field;
  if constexpr (is_complex<Value>)
    if (h.field == complex) return chunk_parser<Array, complex, Value, Index>(part, h, out).parse();
  if constexpr (!std::integral<Value>)
    if (h.field == real) return chunk_parser<Array, real, Value, Index>(part, h, out).parse();
  if constexpr (!Array)
    if (h.field == pattern) return chunk_parser<Array, pattern, Value, Index>(part, h, out).parse();
  chunk_parser<Array, integer, Value, Index>(part, h, out).parse();
}

template <class Value, class Index>
coo<Value, Index> parse(std::string_view text, std::string_view name, const read_options& options) {
  const auto header = parse_matrix_market_header(text, name);
  check_types<Value, Index>(header, text, name);
  const bool array = header.format == matrix_market_format::array;
  const bool general = header.symmetry == matrix_market_symmetry::general;
  const auto entries = static_cast<std::size_t>(header.entries);  // checked against the length of the text

  const std::size_t useful = (text.size() - header.body) / std::max<std::size_t>(options.bytes_per_thread, 1) + 1;
  const std::size_t threads =
      options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  entry_text lines(text, header.body, std::min(threads, useful));

  coo<Value, Index> result;
  result.shape = {header.rows, header.columns};
  const auto prepare = [&](auto& into) {  // in one piece, room for mirrors included
    reserve_large(into, general ? entries : 2 * entries);
    into.resize(entries);
  };
  prepare(result.values), prepare(result.rows), prepare(result.columns);
  const entry_arrays<Value, Index> out{result.values.data(), result.rows.data(), result.columns.data()};
  const auto found = lines.parse(header, [&](chunk& part) {
    array ? parse_one_chunk<true>(part, header, out) : parse_one_chunk<false>(part, header, out);
  });
  if (found.what != mistake::none) explain(text, name, header, found);
  if (array) {
    fill_array_indices(header, result);
    check_array_diagonal(header, result, text, name);
  }
  append_mirrors(header.symmetry, result);
  return result;
}

/// Offsets are as long as the rows are many, whatever the file holds: a few bytes must not ask for all the memory.
template <class Offset>
void check_offsets(std::string_view text, std::string_view name) {
  const auto h = parse_matrix_market_header(text, name);
  const std::string place = message({name, ":", h.size_line, ":", h.size_column, ": "});
  const std::uint64_t most = std::max<std::uint64_t>(std::uint64_t{1} << 30U, 8 * text.size());
  if (static_cast<std::uint64_t>(h.rows) >= most / sizeof(Offset))
    throw input_error(message({place, h.rows, " rows need far more memory as CSR than the ", text.size(),
                               " bytes of the file hold entries for; read it as coo, or renumber the rows in use"}));
  const std::uint64_t expanded =
      static_cast<std::uint64_t>(h.entries) * (h.symmetry == matrix_market_symmetry::general ? 1 : 2);
  if (expanded > static_cast<std::uint64_t>(std::numeric_limits<Offset>::max()))
    throw input_error(message({place, "up to ", expanded, " nonzeros do not fit offsets of ", 8 * sizeof(Offset),
                               " bits; read with std::int64_t offsets"}));
}

}  // namespace detail::mtx

/// Types that a matrix is read into.
template <class T>
concept matrix_market_value = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, complex<float>> ||
                              std::same_as<T, complex<double>> || std::same_as<T, std::int64_t>;
template <class T>
concept matrix_market_index = std::same_as<T, std::int32_t> || std::same_as<T, std::int64_t>;

/// What a file declares, without reading its entries. Errors: input_error.
inline matrix_market_header read_matrix_market_header(const std::filesystem::path& path) {
  using namespace detail::mtx;
  for (std::size_t enough = std::size_t{1} << 16U;; enough *= 16) {
    const text_file file(path, enough);
    const std::size_t sizes = find_size_line(file.text());
    // A decoded beginning is good enough once the whole size line is in it.
    if (file.whole() || file.text().find('\n', sizes) != std::string_view::npos)
      return parse_header(file.text(), file.name(), file.whole());
  }
}

/// Reads a Matrix Market text from memory; `name` is what errors call it. Same result for any number of threads.
/// Errors: input_error, see above. Allocates the result, host only.
template <matrix_market_value Value, matrix_market_index Index = std::int32_t>
coo<Value, Index> parse_matrix_market(std::string_view text, std::string_view name, const read_options& options = {}) {
  return detail::mtx::parse<Value, Index>(text, name, options);
}

/// Reads a Matrix Market file into triplets. Integers read as a real are converted; a pattern's entries are 1; complex
/// values are read by complex types only, reals by reals and complex. Errors: input_error, see above.
template <matrix_market_value Value, matrix_market_index Index = std::int32_t>
coo<Value, Index> read_matrix_market(const std::filesystem::path& path, const read_options& options = {}) {
  const detail::mtx::text_file file(path);
  return parse_matrix_market<Value, Index>(file.text(), file.name(), options);
}

/// Reads a Matrix Market text straight into CSR, rows in order, entries and duplicates within a row as the triplets
/// have them. Errors: input_error, see above, and for row counts that the file's length does not justify.
template <matrix_market_value Value, std::signed_integral Offset = std::int64_t,
          matrix_market_index Index = std::int32_t>
csr_arrays<Value, Offset, Index> parse_matrix_market_csr(std::string_view text, std::string_view name,
                                                         const read_options& options = {}) {
  detail::mtx::check_offsets<Offset>(text, name);
  return to_csr_arrays<Offset>(parse_matrix_market<Value, Index>(text, name, options));
}

template <matrix_market_value Value, std::signed_integral Offset = std::int64_t,
          matrix_market_index Index = std::int32_t>
csr_arrays<Value, Offset, Index> read_matrix_market_csr(const std::filesystem::path& path,
                                                        const read_options& options = {}) {
  const detail::mtx::text_file file(path);
  return parse_matrix_market_csr<Value, Offset, Index>(file.text(), file.name(), options);
}

}  // namespace evenly
