# SPDX-License-Identifier: Apache-2.0
#
# For our own programs: optimised unless asked otherwise, and CUDA where there is nvcc. EVENLY_HAS_CUDA: do they use it?

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()

set(EVENLY_HAS_CUDA FALSE)
if(NOT EVENLY_CUDA STREQUAL "OFF")
  find_package(CUDAToolkit QUIET)
  if(CUDAToolkit_NVCC_EXECUTABLE)
    set(EVENLY_HAS_CUDA TRUE)
    if(NOT CMAKE_CUDA_COMPILER)
      set(CMAKE_CUDA_COMPILER "${CUDAToolkit_NVCC_EXECUTABLE}")
    endif()
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 90-real CACHE STRING "Of our own programs; a consumer chooses theirs")
    endif()
    enable_language(CUDA)
  elseif(EVENLY_CUDA STREQUAL "ON")
    message(FATAL_ERROR "EVENLY_CUDA=ON, but there is no nvcc: put it on the PATH, or set CUDAToolkit_ROOT")
  endif()
endif()
