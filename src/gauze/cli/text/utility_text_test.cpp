#include "gauze/cli/text/utility_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/cli/core/table_testing.h"

namespace gauze::cli {
namespace {

using namespace text;  // the vocabulary of this file
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

ClassificationStudy::Cell accuracy(double mean, double low, double high) {
  return {.accuracy = {mean, low, high}, .balanced_accuracy = {mean / 2, low / 2, high / 2}};
}

class UtilityText : public testing::Test {
 protected:
  UtilityText() {
    task_.labels = {"no", "yes"};
    task_.majority = 1;
    task_.majority_accuracy = 0.625;
    task_.unseen = 3;
    ClassificationStudy::Outcome outcome;
    outcome.models = {{.clean_clean = accuracy(0.75, 0.75, 0.75),
                       .sanitized_clean = accuracy(0.5, 0.25, 0.75),
                       .clean_sanitized = accuracy(0.375, 0.25, 0.5),
                       .sanitized_sanitized = accuracy(0.25, 0.125, 0.375)}};
    outcome.unchanged_share = 0.5;
    outcome.masked_share = 0.125;
    classification_.epsilons = {*Rational::parse("0.1")};
    classification_.outcomes = {outcome};

    pairs_.rows = 12;
    pairs_.left_out = 2;
    RankingStudy::Outcome ranked;
    ranked.clean_clean = {.map = {1, 1, 1}, .mrr = {0.875, 0.875, 0.875}};
    ranked.sanitized_clean = {.map = {0.5, 0.25, 0.75}, .mrr = {0.625, 0.5, 0.75}};
    ranking_.epsilons = {Rational(2)};
    ranking_.outcomes = {ranked};
  }

  ClassificationTask task_;
  ClassificationCurve classification_{.task = task_, .models = {TextModel::vectors}, .repetitions = 4};
  RankingTask pairs_;
  RankingCurve ranking_{.task = pairs_, .random = {.map = 0.25, .mrr = 0.375}, .repetitions = 1};
  Style plain_{false};
};

TEST_F(UtilityText, ClassificationPutsBaselinesAboveTheTable) {
  const std::string text = utility_text(classification_, plain_);
  EXPECT_THAT(text, AllOf(HasSubstr("2 labels, 4 repetitions"), HasSubstr("most frequent training label: 0.625"),
                          HasSubstr("trained on clean texts: 0.750 (balanced 0.375)"),
                          HasSubstr("0.500 (0.250-0.750)  0.375 (0.250-0.500)  0.250 (0.125-0.375)"),
                          HasSubstr("50.0 %"), HasSubstr("12.5 %"), Not(HasSubstr("\x1b"))));
  EXPECT_LT(text.find("most frequent"), text.find("trained sanitised"));
}

TEST_F(UtilityText, RankingHasALineForEachFigure) {
  const std::string text = utility_text(ranking_, plain_);
  EXPECT_THAT(text, AllOf(HasSubstr("12 pairs, 1 repetition\n"), HasSubstr("random order: MAP 0.250, MRR 0.375"),
                          HasSubstr("all clean: MAP 1.000, MRR 0.875"), HasSubstr("MAP  0.500 (0.250-0.750)"),
                          HasSubstr("MRR  0.625 (0.500-0.750)")));
  for (const std::string& line : lines_of(text)) EXPECT_FALSE(line.ends_with(' ')) << line;
}

}  // namespace
}  // namespace gauze::cli
