# SPDX-License-Identifier: Apache-2.0
#
# Install, export, and the command-line tool where it is built.
include(CMakePackageConfigHelpers)

set(evenly_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/evenly")

install(TARGETS evenly EXPORT evenly-targets FILE_SET HEADERS COMPONENT headers)
install(EXPORT evenly-targets NAMESPACE evenly:: DESTINATION "${evenly_package_dir}" COMPONENT headers)

configure_package_config_file(
  cmake/evenly-config.cmake.in
  "${PROJECT_BINARY_DIR}/evenly-config.cmake"
  INSTALL_DESTINATION "${evenly_package_dir}"
)
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/evenly-config-version.cmake"
  COMPATIBILITY SameMinorVersion
  ARCH_INDEPENDENT
)
install(
  FILES
    "${PROJECT_BINARY_DIR}/evenly-config.cmake"
    "${PROJECT_BINARY_DIR}/evenly-config-version.cmake"
    cmake/evenly-cuda.cmake
  DESTINATION "${evenly_package_dir}"
  COMPONENT headers
)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT headers)
