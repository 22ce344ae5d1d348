#pragma once

#include <string>

#include "gauze/cli/core/output_writer.h"
#include "gauze/query/check/schema_check.h"

namespace gauze::cli {

/// What a check of a schema found, in tables for people.
[[nodiscard]] std::string schema_check_text(const query::SchemaCheck& check, const schema::DatabaseSchema& schema,
                                            Style style);

}  // namespace gauze::cli
