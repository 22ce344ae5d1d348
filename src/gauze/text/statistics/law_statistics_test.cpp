#include "gauze/text/statistics/law_statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "gauze/base/parallel.h"
#include "gauze/text/mechanisms/dchi_mechanism.h"
#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text {
namespace {

using testing::random_words;
using testing::words_at;

LawOfWord law_of(const SoftmaxMechanism& mechanism) {
  return [&mechanism](std::size_t x, std::span<double> p) {
    const auto law = mechanism.law(x);
    for (std::size_t i = 0; i < law.p.size(); ++i) p[mechanism.outputs()[i]] = law.p[i];
    if (law.stays) p[x] = *law.stays;
  };
}

TEST(LawStatistics, AgreeWithTheFastOnes) {
  const WordVectors vectors = random_words(200, 4, 1.0, 8);
  std::vector<bool> sensitive(200, true);
  for (std::size_t i = 0; i < 200; i += 5) sensitive[i] = false;
  std::vector<double> prior(200, 0.004);
  prior[3] = 1 - 199 * 0.004;
  for (const int epsilon : {1, 4, 40}) {
    const auto mechanism =
        SoftmaxMechanism::make(
            WordMetric::make(vectors).value(),
            {.kind = SoftmaxKind::santext_plus, .epsilon = Rational(epsilon), .sensitive = sensitive})
            .value();
    const StatisticsOptions options{.prior = prior};
    const auto fast = word_statistics(std::span(&mechanism, 1), options).value()[0];
    const auto plain = statistics_of_laws(200, law_of(mechanism), options).value();
    EXPECT_EQ(plain.outputs, fast.outputs);
    EXPECT_EQ(plain.inputs, fast.inputs);
    EXPECT_NEAR(plain.bayes_uniform, fast.bayes_uniform, 1e-9);
    EXPECT_NEAR(*plain.bayes_prior, *fast.bayes_prior, 1e-9);
    for (std::size_t x = 0; x < 200; ++x) {
      EXPECT_NEAR(plain.distinct[x], fast.distinct[x], 1e-3);
      EXPECT_NEAR(plain.entropy[x], fast.entropy[x], 1e-7);
    }
  }
}

TEST(LawStatistics, OfDchiOnALineHaveTheClosedForm) {
  const auto mechanism = DchiMechanism::make(words_at({{0}, {2}}), Rational(1)).value();
  const auto found = statistics_of_laws(2,
                                        [&](std::size_t x, std::span<double> p) {
                                          const auto law = *mechanism.law(x);
                                          std::copy(law.begin(), law.end(), p.begin());
                                        },
                                        {})
                         .value();
  EXPECT_NEAR(found.stays[0], 1 - std::exp(-1.0) / 2, 1e-5);
  EXPECT_NEAR(found.bayes_uniform, 1 - std::exp(-1.0) / 2, 1e-5);
}

TEST(SampledStatistics, AreNearTheExactOnes) {
  // Five words on a line: 2,000 runs each. A share is off by more than 0.06 with a chance below 1e-7 (Hoeffding).
  const auto mechanism = DchiMechanism::make(words_at({{0}, {1}, {2}, {3}, {7}}), Rational(2)).value();
  const auto draw = [&](std::span<const std::uint32_t> words, SeededRandom& random, std::span<std::uint32_t> out) {
    mechanism.simulate(words, random, out);
  };
  const auto found = sample_statistics(5, 200, draw, {.eta = 0.05, .runs = 2000}, 1).value();
  ASSERT_EQ(found.words.size(), 5U);
  double mean = 0;
  for (std::size_t x = 0; x < 5; ++x) {
    const auto law = *mechanism.law(x);
    EXPECT_NEAR(found.stays[x], law[x], 0.06);
    mean += law[x] / 5;
    EXPECT_GE(found.distinct[x], found.outputs[x]);
  }
  EXPECT_LT(found.mean_stays.low, found.mean_stays.high);
}

// 40 words with known chances, 25 of them at a time: the interval holds the mean of all in most of 40 repetitions. It fails a
// correct interval (95 %, here a little less) with a chance below 1e-6 and one of half the width (67 %) in nine of ten runs.
TEST(SampledStatistics, HaveAnIntervalThatHoldsTheMean) {
  std::vector<std::vector<float>> places;
  for (int i = 0; i < 400; ++i) places.push_back({static_cast<float>(i * i % 397) / 10});
  const auto mechanism = DchiMechanism::make(words_at(places), Rational(20)).value();
  const auto draw = [&](std::span<const std::uint32_t> words, SeededRandom& random, std::span<std::uint32_t> out) {
    mechanism.simulate(words, random, out);
  };
  std::mt19937_64 random(2);
  double truth = 0;
  for (std::size_t x = 0; x < 400; ++x) truth += (*mechanism.law(x))[x] / 400;
  int held = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    std::vector<std::uint32_t> words;
    for (int i = 0; i < 60; ++i) words.push_back(static_cast<std::uint32_t>(random() % 400));
    const auto found = sample_statistics(words, draw, {.runs = 50}, seed).value();
    held += found.mean_stays.low <= truth && truth <= found.mean_stays.high ? 1 : 0;
  }
  EXPECT_GE(held, 29);
}

TEST(SampledStatistics, RepeatWithTheirSeedWhateverTheThreads) {
  const WordVectors vectors = random_words(500, 6, 1.0, 8);
  const auto mechanism = DchiMechanism::make(vectors, Rational(6)).value();
  const auto draw = [&](std::span<const std::uint32_t> words, SeededRandom& random, std::span<std::uint32_t> out) {
    mechanism.simulate(words, random, out);
  };
  const auto once = sample_statistics(500, 60, draw, {}, 3).value();
  set_thread_count(1);
  const auto again = sample_statistics(500, 60, draw, {}, 3).value();
  set_thread_count(0);
  EXPECT_EQ(once.stays, again.stays);
  EXPECT_NE(once.stays, sample_statistics(500, 60, draw, {}, 4).value().stays);
  EXPECT_EQ(once.words.size(), 60U);
  EXPECT_FALSE(sample_statistics(500, 0, draw, {}, 3));
}

}  // namespace
}  // namespace gauze::text
