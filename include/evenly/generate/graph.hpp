// SPDX-License-Identifier: Apache-2.0
//
// Graphs with heavy tails. rmat is made edge by edge: each edge walks down `scale` levels of the adjacency matrix and
// picks one quarter of it at each (Chakrabarti, Zhan, Faloutsos, SDM 2004; the Graph 500 benchmark's numbers). web
// keeps the locality that crawls have and rmat lacks: most links stay within a host, the others repeat a list that the
// host's pages share. arrow has a few dense rows and the same dense columns, as circuits do.
#pragma once

#include <evenly/generate/laws.hpp>
#include <evenly/generate/random.hpp>

#include <cstdint>

namespace evenly::generate {

struct rmat {
  int scale = 14;
  std::int64_t edges_per_node = 16;
  int a = 57, b = 19, c = 19;  // percent of the edges in the upper left, upper right, lower left quarter
  bool permuted = false;       // nodes are numbered at random
  std::uint64_t seed = 1;
  permutation numbers{};

  struct edge {
    std::int64_t row, column;
  };
  EVENLY_HD constexpr std::int64_t rows() const { return std::int64_t{1} << scale; }
  EVENLY_HD constexpr std::int64_t columns() const { return rows(); }
  EVENLY_HD constexpr std::int64_t num_edges() const { return rows() * edges_per_node; }
  EVENLY_HD constexpr edge edge_at(std::int64_t e) const {
    edge at{0, 0};
    std::uint64_t bits = 0;
    for (int level = 0; level < scale; ++level) {
      if (level % 4 == 0) bits = hash(seed, e, level / 4);
      auto const toss = static_cast<int>((bits >> 16 * (level % 4) & 0xffffu) * 100 >> 16);
      bool const low = toss >= a + b, right = low ? toss >= a + b + c : toss >= a;
      at = {2 * at.row + (low ? 1 : 0), 2 * at.column + (right ? 1 : 0)};
    }
    return permuted ? edge{numbers(at.row), numbers(at.column)} : at;
  }
  EVENLY_HD constexpr double edge_value(std::int64_t e) const { return short_unit(hash(~seed, e)); }
};

struct web {
  std::int64_t num_rows = 0;
  std::int64_t host = 256;  // pages of a host
  int local = 80;           // percent of a page's links that stay in its host
  std::uint64_t seed = 1;
  power_law degrees;
  power_law popularity;
  permutation names;  // where the popular pages are

  EVENLY_HD constexpr std::int64_t rows() const { return num_rows; }
  EVENLY_HD constexpr std::int64_t columns() const { return num_rows; }
  EVENLY_HD constexpr std::int64_t row_length(std::int64_t row) const { return degrees(row, hash(seed, row, -1)); }
  EVENLY_HD constexpr std::int64_t column(std::int64_t row, std::int64_t k) const {
    std::int64_t const length = row_length(row), first = row - row % host;
    std::int64_t const pages = num_rows - first < host ? num_rows - first : host;
    std::int64_t const wanted = (length * local + 50) / 100, inside = wanted < pages ? wanted : pages;
    if (k < inside) return first + stratum(pages, inside, k, hash(seed, row, k));
    popular_columns const shared{popularity};
    return names(shared(row, num_rows, num_rows, length - inside, k - inside, hash(seed, ~first, k - inside)));
  }
  EVENLY_HD constexpr double value(std::int64_t row, std::int64_t k) const { return short_unit(hash(~seed, row, k)); }
};

struct arrow {
  std::int64_t num_rows = 0;
  std::int64_t dense = 4;   // rows, and columns, that are half full
  std::int64_t length = 5;  // of the other rows, next to their part of the dense columns
  std::uint64_t seed = 1;

  EVENLY_HD constexpr std::int64_t rows() const { return num_rows; }
  EVENLY_HD constexpr std::int64_t columns() const { return num_rows; }
  EVENLY_HD constexpr std::int64_t row_length(std::int64_t row) const {
    if (row < dense) return (num_rows + 1) / 2;
    std::int64_t in_dense = 0;
    for (std::int64_t column = 0; column < dense; ++column) in_dense += meets(row, column) ? 1 : 0;
    return in_dense + others();
  }
  EVENLY_HD constexpr std::int64_t column(std::int64_t row, std::int64_t k) const {
    if (row < dense) return stratum(num_rows, (num_rows + 1) / 2, k, hash(seed, row, k));
    for (std::int64_t column = 0; column < dense; ++column) {
      if (!meets(row, column)) continue;
      if (k == 0) return column;
      --k;
    }
    return dense + stratum(num_rows - dense, others(), k, hash(seed, row, k));
  }
  EVENLY_HD constexpr double value(std::int64_t row, std::int64_t k) const { return short_unit(hash(~seed, row, k)); }

 private:
  EVENLY_HD constexpr std::int64_t others() const { return length < num_rows - dense ? length : num_rows - dense; }
  EVENLY_HD constexpr bool meets(std::int64_t row, std::int64_t column) const {
    return (hash(seed, ~row, column) & 1u) != 0;
  }
};

}  // namespace evenly::generate
