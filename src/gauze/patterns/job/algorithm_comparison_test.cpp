#include "gauze/patterns/job/algorithm_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/patterns/testing/small_baskets.h"

namespace gauze::patterns {
namespace algorithm_comparison_test {

using ::testing::HasSubstr;

class AlgorithmComparisons : public ::testing::Test {
 protected:
  Database database_ = baskets(
      "A B C D\nA B D\nA C D\nB C D\nA D\nA B C D\nA B D\nA C D\nB C D\nA D\nA B C D\nA B D\nA C D\nB C D\nA D\n");
  HidingOptions options_;
  Progress progress_;

  AlgorithmComparisons() {
    options_.level = HidingLevel::h1;
    options_.min_count = 4;
    options_.min_support = HidingThreshold::of_count(4, database_.rows()).share;
  }
  Result<AlgorithmComparison> compare(const std::vector<HidingAlgorithm>& algorithms) {
    return compare_algorithms(database_, sensitive("A B D\nA C D\n", database_), options_, algorithms, progress_);
  }
};

TEST_F(AlgorithmComparisons, RunEachAlgorithmAtRisingMargins) {
  const AlgorithmComparison comparison = compare({HidingAlgorithm::psh, HidingAlgorithm::border}).value();
  ASSERT_EQ(comparison.algorithms.size(), 2U);
  EXPECT_EQ(comparison.algorithms[0].name(), "psh") << "in the order asked for";
  for (const ComparedAlgorithm& one : comparison.algorithms) {
    // 0, 10, 25 and 50 % of 4, rounded down: 0, 0, 1, 2; the second 0 is not run again.
    ASSERT_EQ(one.runs.size(), 3U);
    EXPECT_EQ(one.runs[1].margin, 1U);
    EXPECT_EQ(one.runs[2].margin, 2U);
    EXPECT_LT(one.runs[0].result.changes(), one.runs[2].result.changes()) << "further down takes more changes";
    for (const ComparedRun& run : one.runs) EXPECT_TRUE(comparison.reached(run));
  }
}

TEST_F(AlgorithmComparisons, EveryRunIsThatOfHide) {
  const AlgorithmComparison comparison = compare({HidingAlgorithm::minfia}).value();
  options_.algorithm = HidingAlgorithm::minfia;
  const HidingResult alone = hidden(database_, "A B D\nA C D\n", options_);
  EXPECT_EQ(comparison.first_run().result.edits, alone.edits);
  EXPECT_EQ(comparison.first_run().result.rows_touched(), alone.rows_touched());
  EXPECT_EQ(comparison.first_run().result.released.rows(), 0U) << "transactions are not kept";
}

TEST_F(AlgorithmComparisons, ReportsProgressInSteps) {
  std::uint64_t total = 0;
  Progress heard([&](const Progress::Report& report) {
    if (report.stage == "hiding") total = report.total;
  });
  const std::vector<HidingAlgorithm> two = {HidingAlgorithm::psh, HidingAlgorithm::gih};
  ASSERT_TRUE(compare_algorithms(database_, sensitive("A B D\n", database_), options_, two, heard));
  EXPECT_EQ(total, 8U) << "two algorithms at four margins";
}

TEST_F(AlgorithmComparisons, RefuseWhatCannotBeCompared) {
  EXPECT_EQ(compare({}).error().code, ErrorCode::invalid_parameter);
  const std::vector<HidingAlgorithm> one = {HidingAlgorithm::psh};
  const auto nothing = compare_algorithms(database_, sensitive("Z\n", database_), options_, one, progress_);
  EXPECT_THAT(nothing.error().message, HasSubstr("no pattern"));
}

TEST_F(AlgorithmComparisons, MakeOneDocument) {
  const AlgorithmComparison comparison = compare({HidingAlgorithm::psh}).value();
  const Json json = to_json(comparison, "baskets.dat");
  EXPECT_EQ(json.find("kind")->text(), "patterns-comparison");
  EXPECT_EQ(json.find("file")->text(), "baskets.dat");
  EXPECT_EQ(json.find("transactions")->dump(), "15");
  EXPECT_EQ(json.find("items")->dump(), "4");
  EXPECT_EQ(json.find("min_count")->dump(), "4");
  EXPECT_EQ(json.find("level")->text(), "H1");
  EXPECT_EQ(json.find("patterns")->dump(),
            R"([{"text":"A B D","before":6,"min_count":4},{"text":"A C D","before":6,"min_count":4}])");
  const Json& algorithm = json.find("algorithms")->elements()->at(0);
  EXPECT_EQ(algorithm.find("algorithm")->text(), "psh");
  EXPECT_EQ(algorithm.find("skipped"), nullptr);
  const Json& run = algorithm.find("runs")->elements()->at(0);
  EXPECT_EQ(run.find("margin")->dump(), "0");
  EXPECT_EQ(run.find("reached")->dump(), "true");
  for (const char* key :
       {"marks_total", "rows_touched", "level", "hiding_failure", "seconds", "misses_cost", "bands"})
    EXPECT_NE(run.find(key), nullptr) << key;
}

TEST_F(AlgorithmComparisons, TellHowManyPatternsAreStillFound) {
  AlgorithmComparison comparison = compare({HidingAlgorithm::psh}).value();
  const auto failure = [&] {
    const Json json = to_json(comparison, "x");
    return json.find("algorithms")->elements()->at(0).find("runs")->elements()->at(0).find("hiding_failure")->dump();
  };
  EXPECT_EQ(failure(), "0");
  comparison.algorithms[0].runs[0].result.patterns[1].after.definite = 4;
  EXPECT_EQ(failure(), "0.5");
}

TEST_F(AlgorithmComparisons, WhatDidNotRunStandsLastWithItsReason) {
  AlgorithmComparison comparison = compare({HidingAlgorithm::psh}).value();
  comparison.algorithms.push_back({.algorithm = HidingAlgorithm::exact, .skipped = "too large"});
  const Json json = to_json(comparison, "x");
  EXPECT_EQ(json.find("algorithms")->elements()->at(1).dump(),
            R"({"algorithm":"exact","skipped":"too large","runs":[]})");
}

TEST_F(AlgorithmComparisons, AreInternal) {
  const PrivacyLabel label = comparison_label();
  EXPECT_TRUE(label.check_rules());
  EXPECT_EQ(label.definition, Definition::internal);
  EXPECT_THAT(label.warning.value(), HasSubstr("not to be published"));
}

}  // namespace algorithm_comparison_test
}  // namespace gauze::patterns
