#pragma once

#include <cstdint>

namespace gauze::anonymize::internal {

/// Spreads keys over the low bits, for tables of a power of two.
[[nodiscard]] inline std::uint64_t scatter(std::uint64_t key) {
  key = (key ^ (key >> 32U)) * 0x9E3779B97F4A7C15U;
  return key ^ (key >> 29U);
}

}  // namespace gauze::anonymize::internal
