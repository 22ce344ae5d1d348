#include "gauze/ledger/balance.h"

#include <gtest/gtest.h>

#include "gauze/ledger/ledger_testing.h"

namespace gauze {
namespace balance_test {

Balance balance_of(const DatasetOptions& options, std::int64_t spent = 0, std::int64_t delta = 0) {
  Balance balance;
  balance.terms = std::make_shared<const DatasetTerms>(*DatasetTerms::make(options));
  balance.spent = {.amount = spent, .delta = delta};
  return balance;
}

TEST(LedgerBalance, BasicFiguresAreExact) {
  const Balance pure = balance_of(epsilon_options("d", "1"), 300'000'000);
  EXPECT_EQ(pure.spent_json().dump(), R"({"epsilon":0.3,"delta":0})");
  EXPECT_EQ(pure.left_json().dump(), R"({"epsilon":0.7,"delta":0})");
  EXPECT_DOUBLE_EQ(pure.used(), 0.3);
  DatasetOptions basic = epsilon_options("d", "1", "1e-6");
  basic.accountant = "basic";
  const Balance with_delta = balance_of(basic, 1, 1);
  EXPECT_EQ(with_delta.spent_json().dump(), R"({"epsilon":0.000000001,"delta":0.000000000000000001})");
  EXPECT_EQ(with_delta.left_json().dump(), R"({"epsilon":0.999999999,"delta":0.000000999999999999})");
}

TEST(LedgerBalance, ATotalInRhoHasRhoOnly) {
  const Balance rho = balance_of(rho_options("d", "0.5"), 125'000'000'000'000);
  EXPECT_EQ(rho.spent_json().dump(), R"({"rho":0.125})");
  EXPECT_EQ(rho.left_json().dump(), R"({"rho":0.375})");
  DatasetOptions approximate = rho_options("d", "0.5");
  approximate.delta = decimal("1e-6");
  EXPECT_EQ(balance_of(approximate, 125'000'000'000'000).left_json().dump(), R"({"rho":0.375,"delta":0.000001})");
  EXPECT_DOUBLE_EQ(rho.used(), 0.25);
}

TEST(LedgerBalance, OtherAccountantsShowTheirOwnFigureToo) {
  for (const auto& [accountant, figure] :
       std::vector<std::pair<std::string, std::string>>{{"zcdp", "rho"}, {"rdp:20", "rdp"}, {"gdp", "mu_squared"}}) {
    DatasetOptions options = epsilon_options("d", "1", "1e-6");
    options.accountant = accountant;
    const std::int64_t capacity = balance_of(options).terms->capacity.amount;
    const Balance untouched = balance_of(options);
    EXPECT_EQ(untouched.left_json().find("epsilon")->text(), "1") << accountant;
    EXPECT_EQ(untouched.spent_json().find(figure)->text(), "0") << accountant;
    Rational before(0);
    for (const std::int64_t part : {8, 4, 2, 1}) {
      const Balance balance = balance_of(options, capacity / part);
      const Rational spent = decimal(balance.spent_json().find("epsilon")->text());
      const Rational left = decimal(balance.left_json().find("epsilon")->text());
      EXPECT_GT(spent, before) << accountant;
      EXPECT_LE(left, Rational(1) - before) << accountant;
      EXPECT_LE(spent + left, decimal("1.00000001")) << accountant;
      before = spent;
    }
    const Balance exhausted = balance_of(options, capacity);
    EXPECT_EQ(exhausted.left_json().find("epsilon")->text(), "0") << accountant;
    EXPECT_EQ(exhausted.left_json().find(figure)->text(), "0") << accountant;
    EXPECT_DOUBLE_EQ(exhausted.used(), 1);
  }
}

TEST(LedgerBalance, CostsAreInTheAccountantsCurrency) {
  EXPECT_EQ(cost_json({.amount = 5, .delta = 0}, *balance_of(epsilon_options("d", "1")).terms).dump(),
            R"({"epsilon":0.000000005})");
  EXPECT_EQ(cost_json({.amount = 5, .delta = 7}, *balance_of(epsilon_options("d", "1", "1e-6")).terms).dump(),
            R"({"rho":0.000000000000005,"delta":0.000000000000000007})");
}

TEST(LedgerBalance, ARefusalPassesAsAnError) {
  const auto refuse = []() -> Granted { return tl::unexpected<Refusal>(Error{ErrorCode::budget_exhausted, "no"}); };
  const auto passes = [&]() -> Result<int> {
    GAUZE_TRY(const Grant grant, refuse());
    return static_cast<int>(grant.entry);
  };
  EXPECT_EQ(passes().error().code, ErrorCode::budget_exhausted);
  EXPECT_EQ(passes().error().message, "no");
}

TEST(LedgerBalance, TimesAreIso8601) {
  EXPECT_EQ(time_text(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(time_text(1'800'000'000), "2027-01-15T08:00:00Z");
  EXPECT_EQ(time_text(kLastTime), "9999-12-31T23:59:59Z");
}

}  // namespace balance_test
}  // namespace gauze
