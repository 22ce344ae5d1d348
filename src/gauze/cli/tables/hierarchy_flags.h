#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/schema/hierarchies/hierarchy_file.h"
#include "gauze/schema/hierarchies/hierarchy_spec.h"
#include "gauze/table/source.h"

namespace gauze::cli {

/// --kind, --spec, and the flags of each kind, such as --steps.
[[nodiscard]] std::vector<Flag> hierarchy_rule_flags();

/// The rule that these flags name. The kind follows from the flags where --kind is not given; none at all is automatic.
/// A flag of another kind, and --spec beside any of them, are usage errors.
[[nodiscard]] Result<schema::HierarchySpec> hierarchy_rule_of(const Invocation& invocation);

/// The ground values that a rule lists itself: those of groups, and of an order with values. Nothing for the other kinds,
/// whose ground values are those of the data.
[[nodiscard]] std::optional<std::vector<std::string>> listed_values(const schema::HierarchySpec& spec);

/// --hierarchy-delimiter, for the commands that read a hierarchy file.
[[nodiscard]] Flag hierarchy_delimiter_flag();

/// The hierarchy in a file, or on stdin for "-", read with that flag.
[[nodiscard]] Result<schema::HierarchyFile> load_hierarchy(const Invocation& invocation, const std::string& path,
                                                           const std::string& name);

/// The values of one column and how many rows have each.
[[nodiscard]] Result<table::TupleCounts> count_values(table::Source& table, const std::string& column,
                                                      Progress& progress);

}  // namespace gauze::cli
