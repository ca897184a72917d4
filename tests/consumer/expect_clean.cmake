# SPDX-License-Identifier: Apache-2.0
#
# evenly::evenly brings C++20 and nothing else, and adding it changed nothing of the project around it.
get_target_property(options evenly::evenly INTERFACE_COMPILE_OPTIONS)
if(options)
  message(FATAL_ERROR "evenly::evenly brings compiler flags: ${options}")
endif()
get_target_property(features evenly::evenly INTERFACE_COMPILE_FEATURES)
if(NOT features STREQUAL "cxx_std_20")
  message(FATAL_ERROR "evenly::evenly must ask for cxx_std_20 alone, not ${features}")
endif()
get_directory_property(directory_options COMPILE_OPTIONS)
if(directory_options OR CMAKE_CXX_FLAGS OR CMAKE_BUILD_TYPE OR DEFINED CMAKE_CXX_STANDARD)
  message(
    FATAL_ERROR
    "evenly changed the project that uses it: ${directory_options} ${CMAKE_CXX_FLAGS} ${CMAKE_BUILD_TYPE}"
  )
endif()
