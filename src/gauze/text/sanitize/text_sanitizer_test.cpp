#include "gauze/text/sanitize/text_sanitizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace gauze::text {
namespace text_sanitizer_test {

using ::testing::HasSubstr;
using ::testing::Not;

/// Six words on a line; epsilon decides how far they move.
class Sanitizer : public ::testing::Test {
 protected:
  std::vector<std::string> words_ = {"film", "movie", "good", "bad", "电影", "école"};
  std::vector<float> values_ = {0, 1, 2, 3, 4, 5};
  WordVectors vectors_ = *WordVectors::make(words_, values_);
  SanitizePolicy policy_;

  std::string run(const std::string& text, double epsilon, std::optional<std::uint64_t> seed = {},
                  SanitizeCounts* counts = nullptr) {
    auto metric = WordMetric::make(vectors_);
    EXPECT_TRUE(metric) << metric.error().message;
    SoftmaxMechanism::Options options;
    options.epsilon = Rational(epsilon);
    const auto mechanism = SoftmaxMechanism::make(*std::move(metric), options);
    EXPECT_TRUE(mechanism) << mechanism.error().message;
    SoftmaxReplacer replacer(*mechanism, 1 << 20);
    TextSanitizer sanitizer(vectors_, replacer, nullptr, policy_);
    std::vector<std::string> documents = {text};
    const auto done = sanitizer.run(documents, seed);
    EXPECT_TRUE(done) << done.error().message;
    if (counts != nullptr) *counts = sanitizer.counts();
    return documents[0];
  }
};

// At epsilon 1000 every word becomes itself: what is left is the layout.
TEST_F(Sanitizer, LayoutAndCaseStay) {
  EXPECT_EQ(run("A  Good FILM, (movie)!", 1000), "***  Good FILM, (movie)!");
  EXPECT_EQ(run("电影 \xEF\xBD\x86\xEF\xBD\x89\xEF\xBD\x8C\xEF\xBD\x8D e\xCC\x81"
                "cole",
                1000),
            "电影 film école")
      << "full width and combining characters are the same words";
  EXPECT_EQ(run("", 1000), "");
}

TEST_F(Sanitizer, NothingPrivateIsPrintedUnlessAPolicyKeepsIt) {
  SanitizeCounts counts;
  EXPECT_EQ(run("Zorro film 42 jo@example.org +44 20 7946 0018", 1000, {}, &counts), "*** film *** *** ***");
  EXPECT_EQ(counts.tokens, 5U);
  EXPECT_EQ(counts.replaced, 1U);
  EXPECT_EQ(counts.unchanged, 1U);
  EXPECT_EQ(counts.unknown, 1U);
  EXPECT_EQ(counts.masked, 4U);
  policy_.unknown = TokenPolicy::drop;
  EXPECT_EQ(run("Zorro film", 1000), " film");
  policy_.unknown = TokenPolicy::keep;
  policy_.numbers = TokenPolicy::keep;
  EXPECT_EQ(run("Zorro film 42", 1000, {}, &counts), "Zorro film 42");
  EXPECT_EQ(counts.kept, 2U);
  policy_.stop_words = TokenPolicy::keep;
  policy_.stop_word_list = {"movie"};
  EXPECT_THAT(run("Movie", 1e-6), "Movie");
}

// "films" is read as "film" and printed so: it does not read as before.
TEST_F(Sanitizer, AWordTakenForOneSpeltAlikeIsNotUnchanged) {
  policy_.unknown = TokenPolicy::replace;
  SanitizeCounts counts;
  EXPECT_EQ(run("films movie", 1000, {}, &counts), "film movie");
  EXPECT_EQ(counts.replaced, 2U);
  EXPECT_EQ(counts.unchanged, 1U);
}

TEST_F(Sanitizer, OnlyWordsOfTheVocabularyAreDrawn) {
  const std::set<std::string> known(words_.begin(), words_.end());
  std::set<std::string> seen;
  for (int i = 0; i < 400; ++i) seen.insert(run("film", 0.5));
  for (const std::string& word : seen) EXPECT_TRUE(known.contains(word)) << word;
  EXPECT_EQ(seen.size(), known.size()) << "false alarm below 1e-9: the rarest has a chance of 0.1";
}

TEST_F(Sanitizer, EqualDocumentsGetDifferentOutputsAndSeedsRepeat) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "film ";
  EXPECT_NE(run(text, 0.1), run(text, 0.1));
  EXPECT_EQ(run(text, 0.1, 7), run(text, 0.1, 7));
  auto metric = WordMetric::make(vectors_);
  SoftmaxMechanism::Options options;
  options.epsilon = Rational(1, 10);
  const auto mechanism = SoftmaxMechanism::make(*std::move(metric), options);
  SoftmaxReplacer replacer(*mechanism, 1 << 20);
  TextSanitizer sanitizer(vectors_, replacer, nullptr, {});
  std::vector<std::string> documents(3, text);
  ASSERT_TRUE(sanitizer.run(documents, 7));
  EXPECT_NE(documents[0], documents[1]);
  // In batches or at once: the same.
  TextSanitizer again(vectors_, replacer, nullptr, {});
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<std::string> one = {text};
    ASSERT_TRUE(again.run(one, 7));
    EXPECT_EQ(one[0], documents[i]);
  }
}

// A text of several pieces: at epsilon 1000 every word becomes itself, wherever a piece ends.
TEST_F(Sanitizer, ContractionsAreDividedAlikeInLongTexts) {
  words_ = {"do", "n't", "it", "'s"};
  values_ = {0, 1, 2, 3};
  vectors_ = *WordVectors::make(words_, values_);
  std::string text;
  for (const char* unit : {"don't it's ", "don't,it's;"})
    while (text.size() < (unit[5] == ' ' ? 300'000U : 600'000U)) text += unit;
  SanitizeCounts counts;
  EXPECT_EQ(run(text, 1000, {}, &counts), text);
  EXPECT_EQ(counts.unknown, 0U);
  EXPECT_EQ(counts.replaced, counts.tokens);
}

TEST_F(Sanitizer, WhatIsNotUtf8IsRefused) {
  auto metric = WordMetric::make(vectors_);
  SoftmaxMechanism::Options options;
  options.epsilon = 1;
  const auto mechanism = SoftmaxMechanism::make(*std::move(metric), options);
  SoftmaxReplacer replacer(*mechanism, 1 << 20);
  TextSanitizer sanitizer(vectors_, replacer, nullptr, {});
  std::vector<std::string> documents = {"ok", "secret \xFF"};
  const auto done = sanitizer.run(documents, {});
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, ::testing::AllOf(HasSubstr("document 2"), Not(HasSubstr("secret"))));
}

}  // namespace text_sanitizer_test
}  // namespace gauze::text
