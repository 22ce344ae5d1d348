# cmake --install: the command with its man page and completions, the modules' libraries and headers, and the package
# configuration that find_package(gauze) reads. gauze_module() registers each module by gauze_install_module().
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(GAUZE_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/gauze")
# No search path: what is not the system's is loaded by its full path. An install path that is longer than the one of
# the build tree would make CMake fill the latter up with colons, each an empty element, which means the current folder.
set(CMAKE_SKIP_INSTALL_RPATH ON)

# gauze_install_module(NAME): the library and the public headers of the current folder: not those of internal/, of
# tests, or of a folder below that is a module itself. The outermost layer is no library for others.
function(gauze_install_module name)
  if(name MATCHES "^(cli|server)$")
    return()
  endif()
  install(TARGETS gauze_${name} EXPORT gauze-targets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.h")
  list(FILTER headers EXCLUDE REGEX "/(internal|testing)/|_(test|testing|bench)\\.h$")
  foreach(header IN LISTS headers)
    cmake_path(GET header PARENT_PATH folder)
    if(folder STREQUAL CMAKE_CURRENT_SOURCE_DIR OR NOT EXISTS "${folder}/CMakeLists.txt")
      cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/src")
      install(FILES "${header}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/${folder}")
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY GAUZE_INSTALLED_MODULES ${name})
endfunction()

# gauze_document(FILE DESTINATION ARGUMENT...): what the built command prints about itself, kept as a file.
function(gauze_document file destination)
  set(output "${PROJECT_BINARY_DIR}/share/${file}")
  cmake_path(GET output PARENT_PATH folder)
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND gauze ${ARGN} > "${output}.part"
    COMMAND "${CMAKE_COMMAND}" -E rename "${output}.part" "${output}"
    DEPENDS gauze COMMENT "Writing ${file}" VERBATIM)
  install(FILES "${output}" DESTINATION "${destination}")
  set_property(GLOBAL APPEND PROPERTY GAUZE_DOCUMENTS "${output}")
endfunction()

function(gauze_install_command)
  set(share "${CMAKE_INSTALL_DATADIR}")
  install(TARGETS gauze RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  gauze_document(man/man1/gauze.1 "${CMAKE_INSTALL_MANDIR}/man1" man)
  gauze_document(completions/bash/gauze "${share}/bash-completion/completions" completions bash)
  gauze_document(completions/zsh/_gauze "${share}/zsh/site-functions" completions zsh)
  gauze_document(completions/fish/gauze.fish "${share}/fish/vendor_completions.d" completions fish)
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
          DESTINATION "${CMAKE_INSTALL_DOCDIR}")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
  # For the administrator to copy and to change, not for systemd to find: a curator begins with decisions.
  install(FILES "${PROJECT_SOURCE_DIR}/packaging/gauze-curator.service" DESTINATION "${share}/gauze")
  get_property(documents GLOBAL PROPERTY GAUZE_DOCUMENTS)
  # All that is shipped, without tests and benchmarks.
  add_custom_target(product ALL DEPENDS gauze ${documents})
endfunction()

function(gauze_install_package)
  get_property(modules GLOBAL PROPERTY GAUZE_INSTALLED_MODULES)
  set(GAUZE_MODULES "${modules}")
  list(TRANSFORM modules PREPEND "gauze::" OUTPUT_VARIABLE GAUZE_TARGETS)
  install(EXPORT gauze-targets NAMESPACE gauze:: DESTINATION "${GAUZE_PACKAGE_DIR}")
  configure_package_config_file(
    "${PROJECT_SOURCE_DIR}/cmake/gauze-config.cmake.in" "${PROJECT_BINARY_DIR}/gauze-config.cmake"
    INSTALL_DESTINATION "${GAUZE_PACKAGE_DIR}")
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/gauze-config-version.cmake" COMPATIBILITY SameMinorVersion)
  install(FILES "${PROJECT_BINARY_DIR}/gauze-config.cmake" "${PROJECT_BINARY_DIR}/gauze-config-version.cmake"
                "${PROJECT_SOURCE_DIR}/cmake/FindGMP.cmake" "${PROJECT_SOURCE_DIR}/cmake/FindMPFR.cmake"
                "${PROJECT_SOURCE_DIR}/cmake/FindZstd.cmake" "${PROJECT_SOURCE_DIR}/cmake/FindPgQuery.cmake"
                "${PROJECT_SOURCE_DIR}/cmake/FindRocksDB.cmake"
          DESTINATION "${GAUZE_PACKAGE_DIR}")
endfunction()
