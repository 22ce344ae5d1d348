#pragma once
// What was counted, kept in a file (`.gza`): to be merged with others, estimated from later.
//
// Little-endian: `GZA1`; version u32 = 1; hash of the task 32; parts u32; cells u32; malformed, damaged, unknown_task,
// parameter_mismatch, out_of_range, duplicates u64 each; number of sources u32, their digests 32 each, ascending; number of
// periods u32; for each, ascending, its number u32 and for each part reports u64 and its cells i64; SHA-256 of everything before it.

#include <cstddef>
#include <string>
#include <string_view>

#include "gauze/base/error.h"
#include "gauze/collect/reports/aggregate.h"

namespace gauze::collect {

inline constexpr std::string_view kStateMagic = "GZA1";
/// All the cells that are counted at once, and room for the digests of two million sources.
inline constexpr std::size_t kMostStateBytes = kMostCountBytes + (std::size_t{64} << 20U);

[[nodiscard]] std::string encode_state(const Aggregate& aggregate);

/// Total: any bytes are an aggregate that encodes to the same bytes, or `bad_data`. `name` begins messages.
[[nodiscard]] Result<Aggregate> decode_state(std::string_view bytes, const std::string& name);

}  // namespace gauze::collect
