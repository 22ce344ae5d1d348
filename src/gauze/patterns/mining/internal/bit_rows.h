#pragma once

#include <cstddef>
#include <cstdint>

namespace gauze::patterns::internal {

/// out = a & b, and how many bits it has. Words are a multiple of kWordsAligned; the arrays are aligned to 64 bytes.
using IntersectCount = std::uint64_t (*)(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out,
                                         std::size_t words);

/// The fastest one that this processor has.
[[nodiscard]] IntersectCount intersect_count();

/// Arrays of bits are padded with zeros to so many words.
inline constexpr std::size_t kWordsAligned = 8;

}  // namespace gauze::patterns::internal
