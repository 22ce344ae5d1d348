#include "gauze/patterns/job/suggestion_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/patterns/baskets/basket_file.h"
#include "gauze/patterns/hiding/sensitive_patterns.h"

namespace gauze::patterns {
namespace suggestion_list_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Bread and butter go together in 8 of 20 transactions.
class SuggestionList : public ::testing::Test {
 protected:
  BasketFile file_ =
      BasketFile::parse(
          "bread,dark butter\nbread,dark butter\nbread,dark butter\nbread,dark butter\nbread,dark butter\n"
          "bread,dark butter\nbread,dark butter\nbread,dark butter\nmilk\nmilk\nmilk\nmilk\nmilk\nmilk\n"
          "milk\nmilk\nmilk\nmilk\nmilk\nmilk\n",
          BasketFormat::csv)
          .value();
  SuggestOptions options_;
  Progress progress_;

  SuggestionList() { options_.mining.min_count = 4; }
  [[nodiscard]] Suggestions suggest() { return suggest_patterns(file_.database(), options_, progress_).value(); }
  [[nodiscard]] std::string text(const Suggestions& found) const {
    std::string written;
    EXPECT_TRUE(write_sensitive_file(file_.database(), options_, found, [&](std::string_view bytes) -> Result<void> {
      written += bytes;
      return {};
    }));
    return written;
  }
};

TEST_F(SuggestionList, ReadsBackAsASensitiveFile) {
  const Suggestions found = suggest();
  ASSERT_EQ(found.candidates.size(), 1U);
  const SensitiveList list = parse_sensitive(text(found), file_.database()).value();
  ASSERT_EQ(list.patterns.size(), 1U);
  EXPECT_EQ(list.patterns[0].items, found.candidates[0].items);
  EXPECT_EQ(list.patterns[0].left, found.candidates[0].if_items);
}

TEST_F(SuggestionList, FiguresStandInComments) {
  const std::string written = text(suggest());
  EXPECT_THAT(written, StartsWith("# Patterns that may be sensitive"));
  EXPECT_THAT(written, HasSubstr("# 4 of 20 transactions or more, confidence at least 0.5, interest above 1.\n"));
  EXPECT_THAT(written, HasSubstr("\n# support 8 (40 %), confidence 1, interest 2.5, p "));
  EXPECT_THAT(written, HasSubstr(": significant\n"));
}

TEST_F(SuggestionList, NamesThatNoSuchFileCanHoldAreComments) {
  Database database;
  database.names = {"a", "two\nlines"};
  database.starts = {0, 2};
  database.items = {0, 1};
  Suggestions found;
  found.candidates.push_back({.items = {0, 1}, .if_items = {0}, .then_items = {1}, .support = 1});
  std::string written;
  ASSERT_TRUE(write_sensitive_file(database, options_, found, [&](std::string_view bytes) -> Result<void> {
    written += bytes;
    return {};
  }));
  EXPECT_THAT(written, HasSubstr("# (its names cannot be written in such a file) a => "));
}

TEST_F(SuggestionList, AFullDiskEndsIt) {
  int calls = 0;
  const auto full = [&](std::string_view) -> Result<void> {
    ++calls;
    return make_error(ErrorCode::io, "full");
  };
  EXPECT_EQ(write_sensitive_file(file_.database(), options_, suggest(), full).error().code, ErrorCode::io);
  EXPECT_EQ(calls, 1);
}

TEST_F(SuggestionList, IsAnObjectForPrograms) {
  const Suggestions found = suggest();
  const Json json = to_json(file_.database(), options_, found);
  EXPECT_EQ(json.find("transactions")->dump(), "20");
  EXPECT_EQ(json.find("items")->dump(), "3");
  EXPECT_EQ(json.find("min_count")->dump(), "4");
  EXPECT_EQ(json.find("complete")->dump(), "true");
  EXPECT_EQ(json.find("candidates_total")->dump(), "1");
  EXPECT_EQ(json.find("significant_total")->dump(), "1");
  EXPECT_EQ(json.find("items_tested")->dump(), "3");
  const Json& one = json.find("candidates")->elements()->at(0);
  EXPECT_EQ(one.find("items")->dump(), R"(["bread","dark butter"])");
  EXPECT_EQ(one.find("support")->dump(), "8");
  EXPECT_EQ(one.find("interest")->dump(), "2.5");
  EXPECT_EQ(one.find("significant")->dump(), "true");
}

}  // namespace suggestion_list_test
}  // namespace gauze::patterns
