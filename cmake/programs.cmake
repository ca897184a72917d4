# SPDX-License-Identifier: Apache-2.0
#
# Our own programs: tests, examples, benchmarks, the command-line tool. Folders that are still empty are no error.

set(CMAKE_CXX_EXTENSIONS FALSE)

# Warnings are errors in our own code, and nowhere else. nvcc's host side has fewer: its generated code is not ours.
# g++ 12 warns falsely of overlapping copies inside std::string (-Wrestrict, fixed in 13).
add_library(evenly_dev INTERFACE)
target_compile_features(evenly_dev INTERFACE cxx_std_20)
target_compile_options(
  evenly_dev
  INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wshadow;-Wpedantic;-Werror;$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>>"
    "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>"
)
if(EVENLY_PORTABLE)
  target_link_options(evenly_dev INTERFACE -static-libstdc++ -static-libgcc)
endif()

include(cmake/libraries.cmake)

# evenly_add_program(NAME FILE): one executable of one or more files. A .cu is built as C++ where there is no nvcc.
function(evenly_add_program name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE evenly_dev evenly_tools)
  foreach(file IN LISTS ARGN)
    if(file MATCHES "\\.cu$" AND NOT EVENLY_HAS_CUDA)
      set_source_files_properties("${file}" PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-x;c++")
    elseif(file MATCHES "\\.cu$")
      target_link_libraries(${name} PRIVATE evenly::cuda)
    endif()
  endforeach()
endfunction()

set(evenly_kinds "cpp")
if(EVENLY_HAS_CUDA)
  list(APPEND evenly_kinds "cu")
endif()
# evenly_glob(OUT PATTERN...): files that match, .cu files only where there is nvcc.
macro(evenly_glob out)
  set(patterns)
  foreach(pattern ${ARGN})
    foreach(kind IN LISTS evenly_kinds)
      list(APPEND patterns "${PROJECT_SOURCE_DIR}/${pattern}.${kind}")
    endforeach()
  endforeach()
  file(GLOB ${out} CONFIGURE_DEPENDS ${patterns})
endmacro()

# What tests, tool and benchmarks share: the instances of the library for the usual types.
evenly_glob(instance_files "src/*")
if(instance_files)
  add_library(evenly_instances STATIC ${instance_files})
  target_include_directories(evenly_instances PUBLIC "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(evenly_instances PUBLIC evenly_tools PRIVATE evenly_dev)
  if(instance_files MATCHES "\\.cu(;|$)")
    target_link_libraries(evenly_instances PUBLIC evenly::cuda)
    target_compile_definitions(evenly_instances PUBLIC EVENLY_HAS_CUDA=1)
  endif()
  if(instance_files MATCHES "/simt_")
    target_compile_definitions(evenly_instances PUBLIC EVENLY_HAS_SIMT=1)
  endif()
  set(evenly_instances evenly_instances)
endif()

if(EVENLY_BUILD_CLI)
  evenly_glob(cli_files "cli/*")
  if(cli_files)
    evenly_add_program(evenly_cli ${cli_files})
    set_target_properties(evenly_cli PROPERTIES OUTPUT_NAME evenly RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
    target_link_libraries(evenly_cli PRIVATE ${evenly_instances} CLI11::CLI11)
    install(TARGETS evenly_cli COMPONENT tool)
  endif()
endif()

if(EVENLY_BUILD_BENCHMARKS)
  add_custom_target(evenly_benchmarks)
  evenly_glob(bench_files "bench/*_bench" "bench/*/*_bench")
  foreach(file IN LISTS bench_files)
    cmake_path(GET file STEM name)
    evenly_add_program(${name} "${file}")
    add_dependencies(evenly_benchmarks ${name})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bench")
    target_link_libraries(${name} PRIVATE ${evenly_instances})
    if(TARGET benchmark::benchmark)
      target_link_libraries(${name} PRIVATE benchmark::benchmark)
    endif()
  endforeach()
  if(TARGET host_bench)
    include(cmake/host_rivals.cmake)
  endif()
endif()

if(EVENLY_BUILD_TESTS)
  enable_testing()
  add_subdirectory(tests)
endif()

if(EVENLY_BUILD_EXAMPLES)
  file(
    GLOB example_files
    CONFIGURE_DEPENDS
    "${PROJECT_SOURCE_DIR}/examples/*.cpp"
    "${PROJECT_SOURCE_DIR}/examples/*.cu"
  )
  foreach(file IN LISTS example_files)
    cmake_path(GET file STEM name)
    evenly_add_program(examples.${name} "${file}")
    set_target_properties(
      examples.${name}
      PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/examples"
    )
    if(EVENLY_BUILD_TESTS)
      add_test(NAME examples.${name} COMMAND examples.${name})
      set_tests_properties(
        examples.${name}
        PROPERTIES LABELS examples SKIP_RETURN_CODE 77 TIMEOUT 300
      )
    endif()
  endforeach()
endif()
