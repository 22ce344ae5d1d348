#include "gauze/text/mechanisms/published_softmax.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "gauze/mechanisms/testing/distribution_checks.h"
#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text {
namespace published_softmax_test {

using testing::random_words;
using testing::words_at;

TEST(PublishedSoftmax, IsTheSameLawButForRounding) {
  const auto mechanism =
      SoftmaxMechanism::make(WordMetric::make(random_words(50, 5, 1.0, 1)).value(), {.epsilon = Rational(3)}).value();
  const PublishedSoftmax published(mechanism);
  for (const std::size_t x : {0U, 20U, 49U}) {
    for (std::size_t y = 0; y < 50; ++y) EXPECT_NEAR(published.law(x).p[y], mechanism.law(x).p[y], 1e-5);
  }
}

TEST(PublishedSoftmax, HasFalseZerosThatTheExactWeightsHaveNot) {
  const auto mechanism =
      SoftmaxMechanism::make(WordMetric::make(words_at({{0}, {10}})).value(), {.epsilon = Rational(1000)}).value();
  EXPECT_EQ(PublishedSoftmax(mechanism).law(0).p[1], 0);
  EXPECT_GT(mechanism.law(0).p[1], 0);
}

TEST(PublishedSoftmax, CutsAtGamma) {
  const auto mechanism =
      SoftmaxMechanism::make(WordMetric::make(words_at({{0}, {1}, {5}, {9}})).value(),
                             {.kind = SoftmaxKind::tem, .epsilon = Rational(2), .gamma = Rational(2)})
          .value();
  const auto law = PublishedSoftmax(mechanism, 2.0).law(0);
  EXPECT_NEAR(law.p[2], mechanism.law(0).p[2], 1e-12);
  EXPECT_EQ(law.p[2], law.p[3]);
  EXPECT_NEAR(PublishedSoftmax::published_gamma(4, 0.001, 101), 0.5 * std::log(99900), 1e-12);
  EXPECT_EQ(PublishedSoftmax::published_gamma(4, 0.9, 2), 0);
}

// 100,000 draws over 12 cells: alarms with p <= 1e-6, and on a cell that is 10 % off in more than 99 % of runs.
TEST(PublishedSoftmax, DrawsItsLaw) {
  std::vector<bool> sensitive(12, true);
  sensitive[0] = false;
  const auto mechanism =
      SoftmaxMechanism::make(WordMetric::make(random_words(12, 2, 1.0, 1)).value(),
                             {.kind = SoftmaxKind::santext_plus, .epsilon = Rational(1), .sensitive = sensitive})
          .value();
  const PublishedSoftmax published(mechanism);
  for (const std::uint32_t x : {0U, 3U}) {
    std::map<std::int64_t, double> expected;
    const auto law = published.law(x);
    for (std::size_t y = 0; y < law.p.size(); ++y) expected[mechanism.outputs()[y]] = law.p[y];
    if (law.stays) expected[x] = *law.stays;
    SeededRandom random(x);
    std::vector<std::int64_t> sample;
    const std::vector<double> sums = published.running_sums(x);
    for (int i = 0; i < 100'000; ++i) sample.push_back(published.pick(x, sums, PublishedSoftmax::simulate(random)));
    EXPECT_FALSE(gauze::testing::chi_square(expected, sample).alarms());
  }
}

}  // namespace published_softmax_test
}  // namespace gauze::text
