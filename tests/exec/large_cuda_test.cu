// SPDX-License-Identifier: Apache-2.0
// labels: slow
//
// Whole passes over more than 2^32 atoms and tiles that nobody stores, and over arrays beyond 2^31 elements: row "atoms or
// tiles or their sum at and beyond 2^31 and 2^32" of the contract's edge table. One tile over more than 100,000 blocks.
#include "gpu.hpp"
#include "implicit_tile_sets.hpp"
#include "matrices.hpp"
#include "operators.hpp"
#include "schedules.hpp"

#include <evenly/algorithm/spmv.hpp>
#include <evenly/core/atomic.hpp>

#include <cmath>
#include <vector>

namespace {

/// First atom, last atom and breaks between neighbours, in 64 bits: 24 bytes, not commutative. What a tile's value must be
/// is known without any reference.
struct long_run {
  std::int64_t first = -1, last = -1, breaks = 0;
};
struct follow {
  EVENLY_HD constexpr long_run identity() const { return {}; }
  EVENLY_HD constexpr long_run operator()(long_run x, long_run y) const {
    if (x.first < 0) return y;
    if (y.first < 0) return x;
    return {x.first, y.last, x.breaks + y.breaks + (x.last + 1 == y.first ? 0 : 1)};
  }
};
template <class Tile, class Atom>
struct atom_alone {
  EVENLY_HD long_run operator()(Tile, Atom atom) const {
    return {static_cast<std::int64_t>(atom), static_cast<std::int64_t>(atom), 0};
  }
};

constexpr int places = 1 << 14;  // counters are spread, since many thousand threads count at once

/// Counts tiles, adds up a hash of their ids, counts wrong values.
template <class Set>
struct checking_emit {
  Set set;
  unsigned long long *tiles, *hashes, *wrong;  // [places], [places], [1]
  EVENLY_HD void operator()(evenly::tile_of_t<Set> tile, long_run value) const {
    auto const t = static_cast<std::int64_t>(tile);
    auto const begin = static_cast<std::int64_t>(set.tile_begin(tile));
    auto const end = static_cast<std::int64_t>(set.tile_begin(static_cast<evenly::tile_of_t<Set>>(tile + 1)));
    auto const place = tests::scrambled(1, t) % places;
    evenly::atomic_add(tiles + place, 1ull);
    evenly::atomic_add(hashes + place, static_cast<unsigned long long>(t) * 0x9E3779B97F4A7C15ull);
    bool const right =
        begin == end ? value.first == -1 && value.last == -1 : value.first == begin && value.last == end - 1;
    if (!right || value.breaks != 0) evenly::atomic_add(wrong, 1ull);
  }
};

class CudaLarge : public tests::Gpu {
 protected:
  evenly::cuda run;

  template <class Set, class Schedule>
  void passes_over(char const* name, Set const& set, Schedule const& schedule) {
    using tile = evenly::tile_of_t<Set>;
    using atom = evenly::atom_of_t<Set>;
    tests::device_vector<unsigned long long, evenly::cuda> const tiles(run, std::vector<unsigned long long>(places, 0)),
        hashes(run, std::vector<unsigned long long>(places, 0)), wrong(run, std::vector<unsigned long long>(1, 0));
    evenly::reduce_tiles(run, set, schedule, atom_alone<tile, atom>{}, follow{},
                         checking_emit<Set>{set, tiles.data(), hashes.data(), wrong.data()});
    run.wait();
    unsigned long long count = 0, hash = 0;
    for (auto n : tiles.to_host()) count += n;
    for (auto n : hashes.to_host()) hash += n;
    auto const n = static_cast<unsigned long long>(set.num_tiles());
    unsigned long long const pairs = n == 0 ? 0 : n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
    EXPECT_EQ(count, n) << tests::show(schedule) << " on " << name;
    EXPECT_EQ(hash, pairs * 0x9E3779B97F4A7C15ull)
        << tests::show(schedule) << " on " << name << ": some tile twice, some never";
    EXPECT_EQ(wrong.to_host()[0], 0u) << tests::show(schedule) << " on " << name;
  }
};

TEST_F(CudaLarge, tiles_that_end_at_2_31_and_2_32) {
  auto const borders = tests::few<int, std::int64_t>(tests::two_31 - 1, 1, 0, tests::two_31, 1, 7);
  passes_over("borders", borders, evenly::merge_path{});
  passes_over("borders", borders, evenly::nonzero_split{});
  passes_over("borders", borders, evenly::group_mapped{1024});
}
TEST_F(CudaLarge, one_tile_of_more_than_2_32_atoms) {
  auto const one = tests::few<std::int64_t, std::int64_t>(0, tests::two_32 + 12345, 0);
  passes_over("one tile", one, evenly::merge_path{16});
  passes_over("one tile", one, evenly::nonzero_split{});
  passes_over("one tile", one, evenly::group_mapped{1024});
}
TEST_F(CudaLarge, tiles_and_atoms_that_each_fit_32_bits_and_together_do_not) {
  evenly::uniform_tiles<std::int32_t, std::int32_t> const set{std::numeric_limits<std::int32_t>::max(), 1};
  passes_over("ones", set, evenly::merge_path{});
  passes_over("ones", set, evenly::nonzero_split{});
  passes_over("ones", set, evenly::thread_mapped{});
}
TEST_F(CudaLarge, more_than_2_32_tiles) {
  passes_over("2^32 + 5 ones", evenly::uniform_tiles<std::int64_t, std::int64_t>{tests::two_32 + 5, 1},
              evenly::merge_path{});
  passes_over("2^32 + 5 ones", evenly::uniform_tiles<std::int64_t, std::int64_t>{tests::two_32 + 5, 1},
              evenly::thread_mapped{});
  passes_over("2^32 + 5 empty", evenly::uniform_tiles<std::int64_t, std::int64_t>{tests::two_32 + 5, 0},
              evenly::merge_path{});
}
TEST_F(CudaLarge, rough_tiles_over_five_thousand_million_atoms) {
  tests::rough_tiles<std::int32_t, std::int64_t> const set{1 << 28, 20};
  passes_over("rough", set, evenly::merge_path{});
  passes_over("rough", set, evenly::nonzero_split{});
  passes_over("rough", set, evenly::group_mapped{8});
  passes_over("rough", set, evenly::group_dealt{});
}
TEST_F(CudaLarge, one_tile_over_more_than_100_000_blocks) {
  auto const one = tests::few<int, int>(3, 40'000'000, 0, 5);
  passes_over("one tile", one, evenly::merge_path{1});
  passes_over("one tile", one, evenly::nonzero_split{1});
}

/// A formula with one array of bytes, one for each atom.
struct tiles_of_bytes : tests::few_tiles<std::int32_t, std::int32_t> {
  unsigned char const* bytes;
  EVENLY_HD constexpr auto operands() const { return evenly::operand_list<unsigned char>(bytes); }
};
struct byte_as_number {
  EVENLY_HD std::int64_t operator()(evenly::ignored, evenly::ignored, unsigned char byte) const { return byte; }
};
struct store {
  std::int64_t* out;
  EVENLY_HD void operator()(int tile, std::int64_t sum) const { out[tile] = sum; }
};
// Fetching four atoms at a time must neither overflow behind the last atom that int counts nor read beyond it.
TEST_F(CudaLarge, operands_of_as_many_atoms_as_int_counts) {
  auto const set = tests::few<std::int32_t, std::int32_t>(7, std::numeric_limits<std::int32_t>::max() - 10, 0, 3);
  tests::device_vector<unsigned char, evenly::cuda> const bytes(run, static_cast<std::size_t>(set.num_atoms()));
  run.fill(bytes.data(), 3, bytes.size());
  auto const pass = [&](auto const& schedule) {
    tests::device_vector<std::int64_t, evenly::cuda> const out(run, 4);
    evenly::reduce_tiles(run, tiles_of_bytes{set, bytes.data()}, schedule, byte_as_number{},
                         evenly::plus<std::int64_t>{}, store{out.data()});
    run.wait();
    EXPECT_EQ(out.to_host(),
              (std::vector<std::int64_t>{21, 3 * (std::int64_t{std::numeric_limits<std::int32_t>::max()} - 10), 0, 9}))
        << tests::show(schedule);
  };
  pass(evenly::merge_path{});
  pass(evenly::nonzero_split{16});
  pass(evenly::group_mapped{32});
  pass(evenly::group_mapped{256});
}

TEST_F(CudaLarge, spmv_with_64_bit_offsets_and_32_bit_columns_over_more_than_2_31_nonzeros) {
  std::int64_t const rows = 2'200'000, each = 1000, nnz = rows * each;
  std::vector<std::int64_t> begins;
  for (std::int64_t row = 0; row <= rows; ++row) begins.push_back(row * each);
  tests::device_vector<std::int64_t, evenly::cuda> const offsets(run, begins);
  tests::device_vector<std::int32_t, evenly::cuda> const columns(run, static_cast<std::size_t>(nnz));
  tests::device_vector<float, evenly::cuda> const values(run, static_cast<std::size_t>(nnz)),
      x(run, std::vector<float>{2.0f}), y(run, static_cast<std::size_t>(rows));
  run.fill(columns.data(), 0, static_cast<std::size_t>(nnz) * 4);
  run.fill(values.data(), 0x3F, static_cast<std::size_t>(nnz) * 4);  // 0x3F3F3F3F: about 0.747
  float value;
  run.copy_from(&value, values.data(), 4);
  evenly::csr_view<float, std::int64_t, std::int32_t> const A(values.data(), offsets.data(), columns.data(), {rows, 1},
                                                              nnz);
  evenly::spmv(run, A, tests::view_of(x), tests::view_of(y), evenly::merge_path{});
  run.wait();
  double const expected = 2.0 * each * static_cast<double>(value), bound = (each + 3) * 1.2e-7 * expected;
  std::int64_t wrong = 0;
  for (float sum : y.to_host()) wrong += std::abs(static_cast<double>(sum) - expected) <= bound ? 0 : 1;
  EXPECT_EQ(wrong, 0);
}

}  // namespace
