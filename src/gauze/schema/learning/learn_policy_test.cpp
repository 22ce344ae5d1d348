#include "gauze/schema/learning/learn_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/schema/policy/policy.h"
#include "gauze/schema/policy/policy_writer.h"

namespace gauze::schema {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kWhole = R"(version: 1
learn:
  rows: 34500
  unit: {id: person, name: one person, max_rows: 4}
  neighbours: replace-one
  features:
    age: {numeric: [15, 100], missing: ["999"], indicator: true}
    国家: {values: [Austria, Belgium]}
    belief: {ordered: [never, rarely, often]}
    income: {numeric: [0.1, 1e5], scale: unit}
  target: {column: happy, groups: {low: ["0", "1"], high: ["9", "10"]}, ordered: true}
  groups: {gender: {values: [female, male]}}
  weights: {column: w, bounds: [0, 5]}
  class_weights: {low: 2, high: 0.1}
  sensitive: [age, 国家]
  entropies: {age: 4.1, 国家: 3.3}
provenance: {features: public, hyperparameters: public}
)";

std::string refusal(const std::string& learn) {
  const auto policy = parse_policy("version: 1\nlearn:\n" + learn);
  return policy ? "" : policy.error().message;
}

TEST(LearnPolicy, ReadsEverythingAndNeedsNoOtherSection) {
  const auto policy = parse_policy(kWhole);
  ASSERT_TRUE(policy) << policy.error().message;
  const LearnPolicy& learn = *policy->learn;
  EXPECT_EQ(learn.rows, 34500u);
  EXPECT_EQ(learn.privacy_unit(), "one person");
  EXPECT_EQ(learn.max_rows(), 4u);
  EXPECT_EQ(learn.neighbours, Neighbours::replace_one);
  EXPECT_THAT(learn.inputs(),
              ElementsAre("age", "age=missing", "国家=Austria", "国家=Belgium", "国家=other", "belief", "income"));
  EXPECT_THAT(learn.columns(), ElementsAre("age", "国家", "belief", "income", "happy", "w", "person"));
  EXPECT_EQ(learn.features[3].low, Rational(1, 10));
  EXPECT_EQ(learn.target.classes[1].values, (std::vector<std::string>{"9", "10"}));
  EXPECT_EQ(learn.class_weights.at("high"), Rational(1, 10));
  EXPECT_EQ(learn.entropies->given.at("age"), Rational(41, 10));
  EXPECT_EQ(policy->provenance.features, Provenance::public_knowledge);
}

TEST(LearnPolicy, ReadsBackWhatIsWritten) {
  for (const std::string& text :
       {std::string(kWhole),
        std::string("version: 1\nlearn: {features: {a: {numeric: [0, 1], scale: none}}, target: "
                    "{column: b, numeric: [-1, 2.5]}, sensitive: [a], entropies: {rho: 0.002}}\n"),
        std::string("version: 1\nlearn: {features: {a: {values: ['x \"y\"', \"\\u4e2d\"]}}, "
                    "target: {column: b, values: [0, 1]}}\n"),
        std::string(
            "version: 1\nlearn: {features: {a: {numeric: [0, 9], same: {'1': [one]}}, s: {values: [m], same: {m: [M, "
            "男]}}}, target: {column: b, values: [0, 1], same: {'1': [Y]}}, groups: {s: {values: [m], same: {m: "
            "[M]}}}}\n")}) {
    const auto policy = parse_policy(text);
    ASSERT_TRUE(policy) << policy.error().message;
    const auto node = parse_yaml(learn_json(*policy->learn).dump());
    ASSERT_TRUE(node) << node.error().message;
    const auto again = read_learn(*node);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, *policy->learn);
  }
}

TEST(LearnPolicy, SaysWhatIsMissingAndWhereToFindIt) {
  EXPECT_THAT(refusal("  features: {age: {}}\n  target: {column: y, values: [0, 1]}\n"),
              HasSubstr("policy:3: the feature 'age' needs one rule: numeric: [lowest, highest]"));
  EXPECT_THAT(refusal("  features: {age: {numeric: 5}}\n  target: {column: y, values: [0, 1]}\n"),
              HasSubstr("needs public bounds"));
  EXPECT_THAT(refusal("  target: {column: y, values: [0, 1]}\n"), HasSubstr("learn needs features"));
  EXPECT_THAT(refusal("  features: {age: {numeric: [0, 1]}}\n"), HasSubstr("learn needs target"));
}

struct Refused {
  const char* name;
  const char* learn;
  const char* message;
};
void PrintTo(const Refused& refused, std::ostream* out) { *out << refused.name; }
class LearnPolicyRefuses : public testing::TestWithParam<Refused> {};

TEST_P(LearnPolicyRefuses, WhatDoesNotMakeSense) {
  EXPECT_THAT(refusal(GetParam().learn), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Sections, LearnPolicyRefuses,
    testing::Values(
        Refused{"TargetAmongFeatures", "  {features: {a: {numeric: [0, 1]}}, target: {column: a, values: [0, 1]}}",
                "the target 'a' is among the features"},
        Refused{"OneClass", "  {features: {a: {numeric: [0, 1]}}, target: {column: b, values: [0]}}",
                "at least two classes"},
        Refused{"ValueOfTwoClasses",
                "  {features: {a: {numeric: [0, 1]}}, target: {column: b, groups: {x: [1, 2], y: [2]}}}",
                "'2' belongs to two classes"},
        Refused{"TurnedBounds", "  {features: {a: {numeric: [1, 1]}}, target: {column: b, values: [0, 1]}}",
                "the lower bound must lie below"},
        Refused{"HugeBounds", "  {features: {a: {numeric: [0, 1e40]}}, target: {column: b, values: [0, 1]}}",
                "2^100"},
        Refused{"ValueTwice", "  {features: {a: {values: [x, x]}}, target: {column: b, values: [0, 1]}}",
                "'x' is listed twice"},
        Refused{"EmptyValue", "  {features: {a: {values: ['']}}, target: {column: b, values: [0, 1]}}",
                "counts as missing"},
        Refused{"BlanksAroundAValue", "  {features: {a: {values: [' x']}}, target: {column: b, values: [0, 1]}}",
                "blanks around it"},
        Refused{"InputsOfOneName",
                "  {features: {a: {values: [x]}, 'a=x': {numeric: [0, 1]}}, target: {column: b, values: [0, 1]}}",
                "two inputs of the model would be called 'a=x'"},
        Refused{"IndicatorOfAList",
                "  {features: {a: {values: [x], indicator: true}}, target: {column: b, values: [0, 1]}}",
                "indicator belongs to numeric"},
        Refused{"UnitWithoutLimit",
                "  {unit: {id: p}, features: {a: {values: [x]}}, target: {column: b, values: [0, 1]}}",
                "unit needs max_rows"},
        Refused{"IdAmongFeatures",
                "  {unit: {id: a, max_rows: 2}, features: {a: {values: [x]}}, target: {column: b, values: [0, 1]}}",
                "the id 'a' is among the features"},
        Refused{
            "NegativeWeights",
            "  {weights: {column: w, bounds: [-1, 5]}, features: {a: {values: [x]}}, target: {column: b, values: [0, "
            "1]}}",
            "must not be negative"},
        Refused{"WeightOfNoClass",
                "  {class_weights: {z: 2}, features: {a: {values: [x]}}, target: {column: b, values: [0, 1]}}",
                "has no class 'z'"},
        Refused{"SensitiveStranger",
                "  {sensitive: [z], features: {a: {values: [x]}}, target: {column: b, values: [0, 1]}}",
                "there is no feature 'z'"},
        Refused{"EntropyOfAStranger",
                "  {entropies: {z: 2}, features: {a: {values: [x]}}, target: {column: b, values: [0, 1]}}",
                "there is no feature 'z'"},
        Refused{"UnknownNeighbours",
                "  {neighbours: any-two-inputs, features: {a: {values: [x]}}, target: {column: b, values: [0, 1]}}",
                "neighbours"}),
    [](const testing::TestParamInfo<Refused>& one) { return std::string(one.param.name); });

TEST(LearnPolicy, SpellingsMustNotContradictWhatIsListed) {
  const std::string target = "  target: {column: y, values: [0, 1]}\n";
  EXPECT_THAT(refusal("  features: {s: {values: [m, M], same: {m: [M]}}}\n" + target),
              AllOf(HasSubstr("policy:3: "), HasSubstr("'M' is listed, which same turns into 'm'")));
  EXPECT_THAT(refusal("  features: {s: {values: [m], same: {m: []}}}\n" + target), HasSubstr("lists nothing"));
  EXPECT_THAT(refusal("  features: {s: {numeric: [0, 1], missing: [x], same: {\"1\": [x]}}}\n" + target),
              HasSubstr("'x' means missing"));
  EXPECT_THAT(
      refusal("  features: {s: {numeric: [0, 1]}}\n  target: {column: y, numeric: [0, 1], same: {\"1\": [x]}}\n"),
      HasSubstr("a number has no spellings"));
}

TEST(LearnPolicy, IsNoPolicyForOtherCommands) {
  const auto policy =
      parse_policy("version: 1\nlearn: {features: {a: {values: [x]}}, target: {column: b, values: [0, 1]}}");
  ASSERT_TRUE(policy) << policy.error().message;
  EXPECT_FALSE(check_has_columns(*policy));
  EXPECT_TRUE(learn_section(*policy));
  EXPECT_FALSE(
      parse_policy("version: 1\nlearn: {features: {a: {values: [x]}}, target: {column: b, values: [0, 1]}}\n"
                   "search: {kind: optimal}\n"));
}

}  // namespace
}  // namespace gauze::schema
