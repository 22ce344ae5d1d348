#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "gauze/random/random_words.h"

namespace gauze::audit {

/// The chance that a member scores higher than another, ties half; nothing without both. Exact in integers up to the last division.
[[nodiscard]] std::optional<double> area_under_curve(std::span<const double> members, std::span<const double> others);

/// The balanced accuracy of "member from a threshold on", the threshold being the best one on one half (drawn at random within members
/// and within others) and measured on the other half; both ways, their mean. Nothing with fewer than two of either.
[[nodiscard]] std::optional<double> attack_accuracy(std::span<const double> members, std::span<const double> others,
                                                    RandomWords& random);

}  // namespace gauze::audit
