#pragma once

#include <string>

#include "gauze/files/yaml_reader.h"
#include "gauze/schema/database/database_schema.h"

namespace gauze::schema {

/// A column of a table of a database, from the value of its name.
[[nodiscard]] Result<ColumnSchema> read_column_schema(const YamlNode& node, const std::string& name);

}  // namespace gauze::schema
