// SPDX-License-Identifier: Apache-2.0
//
// The host executor: every block once, errors of bodies surface, scratch is refused by size, loops may nest.
#include "device_vector.hpp"

#include <evenly/exec/any_executor.hpp>
#include <evenly/exec/host.hpp>
#include <evenly/simt.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

namespace {

TEST(Host, runs_every_block_once) {
  for (int threads : {1, 2, 7}) {
    evenly::host const run({.threads = threads});
    EXPECT_EQ(run.num_threads(), threads);
    for (std::int64_t blocks : {0, 1, 2, 1000}) {
      std::vector<std::atomic<int>> seen(1000);
      run.launch({.blocks = blocks, .threads = 1}, [&](evenly::host_worker const& me) {
        EXPECT_EQ(me.num_blocks(), blocks);
        ++seen[static_cast<std::size_t>(me.block())];
      });
      for (std::int64_t b = 0; b < 1000; ++b) ASSERT_EQ(seen[static_cast<std::size_t>(b)], b < blocks ? 1 : 0);
    }
  }
}

TEST(Host, what_a_body_throws_is_thrown_by_launch_and_the_next_launch_is_well) {
  evenly::host const run({.threads = 3});
  for (int round = 0; round < 3; ++round) {
    EXPECT_THROW(run.launch({.blocks = 100, .threads = 1},
                            [](evenly::host_worker const& me) {
                              if (me.block() == 57) throw evenly::input_error("block 57");
                            }),
                 evenly::input_error);
    std::atomic<int> count = 0;
    run.launch({.blocks = 100, .threads = 1}, [&](evenly::host_worker const&) { ++count; });
    EXPECT_EQ(count, 100);
  }
}

TEST(Host, a_launch_inside_a_body_runs) {
  evenly::host const run({.threads = 3});
  std::atomic<int> count = 0;
  run.launch({.blocks = 10, .threads = 1}, [&](evenly::host_worker const&) {
    run.launch({.blocks = 10, .threads = 1}, [&](evenly::host_worker const&) { ++count; });
  });
  EXPECT_EQ(count, 100);
}

TEST(Host, scratch_beyond_what_the_launch_gave_is_refused_by_size) {
  evenly::host const run;
  try {
    run.launch({.blocks = 1, .threads = 1, .scratch_bytes = 32}, [](evenly::host_worker me) {
      me.scratch<int>(4);
      me.scratch<char>(1);
      me.scratch<int>(1);
    });
    FAIL() << "no refusal";
  } catch (evenly::argument_error const& error) {
    EXPECT_NE(std::string(error.what()).find("16 bytes wanted, 0 left"), std::string::npos) << error.what();
  }
}

TEST(Host, memory_is_copied_and_filled) {
  evenly::host const run;
  tests::device_vector<int, evenly::host> vector(run, std::vector<int>{1, 2, 3});
  EXPECT_EQ(vector.to_host(), (std::vector<int>{1, 2, 3}));
  run.fill(vector.data(), 0, 8);
  EXPECT_EQ(vector.to_host(), (std::vector<int>{0, 0, 3}));
  run.copy_to(nullptr, nullptr, 0);
  run.fill(nullptr, 0, 0);
}

struct one {
  int operator()(int, int) const { return 1; }
};
struct store {
  int* out;
  void operator()(int tile, int sum) const { out[tile] = sum; }
};
TEST(AnyExecutor, runs_on_the_one_it_holds) {
  using any = evenly::any_of<evenly::host, evenly::simt>;
  for (any const& run : {any(evenly::host()), any(evenly::simt())}) {
    std::vector<int> out(5, -1);
    evenly::reduce_tiles(run, evenly::uniform_tiles<int, int>{5, 3}, evenly::merge_path{2}, one{}, evenly::plus<int>{},
                         store{out.data()});
    run.wait();
    EXPECT_EQ(out, std::vector<int>(5, 3)) << run.name();
    EXPECT_FALSE(run.is_device());
  }
}

}  // namespace
