#pragma once

#include <string>
#include <string_view>

#include "gauze/base/error.h"

namespace gauze::text {

/// The form in which words are stored and looked up: Unicode normalisation form C. The same word written with composed
/// and with combining characters is one word. Fails with `bad_data` on what is not UTF-8, without quoting it.
[[nodiscard]] Result<std::string> normal_form(std::string_view word);

/// A word of Traditional Chinese characters in Simplified ones (ICU's transliterator); any other text as it is. The word must be
/// UTF-8. Thread safety: may be called concurrently.
[[nodiscard]] std::string simplified_chinese(std::string_view word);

}  // namespace gauze::text
