#pragma once

#include <cstddef>

namespace gauze {

/// P[|T| <= t] for Student's T with this many degrees of freedom (at least 1) and t >= 0, by its finite sum.
[[nodiscard]] double student_within(double t, std::size_t degrees);

/// The t with P[|T| <= t] = confidence, for a confidence strictly between 0 and 1.
[[nodiscard]] double student_quantile(double confidence, std::size_t degrees);

}  // namespace gauze
