// SPDX-License-Identifier: Apache-2.0
//
// Determinism is tried, not assumed: sums of floats of many magnitudes, whose bits change with any change of order, run
// again and again while workers are held up at random. Within one executor the bits must stay what they were.
#pragma once

#include "trial.hpp"

#include <evenly/exec/launch.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace tests {

/// Holds a worker up for a time that depends on the seed and on who it is; 0 does not.
EVENLY_HD inline void hold_up(std::uint32_t seed, std::int64_t who) {
  if (seed == 0) return;
  std::uint32_t turns = scrambled(seed, who) % 4096u;
  if (turns % 4 != 0) turns = 0;  // most are prompt, some are late
  for (std::uint32_t volatile i = 0; i < turns;) i = i + 1;
}

template <class Case, class Tile, class Atom>
struct held_up_map {
  std::uint32_t seed;
  EVENLY_HD evenly::value_of_t<typename Case::op> operator()(Tile tile, Atom atom) const {
    if (atom % 61 == 0) hold_up(seed, static_cast<std::int64_t>(atom));
    return Case::value_at(static_cast<std::int64_t>(tile), static_cast<std::int64_t>(atom));
  }
};

template <class Value, class Tile>
struct plain_emit {
  Value* out;
  EVENLY_HD void operator()(Tile tile, Value value) const { out[tile] = value; }
};

/// A body whose workers start late.
template <class Body>
struct late_body {
  Body body;
  std::uint32_t seed;
  template <evenly::worker Worker>
  EVENLY_HD void operator()(Worker const& me) const {
    hold_up(seed, me.block() * me.num_threads() + me.thread());
    body(me);
  }
};

inline std::vector<tile_sizes> uneven_sets() {
  using detail::joined, detail::power_law, detail::repeated;
  return {{7000},
          power_law(2000),
          joined({repeated(100, {1}), {3000, 0, 0, 9}, repeated(50, {30})}),
          {520, 519, 521, 0, 1040}};
}

template <class Value>
std::vector<unsigned char> bits_of(std::vector<Value> const& values, std::size_t count) {
  std::vector<unsigned char> bytes(count * sizeof(Value));
  if (count != 0) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// The bits that a schedule yields in layers (c) and (a) on one executor, workers held up by `seed`.
template <class Case, class Executor, class Schedule>
std::vector<unsigned char> bits_of_run(Executor const& run, tile_sizes const& sizes, Schedule const& schedule,
                                       std::uint32_t seed) {
  using value = evenly::value_of_t<typename Case::op>;
  using set_type = evenly::offset_tiles<int, int>;
  typename Case::op const op;
  auto const host_offsets = offsets_of<int>(sizes);
  device_vector<int, Executor> const offsets(run, host_offsets);
  device_vector<value, Executor> const reduced(run, sizes.size()), nested(run, sizes.size());
  set_type const set{offsets.data(), static_cast<int>(sizes.size()), host_offsets.back()};
  held_up_map<Case, int, int> const map{seed};
  auto const plan = evenly::make_plan(run, set, schedule, sizeof(value));
  evenly::reduce_tiles(plan, map, op, plain_emit<value, int>{reduced.data()});
  plain_emit<value, int> const emit{nested.data()};
  auto const rows = evenly::dealt_for(plan.view(), op);
  auto const out = evenly::sink(rows, op, emit);
  using body = nested_ranges<decltype(rows), held_up_map<Case, int, int>, decltype(out)>;
  evenly::launch(run, rows, late_body<body>{{rows, map, out}, seed});
  evenly::join(run, rows, op, emit);
  run.wait();
  auto bits = bits_of(reduced.to_host(), sizes.size());
  auto const more = bits_of(nested.to_host(), sizes.size());
  bits.insert(bits.end(), more.begin(), more.end());
  return bits;
}

}  // namespace tests
