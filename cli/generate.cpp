// SPDX-License-Identifier: Apache-2.0
//
// gen:NAME?... as a matrix, and the list of what there is.
#include "cli.hpp"

#include <evenly/core/error.hpp>
#include <evenly/generate/build.hpp>
#include <evenly/generate/by_name.hpp>

#include <fmt/format.h>

#include <unistd.h>

namespace evenly::cli {

namespace {

void require_memory(std::string const& text, double nonzeros, double rows) {
  auto const available = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  double const needed = 40 * nonzeros + 16 * rows;
  if (needed > 0.75 * available)
    throw input_error(fmt::format(
        "{}: {:.0f} nonzeros in {:.0f} rows need about {:.1f} GB, and this machine has {:.1f} GB; make it smaller",
        text, nonzeros, rows, needed / 1e9, available / 1e9));
}

/// Triplets row by row.
template <generate::row_generator G>
instances::real_triplets triplets_of(std::string const& text, G const& from) {
  host const run;
  require_memory(text, 0, static_cast<double>(from.rows()));
  instances::real_triplets result;
  result.shape = {from.rows(), from.columns()};
  auto const offsets = generate::offsets_of<std::int64_t>(run, from);
  std::int64_t const nnz = offsets.back();
  require_memory(text, static_cast<double>(nnz), static_cast<double>(from.rows()));
  result.rows.resize(static_cast<std::size_t>(nnz));
  result.columns.resize(static_cast<std::size_t>(nnz));
  result.values.resize(static_cast<std::size_t>(nnz));
  generate::fill_nonzeros(run, from, nnz, offsets.data(), result.columns.data(), result.values.data());
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row)
    std::fill(result.rows.begin() + offsets[row], result.rows.begin() + offsets[row + 1],
              static_cast<std::int64_t>(row));
  return result;
}

template <generate::edge_generator G>
instances::real_triplets triplets_of(std::string const& text, G const& from) {
  require_memory(text, static_cast<double>(from.num_edges()), static_cast<double>(from.rows()));
  return generate::to_coo<double, std::int64_t>(from);
}

}  // namespace

instances::named_matrix generate(std::string const& text) {
  instances::named_matrix A;
  A.name = text;
  A.field = "real";
  A.symmetry = "general";
  A.entries = std::visit([&](auto const& from) { return triplets_of(text, from); }, generate::parse_generator(text));
  return A;
}

std::string generator_help() {
  std::string text = "gen:NAME?key=value&key=value; numbers may end in k, M or G; every generator takes seed=1\n\n";
  for (auto const& entry : generate::catalogue()) {
    text += fmt::format("{:<12} {}\n", entry.name, entry.meaning);
    for (auto const& p : entry.parameters) {
      std::string value;
      if (p.choices.empty()) value = fmt::format("{}", static_cast<double>(p.otherwise) / static_cast<double>(p.scale));
      else value = p.choices;
      text += fmt::format("               {}={:<{}} {}\n", p.key, value, 24 - std::min<std::size_t>(p.key.size(), 23),
                          p.meaning);
    }
  }
  return text;
}

}  // namespace evenly::cli
