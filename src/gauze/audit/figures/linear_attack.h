#pragma once

#include <span>
#include <vector>

#include "gauze/random/random_words.h"

namespace gauze::audit {

/// The attack of the published study: a linear model on what the target model answers, fitted to tell members from others on one half and
/// asked about the other half.
struct LinearAttack {
  std::vector<double> members = {};  ///< scores, higher: member
  std::vector<double> others = {};
};

/// Both ways, so that every record has a score. `members` and `others` hold `width` numbers a record. Halves are drawn at random within each.
[[nodiscard]] LinearAttack linear_attack(std::span<const float> members, std::span<const float> others,
                                         std::size_t width, RandomWords& random);

/// One way, for bounds on epsilon: the halves are drawn from all records together without looking at who is a member, since anything else
/// takes the coins from those that are asked about. Scores of the half that is asked, members and others in the order they came.
[[nodiscard]] LinearAttack linear_attack_on_half(std::span<const float> members, std::span<const float> others,
                                                 std::size_t width, RandomWords& random);

}  // namespace gauze::audit
