#include "gauze/ledger/charge_of_cost.h"

#include <gtest/gtest.h>

namespace gauze {
namespace charge_of_cost_test {

DatasetTerms terms_with(const char* accountant) {
  DatasetTerms terms;
  terms.name = "visits";
  terms.accountant = PrivacyFilter::parse(accountant).value();
  terms.capacity.delta = 1'000;
  return terms;
}

TEST(ChargeOfCost, UsesTheCurrencyOfTheAccountant) {
  PrivacyCost cost = PrivacyCost::of_epsilon(Rational(1), Rational(1, 1'000'000));
  cost.rho = Rational(1, 10);
  EXPECT_EQ(charge_of_cost(cost, terms_with("zcdp"))->kind, Charge::Kind::rho);
  EXPECT_EQ(charge_of_cost(cost, terms_with("basic"))->kind, Charge::Kind::epsilon);
  EXPECT_GT(charge_of_cost(cost, terms_with("basic"))->delta, 0);
  EXPECT_EQ(charge_of_cost(PrivacyCost::of_rho(Rational(1)), terms_with("gdp"))->kind, Charge::Kind::rho)
      << "the accountant says what it cannot absorb";
}

TEST(ChargeOfCost, TakesRenyiCostsAtTheOrderOfTheAccountantAlone) {
  PrivacyCost cost;
  cost.definition = Definition::renyi;
  cost.renyi_order = Rational(8);
  cost.renyi_epsilon = Rational(1, 4);
  EXPECT_EQ(charge_of_cost(cost, terms_with("rdp:8"))->kind, Charge::Kind::rdp);
  EXPECT_EQ(charge_of_cost(cost, terms_with("rdp:9")).error().code, ErrorCode::invalid_parameter);
  EXPECT_FALSE(charge_of_cost(cost, terms_with("basic")));
  cost = {};
  cost.definition = Definition::gaussian;
  cost.mu = Rational(1);
  EXPECT_EQ(charge_of_cost(cost, terms_with("gdp"))->kind, Charge::Kind::mu);
}

TEST(ChargeOfCost, TakesNoDeltaWhereTheTotalHasNone) {
  DatasetTerms terms = terms_with("basic");
  terms.capacity.delta = 0;
  EXPECT_EQ(charge_of_cost(PrivacyCost::of_epsilon(Rational(1), Rational(1, 1'000'000)), terms).error().code,
            ErrorCode::invalid_parameter);
  EXPECT_TRUE(charge_of_cost(PrivacyCost::of_epsilon(Rational(1)), terms));
}

TEST(ChargeOfCost, RoundsUp) {
  const auto charge = charge_of_cost(PrivacyCost::of_epsilon(Rational(1, 3)), terms_with("basic"));
  EXPECT_EQ(charge->amount, 333'333'334);
}

TEST(ChargeOfCost, RefusesWhatDoesNotAddUp) {
  PrivacyCost cost = PrivacyCost::of_epsilon(Rational(1));
  for (const Definition definition : {Definition::metric, Definition::k_anonymity, Definition::none}) {
    cost.definition = definition;
    EXPECT_EQ(charge_of_cost(cost, terms_with("basic")).error().code, ErrorCode::invalid_parameter);
  }
}

}  // namespace charge_of_cost_test
}  // namespace gauze
