#include "gauze/mechanisms/job/selection_statement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gauze {
namespace selection_statement_test {

SelectionMechanism::Options options() {
  return {.kind = SelectionMechanism::Kind::permute_and_flip,
          .epsilon = Rational(1, 3),
          .sensitivity = 1,
          .monotone = true,
          .neighbours = Neighbours::add_remove};
}

TEST(SelectionStatement, CostsAddUpOverTheChoices) {
  const PrivacyCost cost = cost_of(options(), 6, "one patient");
  EXPECT_EQ(*cost.epsilon, Rational(2));
  EXPECT_EQ(cost.unit, "one patient");
}

TEST(SelectionStatement, TheLabelNamesTheMechanismAndTheClaim) {
  const PrivacyLabel label = label_of(options(), cost_of(options(), 6, ""), 6);
  EXPECT_TRUE(label.check_rules());
  EXPECT_EQ(label.mechanism, "permute-and-flip");
  EXPECT_EQ(label.cost.epsilon, "2");
  EXPECT_THAT(label.does_not_cover, ::testing::Contains("whether the scores are monotone, as was stated"));
}

TEST(SelectionStatement, ProbabilitiesTakeThePromiseBack) {
  PrivacyLabel label = label_of(options(), cost_of(options(), 1, ""), 1);
  mark_as_probabilities(label);
  EXPECT_EQ(label.definition, Definition::internal);
  EXPECT_FALSE(label.cost.epsilon);
  EXPECT_TRUE(label.check_rules());
}

TEST(SelectionStatement, TheThresholdIsToldWithItsParameters) {
  const PartitionSelection::Options asked{
      .noise = PartitionSelection::Noise::geometric, .epsilon = 1, .delta = Rational(1, 100'000)};
  const auto selection = PartitionSelection::make(asked);
  ASSERT_TRUE(selection);
  const Json json = to_json(*selection, asked, std::nullopt);
  EXPECT_EQ(json.find("threshold")->text(), "13");
  EXPECT_EQ(json.find("mechanism")->text(), "geometric");
  EXPECT_TRUE(json.find("keep_probability")->is_null());
}

}  // namespace selection_statement_test
}  // namespace gauze
