#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gauze/label/label.h"
#include "gauze/label/privacy_cost.h"
#include "gauze/learn/score/figures.h"
#include "gauze/random/secure_random.h"
#include "gauze/random/seeded_random.h"

namespace gauze::learn {

/// How figures of a model on a table are to be told.
struct ScoreRequest {
  std::optional<Rational> epsilon = {};  ///< none: exact, for the owner's eyes
  std::string by = {};                   ///< a column of the groups
  std::uint64_t min_group = 20;          ///< figures of smaller groups are left out
};

/// Figures of a model on the rows of a table.
struct ModelScore {
  FigureEstimates figures = {};
  Confusion confusion = {};  ///< noisy where it was paid for: may be negative
  std::vector<std::string> classes = {};
  Majority majority = {};
  struct Group {
    std::string name;
    double size = 0;
    std::optional<FigureEstimates> figures = {};  ///< none where it is too small
  };
  std::vector<Group> groups = {};
  std::optional<std::uint64_t> rows = {};  ///< internal alone
  bool internal = true;

  /// What `score` prints for programs, but for warnings, ledger and label.
  [[nodiscard]] Json to_json() const;
};

/// The cost of paid figures: pure, for the unit and neighbours of the policy.
[[nodiscard]] PrivacyCost score_cost(const Rational& epsilon, const schema::LearnPolicy& policy);

/// Exact figures with bootstrap intervals.
[[nodiscard]] Result<ModelScore> internal_score(const ScoredRows& rows, const ScoreRequest& request,
                                                const Progress& progress);

/// Figures from noisy counts of group x truth x prediction.
///
/// Privacy unit   : one unit of the policy, of which at most max_rows rows count, chosen at random.
/// Neighbours     : those of the policy; replace-one moves twice as many.
/// Guarantee      : epsilon-DP: a unit moves the counts by at most max_rows (twice that) in all; exact discrete Laplace noise.
/// Not covered    : the model itself, the time it takes.
[[nodiscard]] Result<ModelScore> paid_score(const ScoredRows& rows, const schema::LearnPolicy& policy,
                                            const ScoreRequest& request, SecureRandom& random);
[[nodiscard]] Result<ModelScore> simulate_paid_score(const ScoredRows& rows, const schema::LearnPolicy& policy,
                                                     const ScoreRequest& request, SeededRandom& random);

/// `assumption`: what is taken for granted about the file that was read, if anything is.
[[nodiscard]] PrivacyLabel score_label(const ModelFile& model, const schema::LearnPolicy& policy,
                                       const ScoreRequest& request, const std::string& assumption = {});
/// Of predictions: the rows are whoever asked's own.
[[nodiscard]] PrivacyLabel prediction_label(const ModelFile& model);

}  // namespace gauze::learn
