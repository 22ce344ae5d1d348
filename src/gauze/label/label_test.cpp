#include "gauze/label/label.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "gauze/files/json_reader.h"
#include "gauze/files/sha256.h"
#include "gauze/label/label_testing.h"
#include "gauze/label/version.h"

namespace gauze {
namespace label_test {

using ::testing::HasSubstr;

std::string message_of(const Result<PrivacyLabel>& result) { return result ? "(no error)" : result.error().message; }

/// The document with one change, and a digest that fits it: what a careful editor could produce.
std::string edited(const std::function<void(Json&)>& change) {
  const Json original = full_label().to_json();
  Json document = Json::object();
  for (const auto& [key, value] : *original.members()) {
    if (key != "digest") document.set(key, value);
  }
  change(document);
  const std::string digest = sha256_hex(document.dump());
  document.set("digest", digest);
  return document.dump();
}

TEST(PrivacyLabel, SurvivesTheRoundTrip) {
  for (const PrivacyLabel& label : {full_label(), plain_label()}) {
    for (const int indent : {0, 2}) {
      const std::string text = label.to_json().dump(indent);
      const auto again = PrivacyLabel::parse(text);
      ASSERT_TRUE(again) << message_of(again);
      EXPECT_EQ(again->to_json().dump(indent), text);
    }
  }
}

TEST(PrivacyLabel, ReadsEveryFieldBack) {
  const auto label = PrivacyLabel::parse(full_label().to_json().dump());
  ASSERT_TRUE(label) << message_of(label);
  EXPECT_EQ(label->warning, "an example");
  EXPECT_EQ(label->released.kind, "noisy number");
  EXPECT_EQ(label->released.count, 3U);
  EXPECT_EQ(label->released.file, "counts.csv");
  EXPECT_EQ(label->released.sha256, std::string(64, 'a'));
  EXPECT_EQ(label->mechanism, "laplace");
  EXPECT_EQ(label->parameters.dump(), R"({"epsilon":0.10,"sensitivity":1,"columns":[1,"x",true]})");
  EXPECT_EQ(label->privacy_unit, "one person");
  EXPECT_EQ(label->neighbours, Neighbours::add_remove);
  EXPECT_EQ(label->definition, Definition::approximate);
  EXPECT_EQ(label->cost.epsilon, "0.30");
  EXPECT_EQ(label->cost.delta, "1e-5");
  EXPECT_EQ(label->cost.rho, std::nullopt);
  EXPECT_EQ(label->covers.size(), 2U);
  EXPECT_EQ(label->does_not_cover.size(), 1U);
  EXPECT_EQ(label->provenance.at("levels"), Provenance::selected);
  EXPECT_TRUE(label->budget.recorded);
  EXPECT_EQ(label->budget.dataset, "patients");
  EXPECT_EQ(label->budget.entry, "17");
  EXPECT_EQ(label->commitments.input, std::string(64, 'b'));
  EXPECT_EQ(label->commitments.policy, std::string(64, 'c'));
  EXPECT_EQ(label->producer.version, "0.1.0");
}

TEST(PrivacyLabel, IsTheDocumentedJson) {
  PrivacyLabel label = plain_label();
  label.producer.version = "1.2.3";
  const std::string content =
      R"({"format":"gauze-label","version":1,"released":{"kind":"noisy number","count":1},"mechanism":"laplace",)"
      R"("parameters":{},"privacy_unit":"one row","neighbours":"add-remove","definition":"pure",)"
      R"("cost":{"epsilon":1,"delta":null,"rho":null},"meaning":{"belief":0.731059,"advantage":0.462118,)"
      R"("text":"a belief of 50 % about whether one row is in the data can become one of 73.2 % at most, or fall to )"
      R"(one of 26.8 % at least, by this release"},"covers":[],"does_not_cover":[],"provenance":{},)"
      R"("budget":{"recorded":false},"producer":{"name":"gauze","version":"1.2.3"})";
  // The digest is that of the document without it, on one line.
  EXPECT_EQ(label.to_json().dump(), content + R"(,"digest":")" + sha256_hex(content + "}") + R"("})");
}

// The example of docs/formats/label.md; its digests were computed by another program.
TEST(PrivacyLabel, ReadsTheDocumentedExample) {
  const auto label = PrivacyLabel::parse(R"({
  "format": "gauze-label",
  "version": 1,
  "released": {
    "kind": "noisy number",
    "count": 1,
    "file": "visits.txt",
    "sha256": "38add2e2a96968e1ec351a330dd01eb6af4017f94c90e1d18946860c0bf3cf8a"
  },
  "mechanism": "laplace",
  "parameters": {
    "epsilon": 1,
    "sensitivity": 1,
    "scale": 1,
    "granularity": 9.094947017729282379150390625e-13
  },
  "privacy_unit": "one unit of the declared sensitivity",
  "neighbours": "add-remove",
  "definition": "pure",
  "cost": {
    "epsilon": 1,
    "delta": null,
    "rho": null
  },
  "meaning": {
    "belief": 0.731059,
    "advantage": 0.462118,
    "text": "a belief of 50 % about whether one unit of the declared sensitivity is in the data can become one of 73.2 % at most, or fall to one of 26.8 % at least, by this release"
  },
  "covers": [
    "The released number, and everything computed from it."
  ],
  "does_not_cover": [
    "The declared sensitivity, which is taken on trust."
  ],
  "provenance": {
    "epsilon": "public"
  },
  "budget": {
    "recorded": false
  },
  "producer": {
    "name": "gauze",
    "version": "0.1.0"
  },
  "digest": "294716b5208fbadb5f3dff58ef0994d08d6ec0200e53893ac5c61ff832de72b8"
})");
  ASSERT_TRUE(label) << message_of(label);
  EXPECT_EQ(label->released.sha256, sha256_hex("1037.25\n"));
  EXPECT_EQ(label->parameters.find("granularity")->text(), "9.094947017729282379150390625e-13");
  EXPECT_EQ(label->cost.epsilon, "1");
  EXPECT_EQ(label->producer.version, "0.1.0");
}

TEST(PrivacyLabel, NamesItsProducerByItself) {
  const auto label = PrivacyLabel::parse(plain_label().to_json().dump());
  ASSERT_TRUE(label);
  EXPECT_EQ(label->producer.name, "gauze");
  EXPECT_EQ(label->producer.version, version());
}

TEST(PrivacyLabel, KnowsEveryNameOfItsChoices) {
  for (const auto definition :
       {Definition::pure, Definition::approximate, Definition::zcdp, Definition::metric, Definition::umldp,
        Definition::k_anonymity, Definition::pattern_hiding, Definition::none, Definition::internal}) {
    PrivacyLabel label = full_label();
    label.definition = definition;
    label.parameters = Json::object();
    label.cost = {};
    if (definition <= Definition::umldp) label.cost = {.epsilon = "1", .delta = {}, .rho = "2"};
    if (definition == Definition::approximate) label.cost.delta = "0.5";
    const auto again = PrivacyLabel::parse(label.to_json().dump());
    ASSERT_TRUE(again) << message_of(again);
    EXPECT_EQ(again->definition, definition);
  }
  for (const auto neighbours :
       {Neighbours::add_remove, Neighbours::replace_one, Neighbours::any_two_inputs, Neighbours::not_applicable}) {
    EXPECT_EQ(value_of(kNeighboursWords, to_string(neighbours)), neighbours);
  }
  EXPECT_EQ(value_of(kNeighboursWords, "other"), std::nullopt);
}

TEST(PrivacyLabelParse, FindsEverySingleByteChange) {
  const std::string text = full_label().to_json().dump();
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const int flip : {1, 2, 32}) {
      std::string changed = text;
      changed[i] = static_cast<char>(changed[i] ^ flip);
      const auto label = PrivacyLabel::parse(changed);
      EXPECT_FALSE(label) << "byte " << i << " (" << text.substr(i, 12) << ") flipped by " << flip;
    }
  }
}

TEST(PrivacyLabelParse, FindsEveryFieldThatWasEdited) {
  const std::string text = full_label().to_json().dump();
  const std::vector<std::pair<std::string, std::string>> edits = {{"\"epsilon\":0.30", "\"epsilon\":0.03"},
                                                                  {"1e-5", "1e-9"},
                                                                  {"one person", "one group"},
                                                                  {"add-remove", "replace-one"},
                                                                  {"approximate", "metric"},
                                                                  {"\"count\":3", "\"count\":2"},
                                                                  {"\"recorded\":true", "\"recorded\":false"},
                                                                  {"taken on trust", "proven"},
                                                                  {"patients", "visitors"}};
  for (const auto& [from, to] : edits) {
    std::string changed = text;
    ASSERT_NE(changed.find(from), std::string::npos) << from;
    changed.replace(changed.find(from), from.size(), to);
    EXPECT_THAT(message_of(PrivacyLabel::parse(changed)), HasSubstr("changed after it was written")) << from;
  }
}

TEST(PrivacyLabelParse, DoesNotMindLayoutAndOrderOfKeys) {
  const Json original = full_label().to_json();
  Json reversed = Json::object();
  for (auto member = original.members()->rbegin(); member != original.members()->rend(); ++member) {
    reversed.set(member->first, member->second);
  }
  EXPECT_TRUE(PrivacyLabel::parse("\n " + reversed.dump(4) + "\n\n"));
}

TEST(PrivacyLabelParse, RefusesAnotherVersionAndSaysWhichItReads) {
  const auto newer = PrivacyLabel::parse(edited([](Json& json) { json.set("version", 2); }));
  EXPECT_THAT(message_of(newer), HasSubstr("format version 2"));
  EXPECT_THAT(message_of(newer), HasSubstr("reads version 1"));
  EXPECT_FALSE(PrivacyLabel::parse(edited([](Json& json) { json.set("version", "1"); })));
  EXPECT_FALSE(PrivacyLabel::parse(edited([](Json& json) { json.set("version", Json::number("1.0")); })));
}

TEST(PrivacyLabelParse, NamesTheKeyOfAWrongType) {
  const Json original = full_label().to_json();
  for (const auto& member : *original.members()) {
    const std::string& key = member.first;
    if (key == "digest") continue;
    const auto label = PrivacyLabel::parse(edited([&](Json& json) { json.set(key, Json::array({Json::array()})); }));
    EXPECT_THAT(message_of(label), HasSubstr("'" + key + "'"));
  }
  const auto inner = PrivacyLabel::parse(edited([](Json& json) {
    json.set("cost", Json::object({{"epsilon", "1"}, {"delta", nullptr}, {"rho", nullptr}}));
  }));
  EXPECT_EQ(message_of(inner), "'cost.epsilon' in the label must be a number, but is a text");
}

TEST(PrivacyLabelParse, NamesTheKeyThatIsMissing) {
  const Json original = full_label().to_json();
  for (const auto& [left_out, value] : *original.members()) {
    if (left_out == "warning" || left_out == "commitments" || left_out == "meaning") continue;  // these may be absent
    Json document = Json::object();
    for (const auto& [key, other] : *original.members()) {
      if (key != left_out) document.set(key, other);
    }
    EXPECT_THAT(message_of(PrivacyLabel::parse(document.dump())), HasSubstr("'" + left_out + "'"));
  }
}

TEST(PrivacyLabelParse, RefusesKeysItDoesNotKnow) {
  const auto outer = PrivacyLabel::parse(edited([](Json& json) { json.set("rows", 1234); }));
  EXPECT_EQ(message_of(outer), "the label has a key that its format does not know: 'rows'");
  const auto inner = PrivacyLabel::parse(edited([](Json& json) {
    json.set("budget", Json::object({{"recorded", false}, {"left", 1}}));
  }));
  EXPECT_EQ(message_of(inner), "the label has a key that its format does not know: 'budget.left'");
}

TEST(PrivacyLabelParse, RefusesWordsOutsideItsLists) {
  EXPECT_THAT(message_of(PrivacyLabel::parse(edited([](Json& json) { json.set("definition", "perfect"); }))),
              HasSubstr("'definition' in the label must be one of pure, approximate"));
  EXPECT_THAT(message_of(PrivacyLabel::parse(edited([](Json& json) {
                json.set("provenance", Json::object({{"k", "guessed"}}));
              }))),
              HasSubstr("'provenance'"));
  EXPECT_THAT(message_of(PrivacyLabel::parse(edited([](Json& json) {
                json.set("commitments", Json::object({{"scheme", "sha256"}}));
              }))),
              HasSubstr("'commitments.scheme'"));
}

TEST(PrivacyLabelParse, RefusesCountsThatAreNone) {
  for (const char* digits : {"-1", "1.5", "1e3", "99999999999999999999999999"}) {
    const auto label = PrivacyLabel::parse(edited([&](Json& json) {
      json.set("released", Json::object({{"kind", "x"}, {"count", Json::number(digits)}}));
    }));
    EXPECT_FALSE(label) << digits;
  }
}

TEST(PrivacyLabelParse, IsTotal) {
  for (const std::string& text :
       {std::string(), std::string("null"), std::string("[]"), std::string("{}"),
        std::string("{\"format\":\"gauze-label\"}"), std::string(3'000'000, '['),
        std::string("{\"format\":\"gauze-label\",\"version\":1e999}"), std::string(10, '\0')}) {
    const auto label = PrivacyLabel::parse(text);
    ASSERT_FALSE(label);
    EXPECT_EQ(label.error().code, ErrorCode::bad_data);
  }
  EXPECT_THAT(message_of(PrivacyLabel::parse("[1]")), HasSubstr("not a privacy label"));
  EXPECT_THAT(message_of(PrivacyLabel::parse("{\"format\":\"other\"}")), HasSubstr("not a privacy label"));
}

TEST(PrivacyLabelParse, SurvivesEveryBeginningOfALabel) {
  const std::string text = full_label().to_json().dump(2);
  for (std::size_t length = 0; length + 1 < text.size(); ++length) {
    EXPECT_FALSE(PrivacyLabel::parse(text.substr(0, length)));
  }
}

}  // namespace label_test
}  // namespace gauze
