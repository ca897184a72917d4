// SPDX-License-Identifier: Apache-2.0
//
// The matrices of the benchmark: one recipe for each class of evenly/generate, at about a million nonzeros (the
// generators' own defaults) and at a size that fills the card. Only the structure is made here, with all cores; values
// and x are random and belong to the measurement (reference.hpp).
#pragma once

#include <evenly/core/schedule.hpp>
#include <evenly/exec/host.hpp>
#include <evenly/generate/build.hpp>
#include <evenly/generate/by_name.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bench {

/// Memory whose pages are first touched by whoever fills it: zeroing gigabytes on one core would take longer than all else.
template <class T>
class raw_array {
 public:
  explicit raw_array(std::int64_t size = 0)
      : size_(size), data_(std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(size))) {}
  std::int64_t size() const { return size_; }
  T* data() const { return data_.get(); }
  T& operator[](std::int64_t i) const { return data_[static_cast<std::size_t>(i)]; }

 private:
  std::int64_t size_;
  std::unique_ptr<T[]> data_;
};

/// f(begin, end) for pieces of 0 .. count-1, handed out one by one to all cores.
template <class F>
void parallel(evenly::host const& run, std::int64_t count, std::int64_t piece, F const& f) {
  run.launch({.blocks = evenly::ceil_div(count, piece), .threads = 1}, [&](evenly::host_worker const& me) {
    std::int64_t const begin = me.block() * piece;
    f(begin, std::min(begin + piece, count));
  });
}

struct structure {
  std::int64_t rows = 0, columns = 0;
  std::vector<std::int32_t> offsets;
  raw_array<std::int32_t> indices;
  std::int64_t nnz() const { return indices.size(); }
};

template <evenly::generate::row_generator G>
structure build(evenly::host const& run, G const& from) {
  structure made{from.rows(), from.columns(), evenly::generate::offsets_of<std::int32_t>(run, from),
                 raw_array<std::int32_t>()};
  auto const& offsets = made.offsets;
  made.indices = raw_array<std::int32_t>(offsets.back());
  parallel(run, made.nnz(), 16384, [&](std::int64_t begin, std::int64_t end) {
    // pieces of nonzeros, not of rows: a row may hold half of them
    auto row = std::upper_bound(offsets.begin(), offsets.end(), static_cast<std::int32_t>(begin)) - offsets.begin() - 1;
    for (std::int64_t atom = begin; atom < end; ++atom) {
      while (offsets[static_cast<std::size_t>(row) + 1] <= atom) ++row;
      made.indices[atom] = static_cast<std::int32_t>(from.column(row, atom - offsets[static_cast<std::size_t>(row)]));
    }
  });
  return made;
}

/// Edges sorted by row and column. The library's own conversion does this on one core; here 67 million wait for it.
template <evenly::generate::edge_generator G>
structure build(evenly::host const& run, G const& from) {
  std::int64_t const edges = from.num_edges(), rows = from.rows();
  evenly::detail::require_fit<std::int32_t>(edges, "benchmark", "edges", "offset");
  structure made{rows, from.columns(), std::vector<std::int32_t>(static_cast<std::size_t>(rows) + 1),
                 raw_array<std::int32_t>(edges)};
  auto& offsets = made.offsets;
  auto const each_edge = [&](auto const& visit) {
    parallel(run, edges, 65536, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t e = begin; e < end; ++e) visit(from.edge_at(e));
    });
  };
  each_edge([&](auto const& edge) {
    std::atomic_ref(offsets[static_cast<std::size_t>(edge.row) + 1]).fetch_add(1, std::memory_order_relaxed);
  });
  evenly::detail::accumulate_sizes(offsets);
  auto next = offsets;
  each_edge([&](auto const& edge) {
    auto const place =
        std::atomic_ref(next[static_cast<std::size_t>(edge.row)]).fetch_add(1, std::memory_order_relaxed);
    made.indices[place] = static_cast<std::int32_t>(edge.column);
  });
  parallel(run, rows, 1024, [&](std::int64_t begin, std::int64_t end) {
    for (auto row = static_cast<std::size_t>(begin); row < static_cast<std::size_t>(end); ++row)
      std::sort(made.indices.data() + offsets[row], made.indices.data() + offsets[row + 1]);
  });
  return made;
}

inline structure build(evenly::host const& run, std::string const& text) {
  return std::visit([&](auto const& from) { return build(run, from); }, evenly::generate::parse_generator(text));
}

struct recipe {
  std::string name;  // of the class
  std::string size;  // large, medium or tiny
  std::string text;  // for parse_generator
};

/// Large ones have 11 to 109 million nonzeros, but for hypersparse, whose work is its rows. tiny has one size.
inline std::vector<recipe> recipes(bool large_too) {
  struct {
    std::string_view name, settings;
  } const large[] = {
      {"stencil5", "side=4000"},
      {"stencil7", "side=220"},
      {"stencil27", "side=160"},
      {"fem", "side=70"},
      {"uniform", "rows=2M&length=32"},
      {"random", "rows=4M"},
      {"rmat", "scale=22"},
      {"zipf", "rows=4M"},
      {"web", "rows=4M"},
      {"road", "side=5000"},
      {"hypersparse", "rows=20M&empty=90"},
      {"rail", "rows=4284&columns=1096894"},
      {"arrow", "rows=4M"},
      {"bimodal", "rows=100k"},
      {"adversary", "rows=1500k"},
      {"band", "rows=4M&width=10k"},
  };
  std::vector<recipe> all;
  for (auto const& entry : evenly::generate::catalogue()) {
    std::string const name(entry.name), text = "gen:" + name;
    bool const tiny = name == "tiny";
    for (auto const& [of, settings] : large)
      if (large_too && of == name) all.push_back({name, "large", text + "?" + std::string(settings)});
    all.push_back({name, tiny ? "tiny" : "medium", text});
  }
  return all;
}

}  // namespace bench
