#include "gauze/text/statistics/promise_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text {
namespace promise_check_test {

using ::testing::HasSubstr;

class Promise : public ::testing::Test {
 protected:
  [[nodiscard]] Result<PromiseCheck> check(const WordVectors& vectors, const MechanismOptions& options) {
    return check_promise(TextMechanism::make(vectors, options).value(), progress_);
  }
  WordVectors cloud_ = testing::random_words(30, 4, 1, 3);
  WordVectors line_ = testing::words_at({{0}, {1}, {3}, {3}});
  Progress progress_;
};

TEST_F(Promise, HoldsForEveryExactMechanism) {
  SensitiveWords some{.marked = std::vector<bool>(cloud_.size(), true)};
  some.marked[0] = some.marked[5] = false;
  for (const MechanismOptions& options :
       std::vector<MechanismOptions>{{.epsilon = 3},
                                     {.kind = MechanismKind::tem, .epsilon = 3, .gamma = Rational(1)},
                                     {.kind = MechanismKind::santext_plus, .epsilon = 3, .sensitive = some}}) {
    const auto found = check(cloud_, options);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_TRUE(found->holds()) << to_string(options.kind);
    EXPECT_TRUE(found->found.complete);
    EXPECT_EQ(found->promised_excess, 0x1p-39);
  }
  const auto dchi = check(line_, {.kind = MechanismKind::dchi, .epsilon = 3});
  ASSERT_TRUE(dchi) << dchi.error().message;
  EXPECT_TRUE(dchi->holds());
  EXPECT_EQ(dchi->promised_excess, 0);
}

TEST_F(Promise, IsBrokenAsPublishedWhereProbabilitiesBecomeZero) {
  const auto found = check(cloud_, {.epsilon = 5000, .as_published = true});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_FALSE(found->holds());
  EXPECT_TRUE(std::isinf(found->found.worst));
  const Json json = to_json(*found, cloud_);
  EXPECT_EQ(json.find("holds")->dump(), "false");
  EXPECT_EQ(json.find("excess")->dump(), "null");
  EXPECT_EQ(json.find("worst")->find("log_ratio")->dump(), "null");
}

TEST_F(Promise, IsOnlyCheckedWhereThereIsAClosedLaw) {
  for (const bool as_published : {false, true}) {
    const auto none = check(as_published ? line_ : cloud_,
                            {.kind = MechanismKind::dchi, .epsilon = 1, .as_published = as_published});
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().message, HasSubstr("in one dimension and for two words only"));
  }
}

TEST_F(Promise, IsNotDecidedByDoublesThatAreTooSmall) {
  const auto small = check(line_, {.kind = MechanismKind::dchi, .epsilon = 1000});
  ASSERT_FALSE(small);
  EXPECT_THAT(small.error().message, HasSubstr("below 1e-280"));
}

TEST_F(Promise, IsWrittenWithTheWorstTriple) {
  const PromiseCheck made{.found = {.worst = -0.5,
                                    .error = 0.25,
                                    .x = 0,
                                    .x_prime = 1,
                                    .y = 2,
                                    .log_ratio = 1.5,
                                    .allowed = 2,
                                    .triples = 64,
                                    .complete = true},
                          .promised_excess = 0};
  EXPECT_EQ(
      to_json(made, line_).dump(),
      R"({"holds":true,"complete":true,"words":4,"triples":64,"excess":-0.5,"promised_excess":0,"rounding_error":0.25,)"
      R"("worst":{"x":"w0","x_prime":"w1","y":"w2","log_ratio":1.5,"allowed":2}})");
  EXPECT_EQ(to_json(PromiseCheck{}, line_).find("worst")->dump(), "null") << "nothing was looked at";
}

TEST(PromiseCheck, OfSetsLooksAtEveryPairWithinASet) {
  const WordVectors vectors = testing::random_words(40, 3, 1.0, 2);
  Progress progress;
  const auto made = [&](MechanismKind kind) {
    return TextMechanism::make(vectors, {.kind = kind, .epsilon = Rational(2), .set_size = 8}).value();
  };
  const TextMechanism custext = made(MechanismKind::custext);
  const PromiseCheck check = check_promise(custext, progress).value();
  EXPECT_TRUE(check.holds());
  EXPECT_TRUE(check.found.complete);
  EXPECT_EQ(check.found.triples, 5U * 8 * 8 * 8);
  EXPECT_DOUBLE_EQ(check.found.allowed, 2);
  EXPECT_GT(check.found.log_ratio, 0.5);
  EXPECT_EQ(custext.custext()->sets().set_of(check.found.x), custext.custext()->sets().set_of(check.found.x_prime));
  for (const MechanismKind kind : {MechanismKind::vickrey, MechanismKind::mahalanobis})
    EXPECT_EQ(check_promise(made(kind), progress).error().code, ErrorCode::invalid_parameter) << "no closed law";
}

}  // namespace promise_check_test
}  // namespace gauze::text
