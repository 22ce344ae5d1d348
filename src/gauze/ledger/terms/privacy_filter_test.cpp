#include "gauze/ledger/terms/privacy_filter.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gauze/accounting/conversions.h"
#include "gauze/ledger/ledger_testing.h"

namespace gauze {
namespace privacy_filter_test {

using Kind = Charge::Kind;

PrivacyFilter filter(const char* name) { return *PrivacyFilter::parse(name); }

std::string cost(const char* name, const Charge& charge) {
  const PrivacyFilter accountant = filter(name);
  const auto found = accountant.cost(charge);
  return found ? decimal_of(found->amount, accountant.currency()) : "refused";
}

Total epsilon_total(std::string_view epsilon, std::string_view delta) {
  return {.kind = Total::Kind::epsilon,
          .amount = *units_down(decimal(epsilon), Currency::epsilon),
          .delta = *units_down(decimal(delta), Currency::delta)};
}

double capacity(const char* name, const Total& total) {
  const PrivacyFilter accountant = filter(name);
  return amount_of(accountant.capacity(total)->amount, accountant.currency()).to_double();
}

TEST(PrivacyFilter, NamesReadBack) {
  for (const char* name : {"basic", "zcdp", "gdp", "rdp:8", "rdp:1.5", "rdp:1000000"}) {
    EXPECT_EQ(filter(name).name(), name);
  }
  EXPECT_EQ(filter("rdp:8.0").name(), "rdp:8");
  for (const char* bad :
       {"", "Basic", "rdp", "rdp:", "rdp:1", "rdp:0.5", "rdp:x", "rdp:1e7", "rdp:1.0000000001", "pld"}) {
    const auto read = PrivacyFilter::parse(bad);
    ASSERT_FALSE(read) << bad;
    EXPECT_EQ(read.error().code, ErrorCode::invalid_parameter);
  }
}

TEST(PrivacyFilter, BasicAddsUpEpsilonAndDelta) {
  EXPECT_EQ(cost("basic", epsilon_charge("0.1")), "0.1");
  EXPECT_EQ(filter("basic").cost(epsilon_charge("0.1", "1e-6"))->delta, 1'000'000'000'000);
  for (const Kind kind : {Kind::rho, Kind::mu, Kind::rdp})
    EXPECT_EQ(cost("basic", charge_of(kind, "0.1")), "refused");
}

TEST(PrivacyFilter, ZcdpTakesRhoAndHalfTheSquaresOfEpsilonAndMu) {
  EXPECT_EQ(cost("zcdp", charge_of(Kind::rho, "0.01")), "0.01");
  EXPECT_EQ(cost("zcdp", epsilon_charge("0.1")), "0.005");
  EXPECT_EQ(cost("zcdp", epsilon_charge("0.1", "1e-9")), "0.005");
  EXPECT_EQ(filter("zcdp").cost(epsilon_charge("0.1", "1e-9"))->delta, 1'000'000'000);
  EXPECT_EQ(cost("zcdp", charge_of(Kind::mu, "2")), "2");
  EXPECT_EQ(cost("zcdp", charge_of(Kind::rdp, "0.1")), "refused");
  // Rounded up to the unit: 1e-18 / 2 of rho is less than one.
  EXPECT_EQ(cost("zcdp", epsilon_charge("1e-9")), "0.000000000000001");
}

TEST(PrivacyFilter, RdpTakesTheSmallerOfTwoBoundsForEpsilon) {
  EXPECT_EQ(cost("rdp:8", epsilon_charge("0.1")), "0.04");  // 8 * 0.01 / 2
  EXPECT_EQ(cost("rdp:8", epsilon_charge("2")), "2");       // below 8 * 4 / 2
  EXPECT_EQ(cost("rdp:8", charge_of(Kind::rho, "0.01")), "0.08");
  EXPECT_EQ(cost("rdp:8", charge_of(Kind::mu, "0.5")), "1");
  EXPECT_EQ(cost("rdp:8", charge_of(Kind::rdp, "0.3")), "0.3");
  EXPECT_EQ(cost("rdp:1.5", charge_of(Kind::rho, "0.000000000000001")), "0.000000000000002");
}

TEST(PrivacyFilter, GdpTakesMuOnly) {
  EXPECT_EQ(cost("gdp", charge_of(Kind::mu, "0.5")), "0.25");
  EXPECT_EQ(cost("gdp", charge_of(Kind::mu, "0.000000001")), "0.000000000000001");
  EXPECT_EQ(cost("gdp", epsilon_charge("0.1")), "refused");
  EXPECT_EQ(cost("gdp", charge_of(Kind::rho, "0.1")), "refused");
  EXPECT_EQ(cost("gdp", charge_of(Kind::rdp, "0.1")), "refused");
}

TEST(PrivacyFilter, RefusalsGiveTheReasonAndTheRemedy) {
  const auto refused = filter("basic").cost(charge_of(Kind::rho, "0.1"));
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_parameter);
  EXPECT_NE(refused.error().message.find("another accountant"), std::string::npos);
}

TEST(PrivacyFilter, AChargeBeyondAnyTotalDoesNotWrap) {
  const auto huge = filter("zcdp").cost(epsilon_charge("1e9"));
  EXPECT_EQ(huge->amount, kMostUnits + 1);
  EXPECT_EQ(filter("rdp:1000000").cost(charge_of(Kind::rho, "4000"))->amount, kMostUnits + 1);
}

TEST(PrivacyFilter, CapacityImpliesTheTotalAtHalfOfDelta) {
  const Total total = epsilon_total("1", "1e-6");
  const Rational half = decimal("5e-7");
  EXPECT_EQ(filter("basic").capacity(total)->amount, 1'000'000'000);
  EXPECT_EQ(filter("basic").capacity(total)->delta, total.delta);
  for (const char* name : {"zcdp", "rdp:16", "gdp"}) EXPECT_EQ(filter(name).capacity(total)->delta, total.delta / 2);

  const Rational rho(capacity("zcdp", total));
  EXPECT_LE(epsilon_of_zcdp(rho, half), decimal("1.000000001"));
  EXPECT_GT(epsilon_of_zcdp(rho * decimal("1.001"), half), Rational(1));
  // rho + 2 sqrt(rho ln(1/delta)) <= 1 is the weaker classical bound, so more than that fits.
  const double classical = std::pow(std::sqrt(1 + std::log(2e6)) - std::sqrt(std::log(2e6)), 2);
  EXPECT_GT(capacity("zcdp", total), classical);
  EXPECT_LT(capacity("zcdp", total), 2 * classical);

  const double renyi = capacity("rdp:16", total);
  EXPECT_NEAR(renyi + std::log(1 - 1.0 / 16) - std::log(16 * 5e-7) / 15, 1, 1e-6);

  // delta(mu) = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu) at epsilon 1.
  const double mu = std::sqrt(capacity("gdp", total));
  const auto phi = [](double x) { return std::erfc(-x / std::sqrt(2)) / 2; };
  EXPECT_NEAR(phi(mu / 2 - 1 / mu) - std::exp(1) * phi(-mu / 2 - 1 / mu), 5e-7, 1e-9);
}

TEST(PrivacyFilter, TotalsAndAccountantsThatDoNotGoTogetherAreRefused) {
  const Total pure = epsilon_total("1", "0");
  const Total rho{.kind = Total::Kind::rho, .amount = 1'000'000};
  for (const char* name : {"zcdp", "rdp:8", "gdp"}) EXPECT_FALSE(filter(name).capacity(pure)) << name;
  for (const char* name : {"basic", "rdp:8", "gdp"}) EXPECT_FALSE(filter(name).capacity(rho)) << name;
  EXPECT_TRUE(filter("basic").capacity(pure));
  EXPECT_TRUE(filter("zcdp").capacity(rho));
  EXPECT_FALSE(filter("zcdp").capacity(epsilon_total("1", "1e-18")));       // half a unit
  EXPECT_FALSE(filter("rdp:1.01").capacity(epsilon_total("0.1", "1e-6")));  // the conversion alone costs more
  EXPECT_FALSE(filter("zcdp").capacity(epsilon_total("1e6", "1e-6")));      // rho above 4000
}

TEST(PrivacyFilter, ATotalInRhoLeavesAllOfItsDeltaToTheCharges) {
  const Total total{.kind = Total::Kind::rho, .amount = 1'000'000, .delta = 7};
  EXPECT_EQ(filter("zcdp").capacity(total)->amount, 1'000'000);
  EXPECT_EQ(filter("zcdp").capacity(total)->delta, 7);
  for (const char* name : {"basic", "rdp:8", "gdp"}) EXPECT_FALSE(filter(name).capacity(total)) << name;
}

TEST(PrivacyFilter, OnlyZcdpTakesRhoWithADelta) {
  const Charge approximate = *Charge::make(Kind::rho, decimal("0.01"), decimal("1e-9"));
  EXPECT_EQ(cost("zcdp", approximate), "0.01");
  EXPECT_EQ(filter("zcdp").cost(approximate)->delta, 1'000'000'000);
  for (const char* name : {"basic", "rdp:8", "gdp"}) EXPECT_EQ(cost(name, approximate), "refused") << name;
}

TEST(PrivacyFilter, OnePureReleaseIsWorthWhatItWouldCost) {
  const auto worth = [](const char* name, std::string_view amount) {
    const PrivacyFilter accountant = filter(name);
    return accountant.as_one_pure_release(*units_down(decimal(amount), accountant.currency()));
  };
  EXPECT_EQ(worth("zcdp", "0.5"), 1'000'000'000);  // sqrt(2 rho)
  EXPECT_EQ(worth("zcdp", "0.1"), 447'213'595);    // rounded down
  EXPECT_EQ(worth("rdp:8", "0.04"), 100'000'000);  // order epsilon^2 / 2
  EXPECT_EQ(worth("rdp:8", "3"), 3'000'000'000);   // epsilon itself is the smaller bound
  EXPECT_EQ(worth("zcdp", "4000"), 89'442'719'099);
  EXPECT_EQ(worth("gdp", "1"), 0) << "it takes none";
  for (const char* name : {"zcdp", "rdp:8", "rdp:1.5"}) {
    const PrivacyFilter accountant = filter(name);
    for (const std::int64_t amount : {std::int64_t{1}, std::int64_t{123'456'789}, kMostUnits / 3, kMostUnits}) {
      const std::int64_t epsilon = accountant.as_one_pure_release(amount);
      if (epsilon > 0) {
        EXPECT_LE(accountant.cost({.kind = Kind::epsilon, .amount = epsilon})->amount, amount) << name;
      }
      EXPECT_GT(accountant.cost({.kind = Kind::epsilon, .amount = epsilon + 1})->amount, amount) << name;
    }
  }
}

TEST(PrivacyFilter, EpsilonOfWhatWasSpentIsRoundedUp) {
  const Total total = epsilon_total("1", "1e-6");
  for (const char* name : {"zcdp", "rdp:16", "gdp"}) {
    const PrivacyFilter accountant = filter(name);
    const std::int64_t most = accountant.capacity(total)->amount;
    EXPECT_EQ(accountant.epsilon_of(0, total), 0) << name;
    EXPECT_GT(accountant.epsilon_of(most / 2, total), 0) << name;
    EXPECT_LT(accountant.epsilon_of(most / 2, total), accountant.epsilon_of(most, total)) << name;
    EXPECT_NEAR(static_cast<double>(accountant.epsilon_of(most, total)), 1e9, 10) << name;
  }
  EXPECT_EQ(filter("basic").epsilon_of(7, total), 7);
}

TEST(PrivacyFilter, ChargesAreCheckedAndRoundedUp) {
  EXPECT_EQ(Charge::make(Kind::epsilon, decimal("0.0000000001"))->amount, 1);
  EXPECT_EQ(Charge::make(Kind::epsilon, decimal("1"), decimal("1e-19"))->delta, 1);
  EXPECT_FALSE(Charge::make(Kind::epsilon, Rational()));
  EXPECT_FALSE(Charge::make(Kind::epsilon, Rational(-1)));
  EXPECT_FALSE(Charge::make(Kind::epsilon, Rational(1), Rational(1)));
  EXPECT_FALSE(Charge::make(Kind::epsilon, Rational(1), Rational(-1)));
  EXPECT_EQ(Charge::make(Kind::rho, Rational(1), decimal("1e-6"))->to_json().dump(), R"({"rho":1,"delta":0.000001})");
  for (const Kind kind : {Kind::mu, Kind::rdp}) EXPECT_FALSE(Charge::make(kind, Rational(1), decimal("1e-6")));
  EXPECT_FALSE(Charge::make(Kind::rho, Rational(4001)));
  EXPECT_FALSE(Charge::make(Kind::epsilon, Rational(1) / Rational()));
  EXPECT_EQ(epsilon_charge("0.1", "1e-6").to_json().dump(), "{\"epsilon\":0.1,\"delta\":0.000001}");
  EXPECT_EQ(charge_of(Kind::mu, "0.5").to_json().dump(), "{\"mu\":0.5}");
}

}  // namespace privacy_filter_test
}  // namespace gauze
