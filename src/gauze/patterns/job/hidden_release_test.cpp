#include "gauze/patterns/job/hidden_release.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "gauze/patterns/testing/small_baskets.h"

namespace gauze::patterns {
namespace hidden_release_test {

/// The example of the paper: A B D and A C D are in two of five transactions each.
class HiddenReleases : public ::testing::Test {
 protected:
  BasketFile file_ = BasketFile::parse("A B C D\nA B D\nA C D\nB C D\nA D\n", {}).value();
  HidingRequest request_;
  Progress progress_;

  HiddenReleases() { set_threshold(2); }
  void set_threshold(std::uint64_t count) {
    const HidingThreshold threshold = HidingThreshold::of_count(count, file_.database().rows());
    request_.options.min_count = threshold.count;
    request_.options.min_support = threshold.share;
  }
  HiddenBaskets hide(const std::string& patterns) {
    auto hidden = hide_in_file(file_, sensitive(patterns, file_.database()), request_, progress_);
    EXPECT_TRUE(hidden) << hidden.error().message;
    return *std::move(hidden);
  }
};

/// How many lines hold all of the words, `?` being absent: computed from the text alone.
std::uint64_t lines_with(const std::string& text, const std::vector<std::string>& words) {
  std::istringstream lines(text);
  std::uint64_t count = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::vector<std::string> found;
    for (std::string cell; cells >> cell;) found.push_back(cell);
    count += std::all_of(words.begin(), words.end(), [&](const std::string& word) {
      return std::find(found.begin(), found.end(), word) != found.end();
    });
  }
  return count;
}

TEST_F(HiddenReleases, NoneOfTheirBytesShowThePatterns) {
  for (const HidingLevel level : {HidingLevel::h1, HidingLevel::h2}) {
    request_.options.level = level;
    const HiddenBaskets hidden = hide("A B D\nA C D\n");
    ASSERT_TRUE(hidden.release);
    EXPECT_TRUE(hidden.reached());
    EXPECT_LT(lines_with(hidden.release->file.bytes, {"A", "B", "D"}), 2U);
    EXPECT_LT(lines_with(hidden.release->file.bytes, {"A", "C", "D"}), 2U);
    EXPECT_TRUE(hidden.release->label.check_rules());
    EXPECT_EQ(hidden.release->label.definition, Definition::pattern_hiding);
  }
}

TEST_F(HiddenReleases, TheKeyGivesTheOriginalBack) {
  for (const RowOrder order : {RowOrder::kept, RowOrder::shuffled}) {
    request_.order = order;
    const HiddenBaskets hidden = hide("A B D\nA C D\n");
    EXPECT_EQ(restore(hidden.release->file.bytes, hidden.release->file.marks).value(), file_.bytes());
  }
}

TEST_F(HiddenReleases, ThereIsNoneWhenTheLevelIsNotReached) {
  file_ = BasketFile::parse("A\nA\nA\n", {}).value();
  const HiddenBaskets hidden = hide("A\n");
  EXPECT_FALSE(hidden.reached()) << "marks in all transactions leave none to judge by";
  EXPECT_FALSE(hidden.release);
  EXPECT_EQ(hidden.result.patterns.at(0).level, HidingLevel::h1) << "the verdict is there";
  const Json json = to_json(file_.database(), hidden);
  EXPECT_EQ(json.find("level")->text(), "H1");
  EXPECT_EQ(json.find("bands"), nullptr) << "nothing was paid";
}

TEST_F(HiddenReleases, WhatIsReleasedAllTheSameSaysHowFarItIsHidden) {
  file_ = BasketFile::parse("A\nA\nA\n", {}).value();
  request_.even_below_level = true;
  const HiddenBaskets hidden = hide("A\n");
  ASSERT_TRUE(hidden.release);
  EXPECT_FALSE(hidden.reached());
  EXPECT_EQ(hidden.release->label.parameters.find("level")->text(), "H1") << "not the H2 that was asked for";
}

TEST_F(HiddenReleases, SaysWhenReadersMustBeToldTheFormat) {
  EXPECT_TRUE(hide("A B D\n").reads_back_by_itself);
  file_ = BasketFile::parse("A,B\nA\n", {}).value();
  request_.options.change = ChangeKind::remove;
  set_threshold(1);
  EXPECT_FALSE(hide("A, B\n").reads_back_by_itself) << "without its last comma it reads as blank-separated";
}

TEST_F(HiddenReleases, ErrorsOfHidingAndWritingComeThrough) {
  const SensitiveList list = sensitive("A B D\n", file_.database());
  request_.options.level = HidingLevel::h3;
  EXPECT_EQ(hide_in_file(file_, list, request_, progress_).error().code, ErrorCode::invalid_parameter)
      << "H3 cannot be reached by marks";
  request_.options.level = HidingLevel::h2;
  const BasketFile without = BasketFile::without_bytes(file_.database(), {});
  EXPECT_EQ(hide_in_file(without, list, request_, progress_).error().code, ErrorCode::unsupported);
}

TEST_F(HiddenReleases, TellTheirOwnerEverythingAsJson) {
  request_.options.algorithm = HidingAlgorithm::psh;
  request_.options.as_published = true;
  request_.options.mark_style = MarkStyle::anchored;
  request_.options.level = HidingLevel::h1;
  request_.options.trace = true;
  const Json json = to_json(file_.database(), hide("A B D\nA C D\n"));
  EXPECT_EQ(json.find("marks")->dump(), "[[1,\"D\"]]");
  EXPECT_EQ(json.find("marks_total")->dump(), "1");
  EXPECT_EQ(json.find("rows_touched")->dump(), "1");
  EXPECT_EQ(json.find("hiding_failure")->dump(), "0");
  EXPECT_EQ(json.find("patterns")->elements()->at(0).dump(),
            R"({"items":["A","B","D"],"before":2,"after":[1,2],"min_count":2,"level":"H2"})");
  EXPECT_EQ(json.find("trace")->elements()->at(0).find("victim")->text(), "D");
  EXPECT_EQ(json.find("decoys"), nullptr);
  EXPECT_EQ(json.find("deletions"), nullptr);
  EXPECT_EQ(json.find("nothing_to_hide"), nullptr);
  for (const char* key : {"misses_cost", "artifactual", "dissimilarity", "bands", "level"})
    EXPECT_NE(json.find(key), nullptr) << key;
}

TEST_F(HiddenReleases, DecoysAndDeletionsAreListedApart) {
  file_ = BasketFile::parse("A B\nA B\nA B\nA B\nA C\nA C\nB\nB\nC\nC\n", {}).value();
  set_threshold(3);
  request_.options.decoys = 1;
  const HiddenBaskets decoyed = hide("A B\n");
  const Json json = to_json(file_.database(), decoyed);
  const std::size_t placed = json.find("decoys")->find("marks")->elements()->size();
  EXPECT_GT(placed, 0U);
  EXPECT_EQ(json.find("decoys")->find("placed")->dump(), std::to_string(placed));
  EXPECT_EQ(json.find("marks")->elements()->size() + placed, decoyed.result.edits.size());
  request_.options.decoys = 0;
  request_.options.change = ChangeKind::both;
  set_threshold(2);
  const Json both = to_json(file_.database(), hide("A B\n"));
  ASSERT_NE(both.find("deletions"), nullptr);
  EXPECT_GT(both.find("marks")->elements()->size(), both.find("deletions")->elements()->size());
  EXPECT_EQ(both.find("marks_total")->dump(), std::to_string(both.find("marks")->elements()->size()));
}

TEST_F(HiddenReleases, AListThatNamesNothingThereIsSaidSo) {
  const HiddenBaskets hidden = hide("Z\n");
  EXPECT_EQ(hidden.release->file.bytes, file_.bytes());
  EXPECT_EQ(to_json(file_.database(), hidden).find("nothing_to_hide")->dump(), "true");
}

// Whatever is asked for: what is released is judged again, from its bytes alone.
TEST(HiddenReleaseLaws, TheVerdictIsThatOfAFreshReader) {
  SeededRandom random(99);
  Progress progress;
  int released = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Database drawn = random_baskets(random, 5, 12 + random.below(20), 55);
    std::string text;
    for (std::size_t r = 0; r < drawn.rows(); ++r) {
      for (const Item item : drawn.row(r)) text += drawn.names[item] + " ";
      text += "\n";
    }
    const BasketFile file = BasketFile::parse(text, BasketFormat::dat).value();
    if (file.database().names.size() < 5) continue;
    HidingRequest request;
    request.order = trial % 2 == 0 ? RowOrder::kept : RowOrder::shuffled;
    request.options.level = trial % 3 == 0 ? HidingLevel::h1 : HidingLevel::h2;
    if (trial % 5 != 0) request.options.mark_style = MarkStyle::anchored;
    request.options.min_count = 3;
    request.options.min_support = HidingThreshold::of_count(3, file.database().rows()).share;
    const SensitiveList list = sensitive("a b\nc d e\n", file.database());
    const auto hidden = hide_in_file(file, list, request, progress);
    ASSERT_TRUE(hidden) << hidden.error().message;
    EXPECT_EQ(hidden->release.has_value(), hidden->reached());
    if (!hidden->release) continue;
    ++released;
    const Database seen = BasketFile::parse(hidden->release->file.bytes, BasketFormat::dat).value().database();
    for (const HiddenPattern& one : hidden->result.patterns) {
      Itemset there;  // the same names in the places that the reader gives them
      for (const Item item : one.pattern.items) {
        const auto found = std::find(seen.names.begin(), seen.names.end(), file.database().names[item]);
        there.push_back(static_cast<Item>(found - seen.names.begin()));
      }
      std::sort(there.begin(), there.end());
      const PatternStanding standing = standings_in(seen, std::vector<PatternShape>{{there, {}}}).at(0);
      EXPECT_EQ(standing.definite, one.after.definite);
      EXPECT_GE(level_of(standing, one.threshold, seen.rows()), request.options.level);
    }
  }
  EXPECT_GT(released, 20);
}

TEST_F(HiddenReleases, AnonymousMarksAreTheDefaultAndAnchoredOnesAreWarnedOf) {
  request_.options.level = HidingLevel::h1;
  const HiddenBaskets anonymous = hide("A B D\nA C D\n");
  EXPECT_FALSE(anonymous.result.released.anonymous.empty());
  EXPECT_TRUE(anonymous.result.released.marks.empty());
  const auto is_told = [](const HiddenBaskets& hidden) {
    return std::any_of(hidden.result.warnings.begin(), hidden.result.warnings.end(), [](const Warning& one) {
      return one.code == "anchored_marks" && one.subject == Warning::Subject::privacy;
    });
  };
  EXPECT_FALSE(is_told(anonymous));
  request_.options.mark_style = MarkStyle::anchored;
  EXPECT_TRUE(is_told(hide("A B D\nA C D\n")));
  request_.options.change = ChangeKind::remove;
  EXPECT_FALSE(is_told(hide("A B D\nA C D\n"))) << "there are no marks";
}

}  // namespace hidden_release_test
}  // namespace gauze::patterns
