#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"

namespace gauze::cli {

class Invocation;

/// A file that no output may replace, and what it is to the command: "the hierarchy of age".
struct KeptFile {
  std::string what;
  std::filesystem::path path;
};

/// Whether every file that the command line asks to be made (Flag::makes), and every label that goes beside one, can be
/// written and replaces nothing that must stay. Asked for every command before it runs; a command whose inputs name
/// further files (a policy: hierarchies, a key) asks again with those.
///
/// `usage` when an output is a file that the command reads or keeps, or that it makes twice; a ledger or a journal of one; a
/// label; or is called like a label. Links of both kinds are looked through: what counts is the file, not its name.
/// `io` when nothing can be written there.
[[nodiscard]] Result<void> check_output_places(const Invocation& invocation, const std::vector<KeptFile>& more = {});

/// What is said about a labelled output that was made: "wrote OUT and OUT.label.json".
[[nodiscard]] std::string wrote_with_label(const std::string& output);

/// Whether a path names the standard output: `-`, /dev/stdout and its other names.
[[nodiscard]] bool is_standard_output(std::string_view path);

}  // namespace gauze::cli
