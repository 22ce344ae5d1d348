#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/engines/engine_options.h"
#include "gauze/schema/database/database_schema.h"
#include "gauze/table/read_options.h"
#include "gauze/table/text_form.h"

namespace gauze::query {

/// A column as a first schema declares it.
struct DraftColumn {
  std::string name = {};
  schema::DeclaredType type = schema::DeclaredType::text;
};

/// What the names and types of a file say about a table. Nothing in it is a value of the data.
struct DraftTable {
  std::string name = {};
  std::string source = {};  ///< as the schema will name it
  std::vector<std::pair<std::string, std::string>> input =
      {};  ///< how its CSV is written, where that is not the usual
  std::vector<DraftColumn> columns = {};
};

/// The name of a table in SQL after that of its file: orders-*.parquet is orders.
[[nodiscard]] std::string table_name_of(const std::string& file);

/// Looks at a file: the names of its columns, and of what type their cells are. Refuses a file without a line of names whose
/// first row would be taken for one.
[[nodiscard]] Result<DraftTable> draft_table(const std::string& file, const table::ReadOptions& options,
                                             Progress& progress, const engines::EngineOptions& engine = {});

/// Tables of one name get numbers.
void give_different_names(std::vector<DraftTable>& tables);

/// A first schema in YAML. Bounds, listed values, limits and, of several tables, the unit are left open, each as a comment that
/// says what to write. Of one table it can be read as it is, with a row as the unit. Names of tables must differ.
[[nodiscard]] std::string draft_schema(const std::vector<DraftTable>& tables);

}  // namespace gauze::query
