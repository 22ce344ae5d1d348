#include "gauze/label/privacy_cost.h"

#include <gtest/gtest.h>

#include "gauze/label/label_testing.h"

namespace gauze {
namespace privacy_cost_test {

Rational decimal(const char* text) { return Rational::parse(text).value(); }

TEST(PrivacyCost, AddsUpWithinOneDefinition) {
  PrivacyCost cost = PrivacyCost::of_epsilon(decimal("0.1"), decimal("1e-6"));
  ASSERT_TRUE(cost.add(PrivacyCost::of_epsilon(decimal("0.2"), decimal("1e-7"))));
  EXPECT_EQ(*cost.epsilon, decimal("0.3"));
  EXPECT_EQ(*cost.delta, decimal("1.1e-6"));
  PrivacyCost rho = PrivacyCost::of_rho(decimal("0.5"));
  ASSERT_TRUE(rho.add(rho));
  EXPECT_EQ(*rho.rho, Rational(1));
  EXPECT_EQ(*rho.times(3)->rho, Rational(3));
}

TEST(PrivacyCost, GaussianCostsAddUpInSquaresAndRoundUp) {
  PrivacyCost cost;
  cost.definition = Definition::gaussian;
  cost.mu = Rational(3);
  PrivacyCost other = cost;
  other.mu = Rational(4);
  ASSERT_TRUE(cost.add(other));
  EXPECT_GE(*cost.mu, Rational(5));
  EXPECT_LE(*cost.mu, Rational(5) + decimal("0.00000001"));
  const Rational twice = *cost.times(2)->mu;
  EXPECT_GE(twice * twice, Rational(50));
  cost.mu = decimal("1e200");
  const Rational huge = *cost.times(2)->mu;
  EXPECT_GE(huge * huge, decimal("2e400"));
}

TEST(PrivacyCost, RefusesToAddWhatIsNotTheSame) {
  PrivacyCost cost = PrivacyCost::of_epsilon(Rational(1));
  EXPECT_FALSE(cost.add(PrivacyCost::of_rho(Rational(1))));
  PrivacyCost other = cost;
  other.unit = "one person";
  EXPECT_FALSE(cost.add(other));
  other = cost;
  other.neighbours = Neighbours::replace_one;
  EXPECT_FALSE(cost.add(other));
  EXPECT_FALSE(cost.times(0));
  PrivacyCost renyi;
  renyi.definition = Definition::renyi;
  renyi.renyi_order = Rational(2);
  renyi.renyi_epsilon = Rational(1);
  PrivacyCost another = renyi;
  another.renyi_order = Rational(3);
  EXPECT_FALSE(renyi.add(another));
  EXPECT_EQ(*cost.epsilon, Rational(1)) << "nothing was added";
}

TEST(PrivacyCost, StandsInALabelRoundedUpAndReadsBack) {
  PrivacyLabel label = plain_label();
  PrivacyCost cost = PrivacyCost::of_epsilon(Rational(1, 3));
  cost.unit = "one person";
  cost.put_into(label);
  EXPECT_GE(Rational::parse(*label.cost.epsilon).value(), Rational(1, 3));
  EXPECT_EQ(label.definition, Definition::pure);
  EXPECT_EQ(label.privacy_unit, "one person");

  PrivacyCost renyi;
  renyi.definition = Definition::renyi;
  renyi.renyi_order = Rational(8);
  renyi.renyi_epsilon = decimal("0.25");
  renyi.put_into(label);
  ASSERT_TRUE(label.check_rules()) << label.check_rules().error().message;
  const auto back = PrivacyLabel::parse(label.to_json().dump());
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->cost.renyi_order, "8");
  EXPECT_EQ(back->cost.renyi_epsilon, "0.25");
  EXPECT_NE(back->to_text().find("epsilon 0.25 at order 8"), std::string::npos);

  PrivacyCost gaussian;
  gaussian.definition = Definition::gaussian;
  gaussian.mu = Rational(1);
  gaussian.put_into(label);
  EXPECT_EQ(PrivacyLabel::parse(label.to_json().dump())->cost.mu, "1");
  label.cost.mu.reset();
  EXPECT_FALSE(label.check_rules()) << "a Gaussian guarantee states its mu";
}

TEST(PrivacyCost, OnlyWhatAddsUpCanBeCharged) {
  for (const Definition definition :
       {Definition::pure, Definition::approximate, Definition::zcdp, Definition::renyi, Definition::gaussian})
    EXPECT_TRUE(is_chargeable(definition));
  for (const Definition definition : {Definition::metric, Definition::umldp, Definition::k_anonymity,
                                      Definition::pattern_hiding, Definition::none, Definition::internal})
    EXPECT_FALSE(is_chargeable(definition));
}

}  // namespace privacy_cost_test
}  // namespace gauze
