#pragma once

#include <functional>

#include "gauze/cli/core/invocation.h"
#include "gauze/publish/labelled_output.h"

namespace gauze::cli {

/// Takes what is for the owner's eyes, and so has no label, to where -o says: a file that appears whole or not at all, or the
/// standard output. `make` writes it into the sink it is given; when that fails there is no file.
[[nodiscard]] Result<void> write_for_owner(Invocation& invocation,
                                           const std::function<Result<void>(const publish::ByteSink&)>& make);

}  // namespace gauze::cli
