#pragma once

#include <span>
#include <vector>

#include "gauze/random/random_words.h"

namespace gauze::audit {

/// The attack of the published study: a linear model on what the target model answers, fitted to tell members from others on one half and
/// asked about the other half, both ways.
struct LinearAttack {
  std::vector<double> members;  ///< scores, higher: member
  std::vector<double> others;
};

/// `members` and `others` hold `width` numbers a record. Halves are drawn at random within each.
[[nodiscard]] LinearAttack linear_attack(std::span<const float> members, std::span<const float> others,
                                         std::size_t width, RandomWords& random);

}  // namespace gauze::audit
