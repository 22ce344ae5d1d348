#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "gauze/base/error.h"
#include "gauze/label/label.h"

namespace gauze {

/// Where the label of an output lies: OUT.label.json.
[[nodiscard]] std::filesystem::path label_path_for(const std::filesystem::path& output);
/// Whether the path is that of a label by its name.
[[nodiscard]] bool is_label_path(const std::filesystem::path& path);
/// The output that a label's path belongs to.
[[nodiscard]] std::filesystem::path output_path_for(const std::filesystem::path& label_path);

/// Puts the output's name and the SHA-256 of its bytes into the label.
void bind_to_bytes(PrivacyLabel& label, const std::filesystem::path& output, std::string_view bytes);
/// The same for a file that is there already.
[[nodiscard]] Result<void> bind_to_file(PrivacyLabel& label, const std::filesystem::path& output);

/// Whether the file is the one the label was written for, to the last bit: `bad_data` if not, `io` if it cannot be
/// read. The name does not count, so that output and label may be renamed together.
[[nodiscard]] Result<void> check_against_file(const PrivacyLabel& label, const std::filesystem::path& output);

/// No label is larger.
inline constexpr std::size_t kLargestLabel = 1U << 20;
/// Reads the label file at this very path.
[[nodiscard]] Result<PrivacyLabel> read_label_file(const std::filesystem::path& path);

}  // namespace gauze
