#pragma once

#include <optional>
#include <span>
#include <vector>

#include "gauze/audit/bounds/one_run.h"
#include "gauze/audit/claims/claim_audit.h"
#include "gauze/audit/figures/membership_figures.h"
#include "gauze/label/warning.h"

namespace gauze::audit {

/// Why a bound on epsilon may be taken from scores: not at all, because each record was a member by its own fair coin, or because each
/// score comes from a run of its own.
enum class ScoreOrigin { unknown, fair_coins, independent };

struct ScoreRequest {
  std::vector<Rational> false_rates = {Rational(1, 100), Rational(1, 1000)};
  ScoreOrigin origin = ScoreOrigin::unknown;
  Claim claimed = {};
  Levels levels = {};
  std::uint64_t seed = 1;  ///< of the halves
};

/// Scores that came from elsewhere, measured. INTERNAL.
///
/// Bound : only where the origin says why it is valid. Of fair coins the one-run bound at the claim's delta, the risk divided by the numbers
///         of guesses that are tried; of independent runs Clopper and Pearson's for the threshold that was best on a random half,
///         measured on the other.
struct ScoreAudit {
  MembershipFigures figures = {};
  struct OneRun {
    std::uint64_t guesses = 0;
    std::uint64_t correct = 0;
    double epsilon_lower = 0;
  };
  std::optional<OneRun> one_run = {};
  struct IndependentRuns {
    double epsilon_lower = 0;
    std::optional<double> threshold = {};  ///< nothing: too few to choose one
  };
  std::optional<IndependentRuns> clopper_pearson = {};
  Claim claimed = {};
  double alarm_lower = 0;
  double alarm_rate = 1e-6;
  std::optional<bool> holds = {};
  std::vector<Warning> warnings = {};

  /// Whether a printed bound lies above a claim that the alarm's does not reach.
  [[nodiscard]] bool is_doubtful() const;
  /// The keys of docs/formats/json-output.md.
  [[nodiscard]] Json to_json() const;
};

/// `invalid_parameter` without members, or without others. No score is NaN; infinite ones sort as infinite.
[[nodiscard]] Result<ScoreAudit> audit_scores(std::span<const double> members, std::span<const double> others,
                                              const ScoreRequest& request);

}  // namespace gauze::audit
