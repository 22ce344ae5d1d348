#pragma once

#include <functional>

#include "gauze/base/words.h"
#include "gauze/patterns/mining/miner.h"

namespace gauze::patterns {

/// "Who holds A also holds B", with its figures.
struct AssociationRule {
  Itemset a;
  Itemset b;
  std::uint64_t support = 0;    ///< rows that hold both
  std::uint64_t support_a = 0;  ///< rows that hold A
  std::uint64_t support_b = 0;  ///< rows that hold B

  /// Rows that hold A or B, and how many more hold one of them than the other.
  [[nodiscard]] std::uint64_t either() const { return support_a + support_b - support; }
  [[nodiscard]] std::uint64_t apart() const {
    return support_a > support_b ? support_a - support_b : support_b - support_a;
  }

  [[nodiscard]] double confidence() const;
  /// P(A and B) / (P(A) P(B)): 1 when they are independent.
  [[nodiscard]] double lift(std::uint64_t rows) const;
  /// P(A) P(not B) / P(A and not B); infinite when B never fails.
  [[nodiscard]] double conviction(std::uint64_t rows) const;
  /// P(A and B) - P(A) P(B): 0 when they are independent.
  [[nodiscard]] double leverage(std::uint64_t rows) const;
  /// P(A and B) / P(A or B).
  [[nodiscard]] double jaccard() const;
  /// The mean of the confidences of A => B and B => A.
  [[nodiscard]] double kulczynski() const;
  /// |P(A) - P(B)| / P(A or B): 0 when both sides are as frequent; beside kulczynski it says whether one confidence is alone large.
  [[nodiscard]] double imbalance() const;
};

/// What rules are put in order by.
enum class RuleMeasure { lift, confidence, support, conviction, leverage, jaccard, kulczynski, imbalance };
inline constexpr Words<RuleMeasure, 8> kRuleMeasureWords = {{{RuleMeasure::lift, "lift"},
                                                             {RuleMeasure::confidence, "confidence"},
                                                             {RuleMeasure::support, "support"},
                                                             {RuleMeasure::conviction, "conviction"},
                                                             {RuleMeasure::leverage, "leverage"},
                                                             {RuleMeasure::jaccard, "jaccard"},
                                                             {RuleMeasure::kulczynski, "kulczynski"},
                                                             {RuleMeasure::imbalance, "imbalance"}}};

/// Whether the first is larger, in exact arithmetic. An infinite conviction is larger than any other.
[[nodiscard]] bool is_larger(RuleMeasure measure, const AssociationRule& first, const AssociationRule& second,
                             std::uint64_t rows);

struct RuleOptions {
  MiningOptions mining;                      ///< its sizes are those of both sides together
  Rational min_confidence = Rational(1, 2);  ///< between 0 and 1, compared exactly
  Rational min_lift = 0;
  bool single_consequent = false;  ///< B of one item only
  std::optional<std::uint64_t> max_rules = {};
  std::optional<std::uint64_t> top = {};  ///< only so many, the largest first; all that equal the last of them stay
  RuleMeasure by = RuleMeasure::lift;
};

struct RuleCounts {
  MiningCounts itemsets;
  std::uint64_t rules = 0;
  bool complete = true;
};

/// Every rule with both sides non-empty whose items together are frequent and whose confidence and lift are large enough,
/// in the order of the itemsets (with `top`, in the order of the measure); false from the sink ends it.
[[nodiscard]] Result<RuleCounts> mine_rules(const Database& database, const RuleOptions& options,
                                            const std::function<bool(const AssociationRule&)>& sink,
                                            Progress& progress);

}  // namespace gauze::patterns
