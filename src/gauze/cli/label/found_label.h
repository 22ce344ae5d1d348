#pragma once

#include <string>

#include "gauze/cli/core/invocation.h"
#include "gauze/label/label.h"

namespace gauze::cli {

/// A label, and the file it is said to belong to (none when it came inside a JSON result).
struct FoundLabel {
  PrivacyLabel label;
  std::string label_path;
  std::string file_path;
};

/// The label that a path means: a label, an output with its label beside it, or a result printed with --json.
[[nodiscard]] Result<FoundLabel> find_label(const Invocation& invocation, const std::string& path);

}  // namespace gauze::cli
