// SPDX-License-Identifier: Apache-2.0
//
// A tile set from the paper's three iterators - atoms, tiles, atoms per tile (PPoPP 2023, section 3.1, Listing 1). Sizes
// alone do not say where a tile begins, so the offsets are summed once, in the executor's memory, and the result owns them;
// the atoms' iterator becomes an operand, handed to the body with each atom. For any device executor the sum is that of
// inclusive_scan(run, ...), which <evenly/exec/cuda_scan.hpp> gives for CUDA.
#pragma once

#include <evenly/core/tile_set.hpp>
#include <evenly/exec/launch.hpp>

#include <cstddef>
#include <cstdint>

namespace evenly {

/// data[i] = data[0] + ... + data[i], in host memory.
template <executor Executor, class T>
  requires(!Executor::is_device)
void inclusive_scan(Executor const&, T* data, std::int64_t count) {
  for (std::int64_t i = 1; i < count; ++i) data[i] += data[i - 1];
}

namespace detail {
template <class Tile, class Offset, class Counts>
struct count_body {
  Offset* offsets;
  Tile tiles;
  Counts counts;
  template <worker Worker>
  EVENLY_HD constexpr void operator()(Worker const& me) const {
    for (Tile tile : grid_stride(me, Tile{0}, tiles)) offsets[tile + 1] = static_cast<Offset>(counts[tile]);
    if (me.block() == 0 && me.thread() == 0) offsets[0] = 0;
  }
};
}  // namespace detail

/// Offsets that belong to a tile set, in the memory of `run`.
template <executor Executor, class Tile, class Offset>
class materialized_tiles {
 public:
  /// atoms_per_tile[tile] for tile in 0 .. tiles-1, callable where `run` executes; num_atoms is their sum.
  /// Waits for nothing; allocates [tiles + 1] offsets.
  template <class Counts>
  materialized_tiles(Executor const& run, Counts const& atoms_per_tile, Tile tiles, Offset atoms)
      : offsets_(run, (static_cast<std::size_t>(tiles) + 1) * sizeof(Offset)), tiles_(tiles), atoms_(atoms) {
    auto* const offsets = static_cast<Offset*>(offsets_.data());
    run.launch(run.shape(static_cast<std::int64_t>(tiles) + 1, 1),
               detail::count_body<Tile, Offset, Counts>{offsets, tiles, atoms_per_tile});
    inclusive_scan(run, offsets, static_cast<std::int64_t>(tiles) + 1);
  }
  offset_tiles<Tile, Offset> view() const { return {static_cast<Offset const*>(offsets_.data()), tiles_, atoms_}; }

 private:
  buffer<Executor> offsets_;
  Tile tiles_;
  Offset atoms_;
};

template <executor Executor, class Counts, class Tile, class Offset>
materialized_tiles(Executor const&, Counts const&, Tile, Offset) -> materialized_tiles<Executor, Tile, Offset>;

}  // namespace evenly
