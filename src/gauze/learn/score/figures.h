#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/progress.h"
#include "gauze/files/json.h"
#include "gauze/learn/score/scored_rows.h"
#include "gauze/random/random_words.h"
#include "gauze/statistics/estimate.h"

namespace gauze::learn {

/// How good a model is on some rows. What cannot be said is absent, never 0.
struct Figures {
  std::optional<double> accuracy = {};
  std::optional<double> balanced_accuracy = {};  ///< mean recall of the classes that occur
  std::optional<double> f1_weighted = {};        ///< by how often classes occur
  std::optional<double> f1_macro = {};           ///< over the classes that occur or are predicted
  std::optional<double> log_loss = {};
  std::optional<double> auc = {};  ///< of several classes: mean of one against the rest
  std::optional<double> mae = {};  ///< ordered classes by their places; numbers
  std::optional<double> rmse = {};
};

/// true classes x predicted classes.
using Confusion = std::vector<std::vector<double>>;

/// Accuracy, balanced accuracy, F1 and, of ordered classes, the mean absolute error.
[[nodiscard]] Figures figures_of(const Confusion& confusion, bool ordered);

/// The share of the commonest class among the truths.
struct Majority {
  std::optional<std::uint32_t> label = {};
  std::optional<double> accuracy = {};
};
[[nodiscard]] Majority majority_of(const Confusion& confusion);

/// Figures with their intervals.
struct FigureEstimates {
  std::optional<Estimate> accuracy = {};
  std::optional<Estimate> balanced_accuracy = {};
  std::optional<Estimate> f1_weighted = {};
  std::optional<Estimate> f1_macro = {};
  std::optional<Estimate> log_loss = {};
  std::optional<Estimate> auc = {};
  std::optional<Estimate> mae = {};
  std::optional<Estimate> rmse = {};

  [[nodiscard]] Json to_json() const;
};

/// The exact figures of the rows (of one group, if given), each with the middle 95 % of `repetitions` bootstrap samples of units.
/// `interrupted` once a stop is asked for.
[[nodiscard]] Result<FigureEstimates> bootstrap_figures(const ScoredRows& rows, std::optional<std::uint32_t> group,
                                                        std::size_t repetitions, RandomWords& random,
                                                        const Progress& progress);

/// Figures of a noisy confusion matrix: what `noise` (one number a cell) and the choice of rows could have made of them is simulated.
[[nodiscard]] FigureEstimates noisy_figures(const Confusion& noisy, bool ordered, double noise_scale,
                                            std::size_t repetitions, RandomWords& random);

/// Noisy cells that are not negative.
[[nodiscard]] Confusion clipped_at_zero(Confusion confusion);
/// How often a noisy figure is drawn again for its interval.
inline constexpr std::size_t kIntervalDraws = 500;

/// The confusion matrix of the rows (of one group, if given).
[[nodiscard]] Confusion confusion_of(const ScoredRows& rows, std::optional<std::uint32_t> group);

}  // namespace gauze::learn
