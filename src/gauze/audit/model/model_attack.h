#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gauze/audit/claims/claim_audit.h"
#include "gauze/audit/model/attack_kinds.h"
#include "gauze/audit/model/attacked_table.h"
#include "gauze/audit/model/recipe.h"
#include "gauze/label/warning.h"
#include "gauze/statistics/estimate.h"

namespace gauze::audit {

/// What is asked of an attack on models made by one recipe.
struct ModelAttackRequest {
  std::vector<AttackKind> attacks = {};
  std::size_t shadows = 64;
  std::size_t targets = 4;  ///< the first of the shadows, each attacked with all the others
  std::vector<Rational> false_rates = {Rational(1, 100), Rational(1, 1000)};
  Levels levels = {};
  std::optional<Claim> claimed = {};  ///< instead of the recipe's own
  std::uint64_t seed = 1;
  std::string keep = {};      ///< a folder for scores of finished shadows; the same request goes on with them
  std::string identity = {};  ///< what tells this request's shadows from others'

  /// Refuses what cannot be: no attacks, more targets than shadows, too few shadows beside the target.
  [[nodiscard]] Result<void> check() const;
};

struct AttackedGroup {
  std::string name = {};
  std::optional<Estimate> auc = {};
  std::uint64_t members = 0;  ///< on average over the targets
  std::uint64_t nonmembers = 0;
  [[nodiscard]] bool small() const { return members < 50 || nonmembers < 50; }
};

struct RateOverTargets {
  Rational fpr;
  std::optional<Estimate> tpr = {};  ///< nothing: not measurable
};

/// A unit that an attack finds easily, by the place of its first row.
struct Exposed {
  std::uint64_t row = 0;
  double score = 0;
};

/// One attack, over the targets.
struct AttackResult {
  AttackKind attack = AttackKind::loss;
  std::optional<Estimate> auc = {};
  std::optional<Estimate> accuracy = {};
  std::optional<Estimate> advantage = {};
  std::vector<RateOverTargets> rates = {};
  std::optional<double> epsilon_lower =
      {};  ///< the largest over targets and numbers of guesses, at the printed level
  std::optional<double> delta1 = {};
  std::optional<double> claimed_at_delta1 = {};
  std::vector<AttackedGroup> by_class = {};
  std::vector<AttackedGroup> by_group = {};
  std::vector<Exposed> exposed = {};  ///< at most ten
  std::vector<std::pair<double, double>> curve =
      {};  ///< shares of others and of members, on average over the targets
};

/// What came out. INTERNAL.
///
/// Bound : every unit was in every model by its own fair coin, so the one-run bound on epsilon is valid for each target, at the levels
///         divided by all attacks, targets and numbers of guesses. Not valid for rows that somebody else chose.
struct ModelAttack {
  std::string model = {};
  std::string method = {};
  std::size_t shadows = 0;
  std::size_t targets = 0;
  std::vector<AttackResult> attacks = {};
  std::optional<Estimate> train_accuracy = {};
  std::optional<Estimate> test_accuracy = {};
  Claim claimed = {};
  std::optional<double> advantage_bound = {};
  std::optional<std::vector<AttackResult>> unprotected = {};
  struct Alarm {
    double epsilon_lower = 0;
    double delta1 = 0;
    std::optional<double> claimed_at_delta1 = {};
    double rate = 1e-6;
  } alarm = {};
  std::optional<bool> holds = {};
  std::vector<Warning> warnings = {};

  /// Whether a printed bound lies above the claim at its delta, and the alarm's does not.
  [[nodiscard]] bool is_doubtful() const;
  /// The keys of docs/formats/json-output.md.
  [[nodiscard]] Json to_json() const;
};

/// One recipe and the table in the encoding it takes.
struct AttackSubject {
  const Recipe* recipe = nullptr;
  const AttackedTable* table = nullptr;
};

/// Trains `shadows` models on rows that fair coins choose, attacks the first `targets` of them, and does the same with as many models of the
/// unprotected recipe, if there is one. Everything is drawn from the seed. Memory: scores only, models are dropped.
[[nodiscard]] Result<ModelAttack> attack_model(const schema::Policy& policy, const AttackSubject& subject,
                                               const std::optional<AttackSubject>& unprotected,
                                               const ModelAttackRequest& request, Progress& progress);

/// Warns where the declared number of rows does not fit shadows that have half of the table; refuses replace-one with fewer places than units.
[[nodiscard]] Result<std::vector<Warning>> check_declared(const Recipe& recipe, std::size_t units);

}  // namespace gauze::audit
