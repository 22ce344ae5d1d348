#pragma once
// The functions of DuckDB's C interface that Gauze calls, found at run time: commands that read no table do not load
// the library, which takes longer than all they do.

#include <duckdb.h>

#include "gauze/base/error.h"

// clang-format off
#define GAUZE_DUCKDB_FUNCTIONS(X) \
  X(create_config) X(set_config) X(destroy_config) X(open_ext) X(close) X(connect) X(disconnect) X(interrupt) \
  X(query_progress) X(query) X(prepare) X(prepare_error) X(destroy_prepare) X(pending_prepared_streaming) \
  X(execute_pending) X(destroy_pending) X(pending_error) X(result_error) X(destroy_result) X(fetch_chunk) \
  X(column_count) X(column_name) X(column_type) X(destroy_data_chunk) X(data_chunk_get_size) \
  X(data_chunk_get_vector) X(data_chunk_get_column_count) X(vector_get_data) X(vector_get_validity) X(vector_ensure_validity_writable) \
  X(vector_assign_string_element_len) X(struct_vector_get_child) X(create_logical_type) X(create_struct_type) \
  X(destroy_logical_type) X(create_scalar_function) X(destroy_scalar_function) X(scalar_function_set_name) \
  X(scalar_function_set_varargs) X(scalar_function_add_parameter) X(scalar_function_set_volatile) X(scalar_function_set_special_handling) \
  X(scalar_function_set_return_type) X(scalar_function_set_extra_info) X(scalar_function_set_function) \
  X(register_scalar_function) X(scalar_function_get_extra_info) X(scalar_function_set_error) X(library_version) \
  X(free) X(prepared_statement_type) X(prepared_statement_column_count) X(prepared_statement_column_name) \
  X(prepared_statement_column_type) X(create_table_function) X(destroy_table_function) X(table_function_set_name) \
  X(table_function_set_extra_info) X(table_function_set_bind) X(table_function_set_init) \
  X(table_function_set_function) X(register_table_function) X(bind_get_extra_info) X(bind_add_result_column) \
  X(init_set_max_threads) X(function_get_extra_info) X(function_set_error) X(data_chunk_set_size) X(vector_size) \
  X(appender_create) X(appender_destroy) X(append_data_chunk) X(create_data_chunk) X(data_chunk_reset)
// clang-format on

namespace gauze::engines {

struct DuckDbLibrary {
#define GAUZE_DUCKDB_POINTER(name) decltype(&duckdb_##name) name = nullptr;
  GAUZE_DUCKDB_FUNCTIONS(GAUZE_DUCKDB_POINTER)
#undef GAUZE_DUCKDB_POINTER
};

/// Loads the library once: beside the program (../lib, ../lib/gauze), then wherever the system looks; the variable
/// GAUZE_DUCKDB_LIBRARY names another file. Fails with `io` when there is none, or none of the version of the header.
[[nodiscard]] Result<const DuckDbLibrary*> load_duckdb();

/// After load_duckdb() has succeeded.
[[nodiscard]] const DuckDbLibrary& duckdb();

}  // namespace gauze::engines
