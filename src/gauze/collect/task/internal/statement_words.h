#pragma once
// Words of statements that both kinds of tasks use.

#include <cstdint>
#include <string>
#include <string_view>

#include "gauze/collect/task/value_list.h"

namespace gauze::collect::internal {

/// "30 days", "30 天"; what is no whole number of a unit is told in the largest that fits.
[[nodiscard]] std::string in_english(std::int64_t seconds);
[[nodiscard]] std::string in_chinese(std::int64_t seconds);

/// The first few values, and how many more there are.
[[nodiscard]] std::string some_values(const ValueList& values, std::string_view separator, std::string_view more);

[[nodiscard]] std::string sentence_en(const std::string& text);
[[nodiscard]] std::string sentence_zh(const std::string& text);

}  // namespace gauze::collect::internal
