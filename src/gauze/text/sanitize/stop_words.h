#pragma once

#include <span>
#include <string>
#include <string_view>

#include "gauze/base/error.h"
#include "gauze/text/sanitize/sanitize_policy.h"
#include "gauze/text/tokens/tokenizer.h"

namespace gauze::text {

/// Common function words of English, of Chinese or (automatic) of both, in small letters: a public list for policies on stop
/// words.
[[nodiscard]] std::span<const std::string_view> common_stop_words(Language language);

/// Gives a policy the common stop words of its language.
void use_common_stop_words(SanitizePolicy& policy);
/// Gives it a public list of its own, one word a line; `bad_data` when that names no word. `name` is what messages call it.
[[nodiscard]] Result<void> use_stop_words(SanitizePolicy& policy, std::string_view list, const std::string& name);

}  // namespace gauze::text
