// SPDX-License-Identifier: Apache-2.0
//
// Matrices of grids: each node of an nx x ny x nz grid is joined to its neighbours (the faces, or all 26), to itself if
// wanted, and every pair is a dense block x block piece, as finite elements make them. A share of the joins can be left
// out, the same ones seen from both sides, so that the pattern stays symmetric: with holes a grid is a road network.
// Boundaries are true ones: nodes there have fewer neighbours.
#pragma once

#include <evenly/generate/random.hpp>

#include <cstdint>

namespace evenly::generate {

struct mesh {
  std::int64_t nx = 1, ny = 1, nz = 1;
  int block = 1;
  int dropped = 0;         // percent of the joins
  bool corners = false;    // all 26 neighbours, not the 6 at the faces
  bool loops = true;       // a node is joined to itself
  bool laplacian = false;  // values: number of possible neighbours on the diagonal, -1 elsewhere; random if false
  bool shuffled = false;   // nodes are numbered at random
  std::uint64_t seed = 1;
  permutation numbers{};

  EVENLY_HD constexpr std::int64_t nodes() const { return nx * ny * nz; }
  EVENLY_HD constexpr std::int64_t rows() const { return nodes() * block; }
  EVENLY_HD constexpr std::int64_t columns() const { return rows(); }
  EVENLY_HD constexpr std::int64_t row_length(std::int64_t row) const {
    std::int64_t count = 0;
    visit(node_of(row), [&](std::int64_t) { return ++count, true; });
    return count * block;
  }
  EVENLY_HD constexpr std::int64_t column(std::int64_t row, std::int64_t k) const {
    std::int64_t const neighbour = neighbour_of(node_of(row), k / block);
    return (shuffled ? numbers(neighbour) : neighbour) * block + k % block;
  }
  EVENLY_HD constexpr double value(std::int64_t row, std::int64_t k) const {
    if (!laplacian) return short_unit(hash(~seed, row, k));
    bool const diagonal = neighbour_of(node_of(row), k / block) == node_of(row) && k % block == row % block;
    return diagonal ? (corners ? 26 : nz > 1 ? 6 : 4) : -1;
  }

 private:
  EVENLY_HD constexpr std::int64_t node_of(std::int64_t row) const {
    return shuffled ? numbers.inverse(row / block) : row / block;
  }
  EVENLY_HD constexpr std::int64_t neighbour_of(std::int64_t node, std::int64_t k) const {
    std::int64_t found = 0;
    visit(node, [&](std::int64_t neighbour) { return found = neighbour, k-- != 0; });
    return found;
  }
  /// take(neighbour) for each, ascending, until it returns false.
  template <class Take>
  EVENLY_HD constexpr void visit(std::int64_t node, Take&& take) const {
    std::int64_t const x = node % nx, y = node / nx % ny, z = node / nx / ny;
    for (int place = 0; place < 27; ++place) {
      int const dx = place % 3 - 1, dy = place / 3 % 3 - 1, dz = place / 9 - 1;
      int const away = dx * dx + dy * dy + dz * dz;
      if (away == 0 && !loops) continue;
      if (away > 1 && !corners) continue;
      if (x + dx < 0 || x + dx >= nx || y + dy < 0 || y + dy >= ny || z + dz < 0 || z + dz >= nz) continue;
      std::int64_t const other = node + dx + nx * (dy + ny * dz);
      if (dropped > 0 && away != 0 &&
          happens(dropped, node < other ? hash(seed, node, other) : hash(seed, other, node)))
        continue;
      if (!take(other)) return;
    }
  }
};

}  // namespace evenly::generate
