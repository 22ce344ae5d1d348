#include "gauze/text/utility/tokenized_documents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "gauze/base/parallel.h"
#include "gauze/text/testing/utility_testing.h"

namespace gauze::text {
namespace tokenized_documents_test {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::review_words;
using testing::SanText;
using testing::tokenized;

constexpr std::uint32_t kOther = 8;

std::vector<std::uint32_t> sorted(std::span<const std::uint32_t> tokens) {
  std::vector<std::uint32_t> result(tokens.begin(), tokens.end());
  std::sort(result.begin(), result.end());
  return result;
}

class Tokenized : public ::testing::Test {
 protected:
  WordVectors vectors_ = review_words();
  SanitizePolicy policy_;
  Progress progress_;
};

TEST_F(Tokenized, WordsAreNumbersAndAnythingElseIsOneToken) {
  const auto documents = tokenized(vectors_, {"The FILM was good!", "Zorro 42, me@example.org: bad", "", " ... "});
  ASSERT_EQ(documents.size(), 4U);
  EXPECT_THAT(documents.clean()[0], ElementsAre(6, 4, 7, 0));
  EXPECT_THAT(documents.clean()[1], ElementsAre(kOther, kOther, kOther, 2));
  EXPECT_TRUE(documents.clean()[2].empty());
  EXPECT_TRUE(documents.clean()[3].empty());
  EXPECT_EQ(documents.tokens(), 8U);
  EXPECT_EQ(documents.masked(), 3U);
  EXPECT_EQ(documents.kept(), 0U);
}

TEST_F(Tokenized, AMechanismThatChangesNothingGivesTheCleanText) {
  const auto documents = tokenized(vectors_, {"the film was good", "Zorro 42 bad bad", "", "movie"});
  SanText still(vectors_, "1000");
  const auto sanitized = documents.sanitized(still.replacer(), 1, progress_);
  ASSERT_TRUE(sanitized) << sanitized.error().message;
  ASSERT_EQ(sanitized->bags.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(sorted(sanitized->bags[i]), sorted(documents.clean()[i])) << i;
  EXPECT_EQ(sanitized->unchanged, 7U);
}

TEST_F(Tokenized, DroppedTokensAreGoneAndKeptOnesStay) {
  policy_.unknown = TokenPolicy::drop;
  policy_.numbers = TokenPolicy::keep;
  policy_.stop_words = TokenPolicy::keep;
  policy_.stop_word_list = {"the"};
  const auto documents = tokenized(vectors_, {"The Zorro 7 good"}, policy_);
  EXPECT_THAT(documents.clean()[0], ElementsAre(6, kOther, kOther, 0)) << "a stop word is a word of the clean text";
  SanText still(vectors_, "1000");
  EXPECT_EQ(sorted(documents.sanitized(still.replacer(), 1, progress_)->bags[0]),
            (std::vector<std::uint32_t>{0, 6, kOther}));
  EXPECT_EQ(documents.kept(), 2U);
  EXPECT_EQ(documents.masked(), 1U);
  policy_.stop_words = TokenPolicy::mask;
  const auto masked = tokenized(vectors_, {"The good"}, policy_);
  EXPECT_THAT(masked.clean()[0], ElementsAre(6, 0));
  EXPECT_EQ(sorted(masked.sanitized(still.replacer(), 1, progress_)->bags[0]),
            (std::vector<std::uint32_t>{0, kOther}));
}

TEST_F(Tokenized, AnUnknownWordDrawnBySpellingIsUnknownInTheCleanText) {
  policy_.unknown = TokenPolicy::replace;
  const auto documents = tokenized(vectors_, {"films"}, policy_);
  EXPECT_THAT(documents.clean()[0], ElementsAre(kOther));
  SanText still(vectors_, "1000");
  EXPECT_THAT(documents.sanitized(still.replacer(), 1, progress_)->bags[0], ElementsAre(4));
}

TEST_F(Tokenized, DrawsRepeatWithTheSeedAndDifferWithoutWhateverTheThreads) {
  std::vector<std::string> texts;
  for (int i = 0; i < 2000; ++i) texts.emplace_back("the film was good");
  const auto documents = tokenized(vectors_, texts);
  SanText mechanism(vectors_, "0.1");
  set_thread_count(1);
  const auto one = documents.sanitized(mechanism.replacer(), 5, progress_);
  set_thread_count(4);
  const auto four = documents.sanitized(mechanism.replacer(), 5, progress_);
  const auto other = documents.sanitized(mechanism.replacer(), 6, progress_);
  set_thread_count(0);
  ASSERT_TRUE(one && four && other);
  EXPECT_EQ(one->bags.tokens, four->bags.tokens);
  EXPECT_EQ(one->bags.starts, four->bags.starts);
  EXPECT_NE(one->bags.tokens, other->bags.tokens);
  // Equal documents have draws of their own: 2,000 of the same four words do not all become the same.
  EXPECT_FALSE(std::equal(one->bags[0].begin(), one->bags[0].end(), one->bags[1].begin()) &&
               std::equal(one->bags[0].begin(), one->bags[0].end(), one->bags[1000].begin()));
}

TEST_F(Tokenized, TextThatIsNotUtf8IsNamedByItsNumber) {
  const std::vector<std::string> texts = {"good", "secret \xFF"};
  const auto made = TokenizedDocuments::make(vectors_, nullptr, policy_, texts, "training set");
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::bad_data);
  EXPECT_THAT(made.error().message, AllOf(HasSubstr("training set"), HasSubstr("2"), Not(HasSubstr("secret"))));
}

TEST_F(Tokenized, NoDocumentsAtAll) {
  const auto documents = tokenized(vectors_, {});
  SanText still(vectors_, "1000");
  EXPECT_EQ(documents.size(), 0U);
  EXPECT_EQ(documents.sanitized(still.replacer(), 1, progress_)->bags.size(), 0U);
}

TEST_F(Tokenized, ChineseIsDividedByADictionary) {
  const std::vector<std::string> words = {"电影", "好看"};
  const std::vector<float> values = {0, 5};
  const WordVectors vectors = WordVectors::make(words, values).value();
  const auto dictionary = SegmentationDictionary::parse("电影 100 n\n好看 100 a\n");
  ASSERT_TRUE(dictionary);
  const std::vector<std::string> texts = {"电影好看。", "好看好看"};
  const auto documents = TokenizedDocuments::make(vectors, &*dictionary, policy_, texts, "texts");
  ASSERT_TRUE(documents) << documents.error().message;
  EXPECT_THAT(documents->clean()[0], ElementsAre(0, 1));
  EXPECT_THAT(documents->clean()[1], ElementsAre(1, 1));
}

TEST_F(Tokenized, LongDocumentsAreCountedWhole) {
  std::string text;
  for (int i = 0; i < 30'000; ++i) text += "good film ";
  const auto documents = tokenized(vectors_, {text, "bad"});
  EXPECT_EQ(documents.clean()[0].size(), 60'000U);
  EXPECT_THAT(documents.clean()[1], ElementsAre(2));
  SanText still(vectors_, "1000");
  EXPECT_EQ(documents.sanitized(still.replacer(), 1, progress_)->bags[0].size(), 60'000U);
}

TEST_F(Tokenized, NumbersAreWordsOnlyWhereThePolicyReplacesThem) {
  const std::vector<std::string> words = {"good", "42"};
  const std::vector<float> values = {0, 5};
  const WordVectors vectors = WordVectors::make(words, values).value();
  EXPECT_THAT(tokenized(vectors, {"good 42 43"}).clean()[0], ElementsAre(0, 2, 2));
  policy_.numbers = TokenPolicy::replace;
  EXPECT_THAT(tokenized(vectors, {"good 42 43"}, policy_).clean()[0], ElementsAre(0, 1, 2));
}

// 40,000 draws from "good" at epsilon 0.4, by forty streams: each of eight frequencies lies within 0.0135 of the law of the
// mechanism but for a probability of 2 exp(-2 * 40000 * 0.0135^2) < 1e-6 (Hoeffding). Streams that repeated each other would
// make the spread of a frequency six times as wide.
TEST_F(Tokenized, WordsAreDrawnByTheLawOfTheMechanism) {
  const auto documents = tokenized(vectors_, std::vector<std::string>(20'000, "good good"));
  SoftmaxMechanism::Options options;
  options.epsilon = Rational(2, 5);
  const auto mechanism = SoftmaxMechanism::make(WordMetric::make(vectors_).value(), options);
  ASSERT_TRUE(mechanism);
  SoftmaxReplacer replacer(*mechanism, std::size_t{1} << 20);
  const auto sanitized = documents.sanitized(replacer, 12, progress_);
  ASSERT_TRUE(sanitized);
  std::vector<double> counts(8, 0);
  for (const std::uint32_t token : sanitized->bags.tokens) counts[token] += 1;
  const auto law = mechanism->law(0);
  for (std::size_t y = 0; y < 8; ++y) EXPECT_NEAR(counts[y] / 40'000, law.p[y], 0.0135) << y;
  EXPECT_EQ(static_cast<double>(sanitized->unchanged), counts[0]);
}

TEST_F(Tokenized, DchiDrawsRepeatWhateverTheThreads) {
  const auto documents = tokenized(vectors_, std::vector<std::string>(500, "the film was good"));
  const auto mechanism = DchiMechanism::make(vectors_, Rational(1));
  ASSERT_TRUE(mechanism);
  DchiReplacer replacer(*mechanism);
  set_thread_count(1);
  const auto one = documents.sanitized(replacer, 5, progress_);
  set_thread_count(4);
  const auto four = documents.sanitized(replacer, 5, progress_);
  set_thread_count(0);
  ASSERT_TRUE(one && four);
  EXPECT_EQ(one->bags.tokens, four->bags.tokens);
}

TEST_F(Tokenized, StopsWhenAsked) {
  const auto documents = tokenized(vectors_, {"good"});
  SanText still(vectors_, "1000");
  progress_.request_stop();
  const auto stopped = documents.sanitized(still.replacer(), 1, progress_);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::interrupted);
}

}  // namespace tokenized_documents_test
}  // namespace gauze::text
