#include "gauze/anonymize/internal/score_bounds.h"

#include <algorithm>
#include <cmath>

namespace gauze::anonymize::internal {

using namespace schema;  // the vocabulary of this file

ScoreBounds::ScoreBounds(const Lattice& lattice, const InformationLoss& loss, const NodeEvaluation& evaluation)
    : lattice_(lattice),
      loss_(loss),
      evaluation_(evaluation),
      bounds_(lattice.size(), 0),
      closed_(lattice.size(), 0),
      pruned_(lattice.size(), 0) {
  if (loss_.additive()) {
    const InformationLoss::Terms terms = loss_.terms({});
    lattice_.for_each_below(lattice_.top(), [&](std::uint32_t node, const Levels& levels) {
      raise(node, InformationLoss::sum(terms, levels));
    });
  } else {
    lattice_.for_each_below(lattice_.top(),
                            [&](std::uint32_t node, const Levels& levels) { raise(node, size_bound(levels, 0)); });
  }
}

void ScoreBounds::raise(std::uint32_t node, double score) {
  bounds_[node] = std::max(bounds_[node], score - 1e-12 * std::abs(score));
}

// With at least `suppressed` records gone, by the number of classes that the node can have at most.
double ScoreBounds::size_bound(const Levels& levels, double suppressed) const {
  const auto records = static_cast<double>(evaluation_.records().total);
  const auto limit = static_cast<double>(evaluation_.suppression_limit());
  const double k =
      evaluation_.criteria().missing_matches_everything() ? 1 : static_cast<double>(evaluation_.criteria().k());
  const double domain = evaluation_.grouping().domain(levels);
  const double classes = std::min(domain, std::floor((records - suppressed) / std::max(k, 1.0)));
  if (loss_.metric() == Metric::aecs) return records / std::max(classes + (limit > 0 ? 1 : 0), 1.0);
  // Sum of squares of `kept` records in at most `classes` classes, plus N for each suppressed one. It grows with what is
  // suppressed as soon as there are two classes; with one, the least is at the limit.
  const double least_kept = std::max(0.0, records - limit);
  if (classes < 2) return least_kept * least_kept + records * suppressed;
  const double kept = records - suppressed;
  return std::max(kept * kept / classes, kept * std::min(k, least_kept)) + records * suppressed;
}

void ScoreBounds::learn(std::uint32_t node, const NodeOutcome& outcome) {
  if (!loss_.additive()) {
    const auto records = static_cast<double>(evaluation_.records().total);
    const bool may_suppress = evaluation_.suppression_limit() > 0;
    const double above =
        loss_.metric() == Metric::discernibility
            ? outcome.least_squares_above
            : records / std::max(static_cast<double>(outcome.most_classes_above) + (may_suppress ? 1 : 0), 1.0);
    lattice_.for_each_above(node, [&](std::uint32_t other) { raise(other, above); });
  }
  if (outcome.prunes_below) {
    close_below(node);
    return;
  }
  if (outcome.lasting.records == 0 && outcome.lasting_further == 0) return;
  if (loss_.additive()) {
    const InformationLoss::Terms terms = loss_.terms(outcome.lasting, outcome.lasting_further);
    lattice_.for_each_below(node, [&](std::uint32_t other, const Levels& levels) {
      if (closed_[other] == 0) raise(other, InformationLoss::sum(terms, levels));
    });
  } else {
    const auto suppressed = static_cast<double>(outcome.lasting.records + outcome.lasting_further);
    lattice_.for_each_below(node, [&](std::uint32_t other, const Levels& levels) {
      if (closed_[other] == 0) raise(other, size_bound(levels, suppressed));
    });
  }
}

// What was pruned before needs no second visit, so all calls together visit every node once.
void ScoreBounds::close_below(std::uint32_t node) {
  std::vector<std::uint32_t> waiting{node};
  while (!waiting.empty()) {
    const std::uint32_t here = waiting.back();
    waiting.pop_back();
    if (pruned_[here] != 0) continue;
    pruned_[here] = 1;
    closed_[here] = 1;
    for (std::size_t quasi = 0; quasi < lattice_.width(); ++quasi)
      if (lattice_.level(here, quasi) > 0 && pruned_[here - lattice_.stride(quasi)] == 0)
        waiting.push_back(here - lattice_.stride(quasi));
  }
}

}  // namespace gauze::anonymize::internal
