// SPDX-License-Identifier: Apache-2.0
//
// The rivals on a CPU, each a function object that computes y = A x once. Eigen reads our arrays in place. GraphBLAS keeps
// a copy of the matrix in its own form, made outside the timed region; x and y are ours, lent to it for as long as it lives.
// Each comes where the build found it (BENCH_HAS_EIGEN, BENCH_HAS_GRAPHBLAS).
#pragma once

#include <evenly/core/error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#if BENCH_HAS_EIGEN
#include <Eigen/Core>
#include <Eigen/SparseCore>
#endif
#if BENCH_HAS_GRAPHBLAS
#include <complex>
extern "C" {  // the header leaves that to its C++ users
#include <GraphBLAS.h>
}
#endif

namespace bench {

/// y = A x as the rivals get it: CSR on the host.
template <class T>
struct host_problem {
  std::int64_t rows, columns, nnz;
  std::int32_t const* offsets;
  std::int32_t const* indices;
  T const* values;
  T const* x;
  T* y;
};

#if BENCH_HAS_EIGEN
/// A row-major sparse matrix times a vector, rows dealt to OpenMP's threads as Eigen does it.
template <class T>
class eigen_spmv {
 public:
  eigen_spmv(host_problem<T> const& p, int threads)
      : A_(p.rows, p.columns, p.nnz, p.offsets, p.indices, p.values), x_(p.x, p.columns), y_(p.y, p.rows),
        threads_(threads) {}
  void operator()() {
    Eigen::setNbThreads(threads_);
    y_.noalias() = A_ * x_;
  }

 private:
  using vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
  Eigen::Map<Eigen::SparseMatrix<T, Eigen::RowMajor, std::int32_t> const> A_;
  Eigen::Map<vector const> x_;
  Eigen::Map<vector> y_;
  int threads_;
};
#endif

#if BENCH_HAS_GRAPHBLAS
inline void graphblas_try(GrB_Info info, char const* call) {
  if (info != GrB_SUCCESS)
    throw evenly::error(std::string("GraphBLAS: ") + call + " failed with code " +
                        std::to_string(static_cast<int>(info)));
}

/// What GraphBLAS can hold: columns of a row in order, each at most once. Entries that repeat are added up.
template <class T>
struct simple_csr {
  std::vector<GrB_Index> offsets, indices;
  std::vector<T> values;

  explicit simple_csr(host_problem<T> const& p) {
    std::vector<std::pair<std::int32_t, T>> row;
    offsets.push_back(0);
    for (std::int64_t r = 0; r < p.rows; ++r) {
      row.clear();
      for (std::int32_t i = p.offsets[r]; i < p.offsets[r + 1]; ++i) row.emplace_back(p.indices[i], p.values[i]);
      std::ranges::stable_sort(row, {}, &std::pair<std::int32_t, T>::first);
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (i > 0 && row[i].first == row[i - 1].first) values.back() += row[i].second;
        else indices.push_back(static_cast<GrB_Index>(row[i].first)), values.push_back(row[i].second);
      }
      offsets.push_back(indices.size());
    }
  }
};

/// How GraphBLAS is asked for the product.
enum class graphblas_form {
  replaced,     // y = A x: a new y in each call
  accumulated,  // y += A x in place, after y = 0
};

/// GrB_mxv over plus_times, matrix by rows, x and y full vectors.
template <class T>
class graphblas_spmv {
 public:
  graphblas_spmv(host_problem<T> const& p, graphblas_form form, int threads)
      : form_(form), y_there_(p.y), bytes_(static_cast<std::size_t>(p.rows) * sizeof(T)) {
    static bool const begun = [] {
      graphblas_try(GrB_init(GrB_NONBLOCKING), "GrB_init");
      return true;
    }();
    static_cast<void>(begun);
    graphblas_try(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads), "GxB_GLOBAL_NTHREADS");
    auto const rows = static_cast<GrB_Index>(p.rows), columns = static_cast<GrB_Index>(p.columns);
    simple_csr<T> const simple(p);
    graphblas_try(import(rows, columns, simple), "GrB_Matrix_import");
    graphblas_try(GxB_Matrix_Option_set(A_, GxB_FORMAT, GxB_BY_ROW), "GxB_BY_ROW");
    graphblas_try(GrB_Matrix_wait(A_, GrB_MATERIALIZE), "GrB_Matrix_wait");
    graphblas_try(GrB_Vector_new(&x_, type(), columns), "GrB_Vector_new");
    graphblas_try(GrB_Vector_new(&y_, type(), rows), "GrB_Vector_new");
    set_all(x_, T{}, columns);
    set_all(y_, T{}, rows);
    void* x_values = nullptr;
    GrB_Index x_bytes = 0;
    bool iso = false;
    graphblas_try(GxB_Vector_unpack_Full(x_, &x_values, &x_bytes, &iso, nullptr), "GxB_Vector_unpack_Full");
    std::free(x_values);
    x_values = std::malloc(columns * sizeof(T));
    std::memcpy(x_values, p.x, columns * sizeof(T));
    graphblas_try(GxB_Vector_pack_Full(x_, &x_values, columns * sizeof(T), false, nullptr), "GxB_Vector_pack_Full");
  }
  graphblas_spmv(graphblas_spmv const&) = delete;
  graphblas_spmv& operator=(graphblas_spmv const&) = delete;
  ~graphblas_spmv() {
    GrB_Matrix_free(&A_);
    GrB_Vector_free(&x_);
    GrB_Vector_free(&y_);
  }
  void operator()() {
    if (form_ == graphblas_form::replaced) {
      graphblas_try(GrB_mxv(y_, nullptr, nullptr, semiring(), A_, x_, nullptr), "GrB_mxv");
    } else {
      set_all(y_, T{}, 0);
      graphblas_try(GrB_mxv(y_, nullptr, plus(), semiring(), A_, x_, nullptr), "GrB_mxv");
    }
    graphblas_try(GrB_Vector_wait(y_, GrB_COMPLETE), "GrB_Vector_wait");
  }
  /// Its y into ours, rows without nonzeros as zero: for checking, not timed.
  void copy_result() {
    GrB_Vector full = nullptr;
    graphblas_try(GrB_Vector_dup(&full, y_), "GrB_Vector_dup");
    GrB_Index rows = 0;
    graphblas_try(GrB_Vector_size(&rows, full), "GrB_Vector_size");
    GrB_Index count = rows;
    std::vector<GrB_Index> places(rows);
    std::vector<T> values(rows);
    graphblas_try(extract(places.data(), values.data(), &count, full), "GrB_Vector_extractTuples");
    std::memset(y_there_, 0, bytes_);
    for (GrB_Index i = 0; i < count; ++i) y_there_[places[i]] = values[i];
    GrB_Vector_free(&full);
  }

 private:
  static constexpr bool is_float = std::is_same_v<T, float>;
  static GrB_Type type() { return is_float ? GrB_FP32 : GrB_FP64; }
  static GrB_Semiring semiring() { return is_float ? GrB_PLUS_TIMES_SEMIRING_FP32 : GrB_PLUS_TIMES_SEMIRING_FP64; }
  static GrB_BinaryOp plus() { return is_float ? GrB_PLUS_FP32 : GrB_PLUS_FP64; }
  static void set_all(GrB_Vector v, T value, GrB_Index) {
    GrB_Info info;
    if constexpr (is_float) info = GrB_Vector_assign_FP32(v, nullptr, nullptr, value, GrB_ALL, 0, nullptr);
    else info = GrB_Vector_assign_FP64(v, nullptr, nullptr, value, GrB_ALL, 0, nullptr);
    graphblas_try(info, "GrB_Vector_assign");
  }
  GrB_Info import(GrB_Index rows, GrB_Index columns, simple_csr<T> const& p) {
    GrB_Index const nnz = p.indices.size();
    if constexpr (is_float)
      return GrB_Matrix_import_FP32(&A_, GrB_FP32, rows, columns, p.offsets.data(), p.indices.data(), p.values.data(),
                                    rows + 1, nnz, nnz, GrB_CSR_FORMAT);
    else
      return GrB_Matrix_import_FP64(&A_, GrB_FP64, rows, columns, p.offsets.data(), p.indices.data(), p.values.data(),
                                    rows + 1, nnz, nnz, GrB_CSR_FORMAT);
  }
  static GrB_Info extract(GrB_Index* places, T* values, GrB_Index* count, GrB_Vector v) {
    if constexpr (is_float) return GrB_Vector_extractTuples_FP32(places, values, count, v);
    else return GrB_Vector_extractTuples_FP64(places, values, count, v);
  }

  graphblas_form form_;
  T* y_there_;
  std::size_t bytes_;
  GrB_Matrix A_ = nullptr;
  GrB_Vector x_ = nullptr, y_ = nullptr;
};
#endif

}  // namespace bench
