#pragma once

#include <string_view>
#include <vector>

#include "gauze/text/tokens/tokenizer.h"

namespace gauze::text::internal {

/// E-mail and web addresses, @handles and telephone numbers in a text, in order, without overlap. By shape alone: it finds
/// what looks like one, and cannot know what is one.
[[nodiscard]] std::vector<Token> sensitive_stretches(std::string_view text);

}  // namespace gauze::text::internal
