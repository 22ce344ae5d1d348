#pragma once

#include <string_view>

namespace gauze {

/// The privacy unit of a mechanism whose caller says how much a result changes, and not for whom.
inline constexpr std::string_view kUnstatedUnit = "whatever the stated sensitivity is about";

}  // namespace gauze
