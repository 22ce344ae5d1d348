#include "gauze/cli/text/utility_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/cli/core/table_testing.h"
#include "gauze/text/testing/example_curves.h"

namespace gauze::cli {
namespace utility_text_test {

using namespace text;  // the vocabulary of this file
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class UtilityText : public ::testing::Test, protected ExampleCurves {
 protected:
  Style plain_{false};
};

TEST_F(UtilityText, ClassificationPutsBaselinesAboveTheTable) {
  const std::string text = utility_text(classification, plain_);
  EXPECT_THAT(text, AllOf(HasSubstr("2 labels, 4 repetitions"), HasSubstr("most frequent training label: 0.625"),
                          HasSubstr("trained on clean texts: 0.750 (balanced 0.375)"),
                          HasSubstr("0.500 (0.250-0.750)  0.375 (0.250-0.500)  0.250 (0.125-0.375)"),
                          HasSubstr("50.0 %"), HasSubstr("12.5 %"), Not(HasSubstr("\x1b"))));
  EXPECT_LT(text.find("most frequent"), text.find("trained sanitised"));
}

TEST_F(UtilityText, RankingHasALineForEachFigure) {
  const std::string text = utility_text(ranking, plain_);
  EXPECT_THAT(text, AllOf(HasSubstr("12 pairs, 1 repetition\n"), HasSubstr("random order: MAP 0.250, MRR 0.375"),
                          HasSubstr("all clean: MAP 1.000, MRR 0.875"), HasSubstr("MAP  0.500 (0.250-0.750)"),
                          HasSubstr("MRR  0.625 (0.500-0.750)")));
  for (const std::string& line : lines_of(text)) EXPECT_FALSE(line.ends_with(' ')) << line;
}

}  // namespace utility_text_test
}  // namespace gauze::cli
