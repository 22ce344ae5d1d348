#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gauze/audit/model/attack_kinds.h"
#include "gauze/base/progress.h"
#include "gauze/files/json.h"
#include "gauze/learn/plan/training_plan.h"
#include "gauze/learn/published/published_plan.h"
#include "gauze/statistics/estimate.h"

namespace gauze::audit {

enum class StudyMethod { none, dpsgd, shaped, apba_frozen, apba_plain, apba_private, apba_uniform };
inline constexpr Words<StudyMethod, 7> kStudyMethodWords = {{{StudyMethod::none, "none"},
                                                             {StudyMethod::dpsgd, "dpsgd"},
                                                             {StudyMethod::shaped, "shaped"},
                                                             {StudyMethod::apba_frozen, "apba-frozen"},
                                                             {StudyMethod::apba_plain, "apba-plain"},
                                                             {StudyMethod::apba_private, "apba-private"},
                                                             {StudyMethod::apba_uniform, "apba-uniform"}}};

/// Whether it is a reading of APBA-DP, which has epochs and no steps.
[[nodiscard]] constexpr bool is_published(StudyMethod method) { return method >= StudyMethod::apba_frozen; }

/// What is to be compared. Options are those of one run; kind, budget and declared rows are set for each.
struct StudyRequest {
  std::vector<learn::ModelKind> models = {};
  std::vector<StudyMethod> methods = {};
  std::vector<Rational> epsilons = {};  ///< or sigma in `training`
  Rational delta = Rational(1, 100'000);
  learn::TrainingOptions training = {};
  learn::PublishedOptions published = {};
  std::uint64_t seeds = 10;
  std::uint64_t first_seed = 1;
  Rational training_share = Rational(7, 10);
  Rational test_share = Rational(1, 5);
  std::vector<AttackKind> attacks = {};  ///< those with shadows take the models of the other seeds for shadows
  std::vector<Rational> false_rates = {Rational(1, 100), Rational(1, 1000)};
};

/// One method at one epsilon, over the seeds. INTERNAL.
struct StudyResult {
  learn::ModelKind model = learn::ModelKind::logistic;
  StudyMethod method = StudyMethod::none;
  std::optional<Rational> epsilon = {};
  std::optional<double> claimed = {};  ///< epsilon at delta
  std::optional<double> proved = {};
  std::optional<Estimate> accuracy = {};
  std::optional<Estimate> f1_weighted = {};
  std::optional<Estimate> balanced_accuracy = {};
  struct Attack {
    AttackKind kind = AttackKind::loss;
    std::optional<Estimate> accuracy = {};
    std::optional<Estimate> auc = {};
    std::vector<std::optional<Estimate>> rates = {};  ///< of members found, by the request's false rates
  };
  std::vector<Attack> attacks = {};

  /// By AUC; nothing where nothing was attacked.
  [[nodiscard]] const Attack* strongest_attack() const;
};

struct LearningStudy {
  std::optional<Estimate> majority = {};  ///< accuracy of the commonest class, over the seeds
  std::vector<StudyResult> results = {};
  Rational delta;
  std::vector<Rational> false_rates = {};

  [[nodiscard]] Json to_json() const;
};

/// Trains every model by every method at every epsilon on `seeds` random splits and measures on their test parts; what of it is `members` and
/// not is attacked where asked for. Each run is drawn from its seed alone. Both tables hold the same rows, in the two encodings.
[[nodiscard]] Result<LearningStudy> study_learning(const schema::Policy& policy, const learn::LearningRows& expanded,
                                                   const learn::LearningRows& positions, const StudyRequest& request,
                                                   Progress& progress);

}  // namespace gauze::audit
