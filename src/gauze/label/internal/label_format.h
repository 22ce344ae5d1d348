#pragma once

#include <string_view>

namespace gauze::internal {

inline constexpr std::string_view kLabelFormat = "gauze-label";
inline constexpr int kLabelVersion = 1;
inline constexpr std::string_view kCommitmentScheme = "hmac-sha256";

/// Whether the text is a number as JSON writes it: no leading zeros or plus, digits on both sides of a point.
[[nodiscard]] bool is_json_number(std::string_view text);

}  // namespace gauze::internal
