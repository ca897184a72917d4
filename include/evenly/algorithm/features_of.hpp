// SPDX-License-Identifier: Apache-2.0
//
// Measures what a schedule is chosen by, where the data lies: one launch that reads every tile's begin once, coalesced,
// and the columns of at most a million atoms, and one copy of 34 KB back. Everything counted is an integer, so that all
// executors agree to the bit. Waits for its result.
//
// Source of the sketch: Whang, Vander-Zanden & Taylor, "A linear-time probabilistic counting algorithm" (TODS 1990).
#pragma once

#include <evenly/core/atomic.hpp>
#include <evenly/core/plan_view.hpp>
#include <evenly/exec/plan.hpp>
#include <evenly/kernel/reduce_tiles.hpp>
#include <evenly/schedule/features.hpp>
#include <evenly/schedule/warp_mapped.hpp>
#include <evenly/sparse/csr.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace evenly {

namespace detail {

EVENLY_HD inline int bit_width(std::uint64_t x) {
#if defined(__CUDA_ARCH__)
  return 64 - __clzll(static_cast<long long>(x));
#else
  return static_cast<int>(std::bit_width(x));
#endif
}
EVENLY_HD inline int bit_width(std::uint32_t x) {
#if defined(__CUDA_ARCH__)
  return 32 - __clz(static_cast<int>(x));
#else
  return static_cast<int>(std::bit_width(x));
#endif
}

/// Which of 512 boxes hold a sector of x. A quarter of all sectors takes part, by the hash of its number, so that the
/// boxes are about half full where 2048 atoms touch as many sectors.
struct sector_sketch {
  static constexpr int num_words = 16, num_boxes = 32 * num_words;
  std::uint32_t words[num_words];

  /// Sectors, of all of them, that would have filled these boxes.
  double estimate() const {
    int full = 0;
    for (auto const word : words) full += std::popcount(word);
    return -4.0 * num_boxes * std::log(std::max(num_boxes - full, 1) / static_cast<double>(num_boxes));
  }
};

struct sketch_union {
  static constexpr bool is_commutative = true;
  EVENLY_HD constexpr sector_sketch identity() const { return {}; }
  EVENLY_HD constexpr sector_sketch operator()(sector_sketch a, sector_sketch b) const {
    EVENLY_UNROLL
    for (int i = 0; i < sector_sketch::num_words; ++i) a.words[i] |= b.words[i];
    return a;
  }
};

/// Runs of up to four windows of neighbouring atoms, the runs spread over all atoms.
struct column_sample {
  static constexpr std::int64_t most_runs = 128, most_windows = 4, most_atoms = 2048;
  std::int64_t atoms = 0;
  int window = 0, in_run = 0, runs = 0;

  constexpr column_sample() = default;
  constexpr explicit column_sample(std::int64_t all) : atoms(all) {
    if (atoms == 0) return;
    window = static_cast<int>(atoms < most_atoms ? atoms : most_atoms);
    in_run = static_cast<int>(atoms / window < most_windows ? atoms / window : most_windows);
    std::int64_t const wanted = ceil_div(atoms, static_cast<std::int64_t>(window) * in_run);
    runs = static_cast<int>(wanted < most_runs ? wanted : most_runs);
  }
  EVENLY_HD constexpr int windows() const { return runs * in_run; }
  EVENLY_HD constexpr std::int64_t first_of(int which) const {
    int const run = which / in_run;
    std::int64_t const begin = runs > 1 ? run * (atoms - static_cast<std::int64_t>(window) * in_run) / (runs - 1) : 0;
    return begin + static_cast<std::int64_t>(window) * (which % in_run);
  }
};

template <class Column>
struct sketch_columns {
  Column const* columns;
  column_sample sample;
  int value_bytes;

  EVENLY_HD sector_sketch operator()(int which, int at) const {
    std::int64_t const atom = sample.first_of(which) + (at - which * sample.window);
    auto const column = static_cast<std::uint64_t>(columns[atom]);
    // a run of windows has a hash of its own; the mixing is that of SplitMix64
    std::uint64_t hash = (column * static_cast<std::uint64_t>(value_bytes) / 32 + 1) * 0x9e3779b97f4a7c15u +
                         static_cast<std::uint64_t>(which / sample.in_run) * 0xd1342543de82ef95u;
    hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ hash >> 27) * 0x94d049bb133111ebu;
    hash ^= hash >> 31;
    auto const box = static_cast<int>(hash & (sector_sketch::num_boxes - 1));
    std::uint32_t const mark = hash >> 62 == 0 ? 1u << box % 32 : 0u;
    sector_sketch sketch{};
    EVENLY_UNROLL
    for (int i = 0; i < sector_sketch::num_words; ++i) sketch.words[i] = i == box / 32 ? mark : 0u;
    return sketch;
  }
};

struct keep_sketch {
  sector_sketch* sketches;  // [windows]
  EVENLY_HD void operator()(int which, sector_sketch sketch) const { sketches[which] = sketch; }
};

struct no_columns {};

template <tile_set Set, class Columns>
struct features_body {
  using atom = atom_of_t<Set>;
  using length = std::conditional_t<sizeof(atom) <= 4, std::uint32_t, std::uint64_t>;
  static constexpr int bins = std::min(std::numeric_limits<atom>::digits + 1, row_features::num_bins);
  static constexpr int widths = row_features::num_widths;
  static constexpr int rounds_at = bins, longest_at = bins + widths, num_totals = longest_at + 1;
  static constexpr int steps = 4;  // tiles a lane takes at once, so that their loads overlap
  // A thread sees at most a 2^17th of all tiles where threads are many; a host's thread may see them all.
  template <class Worker>
  using count_of = std::conditional_t<replaying_worker<Worker>, std::uint64_t, std::uint32_t>;

  Set set;
  Columns columns;
  std::int64_t* totals;  // [num_totals], zero

  template <class Executor>
  static constexpr std::size_t scratch_bytes(int threads) {
    return (has_blocks<Executor> ? 4 : 8) * static_cast<std::size_t>(bins * threads) + 16;
  }

  template <worker Worker>
  EVENLY_HD void operator()(Worker me) const {
    using count = count_of<Worker>;
    int const threads = me.num_threads(), thread = me.thread();
    auto counts = me.template scratch<count>(bins * threads);  // a column a thread: no two ever meet
    for (int bin = 0; bin < bins; ++bin) counts[bin * threads + thread] = 0;
    auto const tally = [&](length size) {
      int const bin = bit_width(size);
      int const at = (bin < bins ? bin : bins - 1) * threads + thread;
      counts[at] = counts[at] + 1;
    };
    std::int64_t rounds[widths]{};
    std::int64_t longest = 0;
    auto const group = me.group(warp_size);
    auto const tiles = static_cast<std::int64_t>(set.num_tiles());
    for (auto turn : turns(group, ceil_div(tiles, steps * warp_size))) {
      std::int64_t const first = turn * steps * warp_size;
      if constexpr (replaying_worker<Worker>) {
        for (int step = 0; step < steps; ++step) {
          length most[warp_size];
          for (int lane = 0; lane < warp_size; ++lane) most[lane] = take(first + step * warp_size + lane, tiles, tally);
          for (int k = widths - 1; k >= 0; --k) {
            int const neighbours = warp_size >> k;  // tiles of a warp; most[] holds the longest of each half of them
            for (int lane = 0; lane < warp_size; lane += neighbours) {
              if (neighbours > 1 && most[lane + neighbours / 2] > most[lane]) most[lane] = most[lane + neighbours / 2];
              rounds[k] += rounds_of(most[lane], k);
            }
          }
          auto const whole = static_cast<std::int64_t>(most[0]);
          longest = whole > longest ? whole : longest;
        }
      } else {
        length most[steps];
        EVENLY_UNROLL
        for (int step = 0; step < steps; ++step) {
          std::int64_t const tile = first + step * warp_size + group.lane();
          most[step] = tile < tiles ? size_of(tile) : 0;
        }
        EVENLY_UNROLL
        for (int step = 0; step < steps; ++step) {
          if (first + step * warp_size + group.lane() < tiles) tally(most[step]);
          EVENLY_UNROLL
          for (int k = widths - 1; k >= 0; --k) {
            if (k < widths - 1) {
              length const other = group.shuffle(most[step], group.lane() ^ (warp_size / 2 >> k));
              most[step] = other > most[step] ? other : most[step];
            }
            // every lane adds for its neighbours, and the first of them will speak for all
            rounds[k] += rounds_of(most[step], k);
          }
          auto const whole = static_cast<std::int64_t>(most[step]);
          longest = whole > longest ? whole : longest;
        }
      }
    }
    EVENLY_UNROLL
    for (int k = 0; k < widths; ++k) {
      bool const speaks = group.active() && group.lane() % (warp_size >> k) == 0;
      std::int64_t const all = group.reduce(speaks ? rounds[k] : 0, plus<std::int64_t>{});
      if (group.active() && group.lane() == 0 && all != 0) atomic_add(totals + rounds_at + k, all);
    }
    if (group.active() && group.lane() == 0) atomic_max(totals + longest_at, longest);
    me.sync();
    for (int bin = thread; bin < bins; bin += threads) {
      std::int64_t all = 0;
      for (int i = 0; i < threads; ++i)  // each thread begins elsewhere: no bank is asked twice at once
        all += static_cast<std::int64_t>(counts[bin * threads + (i + thread) % threads]);
      if (all != 0) atomic_add(totals + bin, all);
    }
    if constexpr (!std::is_same_v<Columns, no_columns>) sketch(me);
  }

 private:
  EVENLY_HD length size_of(std::int64_t tile) const {
    auto const t = static_cast<tile_of_t<Set>>(tile);
    return static_cast<length>(set.tile_begin(static_cast<tile_of_t<Set>>(t + 1)) - set.tile_begin(t));
  }
  template <class Tally>
  EVENLY_HD length take(std::int64_t tile, std::int64_t tiles, Tally const& tally) const {
    if (tile >= tiles) return 0;
    length const size = size_of(tile);
    tally(size);
    return size;
  }
  static EVENLY_HD std::int64_t rounds_of(length size, int k) {
    return static_cast<std::int64_t>((size >> k) + ((size & ((length{1} << k) - 1)) != 0 ? 1 : 0));
  }

  template <class Worker>
  EVENLY_HD void sketch(Worker const& me) const {
    auto const& sample = columns.sample;
    auto* const sketches = reinterpret_cast<sector_sketch*>(totals + num_totals);
    uniform_tiles<int, int> const windows{sample.windows(), sample.window};
    reduce_tiles(me, plan_view(windows, warp_mapped{}), columns, sketch_union{}, keep_sketch{sketches});
  }
};

template <executor Executor, tile_set Set, class Columns>
void measure_features(Executor const& run, Set const& set, Columns const& columns, column_sample sample, features& of) {
  using body = features_body<Set, Columns>;
  of.rows.tiles = static_cast<std::int64_t>(set.num_tiles());
  of.rows.atoms = static_cast<std::int64_t>(set.num_atoms());
  of.offset_bytes = sizeof(atom_of_t<Set>);
  if (of.rows.tiles == 0) return;
  auto const windows = static_cast<std::size_t>(sample.windows());
  buffer<Executor> there(run, body::num_totals * sizeof(std::int64_t) + windows * sizeof(sector_sketch));
  run.fill(there.data(), 0, there.bytes());
  // a few turns a warp are worth its adding up
  std::int64_t const turns = ceil_div(of.rows.tiles, body::steps * warp_size);
  launch_shape shape = run.shape(std::max<std::int64_t>(ceil_div(turns, 4), sample.windows()), warp_size);
  while (shape.threads > 4 * warp_size) shape.threads /= 2, shape.blocks *= 2;
  shape.blocks = std::min<std::int64_t>(shape.blocks, 1024);
  shape.scratch_bytes = body::template scratch_bytes<Executor>(shape.threads);
  run.launch(shape, body{set, columns, static_cast<std::int64_t*>(there.data())});
  std::vector<std::int64_t> back(there.bytes() / sizeof(std::int64_t));
  run.copy_from(back.data(), there.data(), there.bytes());
  std::copy_n(back.begin(), body::bins, of.rows.counts.begin());
  std::copy_n(back.begin() + body::rounds_at, body::widths, of.rows.warp_rounds.begin());
  of.rows.longest = back[body::longest_at];
  if (windows == 0) return;
  std::vector<sector_sketch> sketches(windows);
  std::memcpy(sketches.data(), back.data() + body::num_totals, windows * sizeof(sector_sketch));
  double near = 0, wide = 0;
  for (std::size_t run_begin = 0; run_begin < windows; run_begin += static_cast<std::size_t>(sample.in_run)) {
    sector_sketch together{};
    for (int i = 0; i < sample.in_run; ++i) {
      auto const& one = sketches[run_begin + static_cast<std::size_t>(i)];
      near += one.estimate();
      together = sketch_union{}(together, one);
    }
    wide += together.estimate();
  }
  of.columns.sampled = static_cast<std::int64_t>(sample.windows()) * sample.window;
  of.columns.near_sectors = std::min(1.0, near / static_cast<double>(of.columns.sampled));
  of.columns.wide_sectors = std::min(of.columns.near_sectors, wide / static_cast<double>(of.columns.sampled));
}

template <class... Ts>
constexpr int bytes_of_operands(operand_list<Ts...> const&) {
  return (0 + ... + static_cast<int>(sizeof(Ts)));
}

}  // namespace detail

/// Counts the tiles of `set` by length. set: readable where `run` executes. value_bytes: of what a tile emits. One launch,
/// 34 KB of the executor's memory at most, for as long as it takes.
template <executor Executor, tile_set Set>
features features_of(Executor const& run, Set const& set, int value_bytes = 4) {
  features result;
  result.value_bytes = value_bytes;
  result.atom_bytes = detail::bytes_of_operands(operands_of(set));
  detail::measure_features(run, set, detail::no_columns{}, {}, result);
  return result;
}

/// The same for the rows of A, and how many sectors of x they touch: exact counts of the rows, an estimate good to a few
/// percent of the sectors. x and y have A's value type.
template <executor Executor, class Value, class Offset, class Column>
features features_of(Executor const& run, csr_view<Value, Offset, Column> const& A) {
  features result;
  result.value_bytes = sizeof(Value);
  result.atom_bytes = static_cast<int>(sizeof(Value) + sizeof(Column));
  result.columns.columns = A.shape().columns;
  detail::column_sample const sample(static_cast<std::int64_t>(A.num_atoms()));
  detail::measure_features(run, A, detail::sketch_columns<Column>{A.columns(), sample, static_cast<int>(sizeof(Value))},
                           sample, result);
  return result;
}

}  // namespace evenly
