#include "gauze/cli/ledger/ledger_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/cli/core/cli_testing.h"

namespace gauze::cli {
namespace ledger_output_test {

using ::testing::HasSubstr;
using ::testing::Not;

Balance balance_of(std::int64_t spent) {
  DatasetOptions options;
  options.name = "visits";
  options.epsilon = Rational(1);
  Balance balance;
  balance.terms = std::make_shared<const DatasetTerms>(*DatasetTerms::make(options));
  balance.spent.amount = spent;
  return balance;
}

TEST(LedgerOutput, FiguresAreListedWithoutADeltaOfZero) {
  EXPECT_EQ(figures_text(Json::object({{"epsilon", Json::number("0.9")}, {"delta", 0}})), "epsilon 0.9");
  EXPECT_EQ(figures_text(Json::object({{"epsilon", 1}, {"delta", Json::number("0.000001")}, {"rho", 2}})),
            "epsilon 1, delta 0.000001, rho 2");
  EXPECT_EQ(figures_text(Json::object()), "");
}

TEST(LedgerOutput, TheBarIsFullOnlyWhenTheBudgetIsGone) {
  const auto text = [](std::int64_t spent) { return balance_text(balance_of(spent), true, Style{}); };
  const std::string empty(40, '-');
  const std::string full(40, '#');
  EXPECT_THAT(text(0), HasSubstr("[" + empty + "] 0 %"));
  EXPECT_THAT(text(1), HasSubstr("[#" + empty.substr(1) + "] 1 %"));
  EXPECT_THAT(text(500'000'000), HasSubstr("[" + full.substr(20) + empty.substr(20) + "] 50 %"));
  EXPECT_THAT(text(1'000'000'000), HasSubstr("[" + full + "] 100 %"));
  EXPECT_THAT(balance_text(balance_of(1), false, Style{}), Not(HasSubstr("[")));
}

TEST(LedgerOutput, AChargeForAGroupOfTwoShowsBothFigures) {
  const Charge stated = *Charge::make(Charge::Kind::epsilon, Rational(1, 10));
  Charge charged = stated;
  EXPECT_EQ(charge_text(stated, charged), "epsilon 0.1");
  charged.amount *= 2;
  EXPECT_EQ(charge_text(stated, charged), "epsilon 0.2 (stated epsilon 0.1, charged for a group of two)");
}

TEST(LedgerOutput, ARelationThatWasNotDeclaredIsSaid) {
  Balance balance = balance_of(0);
  EXPECT_THAT(balance_text(balance, false, Style{}), HasSubstr("neighbours not declared"));
  EXPECT_TRUE(balance.to_json().find("neighbours")->is_null());
  balance.neighbours = Neighbours::replace_one;
  EXPECT_THAT(balance_text(balance, false, Style{}), HasSubstr("neighbours replace-one"));
  EXPECT_EQ(balance.to_json().find("neighbours")->text(), "replace-one");
}

TEST(LedgerOutput, ColourIsUsedWhereItIsWanted) {
  EXPECT_THAT(balance_text(balance_of(900'000'000), true, Style{.enabled = true}), HasSubstr("\x1b[1;31m"));
  EXPECT_THAT(balance_text(balance_of(900'000'000), true, Style{}), Not(HasSubstr("\x1b")));
}

TEST(LedgerOutput, ProgramsGetEveryKeyAndNullForWhatIsAbsent) {
  const Json json = balance_of(100'000'000).to_json();
  EXPECT_EQ(json.find("spent")->dump(), R"({"epsilon":0.1,"delta":0})");
  EXPECT_EQ(json.find("left")->dump(), R"({"epsilon":0.9,"delta":0})");
  for (const char* key : {"window", "max_per_query", "max_delta_per_query", "max_queries"}) {
    EXPECT_TRUE(json.find(key)->is_null()) << key;
  }
}

TEST(LedgerOutput, ARefusalBecomesKeysOrANote) {
  Refusal refusal(Error{ErrorCode::budget_exhausted, "refused"});
  refusal.limit = "window";
  refusal.balance = balance_of(700'000'000);
  refusal.allowed = *Charge::make(Charge::Kind::epsilon, Rational(3, 10));
  refusal.window_opens = 1'800'000'000;
  const Registry registry = probe_registry([&](Invocation& invocation) -> Result<int> {
    explain(invocation, refusal);
    return tl::unexpected<Error>(refusal);
  });
  const Ran json = run(registry, {"probe", "alpha", "--json"});
  EXPECT_EQ(json.status, 3);
  EXPECT_EQ(json.out, R"({"error":{"code":"budget_exhausted","message":"refused"},"left":{"epsilon":0.3,"delta":0},)"
                      R"("allowed":{"epsilon":0.3},"limit":"window","renews":"2027-01-15T08:00:00Z"})"
                      "\n");
  const Ran plain = run(registry, {"probe", "alpha"});
  EXPECT_THAT(plain.err, HasSubstr("at most epsilon 0.3"));
  EXPECT_THAT(plain.err, HasSubstr("2027-01-15T08:00:00Z"));
  refusal.allowed.reset();  // not a matter of the budget
  EXPECT_THAT(run(registry, {"probe", "alpha", "--json"}).out, Not(HasSubstr("left")));
}

}  // namespace ledger_output_test
}  // namespace gauze::cli
