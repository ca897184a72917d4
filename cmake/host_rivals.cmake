# SPDX-License-Identifier: Apache-2.0
#
# host_bench, all of it compiled for this very processor, with those rivals that are installed (./run host-bench installs
# them).
target_compile_options(host_bench PRIVATE -O3 -march=native)

find_package(OpenMP QUIET COMPONENTS CXX)
find_package(Eigen3 3.4 QUIET NO_MODULE)
if(TARGET OpenMP::OpenMP_CXX AND TARGET Eigen3::Eigen)
  target_link_libraries(host_bench PRIVATE OpenMP::OpenMP_CXX Eigen3::Eigen)
  target_compile_definitions(host_bench PRIVATE BENCH_HAS_EIGEN=1)
endif()

find_path(EVENLY_GRAPHBLAS_INCLUDE GraphBLAS.h PATH_SUFFIXES suitesparse)
find_library(EVENLY_GRAPHBLAS_LIBRARY graphblas)
if(EVENLY_GRAPHBLAS_INCLUDE AND EVENLY_GRAPHBLAS_LIBRARY)
  target_include_directories(host_bench SYSTEM PRIVATE "${EVENLY_GRAPHBLAS_INCLUDE}")
  target_link_libraries(host_bench PRIVATE "${EVENLY_GRAPHBLAS_LIBRARY}")
  target_compile_definitions(host_bench PRIVATE BENCH_HAS_GRAPHBLAS=1)
endif()
