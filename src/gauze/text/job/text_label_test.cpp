#include "gauze/text/job/text_label.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text {
namespace text_label_test {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

class TextLabel : public ::testing::Test {
 protected:
  [[nodiscard]] TextMechanism make(MechanismKind kind, bool as_published = false) const {
    MechanismOptions options{.kind = kind, .epsilon = *Rational::parse("1.5"), .as_published = as_published};
    if (kind == MechanismKind::tem) options.gamma = Rational(2);
    if (kind == MechanismKind::santext_plus)
      options.sensitive = SensitiveWords::least_frequent(folder_.file("counts.txt", "w0 3\nw1 1\n"),
                                                         *Rational::parse("0.5"), vectors_)
                              .value();
    return TextMechanism::make(vectors_, options).value();
  }
  [[nodiscard]] static std::string parameter(const PrivacyLabel& label, const char* name) {
    const Json* found = label.parameters.find(name);
    return found ? found->dump() : "absent";
  }

  testing::TemporaryFolder folder_;
  WordVectors vectors_ = testing::words_at({{0, 0}, {1, 0}, {0, 3}, {4, 0}});
};

TEST_F(TextLabel, OfEveryMechanismObeysTheRulesOfLabels) {
  for (const bool as_published : {false, true}) {
    for (const auto& [kind, name] : kMechanismWords) {
      if (as_published && !is_softmax(kind) && kind != MechanismKind::dchi) continue;
      PrivacyLabel label = text_label(make(kind, as_published), {}, {}, false);
      const auto rules = label.check_rules();
      EXPECT_TRUE(rules) << to_string(kind) << ": " << rules.error().message;
      EXPECT_TRUE(PrivacyLabel::from_json(label.to_json()));
      EXPECT_EQ(parameter(label, "vectors"), "\"" + vectors_.fingerprint() + "\"");
      EXPECT_EQ(parameter(label, "vocabulary"), "4");
      EXPECT_EQ(label.provenance.at("vocabulary"), Provenance::public_knowledge);
    }
  }
}

TEST_F(TextLabel, PromisesEpsilonTimesTheDistance) {
  for (const MechanismKind kind : {MechanismKind::santext, MechanismKind::tem, MechanismKind::dchi}) {
    const PrivacyLabel label = mechanism_label(make(kind));
    EXPECT_EQ(label.mechanism, to_string(kind));
    EXPECT_EQ(label.definition, Definition::metric);
    EXPECT_EQ(label.neighbours, Neighbours::any_two_inputs);
    EXPECT_EQ(*label.cost.epsilon, "1.5");
    EXPECT_THAT(label.covers, Contains(HasSubstr("epsilon times the sum of the distances of their words")));
    EXPECT_EQ(parameter(label, "granule") == "absent", kind == MechanismKind::dchi) << "dchi has the plain distance";
  }
}

TEST_F(TextLabel, OfSantextPlusSaysWhatIsNotProtected) {
  const PrivacyLabel label = mechanism_label(make(MechanismKind::santext_plus));
  EXPECT_EQ(label.definition, Definition::umldp);
  EXPECT_EQ(parameter(label, "p"), "\"0.3\"");
  EXPECT_EQ(parameter(label, "w"), "\"0.5\"");
  EXPECT_EQ(parameter(label, "sensitive_words"), "2");
  EXPECT_EQ(parameter(label, "expected_pass_through"), "0.7") << "all of the list are common words";
  EXPECT_THAT(label.does_not_cover, Contains(HasSubstr("common words: they are printed as they are")));
  EXPECT_THAT(label.covers, Contains(HasSubstr("ln(1/p) besides")));
}

TEST_F(TextLabel, AsPublishedPromisesNothing) {
  for (const MechanismKind kind : {MechanismKind::santext_plus, MechanismKind::tem, MechanismKind::dchi}) {
    const PrivacyLabel label = mechanism_label(make(kind, true));
    EXPECT_EQ(label.definition, Definition::none);
    EXPECT_FALSE(label.cost.epsilon);
    EXPECT_TRUE(label.covers.empty());
    EXPECT_EQ(parameter(label, "claimed_epsilon"), "\"1.5\"");
    EXPECT_THAT(*label.warning, HasSubstr("no guarantee"));
    EXPECT_THAT(label.mechanism, HasSubstr(", as published"));
    EXPECT_THAT(label.does_not_cover, Contains(HasSubstr("the claim of epsilon times the distance")));
    EXPECT_EQ(parameter(label, "gamma"), kind == MechanismKind::tem ? "2" : "absent");
  }
}

TEST_F(TextLabel, SaysWhatPoliciesPrint) {
  const TextMechanism mechanism = make(MechanismKind::santext);
  EXPECT_THAT(text_label(mechanism, {}, {}, true).does_not_cover, Each(Not(HasSubstr("printed as they are"))));
  SanitizePolicy keeps{.language = Language::english,
                       .unknown = TokenPolicy::keep,
                       .numbers = TokenPolicy::keep,
                       .addresses = TokenPolicy::keep,
                       .symbols = TokenPolicy::keep,
                       .stop_words = TokenPolicy::keep};
  const PrivacyLabel label = text_label(mechanism, keeps, {}, true);
  for (const char* what :
       {"words that the vocabulary does not have", "numbers", "addresses and telephone numbers",
        "symbols (emoji, signs of currencies and arithmetic, others)", "stop words, the English list of Gauze"})
    EXPECT_THAT(label.does_not_cover, Contains(std::string(what) + ": printed as they are"));
  EXPECT_EQ(parameter(label, "language"), "\"en\"");
  EXPECT_EQ(parameter(label, "stop_words"), "\"the English list of Gauze\"");
  keeps.own_stop_words = true;
  EXPECT_EQ(parameter(text_label(mechanism, keeps, {}, true), "stop_words"), "\"a public list\"");
  EXPECT_THAT(text_label(mechanism, {.unknown = TokenPolicy::replace}, {}, true).covers,
              Contains(HasSubstr("spelt most alike")));
}

TEST_F(TextLabel, SaysWhichColumnAndWhichOrder) {
  const TextMechanism mechanism = make(MechanismKind::santext);
  const PrivacyLabel column = text_label(mechanism, {}, {.column = "note"}, false);
  EXPECT_EQ(column.released.kind, "sanitised text");
  EXPECT_EQ(parameter(column, "column"), "\"note\"");
  EXPECT_EQ(parameter(column, "order"), "\"that of the original\"");
  EXPECT_THAT(column.does_not_cover, Contains("all other columns or keys: printed as they are"));
  EXPECT_THAT(column.does_not_cover, Contains(HasSubstr("the order of the documents")));
  const PrivacyLabel shuffled = text_label(mechanism, {}, {}, true);
  EXPECT_EQ(parameter(shuffled, "order"), "\"random\"");
  EXPECT_THAT(shuffled.does_not_cover, Each(Not(HasSubstr("the order of the documents"))));
}

TEST_F(TextLabel, ReadsBackAsWhatItWasMadeOf) {
  for (const bool as_published : {false, true}) {
    for (const auto& [kind, name] : kMechanismWords) {
      if (as_published && !is_softmax(kind) && kind != MechanismKind::dchi) continue;  // these have no such form
      const TextMechanism mechanism = make(kind, as_published);
      const PrivacyLabel label =
          PrivacyLabel::parse(text_label(mechanism, {.language = Language::chinese}, {}, false).to_json().dump())
              .value();
      const auto read = read_text_label(label);
      ASSERT_TRUE(read) << name << read.error().message;
      EXPECT_EQ(read->mechanism, kind);
      EXPECT_EQ(read->as_published, as_published);
      EXPECT_EQ(read->epsilon, *Rational::parse("1.5"));
      EXPECT_EQ(read->language, Language::chinese);
      EXPECT_TRUE(check_made_by(label, mechanism)) << name << check_made_by(label, mechanism).error().message;
    }
  }
}

TEST_F(TextLabel, SaysInWhichMetricAndBetweenWhichWords) {
  const PrivacyLabel mahalanobis = text_label(make(MechanismKind::mahalanobis), {}, {}, false);
  EXPECT_THAT(mahalanobis.covers, Contains(HasSubstr("it is not the Euclidean distance")));
  EXPECT_EQ(parameter(mahalanobis, "lambda"), "\"0.2\"");
  const PrivacyLabel vickrey = text_label(make(MechanismKind::vickrey), {}, {}, false);
  EXPECT_THAT(vickrey.covers, Contains(HasSubstr("coin")));
  EXPECT_EQ(parameter(vickrey, "t"), "\"0.5\"");
  const PrivacyLabel custext = text_label(make(MechanismKind::custext), {}, {}, false);
  EXPECT_THAT(custext.does_not_cover, Contains(HasSubstr("which set its word is of")));
  EXPECT_EQ(parameter(custext, "output_sets"), "1");
}

TEST_F(TextLabel, TellsWhatAnotherMechanismHasDifferent) {
  const PrivacyLabel label = text_label(make(MechanismKind::santext), {}, {}, false);
  EXPECT_THAT(check_made_by(label, make(MechanismKind::dchi)).error().message, HasSubstr("santext, not dchi"));
  const auto twice = TextMechanism::make(vectors_, {.kind = MechanismKind::santext, .epsilon = Rational(3)});
  EXPECT_THAT(check_made_by(label, *twice).error().message, HasSubstr("epsilon 1.5, not 3"));
  const WordVectors others = testing::words_at({{0, 0}, {1, 0}, {0, 3}, {5, 0}});
  const auto elsewhere =
      TextMechanism::make(others, {.kind = MechanismKind::santext, .epsilon = *Rational::parse("1.5")});
  EXPECT_THAT(check_made_by(label, *elsewhere).error().message, HasSubstr(others.fingerprint()));
  EXPECT_FALSE(read_text_label(text_label(make(MechanismKind::santext), {}, {}, true))) << "shuffled";
  PrivacyLabel noise = label;
  noise.released.kind = "noisy number";
  EXPECT_EQ(read_text_label(noise).error().code, ErrorCode::bad_data);
}

}  // namespace text_label_test
}  // namespace gauze::text
