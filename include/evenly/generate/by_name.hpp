// SPDX-License-Identifier: Apache-2.0
//
// Generators by name, as command lines and benchmarks write them: gen:NAME?key=value&key=value. The table below is the
// whole catalogue: what each is called, which matrices it resembles, its parameters with defaults and limits. Whole
// numbers may end in k, M or G (thousands, millions, 1e9).
#pragma once

#include <evenly/core/error.hpp>
#include <evenly/generate/detail/nearest.hpp>
#include <evenly/generate/graph.hpp>
#include <evenly/generate/laws.hpp>
#include <evenly/generate/mesh.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace evenly::generate {

using any_generator =
    std::variant<mesh, rmat, web, arrow, row_pattern<constant_length, scattered_columns>,
                 row_pattern<constant_length, band_columns>, row_pattern<poisson_length, scattered_columns>,
                 row_pattern<power_law, popular_columns>, row_pattern<sparse_length, scattered_columns>,
                 row_pattern<lognormal_length, scattered_columns>, row_pattern<striped_length, scattered_columns>>;

/// One key of a generator. `choices` is a list "a|b" for a word instead of a number; scale counts the steps of one
/// whole, so that scale 20 lets 2.15 be written for 43.
struct parameter {
  std::string_view key;
  std::int64_t otherwise;
  std::int64_t least;
  std::int64_t most;
  std::string_view meaning;
  std::string_view choices = {};
  std::int64_t scale = 1;
};

/// The values of all parameters of one generator, asked for by key.
class settings {
 public:
  std::int64_t operator[](std::string_view key) const {
    auto const at = std::ranges::find(values_, key, &entry::key);
    if (at == values_.end())
      throw argument_error("generate: no parameter " + std::string(key));  // a mistake in the table
    return at->value;
  }
  void set(std::string_view key, std::int64_t value) {
    auto const at = std::ranges::find(values_, key, &entry::key);
    if (at == values_.end()) values_.push_back({std::string(key), value});
    else at->value = value;
  }

 private:
  struct entry {
    std::string key;
    std::int64_t value;
  };
  std::vector<entry> values_;
};

struct catalogue_entry {
  std::string_view name;
  std::string_view meaning;
  std::vector<parameter> parameters;
  any_generator (*make)(settings const&);
};

namespace detail {

inline constexpr std::int64_t most_rows = std::int64_t{1} << 31;
inline constexpr std::int64_t most_columns = (std::int64_t{1} << 31) - 2;

inline std::uint64_t seed_of(settings const& s) { return static_cast<std::uint64_t>(s["seed"]); }

inline mesh grid(settings const& s, std::int64_t nx, std::int64_t ny, std::int64_t nz) {
  mesh m;
  m.nx = nx;
  m.ny = ny;
  m.nz = nz;
  m.seed = seed_of(s);
  return m;
}

template <class Lengths, class Columns>
any_generator pattern(settings const& s, std::int64_t rows, std::int64_t columns, Lengths lengths, Columns places) {
  return row_pattern<Lengths, Columns>{rows, columns, seed_of(s), lengths, places};
}

inline parameter rows_parameter(std::int64_t otherwise) {
  return {"rows", otherwise, 1, most_columns, "rows, and columns"};
}

inline std::vector<catalogue_entry> make_catalogue() {
  return {
      {"stencil5",
       "2-D Poisson, 5 points (ecology2)",
       {{"side", 450, 1, 32'000, "nodes along each side"}},
       [](settings const& s) -> any_generator {
         mesh m = grid(s, s["side"], s["side"], 1);
         m.laplacian = true;
         return m;
       }},
      {"stencil7",
       "3-D Poisson, 7 points (atmosmodd, thermal)",
       {{"side", 55, 1, 1'200, "nodes along each side"}},
       [](settings const& s) -> any_generator {
         mesh m = grid(s, s["side"], s["side"], s["side"]);
         m.laplacian = true;
         return m;
       }},
      {"stencil27",
       "3-D, 27 points (HPCG)",
       {{"side", 36, 1, 1'200, "nodes along each side"}},
       [](settings const& s) -> any_generator {
         mesh m = grid(s, s["side"], s["side"], s["side"]);
         m.corners = m.laplacian = true;
         return m;
       }},
      {"fem",
       "finite elements: a mesh of dense blocks (audikw, ldoor)",
       {{"side", 18, 1, 700, "nodes along each side"},
        {"block", 3, 1, 8, "unknowns of a node"},
        {"drop", 25, 0, 99, "percent of the joins left out"}},
       [](settings const& s) -> any_generator {
         mesh m = grid(s, s["side"], s["side"], s["side"]);
         m.block = static_cast<int>(s["block"]);
         m.dropped = static_cast<int>(s["drop"]);
         m.corners = true;
         return m;
       }},
      {"uniform",
       "rows of one length",
       {rows_parameter(65'536),
        {"length", 16, 0, most_columns, "nonzeros of a row"},
        {"columns", 0, 0, 1, "where they are", "random|band"},
        {"width", 1'024, 1, most_columns, "of the band"}},
       [](settings const& s) -> any_generator {
         if (s["columns"] == 1)
           return pattern(s, s["rows"], s["rows"], constant_length{s["length"]}, band_columns{s["width"]});
         return pattern(s, s["rows"], s["rows"], constant_length{s["length"]}, scattered_columns{});
       }},
      {"random",
       "Poisson lengths, random columns (urand)",
       {rows_parameter(65'536), {"degree", 256, 1, 1'024, "mean length", {}, 16}},
       [](settings const& s) -> any_generator {
         return pattern(s, s["rows"], s["rows"], poisson_length(s["degree"]), scattered_columns{});
       }},
      {"rmat",
       "Kronecker graph (kron, soc-*)",
       {{"scale", 16, 1, 30, "log2 of the rows"},
        {"edges", 16, 1, 1'024, "edges for each row"},
        {"a", 57, 0, 100, "percent in the upper left quarter"},
        {"b", 19, 0, 100, "upper right"},
        {"c", 19, 0, 100, "lower left"},
        {"permute", 0, 0, 1, "number the nodes at random", "no|yes"}},
       [](settings const& s) -> any_generator {
         if (s["a"] + s["b"] + s["c"] > 100)
           throw argument_error("gen:rmat: a, b and c are percents and exceed 100 together; lower one");
         rmat r;
         r.scale = static_cast<int>(s["scale"]);
         r.edges_per_node = s["edges"];
         r.a = static_cast<int>(s["a"]);
         r.b = static_cast<int>(s["b"]);
         r.c = static_cast<int>(s["c"]);
         r.seed = seed_of(s);
         r.permuted = s["permute"] == 1;
         r.numbers = permutation(r.rows(), r.seed);
         return r;
       }},
      {"zipf",
       "lengths and columns by Zipf's law (twitter, wiki)",
       {rows_parameter(100'000),
        {"exponent", 40, 21, 80, "of the lengths: P(length >= n) ~ n^(1 - exponent)", {}, 20},
        {"cap", 0, 0, most_columns, "longest row; 0: a quarter of the rows"}},
       [](settings const& s) -> any_generator {
         std::int64_t const rows = s["rows"], cap = s["cap"] > 0 ? s["cap"] : std::max<std::int64_t>(rows / 4, 1);
         auto const exponent = static_cast<int>(s["exponent"]);
         return pattern(s, rows, rows, power_law(exponent, cap), popular_columns{power_law(exponent, rows)});
       }},
      {"web",
       "hosts with local links, copied link lists (webbase, uk-2002)",
       {rows_parameter(65'536),
        {"host", 256, 1, 1 << 20, "pages of a host"},
        {"local", 80, 0, 100, "percent of links within the host"},
        {"exponent", 40, 21, 80, "of the out-degrees", {}, 20}},
       [](settings const& s) -> any_generator {
         std::int64_t const rows = s["rows"];
         return web{rows,
                    s["host"],
                    static_cast<int>(s["local"]),
                    seed_of(s),
                    power_law(static_cast<int>(s["exponent"]), std::max<std::int64_t>(rows / 16, 1)),
                    power_law(36, rows),
                    permutation(rows, seed_of(s))};
       }},
      {"road",
       "grid with holes (europe_osm, road_usa)",
       {{"side", 500, 1, 40'000, "crossings along each side"},
        {"drop", 47, 0, 99, "percent of the streets left out; 47 gives a mean degree of 2.1"},
        {"order", 0, 0, 1, "numbering of the crossings", "local|shuffled"}},
       [](settings const& s) -> any_generator {
         mesh m = grid(s, s["side"], s["side"], 1);
         m.dropped = static_cast<int>(s["drop"]);
         m.loops = false;
         m.shuffled = s["order"] == 1;
         m.numbers = permutation(m.nodes(), m.seed);
         return m;
       }},
      {"hypersparse",
       "nearly all rows empty (slices of tensors)",
       {{"rows", 1'000'000, 1, most_rows, "rows"},
        {"columns", 1'000'000, 1, most_columns, "columns"},
        {"empty", 99'000, 0, 100'000, "percent of empty rows", {}, 1'000},
        {"most", 4, 1, 1'000, "longest row"}},
       [](settings const& s) -> any_generator {
         return pattern(s, s["rows"], s["columns"], sparse_length{static_cast<int>(s["empty"]), s["most"]},
                        scattered_columns{});
       }},
      {"rail",
       "few long rows (rail4284, linear programs)",
       {{"rows", 400, 1, most_rows, "rows"},
        {"columns", 100'000, 1, most_columns, "columns"},
        {"length", 2'500, 1, 1'000'000, "median length"}},
       [](settings const& s) -> any_generator {
         return pattern(s, s["rows"], s["columns"], lognormal_length{s["length"]}, scattered_columns{});
       }},
      {"arrow",
       "a few half-full rows and columns (circuit5M, rajat)",
       {rows_parameter(65'536),
        {"dense", 4, 0, 64, "half-full rows, and columns"},
        {"length", 5, 0, 1'000, "nonzeros of the other rows beside those"}},
       [](settings const& s) -> any_generator {
         return arrow{s["rows"], std::min(s["dense"], s["rows"]), s["length"], seed_of(s)};
       }},
      {"bimodal",
       "two lengths in turn",
       {rows_parameter(2'000),
        {"short", 1, 0, most_columns, "length of one half"},
        {"long", 1'000, 0, most_columns, "of the other"},
        {"order", 0, 0, 1, "row by row, or all short ones first", "interleaved|sorted"}},
       [](settings const& s) -> any_generator {
         std::int64_t const half = s["order"] == 1 ? std::max<std::int64_t>((s["rows"] + 1) / 2, 1) : 1;
         return pattern(s, s["rows"], s["rows"], striped_length{2 * half, half, 2 * half, s["short"], s["long"]},
                        scattered_columns{});
       }},
      {"adversary",
       "misleads whoever samples rows",
       {rows_parameter(32'768),
        {"kind", 0, 0, 1, "second half heavy, or one heavy stripe of 1%", "half|stripe"},
        {"heavy", 64, 0, most_columns, "length of a heavy row"}},
       [](settings const& s) -> any_generator {
         std::int64_t const rows = s["rows"], begin = s["kind"] == 0 ? rows / 2 : rows / 3;
         std::int64_t const end = s["kind"] == 0 ? rows : begin + (rows + 99) / 100;
         return pattern(s, rows, rows, striped_length{rows, begin, end, 1, s["heavy"]}, scattered_columns{});
       }},
      {"tiny",
       "a launch costs more than the work (west0479)",
       {rows_parameter(479), {"degree", 64, 1, 1'024, "mean length", {}, 16}},
       [](settings const& s) -> any_generator {
         return pattern(s, s["rows"], s["rows"], poisson_length(s["degree"]), scattered_columns{});
       }},
      {"band",
       "a window that slides along the diagonal (cage15, nlpkkt)",
       {rows_parameter(65'536),
        {"length", 24, 0, most_columns, "nonzeros of a row"},
        {"width", 1'000, 1, most_columns, "of the window"}},
       [](settings const& s) -> any_generator {
         return pattern(s, s["rows"], s["rows"], constant_length{s["length"]}, band_columns{s["width"]});
       }},
  };
}

/// "2.15" with scale 20 is 43; "3M" is 3,000,000. Throws argument_error, `where` first.
inline std::int64_t parse_setting(std::string_view word, parameter const& p, std::string const& where) {
  if (!p.choices.empty()) {
    std::vector<std::string_view> choices;
    for (std::size_t at = 0; at <= p.choices.size();) {
      auto const end = std::min(p.choices.find('|', at), p.choices.size());
      choices.push_back(p.choices.substr(at, end - at));
      at = end + 1;
    }
    auto const found = std::ranges::find(choices, word);
    if (found == choices.end())
      throw argument_error(where + "'" + std::string(word) + "' is none of the words for " + std::string(p.key) +
                           evenly::detail::suggest(word, choices));
    return found - choices.begin();
  }
  auto const refuse = [&] {
    throw argument_error(where + std::string(p.key) + " must be a number such as " +
                         std::to_string(p.otherwise / p.scale) + ", not '" + std::string(word) + "'");
  };
  std::int64_t value = 0, step = 0;  // step: of the next digit behind the point, in units of 1 / 10^6
  std::size_t i = 0;
  std::int64_t fraction = 0;
  bool digits = false;
  for (; i < word.size(); ++i) {
    if (word[i] == '.' && step == 0) {
      step = 100'000;
    } else if (word[i] >= '0' && word[i] <= '9') {
      digits = true;
      if (step > 0) {
        fraction += (word[i] - '0') * step;
        step = step > 1 ? step / 10 : 1;
      } else if (value < std::int64_t{1} << 52) {
        value = value * 10 + (word[i] - '0');
      }
    } else {
      break;
    }
  }
  std::int64_t unit = 1;
  if (i + 1 == word.size())
    unit = word[i] == 'k' ? 1'000 : word[i] == 'M' ? 1'000'000 : word[i] == 'G' ? 1'000'000'000 : 0;
  else if (i != word.size()) unit = 0;
  if (!digits || unit == 0) refuse();
  value = std::min(value, (std::int64_t{1} << 52) / unit) * unit * p.scale + fraction * unit / 1'000 * p.scale / 1'000;
  if (value < p.least || value > p.most) {
    auto const show = [&](std::int64_t x) {
      std::string text = std::to_string(x / p.scale);
      if (x % p.scale != 0) text += '.' + std::to_string(1000 + 1000 * (x % p.scale) / p.scale).substr(1);
      while (text.find('.') != std::string::npos && text.ends_with('0')) text.pop_back();
      return text;
    };
    throw argument_error(where + std::string(p.key) + " must lie in " + show(p.least) + " .. " + show(p.most) +
                         ", not '" + std::string(word) + "'");
  }
  return value;
}

}  // namespace detail

/// All generators, in the order of the documentation.
inline std::vector<catalogue_entry> const& catalogue() {
  static std::vector<catalogue_entry> const all = detail::make_catalogue();
  return all;
}

/// The generator that a text such as gen:rmat?scale=16 names. Errors: argument_error that names the nearest.
inline any_generator parse_generator(std::string_view text) {
  constexpr std::string_view prefix = "gen:";
  if (!text.starts_with(prefix))
    throw argument_error("'" + std::string(text) + "' is no generator; write gen:NAME?key=value&key=value");
  auto const question = std::min(text.find('?'), text.size());
  auto const name = text.substr(prefix.size(), question - prefix.size());
  auto const entry = std::ranges::find(catalogue(), name, &catalogue_entry::name);
  if (entry == catalogue().end()) {
    std::vector<std::string_view> names;
    for (auto const& known : catalogue()) names.push_back(known.name);
    throw argument_error("there is no generator '" + std::string(name) + "'" + evenly::detail::suggest(name, names));
  }
  std::string const where = "gen:" + std::string(name) + ": ";
  std::vector<parameter> parameters = entry->parameters;
  parameters.push_back({"seed", 1, 0, std::int64_t{1} << 52, "of its random numbers"});
  settings chosen;
  for (auto const& p : parameters) chosen.set(p.key, p.otherwise);
  for (std::size_t at = question + 1; at < text.size();) {
    auto const end = std::min(text.find('&', at), text.size());
    auto const setting = text.substr(at, end - at);
    at = end + 1;
    if (setting.empty()) continue;
    auto const equals = setting.find('=');
    auto const key = setting.substr(0, std::min(equals, setting.size()));
    auto const p = std::ranges::find(parameters, key, &parameter::key);
    if (p == parameters.end()) {
      std::vector<std::string_view> keys;
      for (auto const& known : parameters) keys.push_back(known.key);
      throw argument_error(where + "there is no parameter '" + std::string(key) + "'" +
                           evenly::detail::suggest(key, keys));
    }
    if (equals == std::string_view::npos)
      throw argument_error(where + "'" + std::string(key) + "' has no value; write " + std::string(key) + "=...");
    chosen.set(key, detail::parse_setting(setting.substr(equals + 1), *p, where));
  }
  return entry->make(chosen);
}

}  // namespace evenly::generate
