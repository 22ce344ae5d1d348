#include "gauze/ledger/terms/dataset_terms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/ledger/ledger_testing.h"

namespace gauze {
namespace dataset_terms_test {

using ::testing::HasSubstr;

std::string refusal(const DatasetOptions& options) {
  const auto terms = DatasetTerms::make(options);
  if (terms) return "";
  EXPECT_EQ(terms.error().code, ErrorCode::invalid_parameter);
  return terms.error().message;
}

TEST(DatasetTerms, TheAccountantFollowsFromTheTotal) {
  EXPECT_EQ(DatasetTerms::make(epsilon_options("d", "1"))->accountant.name(), "basic");
  EXPECT_EQ(DatasetTerms::make(epsilon_options("d", "1", "1e-6"))->accountant.name(), "zcdp");
  EXPECT_EQ(DatasetTerms::make(rho_options("d", "0.5"))->accountant.name(), "zcdp");
  DatasetOptions basic = epsilon_options("d", "1", "1e-6");
  basic.accountant = "basic";
  EXPECT_EQ(DatasetTerms::make(basic)->capacity.delta, 1'000'000'000'000);
}

TEST(DatasetTerms, ATotalIsMandatory) {
  DatasetOptions none;
  none.name = "d";
  EXPECT_THAT(refusal(none), HasSubstr("lifetime total"));
  DatasetOptions both = epsilon_options("d", "1");
  both.rho = Rational(1);
  EXPECT_THAT(refusal(both), HasSubstr("lifetime total"));
  DatasetOptions rho_with_delta = rho_options("d", "1");
  rho_with_delta.delta = decimal("1e-6");
  EXPECT_EQ(DatasetTerms::make(rho_with_delta)->total_json().dump(), R"({"rho":1,"delta":0.000001})");
  rho_with_delta.accountant = "rdp:8";
  EXPECT_THAT(refusal(rho_with_delta), HasSubstr("zcdp"));
}

TEST(DatasetTerms, TotalsRoundDown) {
  EXPECT_EQ(DatasetTerms::make(epsilon_options("d", "0.12345678999"))->total.amount, 123'456'789);
  EXPECT_THAT(refusal(epsilon_options("d", "1e-10")), HasSubstr("at least"));
  EXPECT_THAT(refusal(epsilon_options("d", "0")), HasSubstr("above 0"));
  EXPECT_THAT(refusal(epsilon_options("d", "5e9")), HasSubstr("at most"));
  EXPECT_THAT(refusal(epsilon_options("d", "1", "1")), HasSubstr("below 1"));
  EXPECT_THAT(refusal(epsilon_options("d", "1", "-1e-6")), HasSubstr("above 0"));
  EXPECT_EQ(DatasetTerms::make(epsilon_options("d", "1", "1e-6"))->total_json().dump(),
            "{\"epsilon\":1,\"delta\":0.000001}");
  EXPECT_EQ(DatasetTerms::make(rho_options("d", "0.5"))->total_json().dump(), "{\"rho\":0.5}");
  EXPECT_EQ(DatasetTerms::make(rho_options("d", "0.5"))->as_one_pure_release().dump(), "{\"epsilon\":1}");
  EXPECT_TRUE(DatasetTerms::make(epsilon_options("d", "1"))->as_one_pure_release().is_null());
}

TEST(DatasetTerms, AWindowHasALengthAndALimitInsideTheTotal) {
  DatasetOptions options = epsilon_options("d", "10");
  options.window_seconds = 86'400;
  EXPECT_THAT(refusal(options), HasSubstr("both or neither"));
  options.window_limit = Rational(11);
  EXPECT_THAT(refusal(options), HasSubstr("not exceed the total"));
  options.window_limit = Rational(1);
  EXPECT_EQ(DatasetTerms::make(options)->window.limit, 1'000'000'000);
  options.window_seconds = 59;
  EXPECT_THAT(refusal(options), HasSubstr("a minute"));
  options.window_seconds = 0;
  EXPECT_THAT(refusal(options), HasSubstr("both or neither"));
}

TEST(DatasetTerms, InnerLimitsAreConvertedLikeTheTotal) {
  DatasetOptions options = epsilon_options("d", "4", "1e-6");
  options.window_seconds = 86'400;
  options.window_limit = Rational(1);
  options.max_per_query = Rational(1);
  const auto terms = DatasetTerms::make(options);
  ASSERT_TRUE(terms);
  const auto alone = DatasetTerms::make(epsilon_options("d", "1", "1e-6"));
  EXPECT_EQ(terms->window.limit, alone->capacity.amount);
  EXPECT_EQ(terms->max_per_query->limit, alone->capacity.amount);
  EXPECT_LT(terms->window.limit, terms->capacity.amount);
}

TEST(DatasetTerms, AQueryInEpsilonIsComparedByItsEpsilon) {
  DatasetOptions options = epsilon_options("d", "4", "1e-6");
  options.max_per_query = decimal("0.1");
  const auto terms = DatasetTerms::make(options);
  ASSERT_TRUE(terms);
  const auto allows = [&](const Charge& charge) {
    return terms->allows_query(charge, *terms->accountant.cost(charge));
  };
  EXPECT_TRUE(allows(epsilon_charge("0.1")));
  EXPECT_FALSE(allows(epsilon_charge("0.100000001")));
  // rho 0.005 is what epsilon 0.1 costs, but by itself it implies far more than epsilon 0.1 at delta 5e-7.
  EXPECT_FALSE(allows(charge_of(Charge::Kind::rho, "0.005")));
  EXPECT_TRUE(allows(charge_of(Charge::Kind::rho, "0.0001")));
}

TEST(DatasetTerms, ALimitOfDeltaPerQueryLiesWithinTheTotal) {
  DatasetOptions options = epsilon_options("d", "1", "1e-6");
  options.max_delta_per_query = decimal("1.5e-18");
  EXPECT_EQ(DatasetTerms::make(options)->max_delta_per_query, 1) << "rounded down";
  options.max_delta_per_query = decimal("1e-6");
  EXPECT_EQ(refusal(options), "");
  for (const char* bad : {"0", "-1e-9", "1e-19", "1.1e-6"}) {
    options.max_delta_per_query = decimal(bad);
    EXPECT_THAT(refusal(options), HasSubstr("delta per query")) << bad;
  }
  DatasetOptions pure = epsilon_options("d", "1");
  DatasetOptions rho = rho_options("d", "1");
  pure.max_delta_per_query = rho.max_delta_per_query = decimal("1e-9");
  EXPECT_THAT(refusal(pure), HasSubstr("needs a total with a delta"));
  EXPECT_THAT(refusal(rho), HasSubstr("needs a total with a delta"));
}

TEST(DatasetTerms, NamesAndTextsArePrintable) {
  for (const char* bad : {"", " d", "d ", "a=b", "a\nb", "\x1b[31m", "\xff"}) {
    EXPECT_NE(refusal(epsilon_options(bad, "1")), "") << bad;
  }
  EXPECT_NE(refusal(epsilon_options(std::string(201, 'x'), "1")), "");
  for (const char* good : {"visits", "clinic visits 2026", "besøk", "a:b"}) {
    EXPECT_EQ(refusal(epsilon_options(good, "1")), "") << good;
  }
  DatasetOptions no_unit = epsilon_options("d", "1");
  no_unit.unit = "";
  EXPECT_THAT(refusal(no_unit), HasSubstr("unit"));
  no_unit.unit = std::string(201, 'x');
  EXPECT_THAT(refusal(no_unit), HasSubstr("unit"));
}

TEST(DatasetTerms, TheNumberOfQueriesIsPositive) {
  DatasetOptions options = epsilon_options("d", "1");
  for (const std::int64_t bad : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{2'000'000'000'000}}) {
    options.max_queries = bad;
    EXPECT_THAT(refusal(options), HasSubstr("queries"));
  }
  options.max_queries = 3;
  EXPECT_EQ(DatasetTerms::make(options)->max_queries, 3);
}

TEST(DatasetTerms, WindowsAreWrittenAsTheyAreRead) {
  EXPECT_EQ(parse_window("30d"), 2'592'000);
  EXPECT_EQ(parse_window("2w"), 1'209'600);
  EXPECT_EQ(parse_window("36h"), 129'600);
  EXPECT_EQ(parse_window("90m"), 5400);
  EXPECT_EQ(window_text(2'592'000), "30d");
  EXPECT_EQ(window_text(1'209'600), "14d");
  EXPECT_EQ(window_text(129'600), "36h");
  EXPECT_EQ(window_text(5400), "90m");
  for (const char* bad : {"", "d", "30", "0d", "-1d", "1.5d", "30s", "30 d", "1e3d", "99999999w", "999999999999d"}) {
    EXPECT_FALSE(parse_window(bad)) << bad;
  }
}

TEST(DatasetTerms, SayWhomTheyAreAbout) {
  DatasetOptions options = epsilon_options("d", "1");
  EXPECT_EQ(DatasetTerms::make(options)->unit, "one row");
  EXPECT_EQ(DatasetTerms::make(options)->neighbours, Neighbours::add_remove);
  options.neighbours = Neighbours::replace_one;
  EXPECT_EQ(DatasetTerms::make(options)->neighbours, Neighbours::replace_one);
  for (const Neighbours other : {Neighbours::any_two_inputs, Neighbours::not_applicable}) {
    options.neighbours = other;
    EXPECT_EQ(DatasetTerms::make(options).error().code, ErrorCode::invalid_parameter);
  }
}

TEST(DatasetTerms, NamesAndUnitsCanBeSeen) {
  for (const char* hidden : {"\u200b", "\u00ad", "\ufeff", "\u2066"}) {
    DatasetOptions named = epsilon_options(std::string("d") + hidden, "1");
    EXPECT_EQ(DatasetTerms::make(named).error().code, ErrorCode::invalid_parameter);
    DatasetOptions unit = epsilon_options("d", "1");
    unit.unit += hidden;
    EXPECT_EQ(DatasetTerms::make(unit).error().code, ErrorCode::invalid_parameter);
  }
  EXPECT_TRUE(check_visible("a name", "Besuche \u00e4lterer Leute \u8bbf"));
}

}  // namespace dataset_terms_test
}  // namespace gauze
