#pragma once

#include <span>
#include <string_view>

#include "gauze/text/tokens/tokenizer.h"

namespace gauze::text {

/// Common function words of English, of Chinese or (automatic) of both, in small letters: a public list for policies on stop
/// words.
[[nodiscard]] std::span<const std::string_view> common_stop_words(Language language);

}  // namespace gauze::text
