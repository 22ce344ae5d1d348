#include "gauze/text/attacks/attack_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text {
namespace attack_study_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class AttackStudy : public ::testing::Test {
 protected:
  [[nodiscard]] TextMechanism mechanism(const char* epsilon, MechanismKind kind = MechanismKind::santext,
                                        bool as_published = false) const {
    return TextMechanism::make(vectors_,
                               {.kind = kind, .epsilon = *Rational::parse(epsilon), .as_published = as_published})
        .value();
  }
  [[nodiscard]] Result<AttackReport> run(const TextMechanism& made, const AttackRequest& request) {
    return run_attacks(made, nullptr, policy_, request, progress_);
  }
  [[nodiscard]] AttackReport report(const TextMechanism& made, const AttackRequest& request) {
    auto result = run(made, request);
    EXPECT_TRUE(result) << result.error().message;
    return *std::move(result);
  }

  WordVectors vectors_ = testing::words_at({{0, 0}, {1, 0}, {0, 3}, {4, 0}});
  SanitizePolicy policy_;
  Progress progress_;
  std::vector<std::string> clean_ = {"w0 w1 w2", "w3 w3 zorro", "w1"};
  std::vector<std::string> public_ = {"w0 w1 w2 w0 w1", "w3 w3"};
  std::vector<AttackKind> all_ = {AttackKind::bayes, AttackKind::hmm, AttackKind::mask};
};

TEST_F(AttackStudy, NamesAttacksThatReadBack) {
  for (const auto& one : kAttackWords) EXPECT_EQ(to_string(*value_of(kAttackWords, one.second)), one.second);
  EXPECT_FALSE(value_of(kAttackWords, "bert"));
}

TEST_F(AttackStudy, RecoversEverythingThatNeverChanges) {
  const AttackReport found =
      report(mechanism("1000"), {.attacks = all_, .clean = clean_, .public_documents = public_});
  EXPECT_EQ(found.documents, 3U);
  EXPECT_EQ(found.counts().tokens, 7U);
  EXPECT_EQ(found.counts().attacked, 6U) << "the unknown word is masked";
  ASSERT_EQ(found.attacks.size(), 3U);
  EXPECT_EQ(found.attacks[0].recovery(), 1);
  EXPECT_EQ(found.attacks[1].recovery(), 1);
  EXPECT_EQ(found.baselines[0].name, "as_read");
  EXPECT_EQ(found.baselines[0].recovery(), 1);
  EXPECT_TRUE(*found.exact);
  EXPECT_FALSE(found.runs);
}

TEST_F(AttackStudy, SaysWhatTheAttackersExpect) {
  const TextMechanism made = mechanism("1");
  EXPECT_EQ(report(made, {.clean = clean_}).prior, "uniform");
  const AttackReport learnt = report(made, {.clean = clean_, .public_documents = public_});
  EXPECT_EQ(learnt.prior, "public");
  EXPECT_EQ(learnt.public_tokens, 7U);
  const AttackReport listed =
      report(made, {.clean = clean_, .public_documents = public_, .prior = std::vector{0.1, 0.1, 0.1, 0.7}});
  EXPECT_EQ(listed.prior, "list");
  EXPECT_EQ(listed.baselines[1].score.recovered, 2U) << "always w3";
}

TEST_F(AttackStudy, ReadsInContextWithTheWordsOfAList) {
  const std::vector<std::string> clean(20, "w3");
  const std::vector<std::string> known = {"w0"};
  AttackRequest request{.attacks = {AttackKind::hmm}, .clean = clean, .public_documents = known};
  EXPECT_EQ(report(mechanism("0.001"), request).attacks[0].recovery(), 0) << "the public text begins with w0";
  request.prior = std::vector{0.01, 0.01, 0.01, 0.97};
  EXPECT_EQ(report(mechanism("0.001"), request).attacks[0].recovery(), 1);
}

TEST_F(AttackStudy, AsksForTheLawOnlyWhenAnAttackNeedsIt) {
  const AttackReport mask =
      report(mechanism("1"), {.attacks = {AttackKind::mask}, .clean = clean_, .public_documents = public_});
  EXPECT_FALSE(mask.exact);
  const AttackReport drawn = report(mechanism("1", MechanismKind::dchi), {.clean = clean_, .runs = 50});
  EXPECT_FALSE(*drawn.exact);
  EXPECT_EQ(*drawn.runs, 50U);
  EXPECT_TRUE(*report(mechanism("1", MechanismKind::santext, true), {.clean = clean_}).exact);
}

TEST_F(AttackStudy, RepeatsFromASeed) {
  const TextMechanism made = mechanism("0.5");
  std::vector<std::string> many(200, "w0 w1 w2 w3");
  const auto recovered = [&](std::uint64_t seed) {
    return report(made, {.clean = many, .seed = seed}).attacks[0].score.recovered;
  };
  EXPECT_EQ(recovered(1), recovered(1));
  EXPECT_NE(to_json(report(made, {.clean = many, .seed = 1})).dump(),
            to_json(report(made, {.clean = many, .seed = 2})).dump());
}

TEST_F(AttackStudy, TakesTheFirstDocumentsOfBothTexts) {
  const std::vector<std::string> sanitized = {"w0 w1 w1", "w3 w0 ***", "w1"};
  AttackRequest request{.clean = clean_, .most_documents = 2, .sanitized = sanitized};
  const AttackReport found = report(mechanism("1"), request);
  EXPECT_EQ(found.all_documents, 3U);
  EXPECT_EQ(found.documents, 2U);
  EXPECT_EQ(found.baselines[0].score.recovered, 3U) << "w0, w1 and w3 read as they were";
  const std::vector<std::string> fewer = {"w0"};
  request.sanitized = fewer;
  request.sanitized_name = "out.txt";
  const auto uneven = run(mechanism("1"), request);
  ASSERT_FALSE(uneven);
  EXPECT_EQ(uneven.error().message, "the clean text has 3 documents, out.txt has 1");
}

TEST_F(AttackStudy, NeedsADocumentAndAPublicTextWithKnownWords) {
  const auto nothing = run(mechanism("1"), {});
  ASSERT_FALSE(nothing);
  EXPECT_THAT(nothing.error().message, HasSubstr("no document to attack"));
  for (const std::vector<std::string>& useless : {std::vector<std::string>{}, {"zorro"}}) {
    const auto refused =
        run(mechanism("1"), {.clean = clean_, .public_documents = useless, .public_name = "other.txt"});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("other.txt has no word of the vocabulary"));
  }
}

TEST_F(AttackStudy, IsWrittenWithTheKeysOfTheManual) {
  const Json json =
      to_json(report(mechanism("1.50"), {.attacks = all_, .clean = clean_, .public_documents = public_}));
  std::vector<std::string> keys;
  for (const auto& [key, value] : *json.members()) keys.push_back(key);
  EXPECT_THAT(keys, ElementsAre("documents", "tokens", "attacked", "unaligned_documents", "vocabulary", "mechanism",
                                "as_published", "epsilon", "language", "exact", "runs", "prior", "public_tokens",
                                "baselines", "attacks", "notice"));
  EXPECT_EQ(json.find("epsilon")->dump(), "1.5");
  EXPECT_EQ(json.find("runs")->dump(), "null");
  EXPECT_THAT(json.find("notice")->dump(), HasSubstr("INTERNAL"));
  EXPECT_EQ(json.find("attacks")->find("mask")->find("model")->dump(), "\"n-gram model, not BERT\"");
  EXPECT_FALSE(json.find("attacks")->find("hmm")->find("model"));
}

TEST_F(AttackStudy, HasNoShareOfNothing) {
  const std::vector<std::string> unknown = {"zorro", ""};
  const Json json = to_json(report(mechanism("1"), {.clean = unknown}));
  EXPECT_EQ(json.find("attacked")->dump(), "0");
  EXPECT_EQ(json.find("attacks")->find("bayes")->find("recovery")->dump(), "null");
  EXPECT_EQ(json.find("attacks")->find("bayes")->find("privacy")->dump(), "1");
}

}  // namespace attack_study_test
}  // namespace gauze::text
