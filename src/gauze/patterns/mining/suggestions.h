#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gauze/patterns/mining/miner.h"

namespace gauze::patterns {

/// A pattern that may be sensitive: a frequent itemset of at least two items, with its strongest rule.
struct Suggestion {
  Itemset items;
  Itemset if_items;  ///< of the rule with the largest confidence; that has one item on the right
  Itemset then_items;
  std::uint64_t support = 0;
  double confidence = 0;
  double interest = 0;     ///< P(all) / product of P(each): of more than two items not the lift of a rule
  double p_value = 1;      ///< an upper bound of the chance of such a support if the items were independent
  double p_corrected = 1;  ///< times the number of sets that might have been found
  bool significant = false;
};

/// What the published method calls sensitive, and what is more than chance.
struct SuggestOptions {
  MiningOptions mining;                      ///< threshold and limits; sizes from 2
  Rational min_confidence = Rational(1, 2);  ///< at least this, compared exactly
  Rational min_interest = 1;                 ///< more than this, compared exactly
  double significance = 0.05;                ///< the chance of any false alarm among all of them is at most this
  bool significant_only = false;
  std::optional<std::uint64_t> top = {};  ///< only so many, the surest first
};

struct Suggestions {
  std::vector<Suggestion> candidates;  ///< by p_corrected, then by support; ties in the order of mining
  std::uint64_t found = 0;             ///< before `top`
  std::uint64_t significant = 0;       ///< of all that were found
  std::uint64_t items_tested = 0;      ///< frequent ones: the sets looked at are made of them
  MiningCounts itemsets;
};

/// Every frequent itemset whose confidence (of its strongest rule) and interest factor are above the thresholds, as the
/// published method defines sensitive patterns, with a test against chance.
///
/// Null hypothesis : items are independent, each in as many transactions as it is in, at random which.
/// p_value         : pairs: exact (hypergeometric upper tail, Fisher); larger sets: a Chernoff bound, never too small.
/// Correction      : a set of k items counts as one of (n over k) that the n frequent items make, and size k has the share
///                   2^-(k-1) of the whole: under the null no set is called significant, with probability 1 - significance.
/// Not covered     : what else items may have in common than each other (a third item, the time of year).
[[nodiscard]] Result<Suggestions> suggest_patterns(const Database& database, const SuggestOptions& options,
                                                   Progress& progress);

/// Natural logarithm of an upper bound of P[at least `support` of `rows` transactions hold all items], for independent items
/// with these frequencies. Two or more frequencies, each at most rows.
[[nodiscard]] double log_chance(std::uint64_t rows, std::span<const std::uint64_t> frequencies,
                                std::uint64_t support);

/// `X => Y` as a line of a sensitive file (docs/formats/baskets.md).
[[nodiscard]] std::string sensitive_line(const Database& database, const Suggestion& suggestion);

}  // namespace gauze::patterns
