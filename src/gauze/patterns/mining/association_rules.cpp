#include "gauze/patterns/mining/association_rules.h"

#include <algorithm>
#include <limits>

#include "gauze/patterns/mining/exact_count.h"
#include "gauze/patterns/mining/internal/itemset_hash.h"

namespace gauze::patterns {
namespace {

using internal::SupportOf;

constexpr std::size_t kLongestForAllSplits = 20;

__extension__ using Signed = __int128;
__extension__ using Wide = unsigned __int128;  // supports are below 2^32: products of three fit

/// Rows times the rows that hold both, less what independence would give, times the rows.
Signed excess(const AssociationRule& rule, std::uint64_t rows) {
  return static_cast<Signed>(rule.support) * rows - static_cast<Signed>(rule.support_a) * rule.support_b;
}

/// Twice the measure: products of four supports may not fit.
Rational exact_kulczynski(const AssociationRule& rule) {
  return exact_count(rule.support) / exact_count(rule.support_a) +
         exact_count(rule.support) / exact_count(rule.support_b);
}

/// The largest rules by a measure, with all that equal the last of them.
class LargestRules {
 public:
  LargestRules(RuleMeasure measure, std::uint64_t rows, std::uint64_t wanted)
      : measure_(measure), rows_(rows), wanted_(static_cast<std::size_t>(wanted)) {}

  void add(const AssociationRule& rule) {
    rules_.push_back(rule);
    if (rules_.size() >= wanted_ * 2 + 1024 && rules_.size() >= next_cut_) cut();
  }
  const std::vector<AssociationRule>& sorted() {
    cut();
    return rules_;
  }

 private:
  void cut() {
    std::stable_sort(rules_.begin(), rules_.end(), [&](const AssociationRule& a, const AssociationRule& b) {
      return is_larger(measure_, a, b, rows_);
    });
    std::size_t kept = std::min(wanted_, rules_.size());
    while (kept > 0 && kept < rules_.size() && !is_larger(measure_, rules_[kept - 1], rules_[kept], rows_)) ++kept;
    rules_.erase(rules_.begin() + static_cast<std::ptrdiff_t>(kept), rules_.end());
    next_cut_ = rules_.size() * 2;
  }

  RuleMeasure measure_;
  std::uint64_t rows_;
  std::size_t wanted_;
  std::size_t next_cut_ = 0;
  std::vector<AssociationRule> rules_;
};

}  // namespace

double AssociationRule::leverage(std::uint64_t rows) const {
  const double n = static_cast<double>(rows);
  return static_cast<double>(excess(*this, rows)) / (n * n);
}

double AssociationRule::jaccard() const { return static_cast<double>(support) / static_cast<double>(either()); }

double AssociationRule::kulczynski() const {
  return (confidence() + static_cast<double>(support) / static_cast<double>(support_b)) / 2;
}

double AssociationRule::imbalance() const { return static_cast<double>(apart()) / static_cast<double>(either()); }

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

bool is_larger(RuleMeasure measure, const AssociationRule& first, const AssociationRule& second, std::uint64_t rows) {
  const auto product = [](std::uint64_t a, std::uint64_t b, std::uint64_t c) { return static_cast<Wide>(a) * b * c; };
  switch (measure) {
    case RuleMeasure::support:
      return first.support > second.support;
    case RuleMeasure::confidence:
      return product(first.support, second.support_a, 1) > product(second.support, first.support_a, 1);
    case RuleMeasure::lift:
      return product(first.support, second.support_a, second.support_b) >
             product(second.support, first.support_a, first.support_b);
    case RuleMeasure::leverage:
      return excess(first, rows) > excess(second, rows);
    case RuleMeasure::jaccard:
      return product(first.support, second.either(), 1) > product(second.support, first.either(), 1);
    case RuleMeasure::kulczynski:
      return exact_kulczynski(first) > exact_kulczynski(second);
    case RuleMeasure::imbalance:
      return product(first.apart(), second.either(), 1) > product(second.apart(), first.either(), 1);
    case RuleMeasure::conviction:
      break;
  }
  const std::uint64_t first_fails = first.support_a - first.support;
  const std::uint64_t second_fails = second.support_a - second.support;
  if (first_fails == 0 || second_fails == 0) return first_fails == 0 && second_fails != 0;
  return product(first.support_a, rows - first.support_b, second_fails) >
         product(second.support_a, rows - second.support_b, first_fails);
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
  mining.min_size = 1;  // the sides of a rule must be known too
  const auto keep = [&](std::span<const Item> set, std::uint64_t support) {
    order.push_back(&supports.emplace(Itemset(set.begin(), set.end()), support).first->first);
    return true;
  };
  GAUZE_TRY(counts.itemsets, mine_itemsets(database, mining, keep, progress));
  counts.complete = counts.itemsets.complete;
  const std::uint64_t rows = database.rows();
  AssociationRule rule;
  std::optional<LargestRules> largest;
  if (options.top) largest.emplace(options.by, rows, *options.top);
  // Judges the rule; false ends the search.
  const auto judge = [&] {
    // Subsets of a frequent set are frequent, so they were found, unless the search was cut short.
    const auto a = supports.find(rule.a);
    const auto b = supports.find(rule.b);
    if (a == supports.end() || b == supports.end()) return true;
    rule.support_a = a->second;
    rule.support_b = b->second;
    if (exact_count(rule.support) < options.min_confidence * exact_count(rule.support_a)) return true;
    if (exact_count(rule.support) * exact_count(rows) <
        options.min_lift * exact_count(rule.support_a) * exact_count(rule.support_b))
      return true;
    if (largest) {
      largest->add(rule);
      return true;
    }
    if (options.max_rules && counts.rules == *options.max_rules) {
      counts.complete = false;
      return false;
    }
    ++counts.rules;
    return sink(rule);
  };
  const std::size_t smallest = std::max<std::size_t>(2, options.mining.min_size);
  for (const Itemset* set : order) {
    if (set->size() < smallest) continue;
    if (set->size() > kLongestForAllSplits && !options.single_consequent)
      return make_error(
          ErrorCode::unsupported,
          "an itemset has {} items: too many ways to split it; ask for rules with one item on the right",
          set->size());
    rule.support = supports.at(*set);
    const std::uint64_t splits = options.single_consequent ? set->size() : (std::uint64_t{1} << set->size()) - 2;
    bool go_on = true;
    for (std::uint64_t split = 0; go_on && split < splits; ++split) {
      rule.a.clear();
      rule.b.clear();
      for (std::size_t i = 0; i < set->size(); ++i) {
        const bool right = options.single_consequent ? i == split : ((split + 1) >> i & 1) != 0;
        (right ? rule.b : rule.a).push_back((*set)[i]);
      }
      go_on = judge();
    }
    GAUZE_TRY_VOID(progress.check());
    if (!go_on) break;
  }
  if (!largest) return counts;
  for (const AssociationRule& one : largest->sorted()) {
    if (options.max_rules && counts.rules == *options.max_rules) {
      counts.complete = false;
      break;
    }
    ++counts.rules;
    if (!sink(one)) break;
  }
  return counts;
}

}  // namespace gauze::patterns
