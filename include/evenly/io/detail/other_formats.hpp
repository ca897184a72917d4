// SPDX-License-Identifier: Apache-2.0
//
// Recognises the neighbours of Matrix Market that people pass by mistake, so that the refusal can name them and say how
// to get to a file that is read. The name decides where it can, then the first lines.
#pragma once

#include <evenly/io/detail/message.hpp>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace evenly::detail::mtx {

inline std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), to_lower);
  return result;
}

inline std::vector<std::string_view> words(std::string_view line) {
  std::vector<std::string_view> result;
  for (std::size_t i = 0; i < line.size();) {
    std::size_t end = i;
    while (end < line.size() && !is_blank(line[end])) ++end;
    if (end > i) result.push_back(line.substr(i, end - i));
    i = end + 1;
  }
  return result;
}

/// The file's extension without a compression suffix, lower case, without the point.
inline std::string format_suffix(std::string_view name) {
  std::string file = lower(name.substr(name.find_last_of('/') + 1));
  for (const std::string_view packed : {".gz", ".bz2", ".xz", ".zst", ".lz4", ".z", ".lzma"})
    if (file.ends_with(packed)) file.resize(file.size() - packed.size());
  const auto point = file.find_last_of('.');
  return point == std::string::npos ? std::string{} : file.substr(point + 1);
}

/// What a text without the banner seems to be and what to do about it; a general hint when nothing is recognised.
inline std::string explain_other_format(std::string_view text, std::string_view name) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < text.size() && lines.size() < 64;) {
    const auto end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  const auto is = [suffix = format_suffix(name)](std::initializer_list<std::string_view> known) {
    return std::ranges::find(known, suffix) != known.end();
  };
  const auto all_numbers = [](const std::vector<std::string_view>& row) {
    return std::ranges::all_of(row,
                               [](std::string_view w) { return w.find_first_not_of("+-.0123456789eE") == w.npos; });
  };
  const auto boeing_type = [&] {  // third line: RUA, pra, csa, ... then counts
    if (lines.size() < 4) return false;
    const auto row = words(lines[2]);
    if (row.size() < 4 || row[0].size() != 3) return false;
    const std::string code = lower(row[0]);
    return std::string_view("rcpiq").find(code[0]) != std::string_view::npos &&
           std::string_view("surhz").find(code[1]) != std::string_view::npos && (code[2] == 'a' || code[2] == 'e');
  }();
  std::vector<std::string_view> first;  // the first line that is no comment
  bool hashes = false;
  for (const auto line : lines) {
    const auto row = words(line);
    if (row.empty()) continue;
    if (row[0][0] == '#') hashes = true;
    else if (row[0][0] != '%') {
      first = row;
      break;
    }
  }
  const bool dimacs_line = !first.empty() && ((first[0] == "c") || (first[0] == "p" && first.size() == 4) ||
                                              (first[0] == "a" && first.size() == 4));

  constexpr std::string_view banner = "%%MatrixMarket matrix coordinate ";
  if (text.empty()) return message({"the file is empty; a Matrix Market file starts with '", banner, "real general'"});
  if (text.starts_with("\xEF\xBB\xBF"))
    return "the file starts with a byte order mark; save it as plain text without one";
  if (lower(text.substr(0, 14)).starts_with("%matrixmarket"))
    return "the banner has one % where the format has two; write '%%MatrixMarket' at the start";
  if (is({"graph", "metis"}))
    return message({"this is a METIS graph (.graph), not Matrix Market; convert it: '", banner,
                    "pattern general', a line 'n n count', then a line 'vertex neighbour' for every neighbour listed"});
  if (is({"rb", "hb", "rua", "rsa", "rra", "pua", "psa", "pra", "cua", "csa", "cha", "rza", "rse"}) || boeing_type)
    return "this is a Harwell-Boeing or Rutherford-Boeing matrix (.rb, .rua), not Matrix Market; convert it, for "
           "example "
           "with scipy.io.mmwrite(out, scipy.io.hb_read(file)), or take the Matrix Market download of the same matrix";
  if (is({"gr", "dimacs"}) || dimacs_line)
    return message({"this is a DIMACS graph (.gr), not Matrix Market; convert it: '", banner,
                    "integer general', a line 'n n arcs', then each 'a from to weight' line without its 'a'"});
  if (is({"tns"}) || (hashes && first.size() >= 4 && all_numbers(first)))
    return message(
        {"this is a FROSTT tensor (.tns), not Matrix Market, which holds matrices only; flatten the modes to rows "
         "and columns and write '",
         banner, "real general'"});
  if (hashes || (is({"txt", "el", "edges", "edgelist", "csv", "tsv", "snap"}) && !first.empty()) ||
      ((first.size() == 2 || first.size() == 3) && all_numbers(first)))
    return message({"this is an edge list (as SNAP has them), not Matrix Market; convert it: '", banner,
                    "pattern general', a line 'rows columns edges', then the edges with ids counted from 1"});
  return message({"no Matrix Market banner; the first line must be like '", banner, "real general'"});
}

}  // namespace evenly::detail::mtx
