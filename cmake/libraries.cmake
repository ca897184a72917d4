# SPDX-License-Identifier: Apache-2.0
#
# Libraries of our own programs, gathered in evenly_tools; the headers of evenly need none of them. With EVENLY_PORTABLE
# all are linked statically.

find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
if(EVENLY_BUILD_CLI)
  find_package(CLI11 REQUIRED)
endif()
if(EVENLY_BUILD_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
endif()
if(EVENLY_BUILD_BENCHMARKS AND NOT EVENLY_PORTABLE)
  find_package(benchmark QUIET)
endif()

add_library(evenly_tools INTERFACE)
target_link_libraries(evenly_tools INTERFACE evenly::evenly fmt::fmt-header-only nlohmann_json::nlohmann_json)

# The fibres of the emulated GPU.
set(Boost_USE_STATIC_LIBS ${EVENLY_PORTABLE})
find_package(Boost 1.74 REQUIRED COMPONENTS context)
target_link_libraries(evenly_tools INTERFACE Boost::context)

# Compressed files. The static library leaves out what the reader never asks for (xml, acl).
if(EVENLY_PORTABLE)
  set(archive_libraries)
  foreach(
    name
    archive
    zstd
    lz4
    lzma
    bz2
    z
    nettle
  )
    find_library(EVENLY_STATIC_${name} NAMES lib${name}.a REQUIRED)
    list(APPEND archive_libraries "${EVENLY_STATIC_${name}}")
  endforeach()
  target_link_libraries(evenly_tools INTERFACE ${archive_libraries})
  target_compile_definitions(evenly_tools INTERFACE EVENLY_HAS_LIBARCHIVE=1)
else()
  find_package(LibArchive QUIET)
  if(LibArchive_FOUND)
    target_link_libraries(evenly_tools INTERFACE LibArchive::LibArchive)
    target_compile_definitions(evenly_tools INTERFACE EVENLY_HAS_LIBARCHIVE=1)
  else()
    message(STATUS "evenly: no libarchive, so compressed matrices are refused")
  endif()
endif()
