#include "gauze/ledger/terms/neighbour_relation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gauze/ledger/ledger_testing.h"

namespace gauze {
namespace neighbour_relation_test {

using ::testing::HasSubstr;

Result<Charge> as_replace_one(const Charge& charge) {
  return charge_under(charge, Neighbours::add_remove, Neighbours::replace_one);
}

TEST(NeighbourRelation, TheSameRelationCostsWhatWasStated) {
  for (const Neighbours relation : {Neighbours::add_remove, Neighbours::replace_one}) {
    const Charge charge = epsilon_charge("0.1", "1e-9");
    const auto same = charge_under(charge, relation, relation);
    ASSERT_TRUE(same);
    EXPECT_EQ(same->to_json().dump(), charge.to_json().dump());
  }
}

TEST(NeighbourRelation, AddRemoveCostsAGroupOfTwoUnderReplaceOne) {
  EXPECT_EQ(as_replace_one(epsilon_charge("0.1"))->to_json().dump(), R"({"epsilon":0.2})");
  EXPECT_EQ(as_replace_one(charge_of(Charge::Kind::rho, "0.1"))->to_json().dump(), R"({"rho":0.4})");
  const auto approximate = as_replace_one(*Charge::make(Charge::Kind::rho, decimal("0.1"), decimal("1e-9")));
  ASSERT_FALSE(approximate);
  EXPECT_NE(approximate.error().message.find("replace-one"), std::string::npos);
  EXPECT_EQ(as_replace_one(charge_of(Charge::Kind::mu, "0.1"))->to_json().dump(), R"({"mu":0.2})");
}

TEST(NeighbourRelation, DeltaIsRoundedUpToTheUnit) {
  // (1 + e) 1e-6 = 3.7182818284590452354e-6: e is known to more digits than a unit of 1e-18 needs.
  EXPECT_EQ(as_replace_one(epsilon_charge("1", "1e-6"))->delta, 3'718'281'828'460);
  // One unit of delta at a tiny epsilon is a little more than two.
  EXPECT_EQ(as_replace_one(epsilon_charge("1e-9", "1e-18"))->delta, 3);
  for (const char* epsilon : {"0.001", "0.7", "3", "10"}) {
    const std::int64_t delta = as_replace_one(epsilon_charge(epsilon, "1e-12"))->delta;
    const double exact = (1 + std::exp(std::stod(epsilon))) * 1e6;
    EXPECT_GE(static_cast<double>(delta), exact * (1 - 1e-12));
    EXPECT_LE(static_cast<double>(delta), exact * (1 + 1e-12) + 1);
  }
}

TEST(NeighbourRelation, ADeltaOfOnePromisesNothing) {
  for (const auto& [epsilon, delta] : {std::pair{"1", "0.3"}, {"40", "1e-15"}, {"1000", "1e-18"}}) {
    const auto refused = as_replace_one(epsilon_charge(epsilon, delta));
    ASSERT_FALSE(refused) << epsilon;
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_parameter);
    EXPECT_THAT(refused.error().message, HasSubstr("replace-one"));
  }
}

TEST(NeighbourRelation, RenyiAtOneOrderGivesNothingForGroups) {
  const auto refused = as_replace_one(charge_of(Charge::Kind::rdp, "0.1"));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("replace-one"));
}

TEST(NeighbourRelation, ReplaceOneGivesNothingForAddingOrRemoving) {
  const auto refused = charge_under(epsilon_charge("0.1"), Neighbours::replace_one, Neighbours::add_remove);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_parameter);
  EXPECT_FALSE(charge_under(epsilon_charge("0.1"), Neighbours::any_two_inputs, Neighbours::add_remove));
}

TEST(NeighbourRelation, AmountsNeverWrap) {
  for (const Charge::Kind kind : {Charge::Kind::epsilon, Charge::Kind::rho, Charge::Kind::mu}) {
    const auto most = as_replace_one({.kind = kind, .amount = kMostUnits});
    ASSERT_TRUE(most);
    EXPECT_GT(most->amount, kMostUnits);
  }
}

class RelatedLedger : public LedgerTest {
 protected:
  static DatasetOptions options_of(Neighbours neighbours) {
    DatasetOptions options = epsilon_options("visits", "1", "1e-6");
    options.accountant = "basic";
    options.unit = "one patient";
    options.neighbours = neighbours;
    return options;
  }
  static ChargeRequest stated(const Charge& charge, Neighbours neighbours, const std::string& unit = "one patient") {
    ChargeRequest asked = request("visits", charge);
    asked.neighbours = neighbours;
    asked.unit = unit;
    return asked;
  }
};

TEST_F(RelatedLedger, AnEntryKeepsTheCostAsStatedAndAsCharged) {
  Ledger ledger = with_dataset(options_of(Neighbours::replace_one));
  ASSERT_TRUE(ledger.spend(stated(epsilon_charge("0.2", "1e-7"), Neighbours::add_remove)));
  const Entry entry = ledger.history({})->back().entry;
  EXPECT_EQ(entry.charge.to_json().dump(), R"({"epsilon":0.2,"delta":0.0000001})");
  EXPECT_EQ(entry.charged.amount, 400'000'000);
  EXPECT_EQ(entry.charged.delta, entry.cost.delta);
  EXPECT_EQ(entry.neighbours, Neighbours::add_remove);
  EXPECT_EQ(entry.unit, "one patient");
  EXPECT_EQ(entry.queries, 1);
  EXPECT_EQ(ledger.balance("visits")->spent.amount, 400'000'000);
  EXPECT_TRUE(verify(ledger));
}

TEST_F(RelatedLedger, ByDefaultAChargeIsAboutTheDatasetsUnitAndNeighbours) {
  Ledger ledger = with_dataset(options_of(Neighbours::replace_one));
  ASSERT_TRUE(ledger.spend(request("visits", epsilon_charge("0.2"))));
  const Entry entry = ledger.history({})->back().entry;
  EXPECT_EQ(entry.neighbours, Neighbours::replace_one);
  EXPECT_EQ(entry.unit, "one patient");
  EXPECT_EQ(entry.charged.amount, entry.charge.amount);
}

TEST_F(RelatedLedger, AnotherUnitIsRefusedAndChargesNothing) {
  Ledger ledger = with_dataset(options_of(Neighbours::add_remove));
  const auto refused = ledger.spend(stated(epsilon_charge("0.2"), Neighbours::add_remove, "one row"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_parameter);
  EXPECT_THAT(refused.error().message, ::testing::AllOf(HasSubstr("one patient"), HasSubstr("one row")));
  EXPECT_EQ(ledger.reserve(stated(epsilon_charge("0.2"), Neighbours::replace_one)).error().code,
            ErrorCode::invalid_parameter);
  EXPECT_EQ(ledger.balance("visits")->queries, 0);
}

TEST_F(RelatedLedger, ARefusalTellsWhatMayBeStated) {
  Ledger ledger = with_dataset(options_of(Neighbours::replace_one));
  const auto refused = ledger.spend(stated(epsilon_charge("0.6", "9e-7"), Neighbours::add_remove));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::budget_exhausted);
  const auto granted = ledger.spend(stated(*refused.error().allowed, Neighbours::add_remove));
  ASSERT_TRUE(granted) << granted.error().message;
  EXPECT_GE(granted->cost.amount, 990'000'000);
}

TEST_F(RelatedLedger, ALimitPerQueryIsComparedWithWhatIsCharged) {
  DatasetOptions options = options_of(Neighbours::replace_one);
  options.max_per_query = decimal("0.3");
  Ledger ledger = with_dataset(options);
  EXPECT_TRUE(ledger.spend(stated(epsilon_charge("0.15"), Neighbours::add_remove)));
  EXPECT_EQ(ledger.spend(stated(epsilon_charge("0.16"), Neighbours::add_remove)).error().limit, "per_query");
}

}  // namespace neighbour_relation_test
}  // namespace gauze
