#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gauze/audit/figures/roc.h"
#include "gauze/files/json.h"

namespace gauze::audit {

/// The share of members that an attack finds where so many others are taken for members.
struct RateAt {
  Rational fpr;
  std::optional<double> tpr = {};  ///< nothing: not measurable, the share is of less than one of the others
};

/// How well scores tell members from others. What cannot be said is absent, never 0.
struct MembershipFigures {
  std::uint64_t members = 0;
  std::uint64_t nonmembers = 0;
  std::optional<double> auc = {};
  std::optional<double> accuracy = {};   ///< balanced, at a threshold found on another half
  std::optional<double> advantage = {};  ///< true less false positives: 2 accuracy - 1
  std::vector<RateAt> rates = {};

  /// members, nonmembers, auc, accuracy, advantage, tpr_at_fpr.
  [[nodiscard]] Json to_json() const;
};

/// Halves are drawn by `random`; no score is NaN.
[[nodiscard]] MembershipFigures membership_figures(std::span<const double> members, std::span<const double> others,
                                                   const std::vector<Rational>& false_rates, RandomWords& random);

/// The most that an attacker's true positives can exceed the false ones under (epsilon, delta): (e^eps - 1 + 2 delta)/(e^eps + 1).
[[nodiscard]] double advantage_bound(double epsilon, double delta);

}  // namespace gauze::audit
