// SPDX-License-Identifier: Apache-2.0
//
// evenly validate, convert and generate: matrices in and out of files.
#include "output.hpp"

#include <evenly/core/error.hpp>
#include <evenly/exec/host.hpp>
#include <evenly/generate/detail/nearest.hpp>
#include <evenly/io/matrix_market.hpp>
#include <evenly/sparse/validate.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <numeric>

namespace evenly::cli {

namespace {

using namespace instances;

template <class Value, class Index>
void sort_entries(coo<Value, Index>& A) {
  std::vector<std::size_t> order(A.rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return A.rows[a] != A.rows[b] ? A.rows[a] < A.rows[b] : A.columns[a] < A.columns[b];
  });
  auto const by_order = [&](auto& list) {
    auto const old = list;
    for (std::size_t i = 0; i < order.size(); ++i) list[i] = old[order[i]];
  };
  by_order(A.rows);
  by_order(A.columns);
  by_order(A.values);
}

matrix_market_symmetry parse_symmetry(std::string const& text) {
  constexpr std::array<std::string_view, 4> names{"general", "symmetric", "skew-symmetric", "hermitian"};
  auto const found = std::ranges::find(names, text);
  if (found == names.end())
    throw argument_error("there is no symmetry '" + text + "'" + evenly::detail::suggest(text, names));
  return static_cast<matrix_market_symmetry>(found - names.begin());
}

template <class Value, class Index>
void write_entries(coo<Value, Index> entries, convert_command const& command, std::string const& symmetry,
                   bool pattern) {
  if (command.sorted) sort_entries(entries);
  write_options const options{.symmetry = parse_symmetry(symmetry), .pattern = pattern};
  remember_output(command.out);
  if (command.out == "-") write_matrix_market(std::cout, entries, options);
  else write_matrix_market(std::filesystem::path(command.out), entries, options);
}

}  // namespace

int run(validate_command const& command) {
  auto const matrix = load(command.file);
  auto A = rows_of(matrix, matrix.is_complex() ? value_type::c128 : value_type::f64);
  auto const report = std::visit(
      [&](auto const& rows) {
        host const run;
        auto found = validate(run, rows.view(), {.sorted = command.sorted});
        if (!found || !command.distinct) return found;
        return validate(run, transposed(transposed(rows)).view(), {.distinct = true});  // twice transposed is sorted
      },
      A);
  if (command.json) {
    auto object = json_head("validate");
    object["matrix"] = matrix_json(matrix);
    object["ok"] = static_cast<bool>(report);
    object["row"] = report ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(report.row);
    object["message"] = report.message();
    print_json(object);
  } else if (!command.quiet) {
    palette const color(command.no_color);
    fmt::print(
        "{}  {} x {}, {} nonzeros: {}\n", color.strong(matrix.name), grouped(matrix.shape().rows),
        grouped(matrix.shape().columns), grouped(matrix.nnz()),
        report ? color.good(report.message()) : color.bad(report.message() + " (rows and nonzeros count from 0)"));
  }
  return report ? done : check_failed;
}

int run(convert_command const& command) {
  if (!command.symmetry.empty()) parse_symmetry(command.symmetry);
  bool const plain = command.file != "-" && !command.file.starts_with("gen:");
  if (plain) {
    auto const header = read_matrix_market_header(command.file);
    if (header.field == matrix_market_field::integer) {  // stays 64-bit integer
      write_entries(read_matrix_market<std::int64_t, std::int64_t>(command.file), command,
                    command.symmetry.empty() ? std::string(name_of(header.symmetry)) : command.symmetry,
                    command.pattern);
      return done;
    }
  }
  auto const matrix = load(command.file);
  auto const symmetry = command.symmetry.empty() ? matrix.symmetry : command.symmetry;
  std::visit(
      [&](auto const& entries) {
        write_entries(entries, command, symmetry, command.pattern || matrix.field == "pattern");
      },
      matrix.entries);
  if (!command.quiet && !command.json)
    fmt::print(stderr, "{}: {} x {}, {} nonzeros written\n", command.out, matrix.shape().rows, matrix.shape().columns,
               matrix.nnz());
  if (command.json) {
    auto object = json_head("convert");
    object["matrix"] = matrix_json(matrix);
    object["out"] = command.out;
    print_json(object);
  }
  return done;
}

}  // namespace evenly::cli
