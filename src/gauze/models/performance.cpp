#include "gauze/models/performance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gauze/base/error.h"

namespace gauze::models {
namespace {

using Wide = long double;  ///< its range holds the product of any two doubles

std::optional<double> ratio(Wide above, Wide below) {
  if (!(below > 0)) return std::nullopt;
  return static_cast<double>(above / below);
}

void check(std::span<const double> probabilities, std::span<const double> positive,
           std::span<const double> negative) {
  GAUZE_CHECK(probabilities.size() == positive.size() && probabilities.size() == negative.size());
  const auto is_weight = [](double weight) { return weight >= 0 && std::isfinite(weight); };
  GAUZE_CHECK(std::all_of(positive.begin(), positive.end(), is_weight));
  GAUZE_CHECK(std::all_of(negative.begin(), negative.end(), is_weight));
  GAUZE_CHECK(std::none_of(probabilities.begin(), probabilities.end(), [](double p) { return std::isnan(p); }));
}

/// Twice the weight of pairs (positive, negative) in the right order, ties counted half, over twice the weight of all.
std::optional<double> area(std::span<const double> probabilities, std::span<const double> positive,
                           std::span<const double> negative) {
  std::vector<std::size_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return probabilities[a] < probabilities[b] || (probabilities[a] == probabilities[b] && a < b);
  });
  Wide twice = 0;
  Wide all_positive = 0;
  Wide negative_below = 0;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    Wide tied_positive = 0;
    Wide tied_negative = 0;
    for (; end < order.size() && probabilities[order[end]] == probabilities[order[begin]]; ++end) {
      tied_positive += positive[order[end]];
      tied_negative += negative[order[end]];
    }
    twice += tied_positive * (2 * negative_below + tied_negative);
    all_positive += tied_positive;
    negative_below += tied_negative;
  }
  return ratio(twice, 2 * all_positive * negative_below);
}

/// The weights of each outcome by prediction.
struct Confusion {
  Wide tp = 0;
  Wide fp = 0;
  Wide tn = 0;
  Wide fn = 0;

  void add(bool predicted, double positive, double negative) {
    (predicted ? tp : fn) += positive;
    (predicted ? fp : tn) += negative;
  }
};

}  // namespace

Performance measure(std::span<const double> probabilities, std::span<const double> positive,
                    std::span<const double> negative, double threshold) {
  check(probabilities, positive, negative);
  Confusion sums;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    sums.add(probabilities[i] >= threshold, positive[i], negative[i]);
  }
  const auto [tp, fp, tn, fn] = sums;
  Performance result{.true_positive = static_cast<double>(tp),
                     .false_positive = static_cast<double>(fp),
                     .true_negative = static_cast<double>(tn),
                     .false_negative = static_cast<double>(fn),
                     .accuracy = ratio(tp + tn, tp + fp + tn + fn),
                     .balanced_accuracy = std::nullopt,
                     .precision = ratio(tp, tp + fp),
                     .recall = ratio(tp, tp + fn),
                     .f1 = ratio(2 * tp, 2 * tp + fp + fn),
                     .auc = area(probabilities, positive, negative)};
  if (tp + fn > 0 && tn + fp > 0) {
    result.balanced_accuracy = static_cast<double>((tp / (tp + fn) + tn / (tn + fp)) / 2);
  }
  return result;
}

std::vector<GroupRates> rates_by_group(std::span<const double> probabilities, std::span<const double> positive,
                                       std::span<const double> negative, std::span<const std::uint32_t> groups,
                                       std::uint32_t group_count, double threshold) {
  check(probabilities, positive, negative);
  GAUZE_CHECK(groups.size() == probabilities.size());
  std::vector<Confusion> sums(group_count);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    GAUZE_CHECK(groups[i] < group_count);
    sums[groups[i]].add(probabilities[i] >= threshold, positive[i], negative[i]);
  }
  std::vector<GroupRates> rates;
  rates.reserve(group_count);
  for (const auto& [tp, fp, tn, fn] : sums) {
    const Wide size = tp + fp + tn + fn;
    rates.push_back({.size = static_cast<double>(size),
                     .tpr = ratio(tp, tp + fn),
                     .fpr = ratio(fp, fp + tn),
                     .selection_rate = ratio(tp + fp, size),
                     .precision = ratio(tp, tp + fp)});
  }
  return rates;
}

}  // namespace gauze::models
