// SPDX-License-Identifier: Apache-2.0
//
// cuSPARSE, found when the program runs: a benchmark that is carried to another machine needs no library beside it, and
// where there is none the rival is left out. Every method has a descriptor and a buffer of its own: a descriptor remembers
// what another algorithm has preprocessed and then gives wrong answers at a flattering speed.
#pragma once

#include <evenly/core/error.hpp>
#include <evenly/exec/cuda.hpp>

#if __has_include(<cusparse.h>)
#include <cusparse.h>
#include <dlfcn.h>
#define BENCH_HAS_CUSPARSE 1
#else
#define BENCH_HAS_CUSPARSE 0
#endif

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace bench {

/// A matrix in the device's memory, and its vectors.
template <class T>
struct device_problem {
  std::int64_t rows, columns, nnz;
  std::int32_t const* offsets;
  std::int32_t const* row_of_each;  // for COO
  std::int32_t const* indices;
  T const* values;
  T const* x;
  T* y;
};

#if BENCH_HAS_CUSPARSE

class cusparse {
 public:
  /// Null where the library cannot be loaded. EVENLY_CUSPARSE names another file.
  static std::shared_ptr<cusparse const> load() {
    char const* const wanted = std::getenv("EVENLY_CUSPARSE");
    for (char const* file :
         {wanted, "libcusparse.so.12", "/usr/local/cuda/lib64/libcusparse.so.12", "libcusparse.so"}) {
      if (file == nullptr) continue;
      if (void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL))
        return std::shared_ptr<cusparse const>(new cusparse(library));
    }
    return nullptr;
  }
  cusparse(cusparse const&) = delete;
  cusparse& operator=(cusparse const&) = delete;
  ~cusparse() { destroy(handle_); }

  std::string version() const {
    int number = 0;
    try_(get_version(handle_, &number), "cusparseGetVersion");
    return std::to_string(number / 1000) + "." + std::to_string(number / 100 % 10) + "." + std::to_string(number % 100);
  }

 private:
  template <class>
  friend class cusparse_spmv;

  explicit cusparse(void* library) : library_(library) {
    find(create, "cusparseCreate");
    find(destroy, "cusparseDestroy");
    find(get_version, "cusparseGetVersion");
    find(get_error_string, "cusparseGetErrorString");
    find(create_csr, "cusparseCreateCsr");
    find(create_coo, "cusparseCreateCoo");
    find(create_vector, "cusparseCreateDnVec");
    find(destroy_matrix, "cusparseDestroySpMat");
    find(destroy_vector, "cusparseDestroyDnVec");
    find(spmv, "cusparseSpMV");
    find(buffer_size, "cusparseSpMV_bufferSize");
    find(preprocess, "cusparseSpMV_preprocess");
    try_(create(&handle_), "cusparseCreate");
  }
  template <class F>
  void find(F& function, char const* name) {
    function = reinterpret_cast<F>(dlsym(library_, name));
    if (function == nullptr) throw evenly::device_error(std::string("cuSPARSE has no ") + name);
  }
  void try_(cusparseStatus_t status, char const* call) const {
    if (status != CUSPARSE_STATUS_SUCCESS)
      throw evenly::device_error(std::string(call) + ": " + get_error_string(status));
  }

  void* library_;
  cusparseHandle_t handle_{};
  decltype(&::cusparseCreate) create;
  decltype(&::cusparseDestroy) destroy;
  decltype(&::cusparseGetVersion) get_version;
  decltype(&::cusparseGetErrorString) get_error_string;
  decltype(&::cusparseCreateCsr) create_csr;
  decltype(&::cusparseCreateCoo) create_coo;
  decltype(&::cusparseCreateDnVec) create_vector;
  decltype(&::cusparseDestroySpMat) destroy_matrix;
  decltype(&::cusparseDestroyDnVec) destroy_vector;
  decltype(&::cusparseSpMV) spmv;
  decltype(&::cusparseSpMV_bufferSize) buffer_size;
  decltype(&::cusparseSpMV_preprocess) preprocess;
};

struct cusparse_method {
  char const* name;
  cusparseSpMVAlg_t algorithm;
  bool coo;
  bool preprocess;
};
inline constexpr cusparse_method cusparse_methods[] = {
    {"csr_alg1", CUSPARSE_SPMV_CSR_ALG1, false, false}, {"csr_alg1_preprocess", CUSPARSE_SPMV_CSR_ALG1, false, true},
    {"csr_alg2", CUSPARSE_SPMV_CSR_ALG2, false, false}, {"csr_alg2_preprocess", CUSPARSE_SPMV_CSR_ALG2, false, true},
    {"coo_alg1", CUSPARSE_SPMV_COO_ALG1, true, false},  {"coo_alg2", CUSPARSE_SPMV_COO_ALG2, true, false},
};

/// y = A x by one of cuSPARSE's algorithms, set up once.
template <class T>
class cusparse_spmv {
 public:
  cusparse_spmv(std::shared_ptr<cusparse const> library, cusparse_method const& method, device_problem<T> const& A)
      : library_(std::move(library)), algorithm_(method.algorithm) {
    auto const& api = *library_;
    // const only in name: the same call also makes descriptors of matrices that are written
    auto const open = [](auto const* p) { return const_cast<std::remove_cvref_t<decltype(*p)>*>(p); };
    api.try_(method.coo
                 ? api.create_coo(&matrix_, A.rows, A.columns, A.nnz, open(A.row_of_each), open(A.indices),
                                  open(A.values), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type)
                 : api.create_csr(&matrix_, A.rows, A.columns, A.nnz, open(A.offsets), open(A.indices), open(A.values),
                                  CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type),
             "cusparseCreateCsr/Coo");
    api.try_(api.create_vector(&x_, A.columns, open(A.x), type), "cusparseCreateDnVec");
    api.try_(api.create_vector(&y_, A.rows, A.y, type), "cusparseCreateDnVec");
    std::size_t bytes = 0;
    api.try_(api.buffer_size(api.handle_, op, &alpha_, matrix_, x_, &beta_, y_, type, algorithm_, &bytes),
             "cusparseSpMV_bufferSize");
    evenly::detail::cuda_try(cudaMalloc(&buffer_, bytes + 16), "cudaMalloc");
    if (method.preprocess)
      api.try_(api.preprocess(api.handle_, op, &alpha_, matrix_, x_, &beta_, y_, type, algorithm_, buffer_),
               "cusparseSpMV_preprocess");
  }
  cusparse_spmv(cusparse_spmv const&) = delete;
  cusparse_spmv& operator=(cusparse_spmv const&) = delete;
  ~cusparse_spmv() {
    library_->destroy_matrix(matrix_);
    library_->destroy_vector(x_);
    library_->destroy_vector(y_);
    cudaFree(buffer_);
  }
  void operator()() const {
    auto const& api = *library_;
    api.try_(api.spmv(api.handle_, op, &alpha_, matrix_, x_, &beta_, y_, type, algorithm_, buffer_), "cusparseSpMV");
  }

 private:
  static constexpr cudaDataType type = sizeof(T) == 4 ? CUDA_R_32F : CUDA_R_64F;
  static constexpr cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE;
  std::shared_ptr<cusparse const> library_;
  cusparseSpMVAlg_t algorithm_;
  cusparseSpMatDescr_t matrix_{};
  cusparseDnVecDescr_t x_{}, y_{};
  void* buffer_ = nullptr;
  T alpha_ = 1, beta_ = 0;
};

#else

class cusparse;

#endif

}  // namespace bench
