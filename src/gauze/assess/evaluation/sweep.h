#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "gauze/assess/evaluation/figures.h"
#include "gauze/assess/evaluation/mechanism.h"
#include "gauze/assess/scores/recommendation.h"
#include "gauze/release/job/release_plan.h"
#include "gauze/release/modes/level_selection.h"

namespace gauze::assess {

/// How far off a class was in one run: (released - true) / true.
struct ClassError {
  float error = 0;
  float size = 0;  ///< true records of the class
};

/// All runs of a sweep.
struct SweepRuns {
  FigureList figures;
  std::vector<std::vector<std::vector<double>>> values;  ///< [candidate][figure][repetition]; NaN: undefined
  ScoreTable scores;                                     ///< [candidate][repetition]
  std::vector<std::vector<ClassError>> errors;           ///< [candidate], over all repetitions

  [[nodiscard]] std::optional<Estimate> estimate_of(std::size_t candidate, const FigurePath& path) const;
};

/// Simulates a release many times for every candidate (each k at each epsilon) and measures each run against the truth.
///
/// Repetition r draws from the same streams for every candidate, so that differences between them are not blurred by
/// different draws; figures of models are taken on a bootstrap of the test rows, the same for all. The result depends on the seed
/// alone, not on the number of threads; before scoring, what is measured of a candidate does not depend on the others.
class Sweep {
 public:
  Sweep(const EvaluationSetting& setting, const EvaluationData& data, const ReleasedColumns& columns,
        std::optional<double> unprotected_auc);

  /// Makes everything that does not depend on noise; refuses what cannot be released.
  [[nodiscard]] Result<void> prepare();
  [[nodiscard]] Result<SweepRuns> run(Progress& progress);

  /// The view at the policy's levels (mode select: at the levels of the best score without noise, for what is described).
  [[nodiscard]] const LevelView& view() const { return *main_view_; }
  [[nodiscard]] const Mechanism& mechanism(std::size_t candidate) const;

 private:
  struct Prepared {
    LevelView view;
    std::vector<Mechanism> mechanisms;  // one a candidate
  };
  struct Selection {
    release::LevelSelection selection;
    std::vector<Rational> scores;
  };
  /// The numbers of the figures a run fills in.
  struct Places {
    std::size_t tvd, tvd_raw, mse, classes, k_noisy, total, linkage, highest_risk, membership, distribution, detail,
        marginals_part, model_part, range_queries;
    std::vector<std::size_t> marginals;            // 1, 2, 3 ways
    std::vector<std::size_t> chi_square;           // two a column: statistic, rejected
    std::vector<std::size_t> models;               // six a family
    std::vector<std::size_t> degenerate;           // one a family
    std::vector<std::size_t> gaps;                 // kGapWords a grouping
    std::vector<std::vector<std::size_t>> groups;  // [grouping]: five a group
    std::size_t privacy_score, utility_score, fairness_score, score;
  };
  [[nodiscard]] Result<std::shared_ptr<const Prepared>> prepared(const std::vector<int>& levels);
  void list_figures();
  void run_once(std::size_t candidate, std::size_t repetition, SweepRuns& runs,
                std::vector<std::vector<ClassError>>& errors);
  void measure_counts(const Prepared& prepared, const CountRun& run,
                      const std::function<void(std::size_t, double)>& set, std::vector<ClassError>& errors) const;
  void measure_groups(const Prepared& prepared, const CountRun& run,
                      const std::function<void(std::size_t, double)>& set) const;
  void measure_models(const Prepared& prepared, const ModelRun& run,
                      const std::function<void(std::size_t, double)>& set) const;
  void add_scores(SweepRuns& runs) const;

  const EvaluationSetting& setting_;
  const EvaluationData& data_;
  const ReleasedColumns& columns_;
  std::vector<Candidate> candidates_;
  std::optional<double> unprotected_auc_;
  FigureList figures_;
  Places places_{};
  std::vector<Selection> selections_;  // mode select: one a candidate
  const LevelView* main_view_ = nullptr;
  std::vector<int> main_levels_;
  std::mutex mutex_;
  std::map<std::vector<int>, std::shared_ptr<const Prepared>> cache_;
};

/// The six figures of a performance, in this order, NaN where undefined.
inline constexpr std::array<const char*, 6> kPerformanceWords = {
    "accuracy", "balanced_accuracy", "precision", "recall", "f1", "auc"};
[[nodiscard]] std::array<double, 6> performance_figures(const models::Performance& performance);
inline constexpr std::array<const char*, 8> kGapWords = {
    "eod_sum",           "eod_max", "eod_mean", "equal_opportunity", "demographic_parity",
    "predictive_parity", "tpr_gap", "fpr_gap"};
[[nodiscard]] std::array<double, 8> gap_figures(const FairnessGaps& gaps);
inline constexpr std::array<const char*, 4> kRateWords = {"tpr", "fpr", "selection_rate", "precision"};
[[nodiscard]] std::array<double, 4> rate_figures(const models::GroupRates& rates);

}  // namespace gauze::assess
