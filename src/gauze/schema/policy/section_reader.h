#pragma once
// The sections of a policy, each from its node. Columns are read first: the others refer to them.

#include <filesystem>

#include "gauze/files/yaml_reader.h"
#include "gauze/schema/policy/policy.h"

namespace gauze::schema {

/// An error of a rule, with the place of the node it is about.
[[nodiscard]] Result<void> at(const YamlNode& node, Result<void> checked);

[[nodiscard]] Result<Criteria> read_privacy(const YamlNode& node, const Policy& policy,
                                            const std::filesystem::path& folder);
[[nodiscard]] Result<PolicySearch> read_search(const YamlNode& node);
[[nodiscard]] Result<PolicyRelease> read_release(const YamlNode& node, Policy& policy);
[[nodiscard]] Result<PolicyProvenance> read_provenance(const YamlNode& node);

}  // namespace gauze::schema
