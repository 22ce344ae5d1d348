#include "gauze/patterns/mining/pattern_listing.h"

#include <fmt/core.h>

#include "gauze/patterns/baskets/item_names.h"

namespace gauze::patterns {
namespace {

/// `12`, or `12..15` where marks leave it open.
std::string range_text(const SupportInterval& interval) {
  return interval.low == interval.high ? std::to_string(interval.low)
                                       : fmt::format("{}..{}", interval.low, interval.high);
}

Json range_json(const SupportInterval& interval) { return Json::array({Json(interval.low), Json(interval.high)}); }

}  // namespace

PatternListing::PatternListing(const BasketFile& file, OpenFigures figures)
    : file_(file), database_(file.database()) {
  if (figures == OpenFigures::intervals) index_.emplace(database_);
}

std::string PatternListing::line(std::span<const Item> set, std::uint64_t support) const {
  const SupportInterval range = index_ ? index_->support(set, support) : SupportInterval{support, support};
  return fmt::format("{} ({})\n", names_text(database_, set, file_.format()), range_text(range));
}

Json PatternListing::to_json(std::span<const Item> set, std::uint64_t support) const {
  Json one = Json::object({{"items", names_json(database_, set)}, {"support", support}});
  if (index_) one.set("support_interval", range_json(index_->support(set, support)));
  return one;
}

PatternListing::RuleRanges PatternListing::ranges(const AssociationRule& rule) const {
  Itemset both = rule.a;
  both.insert(both.end(), rule.b.begin(), rule.b.end());
  // A rule that is found holds somewhere, so its confidence is defined.
  return {index_->support(both, rule.support),
          index_->confidence(rule.a, rule.b, rule.support, rule.support_a).value_or(ConfidenceInterval{})};
}

std::string PatternListing::line(const AssociationRule& rule) const {
  std::string support = std::to_string(rule.support);
  std::string confidence = fmt::format("{:.4g}", rule.confidence());
  if (index_) {
    const RuleRanges open = ranges(rule);
    support = range_text(open.support);
    if (open.confidence.low != open.confidence.high)
      confidence = fmt::format("{:.4g}..{:.4g}", open.confidence.low, open.confidence.high);
  }
  return fmt::format("{} => {} (support {}, confidence {}, lift {:.4g})\n",
                     names_text(database_, rule.a, file_.format()), names_text(database_, rule.b, file_.format()),
                     support, confidence, rule.lift(database_.rows()));
}

Json PatternListing::to_json(const AssociationRule& rule) const {
  Json one = Json::object({{"if", names_json(database_, rule.a)},
                           {"then", names_json(database_, rule.b)},
                           {"support", rule.support},
                           {"confidence", rule.confidence()},
                           {"lift", rule.lift(database_.rows())},
                           {"conviction", rule.conviction(database_.rows())},
                           {"leverage", rule.leverage(database_.rows())},
                           {"jaccard", rule.jaccard()},
                           {"kulczynski", rule.kulczynski()},
                           {"imbalance", rule.imbalance()}});
  if (!index_) return one;
  const RuleRanges open = ranges(rule);
  one.set("support_interval", range_json(open.support));
  one.set("confidence_interval", Json::array({Json(open.confidence.low), Json(open.confidence.high)}));
  return one;
}

Json to_json(const Database& database, const MiningOptions& options, const MiningCounts& counts) {
  Json by_size = Json::object();
  for (std::size_t size = 1; size < counts.by_size.size(); ++size)
    by_size.set(std::to_string(size), counts.by_size[size]);
  Json object = Json::object({{"transactions", database.rows()},
                              {"items", database.names.size()},
                              {"min_count", options.min_count},
                              {"itemsets", counts.itemsets},
                              {"complete", counts.complete},
                              {"by_size", std::move(by_size)}});
  if (!counts.complete) object.set("stopped_by", counts.stopped_by);
  if (counts.more_than_counted) object.set("more_than_counted", true);
  return object;
}

Json to_json(const Database& database, const RuleOptions& options, const RuleCounts& counts) {
  Json object = to_json(database, options.mining, counts.itemsets);
  object.set("complete", counts.complete).set("rules_total", counts.rules);
  return object;
}

}  // namespace gauze::patterns
