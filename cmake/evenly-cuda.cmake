# SPDX-License-Identifier: Apache-2.0
#
# evenly::cuda where there is a CUDA toolkit. The build and the installed package both include this file. A project whose
# .cu files link it enables the language CUDA first: project(... LANGUAGES CXX CUDA).

set(evenly_targets_global "${CMAKE_FIND_PACKAGE_TARGETS_GLOBAL}")
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL TRUE)
find_package(CUDAToolkit QUIET)
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL "${evenly_targets_global}")

if(TARGET CUDA::cudart_static AND NOT TARGET evenly::cuda)
  add_library(evenly::cuda INTERFACE IMPORTED GLOBAL)
  target_compile_options(evenly::cuda INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:--extended-lambda>")
  target_link_libraries(evenly::cuda INTERFACE evenly::evenly CUDA::cudart_static)
  if(cuda_std_20 IN_LIST CMAKE_CUDA_COMPILE_FEATURES)
    target_compile_features(evenly::cuda INTERFACE cuda_std_20)
  elseif(CMAKE_CUDA_COMPILER_LOADED) # CMake 3.25.1 cannot ask nvcc for C++20
    target_compile_options(evenly::cuda INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>")
  endif()
endif()
