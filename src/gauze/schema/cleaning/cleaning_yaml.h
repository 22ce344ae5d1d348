#pragma once
// `same`, `valid` and `outside` of a column, from the nodes of a policy and back.

#include <span>
#include <string>
#include <vector>

#include "gauze/files/json.h"
#include "gauze/files/yaml_reader.h"
#include "gauze/schema/cleaning/cleaning_rules.h"

namespace gauze::schema {

/// A map of names and their other spellings. Errors have the line of the entry.
[[nodiscard]] Result<std::vector<SameValues>> read_same(const YamlNode& node,
                                                        std::span<const std::string> null_tokens);
/// Two numbers or two whole days, rising; `outside` may be null.
[[nodiscard]] Result<ValidBounds> read_valid(const YamlNode& node, const YamlNode* outside);

/// In one line of YAML, as they are read.
[[nodiscard]] std::string format_same(std::span<const SameValues> same);
[[nodiscard]] std::string format_valid(const ValidBounds& bounds);
[[nodiscard]] Json same_json(std::span<const SameValues> same);

}  // namespace gauze::schema
