#include "gauze/base/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gauze {
namespace error_test {

struct Expected {
  ErrorCode code;
  const char* name;
  int status;
};

// INTERFACE: 2 usage, 1 trouble, 3 refusal, 4 not authorised, 130 interrupted.
const std::vector<Expected> kCodes = {
    {ErrorCode::usage, "usage", 2},
    {ErrorCode::invalid_parameter, "invalid_parameter", 2},
    {ErrorCode::unknown_column, "unknown_column", 2},
    {ErrorCode::io, "io", 1},
    {ErrorCode::bad_data, "bad_data", 1},
    {ErrorCode::internal, "internal", 1},
    {ErrorCode::budget_exhausted, "budget_exhausted", 3},
    {ErrorCode::not_private, "not_private", 3},
    {ErrorCode::infeasible, "infeasible", 3},
    {ErrorCode::unsupported, "unsupported", 3},
    {ErrorCode::request_unfinished, "request_unfinished", 3},
    {ErrorCode::cost_above_claim, "cost_above_claim", 3},
    {ErrorCode::not_authorised, "not_authorised", 4},
    {ErrorCode::interrupted, "interrupted", 130},
};

TEST(Error, EveryCodeHasItsNameAndExitStatus) {
  std::set<std::string> names;
  for (const auto& [code, name, status] : kCodes) {
    EXPECT_EQ(to_string(code), name);
    EXPECT_EQ(exit_status(code), status) << name;
    names.emplace(to_string(code));
  }
  EXPECT_EQ(names.size(), kCodes.size());
  EXPECT_EQ(static_cast<std::size_t>(ErrorCode::interrupted) + 1, kCodes.size()) << "a code is not tested";
}

TEST(Error, AnUnknownCodeIsInternal) {
  const auto code = static_cast<ErrorCode>(999);
  EXPECT_EQ(to_string(code), "internal");
  EXPECT_EQ(exit_status(code), 1);
}

TEST(Error, MessagesAreFormatted) {
  const Result<int> result = make_error(ErrorCode::io, "cannot write {} of {}", 3, "x.csv");
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::io);
  EXPECT_EQ(result.error().message, "cannot write 3 of x.csv");
}

TEST(Error, InvalidParameterConvertsToAnyResult) {
  const Result<std::string> text = invalid_parameter("epsilon must be positive, but is {}", -1);
  const Result<void> nothing = invalid_parameter("delta must be below 1");
  EXPECT_EQ(text.error().code, ErrorCode::invalid_parameter);
  EXPECT_EQ(text.error().message, "epsilon must be positive, but is -1");
  EXPECT_EQ(nothing.error().code, ErrorCode::invalid_parameter);
}

Result<int> half(int value) {
  if (value % 2 != 0) return invalid_parameter("{} is odd", value);
  return value / 2;
}

Result<int> quarter(int value) {
  GAUZE_TRY(const int once, half(value));
  GAUZE_TRY(const int twice, half(once));
  return twice;
}

TEST(Try, GivesTheValueOrReturnsTheError) {
  EXPECT_EQ(quarter(12).value(), 3);
  EXPECT_EQ(quarter(7).error().message, "7 is odd");
  EXPECT_EQ(quarter(6).error().message, "3 is odd");
}

Result<std::string> fill_existing() {
  std::pair<int, std::string> target;
  GAUZE_TRY(target.first, half(8));
  GAUZE_TRY(target.second, Result<std::string>("eight"));
  return target.second + std::to_string(target.first);
}

TEST(Try, AssignsToWhatAlreadyExists) { EXPECT_EQ(fill_existing().value(), "eight4"); }

Result<std::unique_ptr<int>> boxed(int value) { return std::make_unique<int>(value); }

Result<int> unbox(int value) {
  GAUZE_TRY(const std::unique_ptr<int> box, boxed(value));
  return *box;
}

TEST(Try, MovesWhatCannotBeCopied) { EXPECT_EQ(unbox(5).value(), 5); }

Result<int> sum(int a, int b) { return a + b; }

Result<int> with_commas(int a) {
  GAUZE_TRY(const auto total, sum(a, 2));
  return total;
}

TEST(Try, TakesCallsWithCommas) { EXPECT_EQ(with_commas(1).value(), 3); }

Result<void> even_only(int value, std::vector<int>& seen) {
  GAUZE_TRY_VOID(half(value));
  seen.push_back(value);
  return {};
}

Result<void> all_even(const std::vector<int>& values, std::vector<int>& seen) {
  for (const int value : values) GAUZE_TRY_VOID(even_only(value, seen));
  return {};
}

TEST(TryVoid, StopsAtTheFirstError) {
  std::vector<int> seen;
  EXPECT_TRUE(all_even({2, 4}, seen).has_value());
  const auto stopped = all_even({6, 7, 8}, seen);
  ASSERT_FALSE(stopped.has_value());
  EXPECT_EQ(stopped.error().message, "7 is odd");
  EXPECT_THAT(seen, ::testing::ElementsAre(2, 4, 6));
}

TEST(CheckDeathTest, ABrokenInvariantEndsTheProcessAndNamesItself) {
  const int left = 1;
  EXPECT_DEATH(GAUZE_CHECK(left == 2), "internal error: left == 2 does not hold \\(.*error_test.cpp:[0-9]+\\)");
}

TEST(Check, AHoldingInvariantIsEvaluatedOnce) {
  int calls = 0;
  GAUZE_CHECK(++calls == 1);
  EXPECT_EQ(calls, 1);
}

}  // namespace error_test
}  // namespace gauze
