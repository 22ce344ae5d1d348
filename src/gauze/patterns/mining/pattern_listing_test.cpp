#include "gauze/patterns/mining/pattern_listing.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "gauze/patterns/baskets/item_names.h"

namespace gauze::patterns {
namespace pattern_listing_test {

BasketFile csv(const std::string& text) { return BasketFile::parse(text, BasketFormat::csv).value(); }
BasketFile dat(const std::string& text) { return BasketFile::parse(text, BasketFormat::dat).value(); }

TEST(ItemNames, AreWrittenAsTheFileWritesThem) {
  const BasketFile blanks = dat("a b\n");
  EXPECT_EQ(names_text(blanks.database(), Itemset{0, 1}, blanks.format()), "a b");
  const BasketFile commas = csv("\"x, y\",b c\n");
  EXPECT_EQ(names_text(commas.database(), Itemset{0, 1}, commas.format()), "\"x, y\", b c");
  EXPECT_EQ(names_json(commas.database(), Itemset{0, 1}).dump(), R"(["x, y","b c"])");
  EXPECT_EQ(names_json(commas.database(), {}).dump(), "[]");
}

TEST(PatternListing, OfSets) {
  const BasketFile file = dat("a b\na b\na\n");
  const PatternListing listing(file, OpenFigures::definite);
  EXPECT_EQ(listing.line(Itemset{0, 1}, 2), "a b (2)\n");
  EXPECT_EQ(listing.to_json(Itemset{0, 1}, 2).dump(), R"({"items":["a","b"],"support":2})");
}

TEST(PatternListing, OfSetsThatMarksLeaveOpen) {
  const BasketFile file = dat("a b\na b\na ?b\na\n");
  const PatternListing listing(file, OpenFigures::intervals);
  EXPECT_EQ(listing.line(Itemset{0, 1}, 2), "a b (2..3)\n");
  EXPECT_EQ(listing.line(Itemset{0}, 4), "a (4)\n") << "nothing is open about it";
  EXPECT_EQ(listing.to_json(Itemset{0, 1}, 2).dump(), R"({"items":["a","b"],"support":2,"support_interval":[2,3]})");
  EXPECT_EQ(PatternListing(file, OpenFigures::definite).line(Itemset{0, 1}, 2), "a b (2)\n");
}

TEST(PatternListing, OfRules) {
  const BasketFile file = dat("a b\na b\na\nc\n");
  const AssociationRule rule{.a = {0}, .b = {1}, .support = 2, .support_a = 3, .support_b = 2};
  const PatternListing listing(file, OpenFigures::definite);
  // Confidence 2/3, lift (2/4) / (3/4 * 2/4) = 4/3, conviction (3/4 * 2/4) / (1/4) = 1.5.
  EXPECT_EQ(listing.line(rule), "a => b (support 2, confidence 0.6667, lift 1.333)\n");
  const Json json = listing.to_json(rule);
  EXPECT_EQ(json.find("if")->dump(), R"(["a"])");
  EXPECT_EQ(json.find("then")->dump(), R"(["b"])");
  EXPECT_EQ(json.find("conviction")->dump(), "1.5");
  EXPECT_EQ(json.find("leverage")->dump(), "0.125");
  EXPECT_EQ(json.find("jaccard")->dump(), "0.6666666666666666");
  EXPECT_EQ(json.find("kulczynski")->dump(), "0.8333333333333333");
  EXPECT_EQ(json.find("imbalance")->dump(), "0.3333333333333333");
  EXPECT_EQ(json.find("support_interval"), nullptr);
}

TEST(PatternListing, OfRulesThatMarksLeaveOpen) {
  const BasketFile file = dat("a b\na b\na ?b\na\n");
  const AssociationRule rule{.a = {0}, .b = {1}, .support = 2, .support_a = 4, .support_b = 2};
  const PatternListing listing(file, OpenFigures::intervals);
  EXPECT_EQ(listing.line(rule), "a => b (support 2..3, confidence 0.5..0.75, lift 1)\n");
  EXPECT_EQ(listing.to_json(rule).find("support_interval")->dump(), "[2,3]");
  EXPECT_EQ(listing.to_json(rule).find("confidence_interval")->dump(), "[0.5,0.75]");
}

TEST(MiningCounts, AsJson) {
  const BasketFile file = dat("a b\na b\na\n");
  MiningOptions options;
  options.min_count = 2;
  Progress progress;
  const MiningCounts counts = count_itemsets(file.database(), options, progress).value();
  EXPECT_EQ(to_json(file.database(), options, counts).dump(),
            R"({"transactions":3,"items":2,"min_count":2,"itemsets":3,"complete":true,"by_size":{"1":2,"2":1}})");
  MiningCounts cut = counts;
  cut.complete = false;
  cut.stopped_by = "max-itemsets";
  cut.more_than_counted = true;
  const Json json = to_json(file.database(), options, cut);
  EXPECT_EQ(json.find("stopped_by")->text(), "max-itemsets");
  EXPECT_EQ(json.find("more_than_counted")->dump(), "true");
}

TEST(RuleCounts, AsJson) {
  const BasketFile file = dat("a b\n");
  RuleCounts counts;
  counts.itemsets.itemsets = 3;
  counts.rules = 2;
  counts.complete = false;
  const Json json = to_json(file.database(), RuleOptions{}, counts);
  EXPECT_EQ(json.find("complete")->dump(), "false") << "that of the rules";
  EXPECT_EQ(json.find("rules_total")->dump(), "2");
  EXPECT_EQ(json.find("itemsets")->dump(), "3");
}

TEST(MineBySupport, TheMostFrequentComeFirst) {
  const BasketFile file = dat("c a\nb a\nb a\nc\nb\n");
  MiningOptions options;
  options.min_count = 1;
  Progress progress;
  std::vector<std::uint64_t> order;
  const auto keep = [&](std::span<const Item>, std::uint64_t support) {
    order.push_back(support);
    return true;
  };
  const MiningCounts counts = mine_by_support(file.database(), options, keep, progress).value();
  EXPECT_EQ(order, (std::vector<std::uint64_t>{3, 3, 2, 2, 1})) << "a, b; c, ab; ac";
  EXPECT_EQ(counts.itemsets, 5U);
  EXPECT_TRUE(counts.complete);
}

TEST(MineBySupport, ASinkMayEndIt) {
  const BasketFile file = dat("a b\na b\n");
  Progress progress;
  int taken = 0;
  const auto one = [&](std::span<const Item>, std::uint64_t) { return ++taken < 2; };
  const MiningCounts counts = mine_by_support(file.database(), {}, one, progress).value();
  EXPECT_EQ(taken, 2);
  EXPECT_EQ(counts.stopped_by, "sink");
  EXPECT_FALSE(counts.complete);
}

}  // namespace pattern_listing_test
}  // namespace gauze::patterns
