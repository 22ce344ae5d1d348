#pragma once

#include <functional>
#include <string_view>

#include "gauze/files/json.h"
#include "gauze/patterns/mining/suggestions.h"

namespace gauze::patterns {

/// Writes suggestions as a list to be edited into a sensitive file (docs/formats/baskets.md): each on a line of its own below
/// its figures, which are comments. One whose names cannot be written in such a file is a comment, too.
[[nodiscard]] Result<void> write_sensitive_file(const Database& database, const SuggestOptions& options,
                                                const Suggestions& found,
                                                const std::function<Result<void>(std::string_view)>& sink);

/// The same for programs: docs/formats/json-output.md.
[[nodiscard]] Json to_json(const Database& database, const SuggestOptions& options, const Suggestions& found);

}  // namespace gauze::patterns
