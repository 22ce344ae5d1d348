#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "gauze/label/internal/label_format.h"
#include "gauze/label/label.h"
#include "gauze/label/label_testing.h"

namespace gauze {
namespace label_rules_test {

using ::testing::HasSubstr;

std::string broken_rule(const PrivacyLabel& label) {
  const auto result = label.check_rules();
  if (result) return "(none)";
  EXPECT_EQ(result.error().code, ErrorCode::bad_data);
  return result.error().message;
}

TEST(LabelRules, AcceptWhatTheyShould) {
  EXPECT_EQ(broken_rule(full_label()), "(none)");
  EXPECT_EQ(broken_rule(plain_label()), "(none)");
}

TEST(LabelRules, KeepTheInputOutOfTheParameters) {
  for (const char* name : {"value", "values", "scores", "seed", "true_count", "true_k", "suppressed", "classes",
                           "occupied_classes", "smallest_class", "patterns", "supports", "marks", "key"}) {
    PrivacyLabel label = plain_label();
    label.parameters.set(name, 5);
    for (const auto& [definition, word] : kDefinitionWords) {
      label.definition = definition;
      EXPECT_THAT(broken_rule(label), HasSubstr("must not hold")) << name << " " << word;
    }
    for (const char* place : {"columns", "epsilon", "levels"}) {
      PrivacyLabel nested = plain_label();
      nested.parameters.set(place, Json::object({{name, "5"}}));
      EXPECT_THAT(broken_rule(nested), HasSubstr("'")) << name;
      nested.parameters.set(place, Json::array({Json::object({{name, 5}})}));
      EXPECT_THAT(broken_rule(nested), HasSubstr("another form")) << name;
    }
  }
}

TEST(LabelRules, KeepTheNumberOfRowsOutUnlessItIsPublic) {
  for (const auto& [neighbours, word] : kNeighboursWords) {
    PrivacyLabel label = plain_label();
    label.neighbours = neighbours;
    label.parameters.set("rows", 1000);
    EXPECT_EQ(broken_rule(label) == "(none)", neighbours == Neighbours::replace_one) << word;
    label = plain_label();
    label.neighbours = neighbours;
    label.parameters.set("reports", 1000);
    EXPECT_EQ(broken_rule(label) == "(none)", neighbours == Neighbours::any_two_inputs) << word;
  }
}

TEST(LabelRules, LetADefinitionHaveItsOwnParametersAlone) {
  PrivacyLabel label = plain_label();
  label.parameters.set("mark_style", "anonymous");
  EXPECT_THAT(broken_rule(label), HasSubstr("guarantee that is pure between add-remove"));
  label.definition = Definition::pattern_hiding;
  EXPECT_EQ(broken_rule(label), "(none)");
  label.parameters.set("scale", 2);
  EXPECT_THAT(broken_rule(label), HasSubstr("'scale'"));
}

TEST(LabelRules, GiveLevelsByColumnWhateverItsName) {
  PrivacyLabel label = plain_label();
  label.parameters.set("levels", Json::object({{"true_count", 1}, {"病人", 2}}));
  EXPECT_THAT(broken_rule(label), HasSubstr("neither 'columns'"));
  label.parameters.set("columns", Json::array({"病人", "true_count"}));
  EXPECT_EQ(broken_rule(label), "(none)");
  label.parameters.set("levels", Json::object({{"true_count", 1}, {"true_k", 2}}));
  EXPECT_THAT(broken_rule(label), HasSubstr("neither 'columns'"));
  label.parameters.set("levels", Json::object({{"病人", "17"}}));
  EXPECT_THAT(broken_rule(label), HasSubstr("levels as numbers"));
}

TEST(LabelRules, KeepTheRulesWhenReadingToo) {
  PrivacyLabel label = plain_label();
  label.parameters.set("value", 42);
  EXPECT_FALSE(PrivacyLabel::parse(label.to_json().dump()));
}

TEST(LabelRules, DemandTheCostThatTheDefinitionSpeaksOf) {
  PrivacyLabel label = plain_label();
  label.cost = {};
  EXPECT_THAT(broken_rule(label), HasSubstr("'epsilon'"));
  label.definition = Definition::zcdp;
  EXPECT_THAT(broken_rule(label), HasSubstr("'rho'"));
  label.cost.rho = "0.5";
  EXPECT_EQ(broken_rule(label), "(none)");
  label.definition = Definition::approximate;
  label.cost = {.epsilon = "1", .delta = {}, .rho = {}};
  EXPECT_THAT(broken_rule(label), HasSubstr("'delta'"));
  label.definition = Definition::k_anonymity;
  label.cost = {};
  EXPECT_EQ(broken_rule(label), "(none)");
}

TEST(LabelRules, KnowNoPureGuaranteeWithADelta) {
  PrivacyLabel label = plain_label();
  label.cost.delta = "0";
  EXPECT_EQ(broken_rule(label), "(none)");
  label.cost.delta = "1e-300";
  EXPECT_THAT(broken_rule(label), HasSubstr("pure"));
}

TEST(LabelRules, DemandDecimalsThatAreNotNegative) {
  for (const char* bad : {"", "-1", "1x", "inf", "nan", " 1", "+1", ".5", "1.", "01", "0x10", "1e", "1e999999"}) {
    PrivacyLabel label = plain_label();
    label.cost.epsilon = bad;
    EXPECT_THAT(broken_rule(label), HasSubstr("cost.epsilon")) << bad;
  }
  for (const char* good : {"0", "1", "0.1", "1e-300", "2.5E+3", "123456789.000000001"}) {
    PrivacyLabel label = plain_label();
    label.cost.epsilon = good;
    EXPECT_EQ(broken_rule(label), "(none)") << good;
  }
}

TEST(LabelRules, LetNothingLookLikeAGuaranteeThatIsNone) {
  for (const Definition definition : {Definition::none, Definition::internal}) {
    PrivacyLabel label = plain_label();
    label.definition = definition;
    EXPECT_THAT(broken_rule(label), HasSubstr("must not state a cost"));
    label.cost = {};
    EXPECT_THAT(broken_rule(label), HasSubstr("must carry a warning"));
    label.warning = "";
    EXPECT_THAT(broken_rule(label), HasSubstr("must carry a warning"));
    label.warning = "seeded: no guarantee";
    EXPECT_EQ(broken_rule(label), "(none)");
  }
}

TEST(LabelRules, RefuseTextsThatCouldSteerATerminal) {
  const std::string bad = "x\033[2J";
  const std::vector<std::function<void(PrivacyLabel&)>> places = {
      [&](PrivacyLabel& l) { l.released.kind = bad; },
      [&](PrivacyLabel& l) { l.mechanism = bad; },
      [&](PrivacyLabel& l) { l.privacy_unit = bad; },
      [&](PrivacyLabel& l) { l.warning = bad; },
      [&](PrivacyLabel& l) {
        l.covers = {"fine", bad};
      },
      [&](PrivacyLabel& l) { l.does_not_cover = {bad}; },
      [&](PrivacyLabel& l) { l.budget.entry = bad; },
      [&](PrivacyLabel& l) { l.producer.name = bad; },
      [&](PrivacyLabel& l) { l.parameters.set("noise", bad); },
      [&](PrivacyLabel& l) { l.parameters.set(bad, 1); },
      [&](PrivacyLabel& l) { l.provenance[bad] = Provenance::data; },
      [&](PrivacyLabel& l) { l.commitments.inputs[bad] = std::string(64, 'a'); },
      [&](PrivacyLabel& l) { l.released.file = bad; }};
  for (const auto& place : places) {
    PrivacyLabel label = full_label();
    place(label);
    EXPECT_THAT(broken_rule(label), HasSubstr("control characters"));
  }
}

TEST(LabelRules, DemandWholeDigests) {
  PrivacyLabel label = full_label();
  label.released.sha256 = "abc";
  EXPECT_THAT(broken_rule(label), HasSubstr("released.sha256"));
  label.released.sha256 = "";
  EXPECT_THAT(broken_rule(label), HasSubstr("come together"));
  label = full_label();
  label.commitments.input = std::string(64, 'G');
  EXPECT_THAT(broken_rule(label), HasSubstr("commitment"));
  label = full_label();
  label.commitments.inputs["orders"] = "abc";
  EXPECT_THAT(broken_rule(label), HasSubstr("commitment"));
  label = full_label();
  label.released.file = "../counts.csv";
  EXPECT_THAT(broken_rule(label), HasSubstr("without folders"));
}

TEST(LabelRules, DemandParametersAndALedgerEntryThatMakeSense) {
  PrivacyLabel label = plain_label();
  label.parameters = Json::array();
  EXPECT_THAT(broken_rule(label), HasSubstr("'parameters'"));
  label = plain_label();
  label.budget.entry = "17";
  EXPECT_THAT(broken_rule(label), HasSubstr("not recorded"));
  label = plain_label();
  label.released.kind = "";
  EXPECT_THAT(broken_rule(label), HasSubstr("released.kind"));
  label = plain_label();
  Json deep = 1;
  for (int i = 0; i < 20; ++i) deep = Json::array({deep});
  label.parameters.set("columns", deep);
  EXPECT_THAT(broken_rule(label), HasSubstr("another form"));
}

TEST(JsonNumber, IsWhatTheStandardSays) {
  for (const char* yes : {"0", "-0", "1", "10", "0.5", "-1.25e-3", "1E5", "1e+5"}) {
    EXPECT_TRUE(internal::is_json_number(yes)) << yes;
  }
  for (const char* no : {"", "-", "+1", "00", "01", "1.", ".1", "1e", "1e+", "1 ", "e5", "0x1", "1.5.2"}) {
    EXPECT_FALSE(internal::is_json_number(no)) << no;
  }
}

}  // namespace label_rules_test
}  // namespace gauze
