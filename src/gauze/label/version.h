#pragma once

#include <string_view>

namespace gauze {

/// The version of Gauze that labels name as their producer: "0.1.0".
[[nodiscard]] std::string_view version();

}  // namespace gauze
