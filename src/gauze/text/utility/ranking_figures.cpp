#include "gauze/text/utility/ranking_figures.h"

#include <algorithm>
#include <numeric>

#include "gauze/base/error.h"

namespace gauze::text {
namespace {

/// Candidates that tie, in the ranking of one query.
struct Tie {
  std::size_t above = 0;           ///< candidates that stand higher
  std::size_t relevant_above = 0;  ///< of these, relevant ones
  std::size_t size = 0;
  std::size_t relevant = 0;
};

/// The expected sum, over the relevant ones of the tie, of the share of relevant ones down to their places. Place i of the
/// tie holds a relevant one with probability r / n, and then (i - 1)(r - 1) / (n - 1) of those before it are expected to be.
double expected_precisions(const Tie& tie) {
  const auto n = static_cast<double>(tie.size);
  const auto r = static_cast<double>(tie.relevant);
  const double later = tie.size > 1 ? (r - 1) / (n - 1) : 0;
  double sum = 0;
  for (std::size_t i = 0; i < tie.size; ++i) {
    const double found = static_cast<double>(tie.relevant_above) + 1 + static_cast<double>(i) * later;
    sum += r / n * found / static_cast<double>(tie.above + i + 1);
  }
  return sum;
}

/// The expected 1 / place of the first relevant one, which is in this tie: it is the i-th of the tie with probability
/// C(n - i, r - 1) / C(n, r).
double expected_reciprocal(const Tie& tie) {
  double probability = static_cast<double>(tie.relevant) / static_cast<double>(tie.size);
  double sum = 0;
  for (std::size_t i = 1; i + tie.relevant <= tie.size + 1; ++i) {
    sum += probability / static_cast<double>(tie.above + i);
    if (i < tie.size)
      probability *= static_cast<double>(tie.size + 1 - i - tie.relevant) / static_cast<double>(tie.size - i);
  }
  return sum;
}

}  // namespace

RankingFigures ranking_figures(std::span<const double> scores, const std::vector<bool>& relevant) {
  GAUZE_CHECK(scores.size() == relevant.size());
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  RankingFigures figures;
  Tie tie;
  for (std::size_t begin = 0; begin < order.size(); begin += tie.size) {
    tie = {.above = begin, .relevant_above = tie.relevant_above + tie.relevant, .size = 0, .relevant = 0};
    while (begin + tie.size < order.size() && scores[order[begin + tie.size]] == scores[order[begin]]) {
      tie.relevant += relevant[order[begin + tie.size]] ? 1 : 0;
      ++tie.size;
    }
    if (tie.relevant == 0) continue;
    figures.average_precision += expected_precisions(tie);
    if (tie.relevant_above == 0) figures.reciprocal_rank = expected_reciprocal(tie);
  }
  const std::size_t all = tie.relevant_above + tie.relevant;
  GAUZE_CHECK(all > 0);
  figures.average_precision /= static_cast<double>(all);
  return figures;
}

RankingFigures random_order_figures(std::size_t candidates, std::size_t relevant) {
  GAUZE_CHECK(relevant > 0 && relevant <= candidates);
  const Tie all{.above = 0, .relevant_above = 0, .size = candidates, .relevant = relevant};
  return {expected_precisions(all) / static_cast<double>(relevant), expected_reciprocal(all)};
}

}  // namespace gauze::text
