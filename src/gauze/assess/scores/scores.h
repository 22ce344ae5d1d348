#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/rational.h"

namespace gauze::assess {

/// How much each of the three scores counts; they add up to 1.
struct Weights {
  double privacy = 0.4;
  double utility = 0.3;
  double fairness = 0.3;
};

/// The weightings of the thesis, by name.
struct NamedWeights {
  std::string_view name;
  Weights weights;
};
inline constexpr std::array<NamedWeights, 4> kWeightings = {{{"balanced", {0.4, 0.3, 0.3}},
                                                             {"privacy", {0.6, 0.2, 0.2}},
                                                             {"utility", {0.2, 0.6, 0.2}},
                                                             {"fairness", {0.2, 0.2, 0.6}}}};

/// Three scores between 0 and 1; fairness is NaN where it is not measured.
struct Scores {
  double privacy = 0;
  double utility = 0;
  double fairness = 0;
};

/// The weighted mean of what is measured.
[[nodiscard]] double integrate(const Scores& scores, const Weights& weights);

/// The absolute scale of privacy: 1 minus the largest advantage that (epsilon, delta)-DP leaves to an attacker who guesses
/// whether one unit is in the data. 1: guessing helps nothing; 0: presence can be certain.
[[nodiscard]] double privacy_score(double epsilon, double delta);
/// That advantage: (e^epsilon - 1 + 2 delta) / (e^epsilon + 1).
[[nodiscard]] double membership_bound(double epsilon, double delta);

/// What the thesis's scores of a sweep are computed from: one run for each epsilon.
struct PublishedInputs {
  std::vector<double> epsilons;
  std::vector<double> k;  ///< smallest noisy count
  std::vector<double> tvd;
  std::vector<std::vector<double>> equalised_odds;  ///< [protected column][epsilon]; empty: no fairness
};
/// The thesis's formulas, min-max over the sweep: privacy 0.6 (k - kmin) / (kmax - kmin) + 0.4 / (1 + epsilon), utility
/// (TVDmax - TVD) / (TVDmax - TVDmin), fairness the mean over columns of 1 - (EOD - min) / (max - min). Where all runs
/// agree the fraction counts as 1.
[[nodiscard]] std::vector<Scores> published_scores(const PublishedInputs& inputs);

/// The share of all weightings (of the triangle of non-negative weights that add up to 1) in which each candidate has the
/// highest score, exactly, by clipping polygons. Ties go to the first. Without fairness the triangle is a line.
[[nodiscard]] std::vector<double> weight_space(std::span<const Scores> scores);

/// Candidates that no other one beats in one score without losing in another.
[[nodiscard]] std::vector<std::size_t> pareto_front(std::span<const Scores> scores);

}  // namespace gauze::assess
