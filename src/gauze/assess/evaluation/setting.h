#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gauze/assess/scores/requirements.h"
#include "gauze/assess/scores/scenario.h"
#include "gauze/assess/scores/scores.h"
#include "gauze/schema/policy/policy.h"

namespace gauze::assess {

/// What is compared with others: a release with this k at this epsilon.
struct Candidate {
  std::uint64_t k = 1;
  Rational epsilon = 0;
};

/// What is to be evaluated, and how.
struct EvaluationSetting {
  schema::Policy policy;           ///< with its release section
  std::vector<Rational> epsilons;  ///< rising, none twice; none at all: found on the data (not as published)
  bool epsilons_found = false;     ///< set by the evaluation that found them
  std::vector<std::uint64_t> ks =
      {};  ///< rising, none twice, each tried with every epsilon; none: the policy's k alone
  const Scenario* scenario =
      nullptr;           ///< whose advice is held against the sweep, and whose profile bounds what is recommended
  Rational delta = 0;    ///< for stability and Gaussian noise
  int repetitions = 30;  ///< 1 to 100,000
  std::uint64_t seed = 1;
  Weights weights;
  bool as_published = false;
  Rational noise_scale = 1;   ///< as published
  bool counts_only = false;   ///< no models, no fairness
  double minimum_group = 30;  ///< rows of the test split
  std::optional<std::string> target = {};
  std::string positive = {};  ///< of the target
  std::vector<std::string> protected_columns = {};
  std::vector<Requirement> requirements = {};  ///< of every release
  Rational certainty = Rational(9, 10);        ///< share of releases that must meet them; above 0, below 1

  /// The eleven of the thesis.
  [[nodiscard]] static std::vector<Rational> published_epsilons();
  /// Target, positive value and protected columns as the policy has them.
  void take_roles_from_policy();
  [[nodiscard]] Result<void> check() const;
  /// Every k with every epsilon: those of the first k in order, then those of the next.
  [[nodiscard]] std::vector<Candidate> candidates() const;
  /// Whether a release of this epsilon may be recommended at all.
  [[nodiscard]] bool is_allowed(const Rational& epsilon) const;
  [[nodiscard]] bool measures_models() const { return target.has_value() && !counts_only; }
  [[nodiscard]] bool measures_fairness() const { return measures_models() && !protected_columns.empty(); }
};

}  // namespace gauze::assess
