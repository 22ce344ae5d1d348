#include "gauze/text/attacks/public_language.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/text/testing/attack_checks.h"

namespace gauze::text {
namespace public_language_test {

using ::testing::DoubleEq;
using ::testing::Each;
using ::testing::ElementsAre;

using Documents = std::vector<std::vector<std::uint32_t>>;

double row_sum(const PublicLanguage& language, std::uint32_t context) {
  double sum = 0;
  for (std::uint32_t y = 0; y <= language.other(); ++y) sum += language.probability(y, context);
  return sum;
}

TEST(PublicLanguage, CountsSymbolsWithOneMoreForEach) {
  const PublicLanguage language = PublicLanguage::learn(3, Documents{{0, 0, 1}, {kNoWord, 0}});
  EXPECT_EQ(language.tokens(), 4U) << "words of the vocabulary";
  EXPECT_DOUBLE_EQ(language.unigrams()[0], 4.0 / 9);
  EXPECT_DOUBLE_EQ(language.unigrams()[1], 2.0 / 9);
  EXPECT_DOUBLE_EQ(language.unigrams()[2], 1.0 / 9);
  EXPECT_DOUBLE_EQ(language.unigrams()[language.other()], 2.0 / 9);
  EXPECT_THAT(language.word_shares(), ElementsAre(DoubleEq(4.0 / 7), DoubleEq(2.0 / 7), DoubleEq(1.0 / 7)));
}

TEST(PublicLanguage, InterpolatesPairsWithSymbolsAlone) {
  // After 0: 1 twice. After 1: 2 once, 0 once. Alone: 0 three times, 1 twice, 2 once, of 6.
  const PublicLanguage language = PublicLanguage::learn(3, Documents{{0, 1, 2}, {0, 1, 0}});
  EXPECT_EQ(language.pairs(), 4U) << "with 0 after the beginning";
  EXPECT_DOUBLE_EQ(language.backoff(0), 5.0 / (2 + 5));
  EXPECT_DOUBLE_EQ(language.backoff(1), 10.0 / (2 + 10));
  EXPECT_EQ(language.backoff(2), 1) << "nothing came after it";
  EXPECT_EQ(language.backoff(language.nowhere()), 1);
  EXPECT_NEAR(language.probability(1, 0), 2.0 / 7 + 5.0 / 7 * 3 / 10, 1e-7);
  EXPECT_DOUBLE_EQ(language.probability(2, 0), 5.0 / 7 * 2 / 10) << "never seen, not impossible";
  EXPECT_NEAR(language.probability(0, language.begin()), 2.0 / 7 + 5.0 / 7 * 4 / 10, 1e-7);
}

TEST(PublicLanguage, IsADistributionInEveryContext) {
  for (const std::size_t words : {1, 2, 7, 60}) {
    Documents documents = testing::random_documents(words, 20, 9, words);
    documents[0][3] = documents[4][0] = documents[5][8] = kNoWord;
    const PublicLanguage language = PublicLanguage::learn(words, documents);
    for (std::uint32_t x = 0; x <= language.nowhere(); ++x) EXPECT_NEAR(row_sum(language, x), 1, 1e-6) << x;
  }
}

TEST(PublicLanguage, LearnsWhatStandsBesideOtherTokens) {
  const PublicLanguage language = PublicLanguage::learn(4, Documents{{0, kNoWord, 1}, {2}, {kNoWord}});
  ASSERT_EQ(language.followers(0).size(), 1U);
  EXPECT_EQ(language.followers(0)[0].symbol, language.other());
  ASSERT_EQ(language.followers(language.other()).size(), 1U);
  EXPECT_EQ(language.followers(language.other())[0].symbol, 1U);
  EXPECT_EQ(language.followers(language.begin()).size(), 3U);
  EXPECT_TRUE(language.followers(2).empty()) << "documents do not run into each other";
  EXPECT_TRUE(language.followers(language.nowhere()).empty());
}

TEST(PublicLanguage, HasTheSamePairsFromBothSides) {
  const PublicLanguage language = PublicLanguage::learn(30, testing::random_documents(30, 40, 12, 5));
  std::size_t found = 0;
  for (std::uint32_t y = 0; y <= language.other(); ++y) {
    std::uint32_t before = 0;
    for (const auto& [x, share] : language.leaders(y)) {
      EXPECT_GE(x, before) << "ascending";
      before = x;
      EXPECT_NEAR(language.probability(y, x),
                  static_cast<double>(share) + language.backoff(x) * language.unigrams()[y], 1e-12);
      ++found;
    }
  }
  EXPECT_EQ(found + language.followers(language.begin()).size(), language.pairs());
}

TEST(PublicLanguage, WithoutTextFindsAllWordsAlike) {
  const PublicLanguage language = PublicLanguage::learn(5, {});
  EXPECT_EQ(language.tokens(), 0U);
  for (std::uint32_t x = 0; x < 5; ++x)
    for (std::uint32_t y = 0; y < 5; ++y) EXPECT_DOUBLE_EQ(language.probability(y, x), 1.0 / 6);
  EXPECT_THAT(language.word_shares(), Each(DoubleEq(0.2)));
}

TEST(PublicLanguage, TakesTheSharesOfWordsFromAList) {
  const PublicLanguage learnt = PublicLanguage::learn(3, Documents{{0, 1, kNoWord}, {0, 1, 0}});
  const std::vector<double> shares = {0.1, 0.2, 0.7};
  const PublicLanguage language = learnt.with_word_shares(shares);
  EXPECT_THAT(language.word_shares(), ElementsAre(DoubleEq(0.1), DoubleEq(0.2), DoubleEq(0.7)));
  EXPECT_EQ(language.unigrams()[language.other()], learnt.unigrams()[learnt.other()]);
  for (std::uint32_t x = 0; x <= language.nowhere(); ++x) {
    EXPECT_NEAR(row_sum(language, x), 1, 1e-6) << x;
    EXPECT_EQ(language.backoff(x), learnt.backoff(x)) << "the pairs are those of the text";
  }
  EXPECT_GT(language.probability(2, 0), learnt.probability(2, 0));
}

TEST(PublicLanguage, PriorsFromCountsAreNeverZero) {
  const std::vector<std::uint64_t> counts = {0, 8, std::uint64_t{1} << 53};
  const std::vector<double> shares = add_one_shares(counts);
  EXPECT_GT(shares[0], 0);
  EXPECT_DOUBLE_EQ(shares[1], 9 * shares[0]);
  EXPECT_NEAR(shares[0] + shares[1] + shares[2], 1, 1e-12);
}

}  // namespace public_language_test
}  // namespace gauze::text
