#pragma once

#include <cstdint>

#include "gauze/base/rational.h"

namespace gauze::patterns {

/// A count to compare shares with, exactly.
[[nodiscard]] inline Rational exact_count(std::uint64_t count) { return Rational(static_cast<std::int64_t>(count)); }

}  // namespace gauze::patterns
