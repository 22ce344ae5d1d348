#pragma once

#include "gauze/base/error.h"
#include "gauze/files/yaml_reader.h"
#include "gauze/table/read_options.h"

namespace gauze::schema {

/// The value of `input`, of a policy or of a table of a database: how its file is written.
[[nodiscard]] Result<table::ReadOptions> read_input(const YamlNode& node);

}  // namespace gauze::schema
