#pragma once

#include <span>
#include <string_view>

namespace gauze::text {

/// Common function words of English and Chinese, in small letters: a public list for policies on stop words.
[[nodiscard]] std::span<const std::string_view> common_stop_words();

}  // namespace gauze::text
