// SPDX-License-Identifier: Apache-2.0
//
// evenly explain: who gets how much work under each schedule, as a picture in the terminal or an SVG file. Computed
// from the shares alone, without a GPU.
#include "output.hpp"

#include "../src/balance.hpp"

#include <evenly/core/error.hpp>
#include <evenly/io/matrix_market_write.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace evenly::cli {

namespace {

using namespace instances;

std::string escaped(std::string_view text) {
  std::string result;
  for (char const c : text) {
    if (c == '&') result += "&amp;";
    else if (c == '<') result += "&lt;";
    else if (c == '>') result += "&gt;";
    else if (static_cast<unsigned char>(c) >= ' ') result += c;
  }
  return result;
}

/// One panel for each schedule: bars are the busiest warp of a stretch of the grid, the line is the mean warp.
std::string svg_picture(named_matrix const& A, std::vector<any_schedule> const& schedules,
                        std::vector<balance> const& spreads) {
  constexpr int width = 900, left = 250, chart = 420, height = 74, top = 84;
  int const total = top + height * static_cast<int>(schedules.size()) + 64;
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"system-ui, sans-serif\" "
      "font-size=\"13\" fill=\"#1f2933\">\n<title>Work under each schedule: {2}</title>\n<rect width=\"{0}\" "
      "height=\"{1}\" fill=\"#ffffff\"/>\n"
      "<text x=\"24\" y=\"32\" font-size=\"19\" font-weight=\"600\">{2}</text>\n"
      "<text x=\"24\" y=\"54\" fill=\"#52606d\">{3} x {4}, {5} nonzeros. Bars: steps (nonzeros and row ends) of the "
      "busiest warp along the grid.</text>\n",
      width, total, escaped(A.name), grouped(A.shape().rows), grouped(A.shape().columns), grouped(A.nnz()));
  for (std::size_t i = 0; i < schedules.size(); ++i) {
    auto const& spread = spreads[i];
    int const base = top + height * static_cast<int>(i) + height - 18;
    double const tall = height - 28;
    double const imbalance = spread.warps.imbalance();
    char const* const hue = imbalance < 1.5 ? "#2f855a" : imbalance < 4 ? "#c98a0c" : "#c53030";
    text += fmt::format("<text x=\"24\" y=\"{}\" font-weight=\"600\">{}</text>\n", base - 24, name_of(schedules[i]));
    auto const options = describe(schedules[i]).substr(name_of(schedules[i]).size());
    if (!options.empty())
      text += fmt::format("<text x=\"24\" y=\"{}\" fill=\"#52606d\" font-size=\"12\">{}</text>\n", base - 7,
                          escaped(options.substr(1)));
    double const bar_width = static_cast<double>(chart) / static_cast<double>(spread.warp_profile.size());
    std::string path;
    for (std::size_t b = 0; b < spread.warp_profile.size(); ++b) {
      double const fraction = spread.warps.most > 0 ? spread.warp_profile[b] / spread.warps.most : 0;
      path += fmt::format("M{:.1f} {}h{:.2f}v-{:.1f}h-{:.2f}z", left + bar_width * static_cast<double>(b), base,
                          std::max(bar_width * 0.9, 0.5), fraction * tall, std::max(bar_width * 0.9, 0.5));
    }
    text += fmt::format(
        "<path d=\"{}\" fill=\"{}\"/>\n<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#9aa5b1\"/>\n", path, hue,
        left, base, left + chart, base);
    double const mean = base - (spread.warps.most > 0 ? spread.warps.mean / spread.warps.most * tall : 0);
    text += fmt::format(
        "<line x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\" stroke=\"#1f2933\" stroke-dasharray=\"4 3\"/>\n", left,
        mean, left + chart, mean);
    text += fmt::format(
        "<text x=\"{0}\" y=\"{1}\" font-weight=\"600\" fill=\"{3}\">busiest warp {2:.2f} x mean</text>\n"
        "<text x=\"{0}\" y=\"{4}\" fill=\"#52606d\" font-size=\"12\">{5:.0f} steps, lanes busy {6:.0f}%</text>\n",
        left + chart + 16, base - 24, imbalance, hue, base - 7, spread.warps.most, 100 * spread.lanes_busy);
  }
  text += fmt::format(
      "<text x=\"24\" y=\"{}\" fill=\"#52606d\" font-size=\"12\">Each panel has its own scale, up to its busiest warp; "
      "dashed: the mean. "
      "Flat is even. A warp waits for its slowest lane.</text>\n</svg>\n",
      total - 24);
  return text;
}

nlohmann::ordered_json spread_json(load_spread const& spread) {
  return {{"count", spread.count}, {"mean", spread.mean}, {"most", spread.most}, {"imbalance", spread.imbalance()}};
}

}  // namespace

int run(explain_command const& command) {
  if (command.block % 32 != 0) throw argument_error("--block must be a multiple of 32, the threads of a warp");
  std::vector<any_schedule> schedules;
  if (command.schedule == "all") schedules = all_schedules();
  else if (command.schedule != "auto") schedules.push_back(parse_schedule(command.schedule));
  auto const matrix = load(command.file);
  any_csr const A = rows_of(matrix, matrix.is_complex() ? value_type::c128 : value_type::f64);
  if (schedules.empty()) schedules.push_back(choose_schedule(features_of(A), executor_kind::cuda).schedule);
  std::vector<balance> spreads;
  {
    progress line(static_cast<int>(schedules.size()), command.quiet);
    for (auto const& schedule : schedules) {
      line.at(static_cast<int>(spreads.size()), name_of(schedule));
      spreads.push_back(balance_of(A, schedule, command.block, 120));
    }
  }
  if (!command.svg.empty()) {
    remember_output(command.svg);
    evenly::detail::mtx::temporary_file file{std::filesystem::path(command.svg)};
    file.put(svg_picture(matrix, schedules, spreads));
    file.commit();
  }
  if (command.json) {
    auto object = json_head("explain");
    object["matrix"] = matrix_json(matrix);
    object["schedules"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < schedules.size(); ++i)
      object["schedules"].push_back({{"schedule", name_of(schedules[i])},
                                     {"description", describe(schedules[i])},
                                     {"threads", spread_json(spreads[i].threads)},
                                     {"warps", spread_json(spreads[i].warps)},
                                     {"blocks", spread_json(spreads[i].blocks)},
                                     {"lanes_busy", spreads[i].lanes_busy}});
    print_json(object);
    return done;
  }
  if (command.quiet) return done;
  palette const color(command.no_color);
  fmt::print("{}  {} x {}, {} nonzeros; work in steps, one for each nonzero and each row end\n",
             color.strong(matrix.name), grouped(matrix.shape().rows), grouped(matrix.shape().columns),
             grouped(matrix.nnz()));
  for (std::size_t i = 0; i < schedules.size(); ++i) {
    auto const& spread = spreads[i];
    std::vector<double> profile(60);
    auto const& fine = spread.warp_profile;
    for (std::size_t b = 0; b < profile.size(); ++b) {
      std::size_t const begin = b * fine.size() / profile.size(),
                        end = std::max(begin + 1, (b + 1) * fine.size() / profile.size());
      profile[b] = *std::max_element(fine.begin() + static_cast<std::ptrdiff_t>(begin),
                                     fine.begin() + static_cast<std::ptrdiff_t>(end));
    }
    double const imbalance = spread.warps.imbalance();
    std::string const verdict = fmt::format("busiest warp {:.2f} x mean", imbalance);
    fmt::print("\n{}  {}\n  {}\n", color.strong(describe(schedules[i])),
               imbalance < 1.5 ? color.good(verdict)
               : imbalance < 4 ? verdict
                               : color.bad(verdict),
               sparkline(profile, spread.warps.most));
    table out({"", "number", "mean", "busiest", "busiest / mean"});
    auto const add = [&](char const* name, load_spread const& load) {
      out.add({name, grouped(load.count), fmt::format("{:.1f}", load.mean), fmt::format("{:.0f}", load.most),
               fmt::format("{:.2f}", load.imbalance())});
    };
    add("  threads", spread.threads);
    add("  warps", spread.warps);
    add("  blocks", spread.blocks);
    fmt::print("{}  lanes busy {:.0f}%\n", out.text(), 100 * spread.lanes_busy);
  }
  fmt::print("\nEach picture is the grid from its first warp to its last, scaled to its busiest warp: flat is even.\n");
  if (!command.svg.empty()) fmt::print("Picture: {}\n", command.svg);
  return done;
}

}  // namespace evenly::cli
