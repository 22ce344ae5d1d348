#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gauze::text {

/// How high the relevant candidates of one query stand in a ranking.
struct RankingFigures {
  double average_precision = 0;  ///< the mean, over the relevant ones, of the share of relevant ones down to there
  double reciprocal_rank = 0;    ///< 1 / the place of the first relevant one
};

/// The figures of candidates ranked by falling score. Ties are averaged: exactly the expected figures when candidates with
/// equal scores stand in random order. Scores are not NaN; at least one candidate is relevant (GAUZE_CHECK).
[[nodiscard]] RankingFigures ranking_figures(std::span<const double> scores, const std::vector<bool>& relevant);

/// The expected figures of a random order, exactly: those of candidates that all tie.
[[nodiscard]] RankingFigures random_order_figures(std::size_t candidates, std::size_t relevant);

}  // namespace gauze::text
