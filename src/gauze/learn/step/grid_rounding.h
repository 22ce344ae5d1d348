#pragma once

#include <cstdint>
#include <span>

namespace gauze::learn {

/// units[i] += the nearest integer to sum[i] times its factor, which lies within 2^50 (else it is cut there).
/// `per_unit` has one entry for all, or one each.
void add_rounded(std::span<const double> sum, std::span<const double> per_unit, std::span<std::uint64_t> units);

}  // namespace gauze::learn
