# Finds RocksDB (Debian's librocksdb-dev) and defines the target RocksDB::RocksDB: the shared library, whose own package would also ask
# for what the static one needs.
find_path(RocksDB_INCLUDE_DIR rocksdb/db.h)
find_library(RocksDB_LIBRARY rocksdb)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(RocksDB REQUIRED_VARS RocksDB_LIBRARY RocksDB_INCLUDE_DIR)
if(RocksDB_FOUND AND NOT TARGET RocksDB::RocksDB)
  add_library(RocksDB::RocksDB UNKNOWN IMPORTED)
  set_target_properties(RocksDB::RocksDB PROPERTIES IMPORTED_LOCATION "${RocksDB_LIBRARY}"
                                                    INTERFACE_INCLUDE_DIRECTORIES "${RocksDB_INCLUDE_DIR}")
endif()
mark_as_advanced(RocksDB_INCLUDE_DIR RocksDB_LIBRARY)
