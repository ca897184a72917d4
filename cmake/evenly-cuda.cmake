# SPDX-License-Identifier: Apache-2.0
#
# evenly::cuda where there is a CUDA toolkit. The build and the installed package both include this file.

set(evenly_targets_global "${CMAKE_FIND_PACKAGE_TARGETS_GLOBAL}")
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL TRUE)
find_package(CUDAToolkit QUIET)
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL "${evenly_targets_global}")

if(TARGET CUDA::cudart_static AND NOT TARGET evenly::cuda)
  add_library(evenly::cuda INTERFACE IMPORTED GLOBAL)
  target_compile_options(evenly::cuda INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:--extended-lambda>")
  target_link_libraries(evenly::cuda INTERFACE evenly::evenly CUDA::cudart_static)
endif()
