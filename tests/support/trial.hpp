// SPDX-License-Identifier: Apache-2.0
//
// What executors make of a schedule's shares: reduce_tiles, the nested ranges of layer (a) with join, and for_each_atom.
// Every output is poisoned first, every emission and every visit is counted, and nothing outside is touched. Bodies are
// named functors over plain pointers, so that the same file serves host, simt and nvcc.
#pragma once

#include "device_vector.hpp"
#include "operators.hpp"
#include "properties.hpp"
#include "tile_sets.hpp"

#include <evenly/core/atomic.hpp>
#include <evenly/core/tile_set.hpp>
#include <evenly/exec/launch.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace tests {

/// Counts the visits of each atom; counters start at -1, so one visit makes 0. Ids out of range count in the last one.
struct counters {
  int* counts;  // [size + 1]
  std::int64_t size;
  EVENLY_HD void count(std::int64_t i) const { evenly::atomic_add(counts + (i >= 0 && i < size ? i : size), 1); }
};

template <class Case, class Tile, class Atom>
struct counted_map {
  counters atoms;
  EVENLY_HD evenly::value_of_t<typename Case::op> operator()(Tile tile, Atom atom) const {
    atoms.count(static_cast<std::int64_t>(atom));
    return Case::value_at(static_cast<std::int64_t>(tile), static_cast<std::int64_t>(atom));
  }
};

template <class Value, class Tile>
struct counted_emit {
  Value* out;  // [size + 1]
  counters tiles;
  EVENLY_HD void operator()(Tile tile, Value value) const {
    auto const t = static_cast<std::int64_t>(tile);
    tiles.count(t);
    if (t >= 0 && t < tiles.size) out[t] = value;
  }
};

template <class Tile, class Atom>
struct counted_visit {
  counters atoms;
  Tile* tile_of_atom;
  EVENLY_HD void operator()(Tile tile, Atom atom) const {
    auto const a = static_cast<std::int64_t>(atom);
    atoms.count(a);
    if (a >= 0 && a < atoms.size) tile_of_atom[a] = tile;
  }
};

/// Layer (a): the body as a user writes it, with a sink.
template <class View, class Map, class Sink>
struct nested_ranges {
  View rows;
  Map map;
  Sink out;
  template <evenly::worker Worker>
  EVENLY_HD void operator()(Worker const& me) const {
    for (auto row : rows.tiles(me)) {
      auto sum = out.op().identity();
      for (auto atom : row.atoms()) sum = out.op()(sum, map(row, atom));
      out.put(row, sum);
    }
  }
};

template <class Case, evenly::executor Executor, class Tile = int, class Atom = int>
class trial {
 public:
  using op = typename Case::op;
  using value = evenly::value_of_t<op>;
  using set_type = evenly::offset_tiles<Tile, Atom>;

  explicit trial(Executor const& run)
      : run_(run), offsets_(run), values_(run), emissions_(run), visits_(run), owners_(run) {}

  /// Takes a tile set and computes the reference for it, atom by atom in order.
  trial& on(tile_sizes const& sizes) {
    sizes_ = sizes;
    host_offsets_ = offsets_of<Atom>(sizes);
    offsets_.assign(host_offsets_);
    expected_.clear();
    for (std::size_t t = 0; t < sizes.size(); ++t) {
      value sum = op{}.identity();
      for (Atom atom = host_offsets_[t]; atom < host_offsets_[t + 1]; ++atom)
        sum = op{}(sum, Case::value_at(static_cast<std::int64_t>(t), static_cast<std::int64_t>(atom)));
      expected_.push_back(sum);
    }
    return *this;
  }

  set_type set() const { return {offsets_.data(), static_cast<Tile>(sizes_.size()), host_offsets_.back()}; }

  /// Layer (c): reduce_tiles visits every atom once, emits every tile once and equals the reference.
  template <class Schedule>
  verdict reduce(Schedule const& schedule) {
    poison_all();
    evenly::reduce_tiles(run_, set(), schedule, map(), op{}, emit());
    run_.wait();
    return judge(schedule, "reduce_tiles");
  }
  /// The same with a plan that is run twice: the second run overwrites what the first left, in every carry.
  template <class Schedule>
  verdict reduce_again(evenly::plan<Executor, set_type, Schedule> const& plan) {
    poison_all();
    evenly::reduce_tiles(plan, map(), op{}, emit());
    run_.wait();
    return judge(plan.shares().schedule(), "reduce_tiles(plan)");
  }
  /// The staged form, whose blocks scan as soon as more than `long_tiles` of their tiles are long.
  template <class Schedule>
  verdict reduce_staged(evenly::plan<Executor, set_type, Schedule> const& plan, int long_tiles) {
    poison_all();
    auto rows = plan.staged();
    rows.stage.long_tiles = long_tiles;
    evenly::launch_staged(run_, rows, map(), op{}, emit());
    run_.wait();
    return judge(plan.shares().schedule(), ("staged, " + std::to_string(long_tiles) + " long tiles").c_str());
  }
  /// Layer (a): nested ranges, a sink and join.
  template <class Schedule>
  verdict ranges(Schedule const& schedule) {
    poison_all();
    auto const plan = evenly::make_plan(run_, set(), schedule, sizeof(value));
    auto const rows = evenly::dealt_for(plan.view(), op{});
    auto const out = evenly::sink(rows, op{}, emit());
    evenly::launch(run_, rows, nested_ranges<decltype(rows), decltype(map()), decltype(out)>{rows, map(), out});
    evenly::join(run_, rows, op{}, emit());
    run_.wait();
    return judge(schedule, "nested ranges");
  }
  /// for_each_atom visits every atom once and knows its tile.
  template <class Schedule>
  verdict visit(Schedule const& schedule) {
    poison_all();
    owners_.resize(num_atoms());
    evenly::for_each_atom(run_, set(), schedule,
                          counted_visit<Tile, Atom>{{visits_.data(), size_of_atoms()}, owners_.data()});
    run_.wait();
    if (auto wrong = once(visits_, num_atoms(), "atom", "visited"); !wrong.empty())
      return where(schedule, "for_each_atom") + wrong;
    auto const owners = owners_.to_host();
    for (std::size_t t = 0; t < sizes_.size(); ++t)
      for (Atom a = host_offsets_[t]; a < host_offsets_[t + 1]; ++a)
        if (owners[static_cast<std::size_t>(a)] != static_cast<Tile>(t))
          return where(schedule, "for_each_atom") +
                 fault("atom ", a, " was given tile ", owners[static_cast<std::size_t>(a)], ", not ", t);
    return {};
  }

  /// The outputs of the last run, byte by byte.
  std::vector<value> values() const { return values_.to_host(); }
  std::vector<value> const& expected() const { return expected_; }
  Executor const& run() const { return run_; }

  counted_map<Case, Tile, Atom> map() const { return {{visits_.data(), size_of_atoms()}}; }
  counted_emit<value, Tile> emit() const {
    return {values_.data(), {emissions_.data(), static_cast<std::int64_t>(sizes_.size())}};
  }

  void poison_all() {
    values_.resize(sizes_.size() + 1);
    emissions_.resize(sizes_.size() + 1);
    visits_.resize(num_atoms() + 1);
  }

 private:
  std::size_t num_atoms() const { return static_cast<std::size_t>(host_offsets_.back()); }
  std::int64_t size_of_atoms() const { return static_cast<std::int64_t>(num_atoms()); }

  template <class Schedule>
  std::string where(Schedule const& schedule, char const* form) const {
    return std::string(form) + " with " + show(schedule) + " on " + Executor::name + ", " + show(sizes_) + ": ";
  }

  static verdict once(device_vector<int, Executor> const& counts, std::size_t size, char const* what,
                      char const* done) {
    auto const seen = counts.to_host();
    for (std::size_t i = 0; i < size; ++i)
      if (seen[i] != 0) return fault(what, " ", i, " was ", done, " ", seen[i] + 1, " times");
    if (seen[size] != -1) return fault(what, "s that are not there were ", done, " ", seen[size] + 1, " times");
    return {};
  }

  template <class Schedule>
  verdict judge(Schedule const& schedule, char const* form) const {
    if (auto wrong = once(emissions_, sizes_.size(), "tile", "emitted"); !wrong.empty())
      return where(schedule, form) + wrong;
    if (auto wrong = once(visits_, num_atoms(), "atom", "mapped"); !wrong.empty()) return where(schedule, form) + wrong;
    auto const got = values_.to_host();
    for (std::size_t t = 0; t < sizes_.size(); ++t)
      if (!(got[t] == expected_[t])) return where(schedule, form) + fault("tile ", t, " differs from the reference");
    unsigned char bytes[sizeof(value)];
    std::memcpy(bytes, &got.back(), sizeof(value));
    for (unsigned char byte : bytes)
      if (byte != poison) return where(schedule, form) + "the element behind the last tile was written";
    return {};
  }

  Executor run_;
  tile_sizes sizes_;
  std::vector<Atom> host_offsets_{0};
  std::vector<value> expected_;
  device_vector<Atom, Executor> offsets_;
  device_vector<value, Executor> values_;
  device_vector<int, Executor> emissions_, visits_;
  device_vector<Tile, Executor> owners_;
};

}  // namespace tests
