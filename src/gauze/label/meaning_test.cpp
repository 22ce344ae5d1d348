#include "gauze/label/meaning.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gauze/files/sha256.h"
#include "gauze/label/label_testing.h"
#include "gauze/label/unstated_unit.h"

namespace gauze {
namespace meaning_test {

using ::testing::AllOf;
using ::testing::HasSubstr;

PrivacyLabel with(Definition definition, PrivacyLabel::Cost cost) {
  PrivacyLabel label = plain_label();
  label.definition = definition;
  label.cost = std::move(cost);
  return label;
}

double number(const std::string& text) { return std::stod(text); }

/// At least the value, and at most a step of the grid above it.
void expect_rounded_up(const std::string& text, double value) {
  EXPECT_GE(number(text), value - 1e-15);
  EXPECT_LE(number(text), value + 1.001e-6);
}

TEST(Meaning, OfEpsilonIsHowFarABeliefCanMove) {
  for (const char* epsilon : {"0", "0.001", "0.1", "1", "2.5", "20"}) {
    const auto meaning = meaning_of(with(Definition::pure, {.epsilon = epsilon}));
    ASSERT_TRUE(meaning);
    const double odds = std::exp(number(epsilon));
    expect_rounded_up(*meaning->belief, odds / (1 + odds));
    expect_rounded_up(meaning->advantage, (odds - 1) / (odds + 1));
    EXPECT_FALSE(meaning->epsilon);
  }
  EXPECT_THAT(meaning_of(with(Definition::pure, {.epsilon = "1"}))->text,
              AllOf(HasSubstr("73.2 % at most"), HasSubstr("26.8 % at least")));
  EXPECT_THAT(meaning_of(with(Definition::pure, {.epsilon = "0"}))->text, HasSubstr("50 % at most"));
  EXPECT_EQ(meaning_of(with(Definition::pure, {.epsilon = "1000000000"}))->belief, "1") << "no overflow";
}

TEST(Meaning, OfEpsilonAndDeltaIsTheLargestAdvantage) {
  const auto meaning = meaning_of(with(Definition::approximate, {.epsilon = "1", .delta = "0.01"}));
  ASSERT_TRUE(meaning);
  expect_rounded_up(meaning->advantage, (std::exp(1.0) - 1 + 0.02) / (std::exp(1.0) + 1));
  EXPECT_FALSE(meaning->belief) << "with a delta a belief may move to certainty";
  EXPECT_EQ(meaning_of(with(Definition::approximate, {.epsilon = "100", .delta = "1"}))->advantage, "1");
}

TEST(Meaning, OfConcentratedGuaranteesIsStatedAtADelta) {
  const auto zcdp = meaning_of(with(Definition::zcdp, {.rho = "0.5"}));
  ASSERT_TRUE(zcdp);
  expect_rounded_up(zcdp->advantage, std::min(std::sqrt(0.25), std::sqrt(1 - std::exp(-0.5))));
  EXPECT_EQ(zcdp->delta, "1e-6");
  EXPECT_NEAR(number(*zcdp->epsilon), 0.5 + 2 * std::sqrt(0.5 * std::log(1e6)), 1.1e-4);
  const auto stated = meaning_of(with(Definition::zcdp, {.epsilon = "3", .delta = "1e-9", .rho = "0.1"}));
  EXPECT_EQ(stated->epsilon, "3");
  EXPECT_EQ(stated->delta, "1e-9");
  const auto gaussian = meaning_of(with(Definition::gaussian, {.mu = "1"}));
  ASSERT_TRUE(gaussian);
  expect_rounded_up(gaussian->advantage, std::erf(0.5 / std::sqrt(2.0)));
  const auto renyi = meaning_of(with(Definition::renyi, {.renyi_order = "3", .renyi_epsilon = "0.2"}));
  ASSERT_TRUE(renyi);
  expect_rounded_up(renyi->advantage, std::sqrt(0.1));
  EXPECT_NEAR(number(*renyi->epsilon), 0.2 + std::log(1e6) / 2, 1.1e-4);
  EXPECT_THAT(renyi->text, HasSubstr("at delta 1e-6"));
}

TEST(Meaning, HasAQuestionThatFitsTheNeighbours) {
  PrivacyLabel label = plain_label();
  label.privacy_unit = "one patient";
  EXPECT_THAT(meaning_of(label)->text, HasSubstr("whether one patient is in the data"));
  label.privacy_unit = kUnstatedUnit;
  EXPECT_THAT(meaning_of(label)->text, HasSubstr("whether one unit is in the data"));
  label.privacy_unit = "one patient";
  label.neighbours = Neighbours::replace_one;
  EXPECT_THAT(meaning_of(label)->text, HasSubstr("which of two values one patient has"));
  label.neighbours = Neighbours::any_two_inputs;
  EXPECT_THAT(meaning_of(label)->text, HasSubstr("which of two inputs"));
}

TEST(Meaning, IsNoneWhereDistancesOrPropertiesArePromised) {
  for (const Definition definition : {Definition::metric, Definition::umldp, Definition::k_anonymity,
                                      Definition::pattern_hiding, Definition::none, Definition::internal})
    EXPECT_FALSE(meaning_of(with(definition, {.epsilon = "1"})));
  EXPECT_FALSE(meaning_of(with(Definition::pure, {}))) << "no cost, no meaning";
}

/// The document of a plain label with another meaning and a digest that fits.
Result<PrivacyLabel> read_with(const std::function<void(Json&)>& change, bool without = false) {
  const Json original = plain_label().to_json();
  Json document = Json::object();
  for (const auto& [key, value] : *original.members()) {
    if (key == "digest" || (key == "meaning" && without)) continue;
    Json changed = value;
    if (key == "meaning") change(changed);
    document.set(key, std::move(changed));
  }
  const std::string digest = sha256_hex(document.dump());
  return PrivacyLabel::parse(document.set("digest", digest).dump());
}

TEST(Meaning, IsKeptAsItWasWrittenAndNeverBetterThanTheCost) {
  const auto same = read_with([](Json&) {});
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_EQ(same->meaning()->belief, "0.731059");
  const auto earlier = read_with([](Json&) {}, true);
  ASSERT_TRUE(earlier) << "labels of earlier versions have none: " << earlier.error().message;
  EXPECT_FALSE(earlier->meaning());
  EXPECT_TRUE(read_with([](Json& meaning) { meaning.set("belief", Json::number("0.8")); }))
      << "a looser bound is true";
  for (const auto& [key, digits] : std::vector<std::pair<const char*, const char*>>{
           {"belief", "0.73"}, {"belief", "1.1"}, {"advantage", "0.46"}, {"advantage", "-1"}})
    EXPECT_FALSE(read_with([&](Json& meaning) { meaning.set(key, Json::number(digits)); })) << key << digits;
  EXPECT_FALSE(read_with([](Json& meaning) { meaning.set("extra", 1); }));
  EXPECT_FALSE(read_with([](Json& meaning) { meaning.set("text", "a\nb"); }));
}

}  // namespace meaning_test
}  // namespace gauze
