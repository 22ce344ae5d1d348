# Finds DuckDB as package-lock.json pins it and defines the target DuckDB::DuckDB: the C header from one npm package, the
# shared library of this processor from another. The library is linked into lib/ of the build tree, beside bin/, so that
# programs find it by an $ORIGIN-relative path.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(duckdb_package "@duckdb/node-bindings-linux-arm64")
else()
  set(duckdb_package "@duckdb/node-bindings-linux-x64")
endif()

find_path(DuckDB_INCLUDE_DIR duckdb.h NO_DEFAULT_PATH
          PATHS "${PROJECT_SOURCE_DIR}/node_modules/duckdb/src/duckdb/src/include")
find_file(DuckDB_LIBRARY libduckdb.so NO_DEFAULT_PATH PATHS "${PROJECT_SOURCE_DIR}/node_modules/${duckdb_package}")

# duckdb_package_version(RESULT PACKAGE): the version that npm installed, without the binding's own suffix.
function(duckdb_package_version result package)
  set(version "")
  set(manifest "${PROJECT_SOURCE_DIR}/node_modules/${package}/package.json")
  if(EXISTS "${manifest}")
    file(READ "${manifest}" text)
    string(JSON version GET "${text}" version)
    string(REGEX REPLACE "-.*" "" version "${version}")
  endif()
  set(${result} "${version}" PARENT_SCOPE)
endfunction()
duckdb_package_version(DuckDB_VERSION duckdb)
duckdb_package_version(duckdb_library_version "${duckdb_package}")

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  DuckDB REQUIRED_VARS DuckDB_LIBRARY DuckDB_INCLUDE_DIR VERSION_VAR DuckDB_VERSION
  REASON_FAILURE_MESSAGE "node_modules has no DuckDB for ${CMAKE_SYSTEM_PROCESSOR}. Run ./dev setup.")
if(DuckDB_FOUND AND NOT DuckDB_VERSION STREQUAL duckdb_library_version)
  message(FATAL_ERROR "DuckDB's header is ${DuckDB_VERSION}, its library ${duckdb_library_version}: "
                      "package.json must pin the same version of both")
endif()

if(DuckDB_FOUND AND NOT TARGET DuckDB::DuckDB)
  set(duckdb_place "${PROJECT_BINARY_DIR}/lib/libduckdb.so")
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
  file(CREATE_LINK "${DuckDB_LIBRARY}" "${duckdb_place}" COPY_ON_ERROR SYMBOLIC)
  add_library(DuckDB::DuckDB SHARED IMPORTED GLOBAL)
  set_target_properties(DuckDB::DuckDB PROPERTIES IMPORTED_LOCATION "${duckdb_place}" IMPORTED_SONAME libduckdb.so
                                                  INTERFACE_INCLUDE_DIRECTORIES "${DuckDB_INCLUDE_DIR}")
endif()
mark_as_advanced(DuckDB_INCLUDE_DIR DuckDB_LIBRARY)
