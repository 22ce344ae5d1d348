#pragma once

#include <optional>
#include <span>
#include <string>

#include "gauze/files/json.h"
#include "gauze/patterns/baskets/basket_file.h"
#include "gauze/patterns/mining/association_rules.h"
#include "gauze/patterns/mining/interval_support.h"
#include "gauze/patterns/mining/miner.h"

namespace gauze::patterns {

/// Whether figures that unknown marks leave open are given as the smallest and the largest that are possible.
enum class OpenFigures { definite, intervals };

/// How sets and rules that were found in a file are told: each as a line of text, or as an object for programs
/// (docs/formats/json-output.md).
///
/// Lines    : `a b c (12)`, `a => b (support 12, confidence 0.8, lift 2.1)`; a figure that is open is `12..15`. Names are
///            written as the file would write them.
/// Thread safety: const members may be called concurrently. The file must outlive it.
class PatternListing {
 public:
  PatternListing(const BasketFile& file, OpenFigures figures);

  [[nodiscard]] std::string line(std::span<const Item> set, std::uint64_t support) const;
  [[nodiscard]] Json to_json(std::span<const Item> set, std::uint64_t support) const;
  [[nodiscard]] std::string line(const AssociationRule& rule) const;
  [[nodiscard]] Json to_json(const AssociationRule& rule) const;

 private:
  struct RuleRanges {
    SupportInterval support;
    ConfidenceInterval confidence;
  };
  [[nodiscard]] RuleRanges ranges(const AssociationRule& rule) const;

  const BasketFile& file_;
  const Database& database_;
  std::optional<IntervalIndex> index_;
};

/// How many itemsets there are, and in what: `transactions`, `items`, `min_count`, `itemsets`, `complete`, `by_size`.
[[nodiscard]] Json to_json(const Database& database, const MiningOptions& options, const MiningCounts& counts);
/// The same with the counts of rules, whose `complete` is that of the rules.
[[nodiscard]] Json to_json(const Database& database, const RuleOptions& options, const RuleCounts& counts);

}  // namespace gauze::patterns
