// SPDX-License-Identifier: Apache-2.0
//
// Does a CSR matrix keep the rules of its format? One pass on any executor, host or device: all checks - one for each
// offset, one for each nonzero - are the atoms of a single tile, numbered offsets first, and the smallest number that
// fails is reduced by merge_path. So the first bad row is found whatever is wrong, no index is used before it is
// checked, and a broken offset cannot mislead the schedule that runs the check.
#pragma once

#include <evenly/core/config.hpp>
#include <evenly/core/monoid.hpp>
#include <evenly/core/tile_set.hpp>
#include <evenly/exec/launch.hpp>
#include <evenly/exec/plan.hpp>
#include <evenly/schedule/merge_path.hpp>
#include <evenly/sparse/csr.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace evenly {

/// What may be wrong, in the order of detection at one place.
enum class csr_rule : int {
  none,
  first_offset_not_zero,
  offset_decreases,  // a row ends before it begins
  last_offset_not_nnz,
  column_negative,
  column_too_large,
  column_not_ascending,  // only where options.sorted
  column_repeated,       // only where options.distinct
};

struct validate_options {
  bool sorted = false;    // columns of a row must not descend
  bool distinct = false;  // a column must not follow itself; finds every repetition where columns are sorted
};

struct validate_report {
  csr_rule rule = csr_rule::none;
  std::int64_t row = -1;   // the first bad row; for last_offset_not_nnz the last row
  std::int64_t atom = -1;  // the nonzero, where one is meant
  explicit operator bool() const { return rule == csr_rule::none; }

  /// A sentence: what is wrong and what to do.
  std::string message() const {
    std::string const at_row = "row " + std::to_string(row), at = at_row + ", nonzero " + std::to_string(atom);
    switch (rule) {
      case csr_rule::none:
        return "all rules hold";
      case csr_rule::first_offset_not_zero:
        return "offset 0 is not 0; offsets count nonzeros from the first one";
      case csr_rule::offset_decreases:
        return at_row + " ends before it begins; offsets must not decrease";
      case csr_rule::last_offset_not_nnz:
        return "the last offset is not the number of nonzeros; the end of " + at_row + " must be it";
      case csr_rule::column_negative:
        return at + ": the column is negative; columns count from 0";
      case csr_rule::column_too_large:
        return at + ": the column is not below the number of columns; correct the column or the shape";
      case csr_rule::column_not_ascending:
        return at + ": the column is smaller than the one before; sort the row";
      default:
        return at + ": the column was there before; sum the duplicates, or do without options.distinct";
    }
  }
};

/// The rules, one place at a time: place i < rows + 1 is offset i, the others are the nonzeros in order.
/// A function of a place alone; reads no array beyond its end whatever the arrays hold.
template <class Value, class Offset, class Column>
struct csr_rules {
  csr_view<Value, Offset, Column> A;
  Column num_columns;
  validate_options options;

  EVENLY_HD constexpr std::int64_t num_places() const {
    return static_cast<std::int64_t>(A.num_tiles()) + 1 + static_cast<std::int64_t>(A.num_atoms());
  }
  EVENLY_HD constexpr csr_rule broken_at(std::int64_t place) const {
    auto const rows = static_cast<std::int64_t>(A.num_tiles());
    if (place > rows) return broken_atom(static_cast<Offset>(place - rows - 1));
    Offset const* const offsets = A.offsets();
    if (offsets == nullptr) return csr_rule::none;  // no rows, no nonzeros: nothing to point at
    if (place == 0 && offsets[0] != 0) return csr_rule::first_offset_not_zero;
    if (place > 0 && offsets[place] < offsets[place - 1]) return csr_rule::offset_decreases;
    if (place == rows && offsets[place] != A.num_atoms()) return csr_rule::last_offset_not_nnz;
    return csr_rule::none;
  }

 private:
  EVENLY_HD constexpr csr_rule broken_atom(Offset atom) const {
    Column const column = A.columns()[atom];
    if (column < 0) return csr_rule::column_negative;
    if (!(column < num_columns)) return csr_rule::column_too_large;
    if (!(options.sorted || options.distinct) || atom == 0) return csr_rule::none;
    Column const before = A.columns()[atom - 1];
    if (before < column || begins_row(atom)) return csr_rule::none;
    if (column < before) return options.sorted ? csr_rule::column_not_ascending : csr_rule::none;
    return options.distinct ? csr_rule::column_repeated : csr_rule::none;
  }
  EVENLY_HD constexpr bool begins_row(Offset atom) const {
    Offset low = 0, high = A.num_tiles();  // the first offset that is not below atom
    while (low < high) {
      Offset const middle = low + (high - low) / 2;
      if (A.offsets()[middle] < atom) low = middle + 1;
      else high = middle;
    }
    return A.offsets()[low] == atom;
  }
};

namespace detail {

/// A failing place with its rule as one number that orders by place; the largest number where nothing fails.
template <class Rules>
struct first_broken {
  Rules rules;
  EVENLY_HD constexpr std::int64_t operator()(ignored, std::int64_t place) const {
    csr_rule const rule = rules.broken_at(place);
    return rule == csr_rule::none ? std::numeric_limits<std::int64_t>::max() : place * 8 + static_cast<int>(rule);
  }
};

struct store_result {
  std::int64_t* result;
  EVENLY_HD constexpr void operator()(std::int64_t, std::int64_t value) const { *result = value; }
};

/// A kernel of its own for the one question that is left: which row a nonzero lies in.
template <class Set>
struct locate_atom {
  Set set;
  std::int64_t atom;
  std::int64_t* row;
  template <worker Worker>
  EVENLY_HD constexpr void operator()(Worker const& me) const {
    if (me.block() == 0 && me.thread() == 0)
      *row = static_cast<std::int64_t>(tile_of(set, static_cast<atom_of_t<Set>>(atom)));
  }
};

}  // namespace detail

/// The first broken rule of A, whose arrays lie in the executor's memory; a report that is true where all hold.
/// Makes a plan and waits. A's values are not read. Offsets are judged before columns.
template <executor Executor, class Value, class Offset, class Column>
validate_report validate(Executor const& run, csr_view<Value, Offset, Column> const& A, validate_options options = {}) {
  using rules_type = csr_rules<Value, Offset, Column>;
  rules_type const rules{A, static_cast<Column>(A.shape().columns), options};
  buffer<Executor> const result(run, sizeof(std::int64_t));
  auto const there = static_cast<std::int64_t*>(result.data());
  uniform_tiles<std::int64_t, std::int64_t> const places{1, rules.num_places()};
  reduce_tiles(run, places, merge_path{Executor::is_device ? 16 : 4096}, detail::first_broken<rules_type>{rules},
               minimum<std::int64_t>{}, detail::store_result{there});
  run.wait();
  std::int64_t found = 0;
  run.copy_from(&found, there, sizeof found);
  validate_report report;
  if (found == std::numeric_limits<std::int64_t>::max()) return report;
  report.rule = static_cast<csr_rule>(found % 8);
  std::int64_t const place = found / 8, rows = A.shape().rows;
  if (place <= rows) {
    report.row = place > 0 ? place - 1 : rows > 0 ? 0 : -1;
  } else {
    report.atom = place - rows - 1;
    run.launch(launch_shape{.blocks = 1, .threads = 1},
               detail::locate_atom<csr_view<Value, Offset, Column>>{A, report.atom, there});
    run.wait();
    run.copy_from(&report.row, there, sizeof report.row);
  }
  return report;
}

}  // namespace evenly
