#include "gauze/text/mechanisms/custext_mechanism.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "gauze/mechanisms/testing/distribution_checks.h"
#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text {
namespace custext_mechanism_test {

using testing::random_words;
using testing::words_at;

TEST(OutputSets, TakeTheNearestFreeWordsInTheOrderOfTheVocabulary) {
  // w0 takes w3, which is nearer than w1; then w1 takes w2, its nearest free word; w4 and w5 are left for the last set.
  const WordVectors vectors = words_at({{0}, {10}, {14}, {1}, {100}, {30}});
  const OutputSets sets = OutputSets::make(vectors, 2).value();
  ASSERT_EQ(sets.count(), 3U);
  EXPECT_EQ(std::vector<std::uint32_t>(sets.words(0).begin(), sets.words(0).end()),
            (std::vector<std::uint32_t>{0, 3}));
  EXPECT_EQ(std::vector<std::uint32_t>(sets.words(1).begin(), sets.words(1).end()),
            (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(std::vector<std::uint32_t>(sets.words(2).begin(), sets.words(2).end()),
            (std::vector<std::uint32_t>{4, 5}));
}

TEST(OutputSets, CoverEveryWordOnceAndNoneIsTooSmall) {
  for (const std::size_t count : {1U, 2U, 7U, 100U, 333U}) {
    const WordVectors vectors = random_words(count, 3, 1.0, count);
    for (const std::size_t size : {2U, 5U, 20U}) {
      const OutputSets sets = OutputSets::make(vectors, size).value();
      std::size_t words = 0;
      for (std::size_t set = 0; set < sets.count(); ++set) {
        words += sets.words(set).size();
        EXPECT_GE(sets.words(set).size(), std::min(size, count));
        EXPECT_LT(sets.words(set).size(), 2 * size);
        for (const std::uint32_t word : sets.words(set)) EXPECT_EQ(sets.set_of(word), set);
      }
      EXPECT_EQ(words, count) << "each word is in one set, and set_of says in which";
    }
  }
  EXPECT_EQ(OutputSets::make(random_words(5, 2, 1, 1), 1).error().code, ErrorCode::invalid_parameter);
}

TEST(Custext, KeepsItsInequalityWithinASetAndPrintsNothingElse) {
  for (const double spread : {0.01, 1.0, 300.0}) {
    const WordVectors vectors = random_words(90, 4, spread, 3);
    for (const Rational& epsilon : {Rational(1, 10), Rational(1), Rational(7), Rational(60), Rational(500)}) {
      const CustextMechanism mechanism = CustextMechanism::make(vectors, {.epsilon = epsilon, .size = 9}).value();
      double worst = 0;
      for (std::size_t set = 0; set < mechanism.sets().count(); ++set) {
        const auto words = mechanism.sets().words(set);
        for (const std::uint32_t a : words)
          for (const std::uint32_t b : words) {
            const auto of_a = mechanism.law(a);
            const auto of_b = mechanism.law(b);
            ASSERT_EQ(of_a.p.size(), words.size());
            for (std::size_t y = 0; y < words.size(); ++y) worst = std::max(worst, of_a.log_p[y] - of_b.log_p[y]);
          }
      }
      EXPECT_LE(worst, epsilon.to_double() + 0x1p-39 + 0x1p-46);
      if (epsilon < 10) {
        EXPECT_GT(worst, epsilon.to_double() / 4) << "the bound is not far away";
      }
    }
  }
}

TEST(Custext, ScalesDistancesToTheFarthestWordOfTheSet) {
  // From w0 the words are at 0, 1, 2 and 4: scaled to 0, 1/4, 1/2 and 1.
  const WordVectors vectors = words_at({{0}, {1}, {2}, {4}});
  const CustextMechanism mechanism = CustextMechanism::make(vectors, {.epsilon = 2, .size = 4}).value();
  const auto law = mechanism.law(0);
  const double sum = 1 + std::exp(-0.25) + std::exp(-0.5) + std::exp(-1.0);
  EXPECT_NEAR(law.p[0], 1 / sum, 1e-12);
  EXPECT_NEAR(law.p[1], std::exp(-0.25) / sum, 1e-12);
  EXPECT_NEAR(law.p[3], std::exp(-1.0) / sum, 1e-12);
  const CustextMechanism far =
      CustextMechanism::make(words_at({{0}, {1000}, {2000}, {4000}}), {.epsilon = 2, .size = 4}).value();
  EXPECT_NEAR(far.law(0).p[1], law.p[1], 1e-12) << "the scale of the vectors does not matter";
}

TEST(Custext, WordsWithOneVectorAreDrawnEvenly) {
  const CustextMechanism mechanism =
      CustextMechanism::make(words_at({{1, 1}, {1, 1}, {1, 1}, {1, 1}}), {.epsilon = 5, .size = 4}).value();
  for (const double p : mechanism.law(2).p) EXPECT_DOUBLE_EQ(p, 0.25);
}

// n = 40,000: alarms on correct draws with p <= 1e-6; a share that is off by 0.03 is seen in more than 99 % of runs.
TEST(Custext, DrawsByItsLaw) {
  const WordVectors vectors = words_at({{0}, {1}, {2}, {4}, {50}, {51}, {52}, {53}});
  const CustextMechanism mechanism = CustextMechanism::make(vectors, {.epsilon = 3, .size = 4}).value();
  constexpr std::size_t kDraws = 40'000;
  for (const std::uint32_t word : {0U, 2U, 5U}) {
    const std::vector<std::uint32_t> words(kDraws, word);
    std::vector<std::uint32_t> out(kDraws);
    mechanism.release(words, SecureRandom::of_thread(), out);
    std::map<std::uint32_t, double> counts;
    for (const std::uint32_t drawn : out) ++counts[drawn];
    const auto set = mechanism.sets().words(mechanism.sets().set_of(word));
    const auto law = mechanism.law(word);
    double chi = 0;
    double seen = 0;
    for (std::size_t i = 0; i < set.size(); ++i) {
      const double expected = law.p[i] * kDraws;
      chi += (counts[set[i]] - expected) * (counts[set[i]] - expected) / expected;
      seen += counts[set[i]];
    }
    EXPECT_EQ(seen, kDraws) << "no word of another set";
    EXPECT_LT(chi, 30.7) << "chi-square with 3 degrees is above that once in 10^6";
  }
}

TEST(Custext, RefusesParametersThatMeanNothing) {
  const WordVectors vectors = random_words(10, 2, 1, 1);
  EXPECT_EQ(CustextMechanism::make(vectors, {.epsilon = 0}).error().code, ErrorCode::invalid_parameter);
  EXPECT_EQ(CustextMechanism::make(vectors, {.epsilon = 1, .size = 1}).error().code, ErrorCode::invalid_parameter);
}

}  // namespace custext_mechanism_test
}  // namespace gauze::text
