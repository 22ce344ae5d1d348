#include "gauze/text/attacks/attacked_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/base/parallel.h"
#include "gauze/text/sanitize/text_sanitizer.h"
#include "gauze/text/testing/attack_checks.h"

namespace gauze::text {
namespace attacked_text_test {

using testing::absent;
using ::testing::AllOf;
using testing::drawn;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::hidden;
using ::testing::IsEmpty;
using testing::kept;
using ::testing::Not;

/// film 0, movie 1, good 2, bad 3, the 4, "42" 5.
class Reading : public ::testing::Test {
 protected:
  std::vector<std::string> words_ = {"film", "movie", "good", "bad", "the", "42"};
  std::vector<float> values_ = {0, 1, 2, 3, 4, 5};
  WordVectors vectors_ = *WordVectors::make(words_, values_);
  SanitizePolicy policy_;

  AttackedText simulate(const std::vector<std::string>& clean, const Rational& epsilon, std::uint64_t seed = 1) {
    const SoftmaxMechanism mechanism = testing::softmax_of(vectors_, {.epsilon = epsilon});
    SoftmaxReplacer replacer(mechanism, 1 << 20);
    const auto text = AttackReader(vectors_, nullptr, policy_).simulate(clean, replacer, seed);
    EXPECT_TRUE(text) << text.error().message;
    return *text;
  }
  AttackedText align(const std::string& clean, const std::string& sanitised) {
    const auto text = AttackReader(vectors_, nullptr, policy_)
                          .align(std::vector<std::string>{clean}, std::vector<std::string>{sanitised});
    EXPECT_TRUE(text) << text.error().message;
    return *text;
  }
};

// At epsilon 1000 every word becomes itself.
TEST_F(Reading, SimulatesByTheOwnersPolicy) {
  const AttackedText text = simulate({"Good, FILM! Zorro 42", "", "?!"}, 1000);
  ASSERT_EQ(text.documents.size(), 3U);
  ASSERT_EQ(text.documents[0].size(), 4U);
  EXPECT_EQ(text.documents[0][0], drawn(2, 2));
  EXPECT_EQ(text.documents[0][1], drawn(0, 0));
  EXPECT_EQ(text.documents[0][2], hidden());
  EXPECT_EQ(text.documents[0][3].sight, TokenSight::hidden) << "numbers are masked";
  EXPECT_THAT(text.documents[1], IsEmpty());
  EXPECT_THAT(text.documents[2], IsEmpty());
}

TEST_F(Reading, KeptWordsAreSeenAndDroppedOnesAreNot) {
  policy_.stop_words = TokenPolicy::keep;
  policy_.stop_word_list = {"the"};
  policy_.numbers = TokenPolicy::drop;
  policy_.unknown = TokenPolicy::keep;
  const AttackedText text = simulate({"The film 42 Zorro"}, 1000);
  ASSERT_EQ(text.documents[0].size(), 4U);
  EXPECT_EQ(text.documents[0][0], kept(4));
  EXPECT_EQ(text.documents[0][1], drawn(0, 0));
  EXPECT_EQ(text.documents[0][2].sight, TokenSight::absent);
  EXPECT_EQ(text.documents[0][3], kept(kNoWord)) << "readable, but no word of the vocabulary";
}

TEST_F(Reading, AStandInForAnUnknownWordIsNotTheWord) {
  policy_.unknown = TokenPolicy::replace;
  const AttackedText text = simulate({"films"}, 1000);
  ASSERT_EQ(text.documents[0].size(), 1U);
  EXPECT_EQ(text.documents[0][0], drawn(kNoWord, 0)) << "drawn for film, which is not what stood there";
}

TEST_F(Reading, SimulationsRepeatWhateverTheThreads) {
  const std::vector<std::string> clean(200, "film movie good bad the film movie good bad the");
  set_thread_count(1);
  const AttackedText one = simulate(clean, Rational(1, 10), 5);
  set_thread_count(4);
  const AttackedText four = simulate(clean, Rational(1, 10), 5);
  set_thread_count(0);
  EXPECT_EQ(one.documents, four.documents);
  EXPECT_NE(one.documents[0], one.documents[1]) << "equal documents are drawn by themselves";
  EXPECT_NE(one.documents, simulate(clean, Rational(1, 10), 6).documents);
}

TEST_F(Reading, AlignsASanitisedTextWithItsMasks) {
  const AttackedText text = align("Good, film! Zorro 42 (the)", "Bad, movie! *** *** (film)");
  EXPECT_EQ(text.unaligned_documents, 0U);
  ASSERT_EQ(text.documents.size(), 1U);
  ASSERT_EQ(text.documents[0].size(), 5U);
  EXPECT_EQ(text.documents[0][0], drawn(2, 3));
  EXPECT_EQ(text.documents[0][1], drawn(0, 1));
  EXPECT_EQ(text.documents[0][2].sight, TokenSight::hidden);
  EXPECT_EQ(text.documents[0][4], drawn(4, 0));
}

TEST_F(Reading, AlignsWhatTheSanitizerWrote) {
  policy_.stop_words = TokenPolicy::keep;
  policy_.stop_word_list = {"the"};
  policy_.numbers = TokenPolicy::drop;
  const std::vector<std::string> clean = {"The film, Zorro's 42 GOOD ***", "bad*** ***movie", "", "the the"};
  const SoftmaxMechanism mechanism = testing::softmax_of(vectors_, {.epsilon = Rational(1, 2)});
  SoftmaxReplacer replacer(mechanism, 1 << 20);
  std::vector<std::string> sanitised = clean;
  ASSERT_TRUE(TextSanitizer(vectors_, replacer, nullptr, policy_).run(sanitised, 7));
  const auto text = AttackReader(vectors_, nullptr, policy_).align(clean, sanitised);
  ASSERT_TRUE(text);
  EXPECT_EQ(text->unaligned_documents, 0U) << sanitised[0] << " | " << sanitised[1];
  ASSERT_EQ(text->documents.size(), 4U);
  for (const auto& document : text->documents)
    for (const AttackedToken& token : document)
      if (token.sight == TokenSight::drawn) {
        EXPECT_LT(token.seen, 6U);
      }
  EXPECT_EQ(text->documents[0][0], kept(4));
}

TEST_F(Reading, LeavesOutDocumentsThatDoNotPairUp) {
  EXPECT_EQ(align("good film", "good").unaligned_documents, 1U);
  EXPECT_EQ(align("good film", "good film bad").unaligned_documents, 1U);
  EXPECT_THAT(align("good film", "").documents, IsEmpty());
}

TEST_F(Reading, AWordThatTheVocabularyDoesNotHaveCountsAsMasked) {
  const AttackedText text = align("good film", "good cinema");
  ASSERT_EQ(text.documents.size(), 1U);
  EXPECT_EQ(text.documents[0][1].sight, TokenSight::hidden);
  EXPECT_EQ(text.documents[0][1].seen, kNoWord);
}

TEST_F(Reading, RefusesWhatIsNotUtf8AndOtherNumbersOfDocuments) {
  const AttackReader reader(vectors_, nullptr, policy_);
  const std::vector<std::string> good = {"film", "movie"};
  const std::vector<std::string> bad = {"film", "secret \xFF"};
  for (const auto& result : {reader.align(good, bad), reader.align(bad, good)}) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::bad_data);
    EXPECT_THAT(result.error().message, AllOf(HasSubstr("document 2"), Not(HasSubstr("secret"))));
  }
  EXPECT_FALSE(reader.words_of(bad));
  EXPECT_FALSE(reader.align(good, std::vector<std::string>{"film"}));
}

TEST_F(Reading, PublicWordsAreReadByTheSamePolicy) {
  policy_.stop_words = TokenPolicy::drop;
  policy_.stop_word_list = {"the"};
  const auto words =
      AttackReader(vectors_, nullptr, policy_).words_of(std::vector<std::string>{"The good *** Zorro 42!", ""});
  ASSERT_TRUE(words);
  EXPECT_THAT(*words, ElementsAre(ElementsAre(2U, kNoWord, kNoWord), IsEmpty()));
}

}  // namespace attacked_text_test
}  // namespace gauze::text
