#include "gauze/accounting/cost_statement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gauze {
namespace cost_statement_test {

PrivacyEvent laplace(double scale, double count) {
  PrivacyEvent event;
  event.kind = PrivacyEvent::Kind::laplace;
  event.scale = scale;
  event.count = count;
  return event;
}

TEST(CostStatement, APureCompositionAtDeltaZeroCostsTheSum) {
  const PrivacyEvent event = laplace(2, 3);
  const auto accountant = Accountant::make({event});
  ASSERT_TRUE(accountant);
  const auto statement = CostStatement::epsilon_at(*accountant, event, Rational(0), Accountant::Method::automatic);
  ASSERT_TRUE(statement) << statement.error().message;
  EXPECT_NEAR(statement->bounds().upper, 1.5, 1e-9);
  EXPECT_EQ(statement->label.definition, Definition::pure);
  EXPECT_TRUE(statement->label.check_rules());
  EXPECT_EQ(statement->to_json().find("delta")->text(), "0");
}

TEST(CostStatement, TheLowerBoundNeverExceedsTheUpperOne) {
  PrivacyEvent event;
  event.kind = PrivacyEvent::Kind::gaussian;
  event.sigma = 5;
  event.count = 20;
  const auto accountant = Accountant::make({event});
  const auto statement =
      CostStatement::epsilon_at(*accountant, event, Rational(1, 100'000), Accountant::Method::automatic);
  ASSERT_TRUE(statement);
  ASSERT_TRUE(statement->bounds().lower);
  EXPECT_LE(*statement->bounds().lower, statement->bounds().upper);
  EXPECT_EQ(statement->label.definition, Definition::approximate);
  EXPECT_FALSE(statement->to_json().find("gap")->is_null());
}

TEST(CostStatement, WhatWasAskedForStandsAsItWasGiven) {
  const PrivacyEvent event = laplace(2, 3);
  const auto accountant = Accountant::make({event});
  const auto statement = CostStatement::delta_at(*accountant, event, Rational(1), Accountant::Method::automatic);
  ASSERT_TRUE(statement);
  const Json json = statement->to_json();
  EXPECT_EQ(json.find("epsilon")->text(), "1");
  EXPECT_NE(json.find("delta")->find("upper"), nullptr);
  EXPECT_EQ(json.find("gap"), nullptr);
  EXPECT_TRUE(statement->warnings().empty());
}

TEST(CostStatement, WhatHasNoFiniteBoundIsInfeasible) {
  PrivacyEvent event;
  event.kind = PrivacyEvent::Kind::approximate;
  event.epsilon = 1;
  event.delta = 0.01;
  const auto accountant = Accountant::make({event});
  ASSERT_TRUE(accountant) << accountant.error().message;
  const auto statement =
      CostStatement::epsilon_at(*accountant, event, Rational(1, 1000), Accountant::Method::automatic);
  ASSERT_FALSE(statement);
  EXPECT_EQ(statement.error().code, ErrorCode::infeasible);
}

TEST(CostStatement, OfParallelPartsTheWorstCounts) {
  CompositionSpec spec;
  spec.alternatives = {{laplace(4, 1)}, {laplace(1, 1)}, {laplace(2, 1)}};
  Progress progress;
  const auto statement = CostStatement::epsilon_of(spec, Rational(0), Accountant::Method::automatic, progress);
  ASSERT_TRUE(statement) << statement.error().message;
  EXPECT_NEAR(statement->bounds().upper, 1, 1e-9);
  EXPECT_EQ(statement->label.mechanism, "composition");
  EXPECT_THAT(statement->label.does_not_cover,
              ::testing::Contains("parallel parts that were chosen by looking at the data"));
}

}  // namespace cost_statement_test
}  // namespace gauze
