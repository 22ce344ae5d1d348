#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"

namespace gauze::publish {

/// A file that will be made, and what messages call it: "-o".
struct MadeFile {
  std::string what;
  std::filesystem::path path;
  bool labelled = false;  ///< PATH.label.json is made, too
};

/// A file that no output may replace, and what it is to the request: "the hierarchy of age".
struct KeptFile {
  std::string what;
  std::filesystem::path path;
};

/// Whether every file, and every label that goes beside one, can be written and replaces nothing that must stay. Looks at
/// places and first bytes of what lies there, at nothing private.
///
/// `usage` when one is a file that is kept, or is made twice; a ledger or a journal of one; a label; or is called like a
/// label. Links of both kinds are looked through: what counts is the file, not its name. `io` when nothing can be
/// written there. The standard output and the null device are places of their own: they are not looked at.
[[nodiscard]] Result<void> check_places(const std::vector<MadeFile>& made, const std::vector<KeptFile>& kept);

/// The ledger and the journals that may lie beside it.
[[nodiscard]] std::vector<KeptFile> files_of_ledger(const std::string& ledger);

/// Whether a path names the standard output: `-`, /dev/stdout and its other names.
[[nodiscard]] bool is_standard_output(std::string_view path);

}  // namespace gauze::publish
