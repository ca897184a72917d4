# SPDX-License-Identifier: Apache-2.0
#
# The two targets that users link.

set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL TRUE) # a parent project that links evenly must see what evenly links
set(THREADS_PREFER_PTHREAD_FLAG TRUE)
find_package(Threads REQUIRED)

file(
  GLOB_RECURSE evenly_headers
  CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/include/evenly/*.hpp"
  "${PROJECT_SOURCE_DIR}/include/evenly/*.inc"
)

add_library(evenly INTERFACE)
add_library(evenly::evenly ALIAS evenly)
target_compile_features(evenly INTERFACE cxx_std_20)
target_link_libraries(evenly INTERFACE Threads::Threads)
target_sources(evenly INTERFACE FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES ${evenly_headers})

if(NOT EVENLY_CUDA STREQUAL "OFF")
  include("${CMAKE_CURRENT_LIST_DIR}/evenly-cuda.cmake")
  if(EVENLY_CUDA STREQUAL "ON" AND NOT TARGET evenly::cuda)
    message(FATAL_ERROR "EVENLY_CUDA=ON, but there is no CUDA toolkit: put nvcc on the PATH, or set CUDAToolkit_ROOT")
  endif()
endif()
