#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "gauze/files/yaml_reader.h"
#include "gauze/schema/hierarchies/hierarchy_spec.h"

namespace gauze::schema {

/// The hierarchy of a column as a policy writes it: `automatic`, or a map of one kind, such as {csv: age.csv}.
/// Paths are joined with the folder.
[[nodiscard]] Result<HierarchySpec> read_hierarchy_spec(const YamlNode& node, const std::filesystem::path& folder);

/// The same from text alone, for a flag: "{mask: {side: right, steps: [1, 3]}}".
[[nodiscard]] Result<HierarchySpec> parse_hierarchy_spec(std::string_view text,
                                                         const std::filesystem::path& folder = {});

/// YAML in one line that reads back to the spec. Paths that are not absolute are written relative to the folder.
[[nodiscard]] std::string format_hierarchy_spec(const HierarchySpec& spec, const std::filesystem::path& folder);

/// The path as this process can open it, from one that is relative to a folder; and the way back.
[[nodiscard]] std::filesystem::path joined_with(const std::filesystem::path& folder, std::string_view path);
[[nodiscard]] std::string relative_to(const std::filesystem::path& folder, const std::filesystem::path& path);

}  // namespace gauze::schema
