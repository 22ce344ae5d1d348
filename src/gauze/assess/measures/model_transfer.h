#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gauze/assess/measures/fairness.h"
#include "gauze/models/examples.h"
#include "gauze/models/performance.h"
#include "gauze/random/seeded_random.h"

namespace gauze::assess {

/// Balanced accuracy below which a model treats everybody (nearly) alike: 0.50, as it is printed.
inline constexpr double kChance = 0.505;
/// Whether the model is no better than a constant answer. What cannot be measured is.
[[nodiscard]] bool is_degenerate(const models::Performance& performance);

/// What models trained on some table do on untouched real rows.
struct ModelRun {
  models::Performance logistic;
  models::Performance trees;
  std::vector<std::vector<models::GroupRates>> groups;  ///< [grouping][group], of the logistic regression
  std::vector<FairnessGaps> gaps;  ///< [grouping]; undefined of a degenerate model and of few outcomes
};

/// A test set by feature tuple: what is asked of a model, and what the answers are compared with.
class ModelTest {
 public:
  /// Rows with the same features, outcome weights and groups.
  struct Unit {
    std::uint32_t features = 0;  ///< place among the feature tuples; kNoFeatures: outside what models know
    double positive = 0;
    double negative = 0;
    std::vector<std::uint32_t> groups;  ///< [grouping]
  };
  static constexpr std::uint32_t kNoFeatures = 0xffffffff;

  ModelTest(std::vector<std::uint32_t> cardinalities, std::vector<std::vector<std::uint32_t>> codes,
            std::vector<Unit> units, std::vector<std::uint32_t> group_counts);

  /// Trains both families and tests them on units weighted like `weights` (two a unit: positive, negative). Units outside
  /// get the majority of what was trained on.
  [[nodiscard]] ModelRun run(const models::Examples& training, std::span<const double> weights,
                             const FairnessRules& rules) const;

  /// The weights as they are.
  [[nodiscard]] std::vector<double> plain_weights() const;
  /// A bootstrap of the test rows: each is there a Poisson number of times.
  [[nodiscard]] std::vector<double> resampled_weights(SeededRandom& random) const;
  [[nodiscard]] const std::vector<std::uint32_t>& cardinalities() const { return cardinalities_; }
  /// Rows with the rarer of the two outcomes, without resampling.
  [[nodiscard]] double rarer_outcome() const { return rarer_outcome_; }

 private:
  template <class Model>
  [[nodiscard]] std::vector<double> predict(const Model& model, double base_rate) const;

  std::vector<std::uint32_t> cardinalities_;
  std::vector<std::vector<std::uint32_t>> codes_;  // [feature][feature tuple]
  std::vector<Unit> units_;
  std::vector<std::uint32_t> group_counts_;
  std::vector<std::vector<std::uint32_t>> unit_groups_;  // [grouping][unit]
  std::vector<std::vector<double>> group_sizes_;         // [grouping][group], without resampling
  double rarer_outcome_ = 0;
};

}  // namespace gauze::assess
