#include "gauze/text/mechanisms/text_mechanism.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/files/sha256.h"
#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text {
namespace text_mechanism_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class AnyTextMechanism : public ::testing::Test {
 protected:
  [[nodiscard]] SensitiveWords rarest(const char* w) const {
    return SensitiveWords::least_frequent(counts_, *Rational::parse(w), vectors_).value();
  }
  [[nodiscard]] std::string refusal(const MechanismOptions& options) const {
    const auto made = TextMechanism::make(vectors_, options);
    EXPECT_FALSE(made);
    if (made) return "";
    EXPECT_EQ(made.error().code, ErrorCode::invalid_parameter);
    return made.error().message;
  }

  testing::TemporaryFolder folder_;
  WordVectors vectors_ = testing::words_at({{0, 0}, {1, 0}, {0, 3}, {4, 0}});
  std::string counts_ = folder_.file("counts.txt", "w0 100\nw1 60\nw2 40\n");
};

TEST_F(AnyTextMechanism, HasANameThatReadsBack) {
  for (const auto& one : kMechanismWords) EXPECT_EQ(to_string(*value_of(kMechanismWords, one.second)), one.second);
  EXPECT_EQ(to_string(MechanismKind::santext_plus), "santext+");
  EXPECT_FALSE(value_of(kMechanismWords, "SanText"));
  EXPECT_FALSE(value_of(kMechanismWords, ""));
}

TEST_F(AnyTextMechanism, IsSoftmaxOrDchiByItsName) {
  for (const MechanismKind kind : {MechanismKind::santext, MechanismKind::tem, MechanismKind::santext_plus}) {
    MechanismOptions options{.kind = kind, .epsilon = 2};
    if (kind == MechanismKind::tem) options.gamma = Rational(3);
    if (kind == MechanismKind::santext_plus) options.sensitive = rarest("0.5");
    const auto made = TextMechanism::make(vectors_, options);
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ(made->name(), to_string(kind));
    ASSERT_TRUE(made->softmax());
    EXPECT_EQ(to_string(made->softmax()->kind()), to_string(kind));
    EXPECT_EQ(made->softmax()->epsilon(), Rational(2));
    EXPECT_FALSE(made->dchi() || made->published_softmax() || made->published_dchi());
  }
  const auto dchi = TextMechanism::make(vectors_, {.kind = MechanismKind::dchi, .epsilon = 2});
  ASSERT_TRUE(dchi) << dchi.error().message;
  EXPECT_TRUE(dchi->dchi());
  EXPECT_FALSE(dchi->softmax() || dchi->published_softmax() || dchi->published_dchi());
}

TEST_F(AnyTextMechanism, AsPublishedHasBothToCompare) {
  const auto dchi = TextMechanism::make(vectors_, {.kind = MechanismKind::dchi, .epsilon = 2, .as_published = true});
  ASSERT_TRUE(dchi);
  EXPECT_TRUE(dchi->dchi() && dchi->published_dchi() && dchi->as_published());
  const auto tem = TextMechanism::make(
      vectors_, {.kind = MechanismKind::tem, .epsilon = 2, .beta = *Rational::parse("0.1"), .as_published = true});
  ASSERT_TRUE(tem);
  ASSERT_TRUE(tem->softmax() && tem->published_softmax());
  EXPECT_DOUBLE_EQ(*tem->published_softmax()->gamma(), std::log(0.9 * 3 / 0.1)) << "(2 / 2) ln((1 - b)(V - 1) / b)";
  const auto cut = TextMechanism::make(
      vectors_, {.kind = MechanismKind::tem, .epsilon = 2, .gamma = Rational(3), .as_published = true});
  EXPECT_EQ(*cut->published_softmax()->gamma(), 3);
}

TEST_F(AnyTextMechanism, StaysWholeWhenItIsMoved) {
  auto made = TextMechanism::make(vectors_, {.epsilon = 2, .as_published = true});
  ASSERT_TRUE(made);
  const std::vector<double> before = made->published_softmax()->law(1).p;
  const TextMechanism moved = *std::move(made);
  EXPECT_EQ(moved.published_softmax()->law(1).p, before);
}

TEST_F(AnyTextMechanism, RefusesParametersOfAnotherOne) {
  EXPECT_THAT(refusal({.epsilon = 1, .gamma = Rational(1)}), HasSubstr("gamma and beta are parameters of tem"));
  EXPECT_THAT(refusal({.kind = MechanismKind::dchi, .epsilon = 1, .beta = Rational(1)}), HasSubstr("not of dchi"));
  EXPECT_THAT(refusal({.kind = MechanismKind::dchi, .epsilon = 1, .sensitive = rarest("0.5")}),
              HasSubstr("belong to santext+"));
  EXPECT_THAT(refusal({.kind = MechanismKind::santext_plus, .epsilon = 1}), HasSubstr("which needs them"));
  EXPECT_THAT(refusal({.epsilon = 0}), HasSubstr("epsilon"));
}

TEST_F(AnyTextMechanism, RefusesSensitiveWordsOfAnotherVocabulary) {
  SensitiveWords other = rarest("0.5");
  other.marked.push_back(true);
  EXPECT_THAT(refusal({.kind = MechanismKind::santext_plus, .epsilon = 1, .sensitive = other}),
              HasSubstr("marked among 5 words, the vocabulary has 4"));
}

TEST_F(AnyTextMechanism, OptionsAtAnotherEpsilonDifferInNothingElse) {
  const MechanismOptions options{
      .kind = MechanismKind::tem, .epsilon = 1, .gamma = Rational(3), .as_published = true};
  const MechanismOptions other = options.at(Rational(7));
  EXPECT_EQ(other.epsilon, Rational(7));
  EXPECT_EQ(other.kind, MechanismKind::tem);
  EXPECT_EQ(*other.gamma, Rational(3));
  EXPECT_TRUE(other.as_published);
}

TEST_F(AnyTextMechanism, SensitiveWordsAreTheRarestOfAListOrThoseOfOne) {
  const SensitiveWords rare = rarest("0.5");
  EXPECT_THAT(rare.marked, ElementsAre(false, false, true, true)) << "w3 is absent: frequency 0";
  EXPECT_EQ(rare.list_sha256, sha256_hex("w0 100\nw1 60\nw2 40\n"));
  EXPECT_EQ(*rare.w, *Rational::parse("0.5"));
  // 160 of 200 occurrences are common words, of which 7 of 10 stay.
  EXPECT_DOUBLE_EQ(rare.frequencies->expected_pass_through(rare.marked, {3, 10}), 0.7 * 0.8);

  const auto listed = SensitiveWords::listed(folder_.file("names.txt", "w1\nw9\n"), vectors_);
  ASSERT_TRUE(listed);
  EXPECT_THAT(listed->marked, ElementsAre(false, true, false, false));
  EXPECT_EQ(listed->list_sha256, sha256_hex("w1\nw9\n"));
  EXPECT_FALSE(listed->w || listed->frequencies);
  EXPECT_FALSE(SensitiveWords::listed(folder_.file("none.txt", "w9\n"), vectors_));
  EXPECT_FALSE(SensitiveWords::listed(folder_.file("absent.txt"), vectors_));
}

}  // namespace text_mechanism_test
}  // namespace gauze::text
