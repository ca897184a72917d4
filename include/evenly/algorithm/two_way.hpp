// SPDX-License-Identifier: Apache-2.0
//
// two_way{}: spmv over blocks of rows x tiles of columns, both ends of a product in scratch memory. A block of threads keeps
// the sums of its rows in scratch and sweeps over tiles of columns, whose x is copied there ahead of use; the atoms of a
// tile are 32 bits (row in block, column in tile) and a value. So x is read in order, once for each row block, instead of
// a 32-byte sector for each nonzero, which is what bounds every schedule on matrices with random columns and a large x.
//
// When it pays, in bytes (s: size of a value): a row block moves s * columns of x through the L2 cache, a gather 32 a
// nonzero, so a tile should hold more nonzeros than s/32 of its columns. A nonzero takes 4 + s bytes of memory, as in CSR,
// and some padding. On an H200 (132 processors, 227 KB of scratch each) one block of 1024 threads stays on a processor:
// f32 34,000 sums and two tiles of 11,600 columns; f64 17,400 sums and two of 5,800. 1024 quads are 32 KB in flight (f32),
// what the memory's latency asks for; registers are bounded to 64, which one quad ahead of the one in use needs.
//
// Deterministic without atomics: no two threads meet a slot within a tile, a barrier parts tiles, and units that share rows
// leave sums that a second launch adds in order. Made on the executor: see two_way_form.hpp; for CUDA include
// <evenly/exec/cuda_sort.hpp> and <evenly/exec/cuda_scan.hpp> too.
// Sources: cache and propagation blocking: Im & Yelick (2001); Beamer, Asanovic, Patterson (IPDPS 2017).
#pragma once

#include <evenly/algorithm/spmv_plan.hpp>
#include <evenly/algorithm/two_way_body.hpp>
#include <evenly/algorithm/two_way_form.hpp>

#include <cstddef>
#include <utility>

namespace evenly {

template <executor Executor, class Value, class Offset, class Column>
class two_way_plan {
 public:
  static constexpr bool is_converted = true;
  using value_type = Value;

  /// Converts and waits. Holds 4 + 4 + sizeof(Value) bytes for each nonzero (8 more with 64-bit offsets), padding and a few
  /// arrays of rows; needs about three times that while it converts.
  /// Throws argument_error for options that make no sense and for a matrix too sparse for its shape.
  two_way_plan(Executor run, csr_view<Value, Offset, Column> const& A, two_way const& options)
      : run_(std::move(run)), A_(A), form_(run_, A, checked(options)) {}

  Executor const& run() const { return run_; }
  csr_view<Value, Offset, Column> const& matrix() const { return A_; }
  two_way_view<Value, Offset> const& view() const { return form_.view(); }
  std::size_t bytes() const { return form_.bytes(); }

  /// Takes new values, [nnz] in A's order. One launch; allocates nothing.
  void refresh(Value const* values) { form_.refresh(values); }

  template <class Gate, class Emit>
  void multiply(Value const* x, Gate const& gate, Emit const& emit) const {
    auto const& A = form_.view();
    using view = two_way_view<Value, Offset>;
    if (A.num_units == 0) return detail::emit_zeros(run_, A_, emit);
    run_.launch({A.num_units, form_.limits().threads, A.scratch_bytes()},
                two_way_body<view, Gate, Emit>{A, x, gate, emit});
    if (A.num_split > 0)
      run_.launch({A.num_split * two_way_join<view, Emit>::slices, run_.shape(1, 1).threads, 0},
                  two_way_join<view, Emit>{A, emit});
  }

 private:
  static two_way const& checked(two_way const& options) {
    if (char const* fault = options.fault()) throw argument_error(fault);
    return options;
  }

  Executor run_;
  csr_view<Value, Offset, Column> A_;
  detail::two_way_form<Executor, Value, Offset> form_;
};

/// A plan over A in two-way blocks.
template <executor Executor, class Value, class Offset, class Column>
auto make_spmv_plan(Executor const& run, csr_view<Value, Offset, Column> const& A, two_way const& options) {
  return two_way_plan<Executor, Value, Offset, Column>(run, A, options);
}

}  // namespace evenly
