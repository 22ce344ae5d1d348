#pragma once

#include <cstddef>

namespace gauze {

/// The probability that a chi-square variable exceeds the statistic: the regularised upper incomplete gamma function.
[[nodiscard]] double chi_square_tail(double statistic, std::size_t degrees);

}  // namespace gauze
