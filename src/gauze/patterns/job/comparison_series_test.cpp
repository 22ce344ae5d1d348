#include "gauze/patterns/job/comparison_series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/patterns/testing/small_baskets.h"

namespace gauze::patterns {
namespace comparison_series_test {

using ::testing::HasSubstr;

class ComparisonsInSeries : public ::testing::Test {
 protected:
  Database database_ = baskets("A B C D\nA B D\nA C D\nB C D\nA D\nA B C D\nA B D\nA C D\nB C D\nA D\n");
  SensitiveList sensitive_ = sensitive("A B D\nA C D\nB C D\n", database_);
  HidingOptions options_;
  Progress progress_;

  ComparisonsInSeries() {
    options_.level = HidingLevel::h1;
    options_.min_count = 2;
    options_.min_support = HidingThreshold::of_count(2, database_.rows()).share;
  }
  Result<ComparisonSeries> compare(const SeriesPlan& plan,
                                   const std::vector<HidingAlgorithm>& algorithms = {HidingAlgorithm::psh}) {
    return compare_series(database_, sensitive_, options_, algorithms, plan, progress_);
  }
};

TEST_F(ComparisonsInSeries, EachThresholdIsARunOfHideThere) {
  const ComparisonSeries series =
      compare({.thresholds = {HidingThreshold::of_count(4, 10), HidingThreshold::of_share(Rational(2, 10), 10)}})
          .value();
  ASSERT_EQ(series.thresholds.size(), 2U);
  EXPECT_TRUE(series.numbers.empty());
  options_.algorithm = HidingAlgorithm::psh;
  for (const SeriesPoint& point : series.thresholds) {
    EXPECT_EQ(point.patterns, 3U);
    options_.min_count = point.threshold.count;
    const HidingResult alone = hidden(database_, "A B D\nA C D\nB C D\n", options_);
    EXPECT_EQ(point.runs.at(0).run.value().result.edits, alone.edits) << point.threshold.count;
    EXPECT_EQ(point.runs.at(0).run.value().metrics.bands.front().min_count, point.threshold.count);
  }
  EXPECT_EQ(series.thresholds[1].threshold.count, 2U);
  EXPECT_LT(series.thresholds[0].runs[0].run->result.changes(), series.thresholds[1].runs[0].run->result.changes());
}

TEST_F(ComparisonsInSeries, NumbersTakeTheFirstPatterns) {
  const ComparisonSeries series = compare({.numbers = {1, 3}}).value();
  ASSERT_EQ(series.numbers.size(), 2U);
  EXPECT_EQ(series.numbers[0].patterns, 1U);
  const auto& patterns = series.numbers[0].runs.at(0).run.value().result.patterns;
  ASSERT_EQ(patterns.size(), 1U);
  EXPECT_EQ(patterns[0].pattern.text, "A B D");
  EXPECT_EQ(series.numbers[1].runs.at(0).run.value().result.patterns.size(), 3U);
}

TEST_F(ComparisonsInSeries, RefuseNumbersBeyondTheList) {
  EXPECT_THAT(compare({.numbers = {4}}).error().message, HasSubstr("between 1 and 3"));
  EXPECT_EQ(compare({.numbers = {0}}).error().code, ErrorCode::invalid_parameter);
}

TEST_F(ComparisonsInSeries, WhatCannotRunSaysWhy) {
  options_.level = HidingLevel::h2;  // anonymous marks above H1 are no integer program
  const ComparisonSeries series = compare({.numbers = {2}}, {HidingAlgorithm::exact, HidingAlgorithm::fhsar}).value();
  const SeriesPoint& point = series.numbers.at(0);
  EXPECT_FALSE(point.runs.at(0).run);
  EXPECT_FALSE(point.runs.at(0).skipped.empty());
  EXPECT_TRUE(point.runs.at(1).run);
  const Json json = to_json(series, HidingLevel::h2);
  EXPECT_EQ(json.find("thresholds")->dump(), "[]");
  const Json& first = json.find("numbers")->elements()->at(0);
  EXPECT_EQ(first.find("min_count")->dump(), "2");
  EXPECT_EQ(first.find("min_support")->dump(), "0.2");
  EXPECT_EQ(first.find("patterns")->dump(), "2");
  const std::vector<Json>& runs = *first.find("algorithms")->elements();
  EXPECT_NE(runs.at(0).find("skipped"), nullptr);
  EXPECT_EQ(runs.at(0).find("run"), nullptr);
  EXPECT_EQ(runs.at(1).find("algorithm")->text(), "fhsar");
  EXPECT_EQ(runs.at(1).find("run")->find("hiding_failure")->dump(), "0");
}

}  // namespace comparison_series_test
}  // namespace gauze::patterns
