#pragma once

#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/publish/output_places.h"

namespace gauze::cli {

class Invocation;

/// publish::check_places for every file that the command line asks to be made (Flag::makes), against all that it names to be
/// read or kept. Asked for every command before it runs; a command whose inputs name further files (a policy: hierarchies,
/// a key) asks again with those.
[[nodiscard]] Result<void> check_output_places(const Invocation& invocation,
                                               const std::vector<publish::KeptFile>& more = {});

/// What is said about a labelled output that was made: "wrote OUT and OUT.label.json".
[[nodiscard]] std::string wrote_with_label(const std::string& output);

}  // namespace gauze::cli
