#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gauze::models {

/// How well predictions agree with the weights of a test set. A rate without a denominator is absent, never 0.
struct Performance {
  double true_positive = 0;   ///< positive weight that is predicted positive
  double false_positive = 0;  ///< negative weight that is predicted positive
  double true_negative = 0;   ///< negative weight that is predicted negative
  double false_negative = 0;  ///< positive weight that is predicted negative

  std::optional<double> accuracy;           ///< absent without weight
  std::optional<double> balanced_accuracy;  ///< mean of recall and true negative rate; absent unless both occur
  std::optional<double> precision;          ///< absent when nothing is predicted positive
  std::optional<double> recall;             ///< absent without positive weight
  std::optional<double> f1;   ///< 2 tp / (2 tp + fp + fn); absent when nothing is positive or predicted so
  std::optional<double> auc;  ///< area under the ROC curve, ties count half; absent unless both outcomes occur
};

/// A tuple is predicted positive when its probability is at least the threshold. The three spans have one entry a tuple;
/// weights are finite and not negative, probabilities not NaN (GAUZE_CHECK). The AUC is that of the weighted pairs,
/// without binning: exact, but for the last rounding, while the products of whole-number weights stay below 2^53.
[[nodiscard]] Performance measure(std::span<const double> probabilities, std::span<const double> positive,
                                  std::span<const double> negative, double threshold = 0.5);

/// What predictions do to one group: the rates that group fairness compares.
struct GroupRates {
  double size = 0;                       ///< weight of the group
  std::optional<double> tpr;             ///< share of its positive weight that is predicted positive
  std::optional<double> fpr;             ///< share of its negative weight that is predicted positive
  std::optional<double> selection_rate;  ///< share of its weight that is predicted positive
  std::optional<double> precision;       ///< share of what is predicted positive that is positive
};

/// The rates of each group; groups[tuple] is below group_count. The same rules as for measure(). A group without weight
/// has size 0 and no rates.
[[nodiscard]] std::vector<GroupRates> rates_by_group(std::span<const double> probabilities,
                                                     std::span<const double> positive,
                                                     std::span<const double> negative,
                                                     std::span<const std::uint32_t> groups, std::uint32_t group_count,
                                                     double threshold = 0.5);

}  // namespace gauze::models
