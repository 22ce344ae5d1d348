#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gauze/assess/scores/scores.h"
#include "gauze/statistics/estimate.h"

namespace gauze::assess {

/// Scores of a sweep: of every candidate in every repetition. Repetitions are paired: each one meets all candidates.
using ScoreTable = std::vector<std::vector<Scores>>;  // [candidate][repetition]

/// Whether fairness is scored anywhere: then a run without it has no score, and cannot win.
[[nodiscard]] bool is_fairness_scored(const ScoreTable& table);

/// Which candidates may be recommended, one mark each; none: all of them.
using Eligible = std::vector<std::uint8_t>;

/// How often each candidate has the highest integrated score; ties go to the first. Where fairness is measured, a run
/// without it has no score and cannot win, and a repetition without any score is left out. Nor can a candidate win that is not eligible.
[[nodiscard]] std::vector<Estimate> win_rates(const ScoreTable& table, const Weights& weights,
                                              const Eligible& eligible = {});

/// Which candidate to take, and whether that is clear.
struct Choice {
  std::size_t winner = 0;
  std::size_t runner_up = 0;  ///< the winner itself when there is only one candidate
  Estimate win_rate;
  bool clear = false;                   ///< the winner's interval lies above the runner-up's
  std::vector<std::size_t> candidates;  ///< those whose interval reaches that of the winner, the winner among them
};
/// At least one must be eligible.
[[nodiscard]] Choice choose(const ScoreTable& table, const Weights& weights, const Eligible& eligible = {});

/// The share of the weight space each candidate wins, over repetitions; 0 where it is not eligible, or has no
/// score because fairness is measured and it has none.
[[nodiscard]] std::vector<Estimate> weight_space_estimates(const ScoreTable& table, const Eligible& eligible = {});

/// The mean scores of each candidate.
[[nodiscard]] std::vector<Scores> mean_scores(const ScoreTable& table);

}  // namespace gauze::assess
