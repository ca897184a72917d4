// SPDX-License-Identifier: Apache-2.0
//
// Lays out a CSR matrix in two-way blocks, where it lies: every pass over atoms runs on the executor, one sort by (tile,
// class) orders the pieces, binary searches find where each class begins. The host sees a few numbers for each row block.
// The passes and what they agree on are in two_way_steps.hpp.
#pragma once

#include <evenly/algorithm/spmv.hpp>
#include <evenly/algorithm/two_way_steps.hpp>
#include <evenly/algorithm/two_way_view.hpp>
#include <evenly/exec/for_each_index.hpp>
#include <evenly/exec/limits.hpp>
#include <evenly/exec/materialize.hpp>
#include <evenly/exec/sort.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace evenly {

/// Sizes of the blocks. 0: what suits the executor.
struct two_way {
  static constexpr char const* name = "two_way";
  int rows_per_block = 0;    // sums in a block's scratch
  int columns_per_tile = 0;  // elements of x in each buffer there
  int buffers = 0;           // 2 or 3
  int units = 0;             // stretches of work to make at least, where there are tiles enough

  constexpr char const* fault() const {
    if (rows_per_block < 0 || rows_per_block > 65'000) return "two_way: rows_per_block must lie in 0..65000";
    if (columns_per_tile < 0 || columns_per_tile > 65'000) return "two_way: columns_per_tile must lie in 0..65000";
    if (buffers != 0 && buffers != 2 && buffers != 3) return "two_way: buffers must be 2 or 3, or 0 for either";
    if (units < 0 || units > 1'000'000) return "two_way: units must lie in 0..1000000";
    return nullptr;
  }
};

namespace detail {

/// The block sizes of one matrix.
struct two_way_sizes {
  std::int64_t column_tiles = 0, num_blocks = 0, block_slots = 0;
  std::int64_t parts = 1;  // units of a row block of mean size
  std::int32_t tile_columns = 0, most_slots = 0, buffers = 2, warps = 1;
};

/// Every row block reads all of x, so few large ones are best: as many slots as 3/5 of the scratch hold. If these are
/// fewer than the units that run at once, each is cut between several units, whose sums are then joined; and row blocks
/// are made equal, a whole number of rounds of units. most_slots leaves room for the slots of the row that ends a block.
inline two_way_sizes choose_sizes(two_way const& options, executor_limits const& limits, std::size_t value_bytes,
                                  std::int64_t slots, std::int64_t columns) {
  two_way_sizes sizes;
  sizes.warps = std::max(1, limits.threads / warp_size);
  std::int64_t const elements = static_cast<std::int64_t>(limits.scratch_bytes / value_bytes) - 16;
  std::int64_t const spare = sizes.warps;  // a row has at most warps + 1 slots
  std::int64_t const most =
      std::min<std::int64_t>(two_way_word::most - spare, std::max<std::int64_t>(elements * 3 / 5, 1));
  std::int64_t const wanted_slots = options.rows_per_block > 0 ? options.rows_per_block : most;
  std::int64_t tile = options.columns_per_tile;
  if (tile == 0) {
    // 48 KB a tile are ahead of 64 and 80 in the prototype's measurements (H200, f32)
    std::int64_t const room = (elements - std::min(wanted_slots, most) - spare) / 2 - 4;
    tile = std::min({room, static_cast<std::int64_t>((48 << 10) / value_bytes), std::int64_t{65'000}}) / 32 * 32;
    tile = std::max<std::int64_t>(tile, 32);
  }
  sizes.tile_columns = static_cast<std::int32_t>(std::min(tile, std::max<std::int64_t>(columns, 1)));
  sizes.column_tiles = ceil_div(columns, sizes.tile_columns);
  std::int64_t const units = options.units > 0 ? options.units : limits.units;
  std::int64_t const least = std::max<std::int64_t>(1, ceil_div(slots, wanted_slots));
  if (options.rows_per_block > 0) {
    sizes.num_blocks = least;
    sizes.block_slots = wanted_slots;
    sizes.parts = std::max<std::int64_t>(1, units / least);
  } else {
    sizes.parts = std::clamp<std::int64_t>(units / least, 1, std::max<std::int64_t>(sizes.column_tiles, 1));
    std::int64_t const blocks = least <= units ? std::max(least, units / sizes.parts) : ceil_div(least, units) * units;
    sizes.block_slots = std::max<std::int64_t>(1, ceil_div(slots, blocks));
    sizes.num_blocks = std::max<std::int64_t>(1, ceil_div(slots, sizes.block_slots));
  }
  sizes.most_slots = static_cast<std::int32_t>(sizes.block_slots + spare);
  std::int64_t const left = elements - sizes.most_slots;
  sizes.buffers = options.buffers > 0 ? options.buffers : left >= 3 * (sizes.tile_columns + 8) ? 3 : 2;
  if (left < static_cast<std::int64_t>(sizes.buffers) * (sizes.tile_columns + 8))
    throw argument_error("two_way: " + std::to_string(sizes.block_slots) + " rows and " +
                         std::to_string(sizes.buffers) + " buffers of " + std::to_string(sizes.tile_columns) +
                         " columns, each of " + std::to_string(value_bytes) + " bytes, do not fit the " +
                         std::to_string(limits.scratch_bytes) +
                         " bytes of scratch that a block has here; give smaller ones, or none");
  return sizes;
}

/// y's rows and x's columns in two-way blocks, in the executor's memory.
template <executor Executor, class Value, class Offset>
class two_way_form {
 public:
  template <class Column>
  two_way_form(Executor const& run, csr_view<Value, Offset, Column> const& A, two_way const& options)
      : run_(run), atoms_(A.num_atoms()), slot_begin_(run, 0), blocks_(run, 0), tiles_(run, 0), units_(run, 0),
        split_(run, 0), partials_(run, 0), words_(run, 0), values_(run, 0), places_(run, 0) {
    if (atoms_ == 0) return;  // there is nothing to lay out
    limits_ = limits_of(run_);
    array<int> flag(run_, 1);
    flag.clear();
    for_each_atom(run_, rows_of(A), default_schedule(run_),
                  find_descent<Offset, Column>{A.offsets(), A.columns(), flag.data()});
    if (flag.fetch(0) == 0) {
      lay_out(A, A.columns(), nullptr, options);
    } else {
      array<Offset> source(run_, atoms_);
      array<Column> columns(run_, atoms_);
      sort_rows(A, source, columns);
      lay_out(A, columns.data(), source.data(), options);
    }
  }

  two_way_view<Value, Offset> const& view() const { return view_; }
  executor_limits const& limits() const { return limits_; }
  std::size_t bytes() const {
    return slot_begin_.bytes() + blocks_.bytes() + tiles_.bytes() + units_.bytes() + split_.bytes() +
           partials_.bytes() + words_.bytes() + values_.bytes() + places_.bytes();
  }

  /// New values, [nnz] in the order of A's atoms.
  void refresh(Value const* from) {
    for_each_index(run_, static_cast<std::int64_t>(atoms_),
                   scatter_values<place, Value>{from, static_cast<place const*>(places_.data()),
                                                static_cast<Value*>(values_.data())});
  }

 private:
  using place = std::make_unsigned_t<Offset>;

  /// An array in the executor's memory for as long as the conversion takes.
  template <class T>
  class array {
   public:
    array(Executor const& run, std::int64_t size)
        : run_(run), memory_(run, static_cast<std::size_t>(size) * sizeof(T)) {}
    T* data() const { return static_cast<T*>(memory_.data()); }
    void clear() const { run_.fill(memory_.data(), 0, memory_.bytes()); }
    T fetch(std::int64_t i) const {
      T here;
      run_.wait();
      run_.copy_from(&here, data() + i, sizeof(T));
      return here;
    }
    buffer<Executor> release() { return std::move(memory_); }

   private:
    Executor run_;
    buffer<Executor> memory_;
  };

  template <class Column>
  static offset_tiles<Offset, Offset> rows_of(csr_view<Value, Offset, Column> const& A) {
    return {A.offsets(), A.num_tiles(), A.num_atoms()};
  }

  template <class T>
  buffer<Executor> send(std::vector<T> const& here) const {
    buffer<Executor> there(run_, here.size() * sizeof(T));
    run_.copy_to(there.data(), here.data(), there.bytes());
    return there;
  }
  template <class T>
  std::vector<T> fetch(T const* there, std::int64_t count) const {
    std::vector<T> here(static_cast<std::size_t>(count));
    run_.wait();
    run_.copy_from(here.data(), there, here.size() * sizeof(T));
    return here;
  }

  /// The atoms of each row by column, those of one column in A's order: by column first, then stably by row.
  template <class Column>
  void sort_rows(csr_view<Value, Offset, Column> const& A, array<Offset>& source, array<Column>& columns) const {
    using column_key = std::make_unsigned_t<Column>;
    auto const count = static_cast<std::int64_t>(atoms_);
    auto const largest = [](std::int64_t n) { return static_cast<std::uint64_t>(n > 0 ? n - 1 : 0); };
    array<column_key> keys(run_, count), sorted(run_, count);
    array<Offset> ids(run_, count), rows(run_, count), by_column(run_, count);
    array<place> row_keys(run_, count), sorted_rows(run_, count);
    for_each_atom(run_, rows_of(A), default_schedule(run_),
                  write_sort_keys<Offset, Column>{A.columns(), keys.data(), ids.data(), rows.data()});
    sort_pairs(run_, static_cast<column_key const*>(keys.data()), sorted.data(), static_cast<Offset const*>(ids.data()),
               by_column.data(), count, bits_for(largest(A.shape().columns)));
    for_each_index(run_, count, gather<Offset, Offset, place>{by_column.data(), rows.data(), row_keys.data()});
    sort_pairs(run_, static_cast<place const*>(row_keys.data()), sorted_rows.data(),
               static_cast<Offset const*>(by_column.data()), source.data(), count, bits_for(largest(A.shape().rows)));
    for_each_index(run_, count, gather<Offset, Column>{source.data(), A.columns(), columns.data()});
  }

  /// columns: sorted in each row; source: where their atoms lie in A, null if they are A's own.
  template <class Column>
  void lay_out(csr_view<Value, Offset, Column> const& A, Column const* columns, Offset const* source,
               two_way const& options) {
    auto const rows = static_cast<std::int64_t>(A.num_tiles());
    // pieces do not depend on the row blocks, slots only on the tiles of columns: first those, then the blocks
    auto const narrow = choose_sizes(options, limits_, sizeof(Value), rows, A.shape().columns);
    two_way_plane<Offset, Column> plane{A.offsets(),         columns,     nullptr, nullptr, 1, narrow.column_tiles, 1,
                                        narrow.tile_columns, narrow.warps};
    slot_begin_ = buffer<Executor>(run_, static_cast<std::size_t>(rows + 1) * sizeof(Offset));
    auto* const slots = static_cast<Offset*>(slot_begin_.data());
    run_.fill(slots, 0, sizeof(Offset));
    reduce_tiles(run_, rows_of(A), default_schedule(run_), slots_for<Offset, Column>{plane}, maximum<int>{},
                 store_slots<Offset>{slots});
    inclusive_scan(run_, slots, rows + 1);
    auto const num_slots = static_cast<std::int64_t>(fetch(slots + rows, 1)[0]);
    auto const sizes = choose_sizes(options, limits_, sizeof(Value), num_slots, A.shape().columns);
    std::int64_t const all_tiles = sizes.num_blocks * sizes.column_tiles;
    if (all_tiles > most_tiles)
      throw argument_error(
          "two_way: " + std::to_string(all_tiles) + " tiles (row blocks times column tiles) are more than " +
          std::to_string(most_tiles) +
          "; a matrix of that shape is too sparse for two-way blocks: use a plain schedule, or relabelled");
    blocks_ = buffer<Executor>(run_, static_cast<std::size_t>(sizes.num_blocks + 1) * sizeof(two_way_block<Offset>));
    auto* const blocks = static_cast<two_way_block<Offset>*>(blocks_.data());
    for_each_index(run_, sizes.num_blocks + 1,
                   find_block<Offset>{slots, A.num_tiles(), sizes.num_blocks, sizes.block_slots, blocks});
    plane.slot_begin = slots;
    plane.blocks = blocks;
    plane.num_blocks = sizes.num_blocks;
    plane.block_slots = sizes.block_slots;
    view_.slot_begin = slots;
    view_.blocks = blocks;
    view_.columns = A.shape().columns;
    view_.tile_columns = sizes.tile_columns;
    view_.most_slots = sizes.most_slots;
    view_.buffers = sizes.buffers;
    if (bits_for(static_cast<std::uint64_t>(all_tiles) << class_bits) <= 32)
      place_all<std::uint32_t>(A, plane, source, sizes);
    else place_all<std::uint64_t>(A, plane, source, sizes);
    refresh(A.values());
  }

  template <class Key, class Column>
  void place_all(csr_view<Value, Offset, Column> const& A, two_way_plane<Offset, Column> const& plane,
                 Offset const* source, two_way_sizes const& sizes) {
    auto const count = static_cast<std::int64_t>(atoms_), all_tiles = sizes.num_blocks * sizes.column_tiles;
    auto const schedule = default_schedule(run_);
    array<Offset> ids(run_, count);
    for_each_atom(run_, rows_of(A), schedule, mark_pieces<Offset, Column>{plane, ids.data()});
    inclusive_scan(run_, ids.data(), count);
    auto const pieces = static_cast<std::int64_t>(ids.fetch(count - 1));

    array<Key> keys(run_, pieces), sorted_keys(run_, pieces);
    array<Offset> order(run_, pieces), sorted(run_, pieces), bounds(run_, all_tiles * piece_classes + 1);
    array<std::uint16_t> slots(run_, pieces);
    array<std::uint8_t> lengths(run_, pieces);
    for_each_atom(run_, rows_of(A), schedule,
                  describe_pieces<Offset, Column, Key>{plane, ids.data(), keys.data(), order.data(), slots.data(),
                                                       lengths.data()});
    sort_pairs(run_, static_cast<Key const*>(keys.data()), sorted_keys.data(), static_cast<Offset const*>(order.data()),
               sorted.data(), pieces, bits_for((static_cast<std::uint64_t>(all_tiles) << class_bits) - 1));
    for_each_index(run_, all_tiles * piece_classes + 1,
                   find_bound<Offset, Key>{sorted_keys.data(), static_cast<Offset>(pieces), bounds.data()});

    array<std::int64_t> quads(run_, all_tiles + 1), numbers(run_, all_tiles + 1);
    run_.fill(quads.data(), 0, sizeof(std::int64_t));
    run_.fill(numbers.data(), 0, sizeof(std::int64_t));
    for_each_index(run_, all_tiles, measure_tile<Offset>{bounds.data(), quads.data(), numbers.data()});
    inclusive_scan(run_, quads.data(), all_tiles + 1);
    inclusive_scan(run_, numbers.data(), all_tiles + 1);
    std::int64_t const num_quads = quads.fetch(all_tiles);
    view_.num_tiles = numbers.fetch(all_tiles);
    if (std::cmp_greater(4 * num_quads, std::numeric_limits<place>::max()))
      throw argument_error("two_way: " + std::to_string(4 * num_quads) +
                           " places for atoms, padding included, do not fit; use 64-bit offsets, or a plain schedule");

    words_ = buffer<Executor>(run_, static_cast<std::size_t>(4 * num_quads) * sizeof(std::uint32_t));
    values_ = buffer<Executor>(run_, static_cast<std::size_t>(4 * num_quads) * sizeof(Value));
    tiles_ = buffer<Executor>(run_, static_cast<std::size_t>(view_.num_tiles + 1) * sizeof(two_way_tile));
    places_ = buffer<Executor>(run_, static_cast<std::size_t>(count) * sizeof(place));
    auto* const words = static_cast<std::uint32_t*>(words_.data());
    auto* const tiles = static_cast<two_way_tile*>(tiles_.data());
    for_each_index(run_, all_tiles + 1,
                   write_tile<Offset, Column>{plane, bounds.data(), quads.data(), numbers.data(), tiles});
    array<place> places(run_, pieces);
    for_each_index(run_, pieces,
                   place_pieces<Offset, Key, Value>{sorted_keys.data(), sorted.data(), bounds.data(), quads.data(),
                                                    slots.data(), lengths.data(), sizes.tile_columns, places.data(),
                                                    words, static_cast<Value*>(values_.data())});
    for_each_atom(run_, rows_of(A), schedule,
                  place_atoms<Offset, Column, Value>{plane, ids.data(), slots.data(), places.data(), source,
                                                     static_cast<place*>(places_.data()), words});
    view_.words = words;
    view_.values = static_cast<Value const*>(values_.data());
    view_.tiles = tiles;
    make_units(sizes, quads, numbers, num_quads);
  }

  /// As many units for a row block as its share of all cost asks for.
  void make_units(two_way_sizes const& sizes, array<std::int64_t> const& quads, array<std::int64_t> const& numbers,
                  std::int64_t num_quads) {
    array<std::int64_t> ends(run_, 2 * (sizes.num_blocks + 1));
    std::int64_t* const tile_ends = ends.data() + sizes.num_blocks + 1;
    for_each_index(run_, sizes.num_blocks + 1, block_ends{quads.data(), sizes.column_tiles, ends.data()});
    for_each_index(run_, sizes.num_blocks + 1, block_ends{numbers.data(), sizes.column_tiles, tile_ends});
    auto const first_quad = fetch(static_cast<std::int64_t const*>(ends.data()), sizes.num_blocks + 1),
               first_tile = fetch(static_cast<std::int64_t const*>(tile_ends), sizes.num_blocks + 1);
    auto const blocks = fetch(view_.blocks, sizes.num_blocks + 1);
    // what fetching a tile of x costs beside the atoms of a quad, by bytes; it comes from L2, they come from memory
    std::int64_t const tile_cost = 1 + static_cast<std::int64_t>(sizes.tile_columns) *
                                           static_cast<std::int64_t>(sizeof(Value)) /
                                           (8 * static_cast<std::int64_t>(sizeof(Value) + sizeof(std::uint32_t)));
    double const all = static_cast<double>(num_quads) + static_cast<double>(view_.num_tiles * tile_cost);
    double const of_a_unit = all / static_cast<double>(sizes.parts * sizes.num_blocks);
    std::vector<two_way_unit> units;
    std::vector<std::int64_t> part_of;
    std::vector<std::int32_t> split;
    std::int64_t partial = 0;
    for (std::size_t b = 0; b + 1 < blocks.size(); ++b) {
      std::int64_t const tiles = first_tile[b + 1] - first_tile[b];
      if (first_quad[b + 1] - first_quad[b] > std::numeric_limits<std::int32_t>::max() / 2)  // counted in 32 bits
        throw argument_error("two_way: a block of rows holds more than 4e9 nonzeros; use a plain schedule");
      double const cost = static_cast<double>(first_quad[b + 1] - first_quad[b] + tiles * tile_cost);
      auto const parts = static_cast<std::int32_t>(std::clamp<std::int64_t>(
          static_cast<std::int64_t>(cost / of_a_unit + 0.5), 1, std::max<std::int64_t>(tiles, 1)));
      if (parts > 1) split.push_back(static_cast<std::int32_t>(units.size()));
      auto const slots = static_cast<std::int64_t>(blocks[b + 1].first_slot - blocks[b].first_slot);
      for (std::int32_t part = 0; part < parts; ++part) {
        units.push_back({first_tile[b], first_tile[b + 1], partial, static_cast<std::int32_t>(b), parts});
        part_of.push_back(part);
        if (parts > 1) partial += slots;
      }
    }
    view_.num_units = static_cast<std::int64_t>(units.size());
    view_.num_split = static_cast<std::int64_t>(split.size());
    units_ = send(units);
    split_ = send(split);
    partials_ = buffer<Executor>(run_, static_cast<std::size_t>(partial) * sizeof(Value));
    buffer<Executor> const parts_there = send(part_of);
    auto* const units_there = static_cast<two_way_unit*>(units_.data());
    for_each_index(
        run_, view_.num_units,
        cut_units{view_.tiles, tile_cost, units_there, static_cast<std::int64_t const*>(parts_there.data())});
    view_.units = units_there;
    view_.split_units = static_cast<std::int32_t const*>(split_.data());
    view_.partials = static_cast<Value*>(partials_.data());
    run_.wait();  // memory of this conversion alone is about to be freed, in stream order where there is one
  }

  static constexpr std::int64_t most_tiles = std::int64_t{1} << 25;

  Executor run_;
  Offset atoms_;
  executor_limits limits_;
  two_way_view<Value, Offset> view_;
  buffer<Executor> slot_begin_, blocks_, tiles_, units_, split_, partials_, words_, values_, places_;
};

}  // namespace detail

}  // namespace evenly
