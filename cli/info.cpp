// SPDX-License-Identifier: Apache-2.0
//
// evenly info: what a matrix is like, how evenly each schedule would share it out, and which one is chosen and why.
#include "output.hpp"

#include "../src/balance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace evenly::cli {

namespace {

using namespace instances;

std::vector<std::int64_t> lengths_of(any_csr const& A) {
  std::vector<std::int64_t> lengths;
  std::visit(
      [&](auto const& matrix) {
        for (std::size_t row = 0; row + 1 < matrix.offsets.size(); ++row)
          lengths.push_back(static_cast<std::int64_t>(matrix.offsets[row + 1] - matrix.offsets[row]));
      },
      A);
  std::ranges::sort(lengths);
  return lengths;
}

/// The pattern in braille: each character is a 2 x 4 raster, a dot means at least one nonzero there.
std::string spy(named_matrix const& A, int width, int height) {
  auto const shape = A.shape();
  if (shape.rows == 0 || shape.columns == 0) return "  (no places)\n";
  int const dots_x = static_cast<int>(std::min<std::int64_t>(2 * width, shape.columns));
  int const dots_y = static_cast<int>(std::min<std::int64_t>(4 * height, shape.rows));
  int const cells_x = (dots_x + 1) / 2, cells_y = (dots_y + 3) / 4;
  std::vector<unsigned> cells(static_cast<std::size_t>(cells_x * cells_y));
  constexpr unsigned bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  std::visit(
      [&](auto const& list) {
        for (std::size_t i = 0; i < list.rows.size(); ++i) {
          auto const place = [](std::int64_t index, std::int64_t size, int dots) {
            return static_cast<int>(static_cast<double>(index) / static_cast<double>(size) * dots);
          };
          int const x = place(list.columns[i], shape.columns, dots_x), y = place(list.rows[i], shape.rows, dots_y);
          cells[static_cast<std::size_t>(y / 4 * cells_x + x / 2)] |= bits[y % 4][x % 2];
        }
      },
      A.entries);
  std::string text;
  for (int y = 0; y < cells_y; ++y) {
    text += "  ";
    for (int x = 0; x < cells_x; ++x) {
      unsigned const code = 0x2800U + cells[static_cast<std::size_t>(y * cells_x + x)];
      text += static_cast<char>(0xe0U | code >> 12U);
      text += static_cast<char>(0x80U | (code >> 6U & 0x3fU));
      text += static_cast<char>(0x80U | (code & 0x3fU));
    }
    text += '\n';
  }
  return text;
}

constexpr int quantiles[] = {0, 25, 50, 75, 90, 99, 100};

std::int64_t quantile(std::vector<std::int64_t> const& sorted, int percent) {
  return sorted.empty() ? 0 : sorted[(sorted.size() - 1) * static_cast<std::size_t>(percent) / 100];
}

/// Standard, of the row lengths.
double deviation_of(std::vector<std::int64_t> const& lengths, double mean) {
  double squares = 0;
  for (auto const length : lengths)
    squares += (static_cast<double>(length) - mean) * (static_cast<double>(length) - mean);
  return lengths.empty() ? 0 : std::sqrt(squares / static_cast<double>(lengths.size()));
}

}  // namespace

int run_info(common_options const& command) {
  auto const matrix = load(command.file);
  any_csr const A = rows_of(matrix, matrix.is_complex() ? value_type::c128 : value_type::f64);
  auto const measured = features_of(A);
  auto const& rows = measured.rows;
  auto const lengths = lengths_of(A);
  double const deviation = deviation_of(lengths, rows.mean());
  auto const host = choose_schedule(measured, executor_kind::host),
             device = choose_schedule(measured, executor_kind::cuda);
  std::vector<balance> spreads;
  {
    progress line(static_cast<int>(all_schedules().size()), command.quiet);
    for (auto const& schedule : all_schedules()) {
      line.at(static_cast<int>(spreads.size()), name_of(schedule));
      spreads.push_back(balance_of(A, schedule, 256, 1));
    }
  }
  int last = 63;
  while (last > 0 && rows.counts[static_cast<std::size_t>(last)] == 0) --last;
  if (command.json) {
    auto object = json_head("info");
    object["matrix"] = matrix_json(matrix);
    object["matrix"]["field"] = matrix.field;
    object["matrix"]["symmetry"] = matrix.symmetry;
    object["rows"] = {
        {"empty", rows.empty()}, {"mean", rows.mean()}, {"deviation", deviation}, {"longest", rows.longest}};
    object["columns"] = {{"near_sectors", measured.columns.near_sectors},
                         {"wide_sectors", measured.columns.wide_sectors}};
    for (int const percent : quantiles)
      object["rows"]["quantiles"][std::to_string(percent)] = quantile(lengths, percent);
    for (int j = 0; j <= last; ++j) object["rows"]["histogram"].push_back(rows.counts[static_cast<std::size_t>(j)]);
    for (std::size_t i = 0; i < spreads.size(); ++i)
      object["schedules"].push_back({{"schedule", name_of(all_schedules()[i])},
                                     {"thread_imbalance", spreads[i].threads.imbalance()},
                                     {"warp_imbalance", spreads[i].warps.imbalance()},
                                     {"block_imbalance", spreads[i].blocks.imbalance()},
                                     {"lanes_busy", spreads[i].lanes_busy}});
    object["chosen"] = {{"host", {{"schedule", describe(host.schedule)}, {"chosen_because", host.because}}},
                        {"cuda", {{"schedule", describe(device.schedule)}, {"chosen_because", device.because}}}};
    print_json(object);
    return done;
  }
  if (command.quiet) return done;
  palette const color(command.no_color);
  auto const shape = matrix.shape();
  fmt::print("{}  {} x {}, {} nonzeros, {}, stored as {}\n", color.strong(matrix.name), grouped(shape.rows),
             grouped(shape.columns), grouped(matrix.nnz()), matrix.field, matrix.symmetry);
  fmt::print("\nRow lengths: mean {:.2f}, deviation {:.2f}, longest {}, {} rows empty\n", rows.mean(), deviation,
             grouped(rows.longest), grouped(rows.empty()));
  for (int const percent : quantiles) fmt::print("  {}%: {}", percent, grouped(quantile(lengths, percent)));
  fmt::print("\n\n");
  std::int64_t const most = *std::ranges::max_element(rows.counts);
  for (int j = 0; j <= last; ++j) {
    auto const count = rows.counts[static_cast<std::size_t>(j)];
    std::int64_t const least = j == 0 ? 0 : std::int64_t{1} << (j - 1), end = j == 0 ? 0 : 2 * least - 1;
    fmt::print("  {:>15}  {:>11}  {}\n", least == end ? grouped(least) : grouped(least) + "-" + grouped(end),
               grouped(count), most > 0 ? bar(static_cast<double>(count) / static_cast<double>(most), 40) : "");
  }
  if (measured.columns.sampled > 0)
    fmt::print("\nColumns: 8192 neighbouring nonzeros touch {:.2f} sectors (32 bytes) of x each\n",
               measured.columns.wide_sectors);
  fmt::print("\nPattern\n{}\n", spy(matrix, 40, 20));
  table out({"busiest / mean", "thread", "warp", "block", "lanes busy"});
  for (std::size_t i = 0; i < spreads.size(); ++i)
    out.add({describe(all_schedules()[i]), fmt::format("{:.2f}", spreads[i].threads.imbalance()),
             fmt::format("{:.2f}", spreads[i].warps.imbalance()), fmt::format("{:.2f}", spreads[i].blocks.imbalance()),
             fmt::format("{:.0f}%", 100 * spreads[i].lanes_busy)});
  fmt::print("{}\n", out.text());
  fmt::print("On host: {}: {}.\n", color.strong(describe(host.schedule)), host.because);
  fmt::print("On cuda: {}: {}.\n", color.strong(describe(device.schedule)), device.because);
  return done;
}

}  // namespace evenly::cli
