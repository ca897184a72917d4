// SPDX-License-Identifier: Apache-2.0
//
// Layer (a) beyond the plain loop: a sink with a width (several columns a tile), two plans fused in one body, scratch of
// the body's own beside it, launches of any shape.
#include "determinism.hpp"
#include "schedules.hpp"
#include "trial.hpp"

#include <evenly/exec/host.hpp>
#include <evenly/simt.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

using run_of_atoms = tests::run_of_atoms;
using twelve = tests::twelve_bytes;

struct wide_emit {
  run_of_atoms* out;  // [tiles][width]
  int width;
  tests::counters cells;
  void operator()(int tile, int column, run_of_atoms value) const {
    cells.count(tile * width + column);
    out[tile * width + column] = value;
  }
};
template <class View, class Sink>
struct wide_body {
  View rows;
  Sink out;
  int width;
  template <evenly::worker Worker>
  void operator()(Worker const& me) const {
    for (auto row : rows.tiles(me))
      for (int column = 0; column < width; ++column) {
        auto sum = out.op().identity();
        for (auto atom : row.atoms()) sum = out.op()(sum, twelve::value_at(row, atom * 8 + column));
        out.put(row, column, sum);
      }
  }
};

template <class Executor, class Schedule>
void emits_every_column_once(Executor const& run, Schedule const& schedule, int width) {
  tests::tile_sizes const sizes{0, 3, 700, 0, 1, 40, 0};
  auto const offsets = tests::offsets_of<int>(sizes);
  evenly::offset_tiles<int, int> const set{offsets.data(), 7, offsets.back()};
  auto const cells = static_cast<std::size_t>(7 * width);
  std::vector<run_of_atoms> out(cells);
  std::vector<int> counts(cells + 1, -1);
  wide_emit const emit{out.data(), width, {counts.data(), 7 * width}};
  auto const plan = evenly::make_plan(run, set, schedule, sizeof(run_of_atoms) * static_cast<std::size_t>(width));
  auto const rows = evenly::dealt_for(plan.view(), twelve::op{});
  auto const to = evenly::sink(rows, twelve::op{}, emit, width);
  evenly::launch(run, rows, wide_body<decltype(rows), decltype(to)>{rows, to, width});
  evenly::join(run, rows, twelve::op{}, emit, width);
  run.wait();
  counts.pop_back();
  EXPECT_EQ(counts, std::vector<int>(cells, 0))
      << tests::show(schedule) << " on " << Executor::name << ", width " << width;
  for (int tile = 0; tile < 7; ++tile)
    for (int column = 0; column < width; ++column) {
      auto expected = twelve::op{}.identity();
      for (int atom = offsets[static_cast<std::size_t>(tile)]; atom < offsets[static_cast<std::size_t>(tile) + 1];
           ++atom)
        expected = twelve::op{}(expected, twelve::value_at(tile, atom * 8 + column));
      ASSERT_TRUE(out[static_cast<std::size_t>(tile * width + column)] == expected)
          << tests::show(schedule) << " on " << Executor::name << ", tile " << tile << ", column " << column << " of "
          << width;
    }
}
TEST(Sink, emits_every_column_of_every_tile_once) {
  evenly::host const host({.threads = 2});
  evenly::simt const simt;
  for (int width : {1, 2, 3, 8}) {
    for (int items : {1, 3, 8, 1000}) {
      emits_every_column_once(host, evenly::merge_path{items}, width);
      emits_every_column_once(simt, evenly::merge_path{items}, width);
      emits_every_column_once(host, evenly::nonzero_split{items}, width);
    }
    emits_every_column_once(host, evenly::group_mapped{5}, width);
    emits_every_column_once(simt, evenly::group_mapped{5}, width);
    emits_every_column_once(simt, evenly::group_mapped{48}, width);
    emits_every_column_once(simt, evenly::group_dealt{.lanes = 7, .tiles = 3}, width);
  }
}

/// Two passes in one launch, over two sets and schedules, the second with scratch between: scratch is the body's own.
template <class First, class Second, class One, class Two>
struct fused_body {
  First first;
  Second second;
  One one;
  Two two;
  template <evenly::worker Worker>
  void operator()(Worker me) const {
    auto mine = me.template scratch<int>(me.num_threads());
    mine[me.thread()] = me.thread();
    me.sync();
    int const neighbour = mine[(me.thread() + 1) % me.num_threads()];
    bool const sound = neighbour == (me.thread() + 1) % me.num_threads();
    for (auto row : first.tiles(me)) {
      auto sum = one.op().identity();
      for (auto atom : row.atoms()) sum = one.op()(sum, sound ? twelve::value_at(row, atom) : run_of_atoms{-5, -5, 0});
      one.put(row, sum);
    }
    for (auto row : second.tiles(me)) {
      auto sum = two.op().identity();
      for (auto atom : row.atoms()) sum = two.op()(sum, tests::matrix_product::value_at(row, atom));
      two.put(row, sum);
    }
  }
};
template <class Executor, class One, class Two>
void fuses(Executor const& run, One const& schedule, Two const& other, evenly::launch_shape shape) {
  tests::trial<twelve, Executor> first(run);
  tests::trial<tests::matrix_product, Executor> second(run);
  first.on({0, 3, 700, 0, 1, 40, 0}).poison_all();
  second.on({5, 0, 0, 300, 2}).poison_all();
  auto const a = evenly::make_plan(run, first.set(), schedule, 16),
             b_keeps_a_apart = evenly::make_plan(run, first.set(), schedule, 16);
  auto const b = evenly::make_plan(run, second.set(), other, 16);
  auto const rows = evenly::dealt_for(a.view(), twelve::op{});
  auto const others = evenly::dealt_for(b.view(), tests::matrix_product::op{});
  auto const one = evenly::sink(rows, twelve::op{}, first.emit());
  auto const two = evenly::sink(others, tests::matrix_product::op{}, second.emit());
  run.launch(shape, fused_body<decltype(rows), decltype(others), decltype(one), decltype(two)>{rows, others, one, two});
  evenly::join(run, rows, twelve::op{}, first.emit());
  evenly::join(run, others, tests::matrix_product::op{}, second.emit());
  run.wait();
  auto const got = first.values();
  for (std::size_t t = 0; t < first.expected().size(); ++t)
    EXPECT_TRUE(got[t] == first.expected()[t]) << "first pass, tile " << t;
  auto const more = second.values();
  for (std::size_t t = 0; t < second.expected().size(); ++t)
    EXPECT_TRUE(more[t] == second.expected()[t]) << "second pass, tile " << t;
}
TEST(Sink, two_passes_in_one_launch_each_emit_their_tiles) {
  evenly::host const host({.threads = 3});
  fuses(host, evenly::merge_path{3}, evenly::group_mapped{5}, {.blocks = 7, .threads = 1, .scratch_bytes = 64});
  fuses(host, evenly::merge_path{3}, evenly::nonzero_split{2}, {.blocks = 1, .threads = 1, .scratch_bytes = 64});
  evenly::simt const simt;
  fuses(simt, evenly::merge_path{3}, evenly::group_mapped{5}, {.blocks = 3, .threads = 64, .scratch_bytes = 1024});
  fuses(simt, evenly::group_mapped{48}, evenly::merge_path{1}, {.blocks = 1, .threads = 128, .scratch_bytes = 1024});
  fuses(simt, evenly::nonzero_split{2}, evenly::group_dealt{.lanes = 24, .tiles = 2},
        {.blocks = 5, .threads = 96, .scratch_bytes = 1024});
}

// Results depend on the plan, never on the grid: any launch covers everything.
template <class Executor>
void any_launch_covers_everything(Executor const& run, std::vector<evenly::launch_shape> const& shapes) {
  tests::trial<tests::float_sum, Executor> trial(run);
  trial.on({0, 900, 3, 0, 1, 40, 700, 0});
  auto const plan = evenly::make_plan(run, trial.set(), evenly::merge_path{3}, 4);
  auto const groups = evenly::make_plan(run, trial.set(), evenly::group_mapped{8}, 4);
  std::vector<unsigned char> first_bits[2];
  for (auto const& shape : shapes) {
    auto const launched = [&](auto const& rows) {
      trial.poison_all();
      auto const out = evenly::sink(rows, evenly::plus<float>{}, trial.emit());
      run.launch(shape, tests::nested_ranges<std::remove_cvref_t<decltype(rows)>, decltype(trial.map()), decltype(out)>{
                            rows, trial.map(), out});
      evenly::join(run, rows, evenly::plus<float>{}, trial.emit());
      run.wait();
      return tests::bits_of(trial.values(), 8);
    };
    int which = 0;
    for (auto const& bits : {launched(plan.view()), launched(groups.view())}) {
      if (first_bits[which].empty()) first_bits[which] = bits;
      EXPECT_EQ(bits, first_bits[which]) << Executor::name << ", " << shape.blocks << " blocks of " << shape.threads;
      ++which;
    }
  }
}
TEST(Sink, results_do_not_depend_on_the_grid) {
  any_launch_covers_everything(
      evenly::host({.threads = 3}),
      {{.blocks = 1, .threads = 1}, {.blocks = 2, .threads = 1}, {.blocks = 5000, .threads = 1}});
  any_launch_covers_everything(evenly::simt(), {{.blocks = 1, .threads = 32},
                                                {.blocks = 3, .threads = 40},
                                                {.blocks = 100, .threads = 64},
                                                {.blocks = 2, .threads = 1024}});
}

}  // namespace
