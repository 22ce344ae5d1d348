#pragma once

#include <cstdint>
#include <vector>

#include "gauze/anonymize/classes/lattice.h"
#include "gauze/anonymize/classes/node_evaluation.h"
#include "gauze/anonymize/classes/records.h"
#include "gauze/schema/policy/criteria.h"

namespace gauze::anonymize {

/// One figure of what generalisation and suppression cost, for a node of the lattice; smaller is better. The exact
/// definitions are in docs/formats/policy.md and are those of ARX.
///
/// Searches compare scores. A score orders nodes as the figure does and is, for all metrics but those of class sizes, a
/// sum over the quasi-identifiers of a term that depends on the level and on what is suppressed alone. Suppressing more
/// never lowers a term, which is what bounds rest on.
class InformationLoss {
 public:
  /// terms[quasi][level]
  using Terms = std::vector<std::vector<double>>;

  InformationLoss(schema::Metric metric, const Records& records);

  [[nodiscard]] schema::Metric metric() const { return metric_; }
  /// Whether the score is a sum of terms; else it is one of class sizes.
  [[nodiscard]] bool additive() const;
  /// The terms when these records are suppressed at every level; or no more than they are when so many further ones are, too.
  [[nodiscard]] Terms terms(const SuppressedRecords& suppressed, std::uint64_t further = 0) const;
  [[nodiscard]] static double sum(const Terms& terms, const Levels& levels);

  [[nodiscard]] double score(const Levels& levels, const NodeOutcome& outcome) const;
  /// The figure that users see.
  [[nodiscard]] double value(double score) const;

 private:
  /// The values of a quasi-identifier at a level that occur, those that cover most of the hierarchy first, and how often.
  struct Coarsest {
    std::vector<std::uint32_t> codes;
    std::vector<std::uint64_t> counts;
  };
  [[nodiscard]] double loss_of(std::size_t quasi, double covered) const;
  /// The most rows of the hierarchy that so many further records can cover; `gone` by code are none of them.
  [[nodiscard]] double most_rows(std::size_t quasi, int level, const std::vector<std::uint64_t>& gone,
                                 std::uint64_t further) const;

  schema::Metric metric_;
  const Records& records_;
  std::vector<double> weights_;                  // normalised for means, as given for sums
  std::vector<std::vector<double>> covered_;     // [quasi][level]: sum over all records of the ground values covered
  std::vector<std::vector<double>> entropy_;     // [quasi][level]
  std::vector<std::vector<Coarsest>> coarsest_;  // [quasi][level]
};

}  // namespace gauze::anonymize
