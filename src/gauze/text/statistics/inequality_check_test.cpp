#include "gauze/text/statistics/inequality_check.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gauze/base/parallel.h"
#include "gauze/text/mechanisms/published_softmax.h"
#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text {
namespace inequality_check_test {

using testing::random_words;
using testing::words_at;

constexpr double kSlack = 0x1p-39;

SoftmaxMechanism make(const WordVectors& vectors, SoftmaxMechanism::Options options) {
  return SoftmaxMechanism::make(WordMetric::make(vectors).value(), options).value();
}

/// All triples, one by one.
double by_definition(const CheckedMechanism& mechanism) {
  std::vector<std::vector<double>> rows(mechanism.words, std::vector<double>(mechanism.outputs.size()));
  for (std::size_t x = 0; x < mechanism.words; ++x) mechanism.log_law(x, rows[x]);
  double worst = -HUGE_VAL;
  for (std::size_t x = 0; x < mechanism.words; ++x)
    for (std::size_t z = 0; z < mechanism.words; ++z)
      for (std::size_t y = 0; y < mechanism.outputs.size() && x != z; ++y)
        worst = std::max(worst, rows[x][y] - rows[z][y] - mechanism.allowed(x, z));
  return worst;
}

TEST(InequalityCheck, LooksAtAllTriplesAndFindsThePromiseKept) {
  const WordVectors vectors = random_words(90, 3, 1.0, 4);
  std::vector<bool> sensitive(90);
  for (std::size_t i = 0; i < 90; ++i) sensitive[i] = i % 3 != 0;
  for (const double epsilon : {1e-6, 0.5, 4.0, 1000.0}) {
    for (const SoftmaxMechanism::Options& options : std::vector<SoftmaxMechanism::Options>{
             {.epsilon = Rational(epsilon)},
             {.kind = SoftmaxKind::tem, .epsilon = Rational(epsilon), .gamma = Rational(1)},
             {.kind = SoftmaxKind::santext_plus, .epsilon = Rational(epsilon), .sensitive = sensitive}}) {
      const SoftmaxMechanism mechanism = make(vectors, options);
      const auto found = check_inequality(vectors, checked(mechanism)).value();
      EXPECT_TRUE(found.complete);
      EXPECT_EQ(found.triples, 90U * 89U * mechanism.outputs().size());
      EXPECT_LE(found.worst, kSlack + found.error) << epsilon;
      EXPECT_NEAR(found.worst, by_definition(checked(mechanism)), 1e-12);
      EXPECT_NEAR(found.worst, found.log_ratio - found.allowed, 1e-12);
      const auto law = [&](std::size_t x) {
        const auto one = mechanism.law(x);
        for (std::size_t i = 0; i < one.log_p.size(); ++i)
          if (mechanism.outputs()[i] == found.y) return one.log_p[i];
        return -HUGE_VAL;
      };
      EXPECT_NEAR(law(found.x) - law(found.x_prime), found.log_ratio, 1e-10) << "the triple is where it says";
    }
  }
}

TEST(InequalityCheck, OfTwoWordsIsHalfOfWhatIsAllowed) {
  const WordVectors vectors = words_at({{0}, {1}});
  const auto mechanism = make(vectors, {.epsilon = Rational(2)});
  const auto found = check_inequality(vectors, checked(mechanism)).value();
  EXPECT_NEAR(found.worst, 1 - 2, 1e-9) << "exp(-1) in one weight, equal sums, 2 allowed";
}

TEST(InequalityCheck, FindsOneTripleThatIsTooMuch) {
  const WordVectors vectors = random_words(150, 3, 1.0, 4);
  const auto mechanism = make(vectors, {.epsilon = Rational(3)});
  CheckedMechanism broken = checked(mechanism);
  const auto sound = broken.log_law;
  broken.log_law = [&](std::size_t x, std::span<double> log_p) {
    sound(x, log_p);
    if (x == 101) log_p[77] += 50;
  };
  const auto found = check_inequality(vectors, broken).value();
  EXPECT_GT(found.worst, 1);
  EXPECT_EQ(found.x, 101U);
  EXPECT_EQ(found.y, 77U);
  EXPECT_NEAR(found.worst, by_definition(broken), 1e-9);
}

TEST(InequalityCheck, SeesTheFalseZerosOfThePublishedArithmetic) {
  const WordVectors vectors = words_at({{0}, {5}, {10}});
  const auto mechanism = make(vectors, {.epsilon = Rational(1000)});
  const PublishedSoftmax published(mechanism);
  CheckedMechanism claimed = checked(mechanism);
  claimed.log_law = [&](std::size_t x, std::span<double> log_p) {
    const auto law = published.law(x);
    std::copy(law.log_p.begin(), law.log_p.end(), log_p.begin());
  };
  const auto found = check_inequality(vectors, claimed).value();
  EXPECT_EQ(found.worst, HUGE_VAL);
}

TEST(InequalityCheck, SamplesLargeVocabularies) {
  const WordVectors vectors = random_words(300, 3, 1.0, 4);
  const auto mechanism = make(vectors, {.epsilon = Rational(3)});
  const auto found = check_inequality(vectors, checked(mechanism), nullptr, 40).value();
  EXPECT_FALSE(found.complete);
  EXPECT_GT(found.triples, 300U * 20U * 19U);
  EXPECT_LE(found.worst, kSlack);
  set_thread_count(1);
  const auto again = check_inequality(vectors, checked(mechanism), nullptr, 40).value();
  set_thread_count(0);
  EXPECT_EQ(again.worst, found.worst);
  EXPECT_EQ(again.x, found.x);
}

TEST(InequalityCheck, OfOneWordHasNothingToCompare) {
  const WordVectors vectors = words_at({{1}});
  const auto mechanism = make(vectors, {.epsilon = Rational(3)});
  const auto found = check_inequality(vectors, checked(mechanism)).value();
  EXPECT_EQ(found.triples, 0U);
  EXPECT_EQ(found.worst, 0);
  EXPECT_TRUE(found.complete);
}

}  // namespace inequality_check_test
}  // namespace gauze::text
