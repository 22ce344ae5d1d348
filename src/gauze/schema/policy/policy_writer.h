#pragma once

#include <filesystem>
#include <string>

#include "gauze/schema/policy/policy.h"

namespace gauze::schema {

/// The YAML that equals a policy: parse_policy gives the same policy back, provided check() accepts it, its texts are
/// UTF-8 and its figures finite decimals, as all are that were read. Paths that are not absolute are written relative to the folder the file will lie in.
[[nodiscard]] std::string format_policy(const Policy& policy, const std::filesystem::path& folder = {});

/// Writes a file that appears whole or not at all. Refuses a policy that check() refuses.
[[nodiscard]] Result<void> write_policy_file(const std::filesystem::path& path, const Policy& policy);

}  // namespace gauze::schema
