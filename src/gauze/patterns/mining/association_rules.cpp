#include "gauze/patterns/mining/association_rules.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace gauze::patterns {
namespace {

struct ItemsetHash {
  std::size_t operator()(const Itemset& set) const {
    std::uint64_t hash = 0x9e3779b97f4a7c15;
    for (const Item item : set) hash = (hash ^ item) * 0xff51afd7ed558ccd + (hash >> 29);
    return static_cast<std::size_t>(hash);
  }
};
using SupportOf = std::unordered_map<Itemset, std::uint64_t, ItemsetHash>;

Rational number(std::uint64_t value) { return Rational(static_cast<std::int64_t>(value)); }

constexpr std::size_t kLongestForAllSplits = 20;

}  // namespace

double AssociationRule::confidence() const { return static_cast<double>(support) / static_cast<double>(support_a); }

double AssociationRule::lift(std::uint64_t rows) const {
  return static_cast<double>(support) * static_cast<double>(rows) /
         (static_cast<double>(support_a) * static_cast<double>(support_b));
}

double AssociationRule::conviction(std::uint64_t rows) const {
  if (support == support_a) return std::numeric_limits<double>::infinity();
  const double fails = static_cast<double>(support_a - support);
  return static_cast<double>(support_a) * static_cast<double>(rows - support_b) / (static_cast<double>(rows) * fails);
}

Result<RuleCounts> mine_rules(const Database& database, const RuleOptions& options,
                              const std::function<bool(const AssociationRule&)>& sink, Progress& progress) {
  if (!(options.min_confidence >= 0 && options.min_confidence <= 1))
    return invalid_parameter("the smallest confidence must lie between 0 and 1");
  SupportOf supports;
  std::vector<const Itemset*> order;
  RuleCounts counts;
  MiningOptions mining = options.mining;
  mining.kind = ItemsetKind::frequent;
  const auto keep = [&](std::span<const Item> set, std::uint64_t support) {
    order.push_back(&supports.emplace(Itemset(set.begin(), set.end()), support).first->first);
    return true;
  };
  GAUZE_TRY(counts.itemsets, mine_itemsets(database, mining, keep, progress));
  counts.complete = counts.itemsets.complete;
  const std::uint64_t rows = database.rows();
  AssociationRule rule;
  for (const Itemset* set : order) {
    if (set->size() < 2) continue;
    if (set->size() > kLongestForAllSplits && !options.single_consequent)
      return make_error(
          ErrorCode::unsupported,
          "an itemset has {} items: too many ways to split it; ask for rules with one item on the right",
          set->size());
    rule.support = supports.at(*set);
    const std::uint64_t splits = std::uint64_t{1} << std::min(set->size(), std::size_t{63});
    const auto consider = [&](std::uint64_t mask) {  // bits: items on the right
      rule.a.clear();
      rule.b.clear();
      for (std::size_t i = 0; i < set->size(); ++i) ((mask >> i & 1) != 0 ? rule.b : rule.a).push_back((*set)[i]);
      // Subsets of a frequent set are frequent, so they were found, unless the search was cut short.
      const auto a = supports.find(rule.a);
      const auto b = supports.find(rule.b);
      if (a == supports.end() || b == supports.end()) return true;
      rule.support_a = a->second;
      rule.support_b = b->second;
      if (number(rule.support) < options.min_confidence * number(rule.support_a)) return true;
      if (number(rule.support) * number(rows) < options.min_lift * number(rule.support_a) * number(rule.support_b))
        return true;
      if (options.max_rules && counts.rules == *options.max_rules) {
        counts.complete = false;
        return false;
      }
      ++counts.rules;
      return sink(rule);
    };
    bool go_on = true;
    if (options.single_consequent) {
      for (std::size_t i = 0; go_on && i < set->size(); ++i) go_on = consider(std::uint64_t{1} << i);
    } else {
      for (std::uint64_t mask = 1; go_on && mask + 1 < splits; ++mask) go_on = consider(mask);
    }
    GAUZE_TRY_VOID(progress.check());
    if (!go_on) break;
  }
  return counts;
}

}  // namespace gauze::patterns
