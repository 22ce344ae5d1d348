// Numbers on a grid, in one pass over a vector: in SQL each of its five steps would be one.
#include <algorithm>
#include <cmath>

#include "gauze/engines/duckdb/internal/own_functions.h"

namespace gauze::engines {
namespace {

/// fixed_point(value DOUBLE, factor DOUBLE, low BIGINT, high BIGINT) -> BIGINT, as SqlDialect::fixed_point() says it.
void round_chunk(duckdb_function_info /*info*/, duckdb_data_chunk input, duckdb_vector output) {
  const DuckDbLibrary& library = duckdb();
  const std::size_t rows = library.data_chunk_get_size(input);
  const auto column = [&](std::size_t place) { return library.data_chunk_get_vector(input, place); };
  const auto* const values = static_cast<const double*>(library.vector_get_data(column(0)));
  const auto* const factors = static_cast<const double*>(library.vector_get_data(column(1)));
  const auto* const lows = static_cast<const std::int64_t*>(library.vector_get_data(column(2)));
  const auto* const highs = static_cast<const std::int64_t*>(library.vector_get_data(column(3)));
  auto* const steps = static_cast<std::int64_t*>(library.vector_get_data(output));
  bool all_numbers = true;
  for (std::size_t row = 0; row < rows; ++row) {
    const double exact = values[row] * factors[row] + 0.5;
    all_numbers = all_numbers && !std::isnan(exact);
    const auto low = static_cast<double>(lows[row]);
    const auto high = static_cast<double>(highs[row]);
    const double above = exact > low ? exact : low;  // what is no number, too: it must fit into an integer
    const double within = above < high ? above : high;
    const auto whole = static_cast<std::int64_t>(within);
    steps[row] = whole - (static_cast<double>(whole) > within ? 1 : 0);
  }
  const std::uint64_t* const present = library.vector_get_validity(column(0));
  if (present == nullptr && all_numbers) return;
  library.vector_ensure_validity_writable(output);
  std::uint64_t* const validity = library.vector_get_validity(output);
  const std::size_t words = (rows + 63) / 64;
  for (std::size_t word = 0; word < words; ++word)
    validity[word] = present == nullptr ? ~std::uint64_t{0} : present[word];
  for (std::size_t row = 0; row < rows && !all_numbers; ++row)
    if (std::isnan(values[row])) validity[row / 64] &= ~(std::uint64_t{1} << (row % 64));
}

}  // namespace

Result<void> register_fixed_point(const Connection& connection) {
  const DuckDbLibrary& library = duckdb();
  duckdb_logical_type real = library.create_logical_type(DUCKDB_TYPE_DOUBLE);
  duckdb_logical_type whole = library.create_logical_type(DUCKDB_TYPE_BIGINT);
  duckdb_scalar_function function = library.create_scalar_function();
  library.scalar_function_set_name(function, kFixedPoint);
  for (duckdb_logical_type type : {real, real, whole, whole}) library.scalar_function_add_parameter(function, type);
  library.scalar_function_set_return_type(function, whole);
  library.scalar_function_set_function(function, round_chunk);
  const auto state = library.register_scalar_function(connection.get(), function);
  library.destroy_scalar_function(&function);
  for (auto* type : {&real, &whole}) library.destroy_logical_type(type);
  if (state != DuckDBSuccess) return make_error(ErrorCode::internal, "DuckDB does not take a function");
  return {};
}

}  // namespace gauze::engines
