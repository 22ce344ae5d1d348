#include "gauze/text/mechanisms/softmax_mechanism.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gauze/table/testing/shared_data.h"
#include "gauze/text/mechanisms/sensitive_words.h"
#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text {
namespace softmax_mechanism_test {

using testing::random_words;
using testing::words_at;

SoftmaxMechanism santext(const WordVectors& vectors, const Rational& epsilon, int granule_bits = 20) {
  return SoftmaxMechanism::make(WordMetric::make(vectors, {.granule_bits = granule_bits}).value(),
                                {.epsilon = epsilon})
      .value();
}

SoftmaxMechanism plus(const WordVectors& vectors, const Rational& epsilon, const Rational& p,
                      std::vector<bool> sensitive) {
  return SoftmaxMechanism::make(
             WordMetric::make(vectors).value(),
             {.kind = SoftmaxKind::santext_plus, .epsilon = epsilon, .p = p, .sensitive = std::move(sensitive)})
      .value();
}

SoftmaxMechanism tem(const WordVectors& vectors, const Rational& epsilon, const Rational& gamma) {
  return SoftmaxMechanism::make(WordMetric::make(vectors).value(),
                                {.kind = SoftmaxKind::tem, .epsilon = epsilon, .gamma = gamma})
      .value();
}

double sum_of(const SoftmaxMechanism::Law& law) {
  return std::accumulate(law.p.begin(), law.p.end(), law.stays.value_or(0));
}

/// max over x, x', y of ln(P[x -> y] / P[x' -> y]) - epsilon min(d_g, cap)(x, x'), on the integer weights, y drawn.
double worst_excess(const SoftmaxMechanism& mechanism) {
  const std::size_t words = mechanism.metric().vectors().size();
  std::vector<SoftmaxMechanism::Law> laws;
  for (std::size_t x = 0; x < words; ++x) laws.push_back(mechanism.law(x));
  double worst = -1e300;
  for (std::size_t a = 0; a < words; ++a) {
    for (std::size_t b = 0; b < words; ++b) {
      const double distance = mechanism.metric().granule() *
                              std::min(mechanism.metric().granules(a, b), mechanism.weights().cap_granules());
      for (std::size_t y = 0; y < laws[a].p.size(); ++y) {
        worst = std::max(worst, laws[a].log_p[y] - laws[b].log_p[y] - mechanism.epsilon().to_double() * distance);
      }
    }
  }
  return worst;
}

constexpr double kSlack = 0x1p-39;
constexpr double kRounding = 1e-13;  // of logarithms of at most 70, in doubles

TEST(Santext, HasTheClosedFormOfTwoWords) {
  for (const double distance : {0.25, 1.0, 3.0}) {
    for (const Rational& epsilon : {Rational(1, 10), Rational(2), Rational(9)}) {
      const auto mechanism = santext(words_at({{0, 0}, {0, static_cast<float>(distance)}}), epsilon);
      const double expected = 1 / (1 + std::exp(-epsilon.to_double() * distance / 2));
      EXPECT_NEAR(mechanism.law(0).p[0], expected, 1e-12);
      EXPECT_NEAR(mechanism.law(1).p[1], expected, 1e-12);
      EXPECT_NEAR(mechanism.law(1).p[0], 1 - expected, 1e-12);
    }
  }
}

TEST(Santext, HasTheClosedFormOfThreeWords) {
  const auto mechanism = santext(words_at({{0, 0}, {3, 4}, {0, 8}}), Rational(1, 2));  // distances 5, 8, 5
  const double near = std::exp(-0.25 * 5);
  const double far = std::exp(-0.25 * 8);
  const auto law = mechanism.law(0);
  EXPECT_NEAR(law.p[0], 1 / (1 + near + far), 1e-12);
  EXPECT_NEAR(law.p[1], near / (1 + near + far), 1e-12);
  EXPECT_NEAR(law.p[2], far / (1 + near + far), 1e-12);
  EXPECT_NEAR(law.log_p[2], std::log(far / (1 + near + far)), 1e-11);
  EXPECT_NEAR(mechanism.law(1).p[0], near / (1 + 2 * near), 1e-12);
}

TEST(Santext, HasTheClosedFormOfASimplex) {
  std::vector<std::vector<float>> rows(20, std::vector<float>(20));
  for (std::size_t i = 0; i < 20; ++i) rows[i][i] = 1;
  const double distance = std::ceil(std::sqrt(2.0) * 0x1p20) * 0x1p-20;
  const auto mechanism = santext(words_at(rows), 4);
  for (std::size_t x = 0; x < 20; ++x) {
    EXPECT_NEAR(mechanism.law(x).p[x], 1 / (1 + 19 * std::exp(-2 * distance)), 1e-12);
    EXPECT_NEAR(sum_of(mechanism.law(x)), 1, 1e-12);
  }
}

TEST(Santext, KeepsItsInequalityOnTheWeightsThatAreDrawnFrom) {
  // Coarse granules make rounding show: 2^-1 and 2^-2 of distances about 1. Rounding distances to nearest or down breaks
  // the inequality by up to epsilon g, and a weight that is not the ceiling by more than the slack.
  for (const int bits : {0, 1, 2, 20}) {
    for (const Rational& epsilon : {Rational(1, 100), Rational(2), Rational(30)}) {
      for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const auto mechanism = santext(random_words(25, 1 + seed, 0.7, seed), epsilon, bits);
        EXPECT_LE(worst_excess(mechanism), kSlack + kRounding);
      }
    }
  }
}

TEST(Santext, WouldBreakItsInequalityIfDistancesWereRoundedToNearest) {
  // Words at 0, 0.3, 0.6 ... and granules of 1/2: the check above must see it.
  const WordVectors vectors = words_at({{0}, {0.2F}, {0.4F}, {0.6F}, {0.8F}, {1.0F}});
  const double epsilon = 2;
  double worst = -1e300;
  const auto distance = [&](std::size_t a, std::size_t b) {
    return std::nearbyint(std::abs(0.2 * static_cast<double>(a) - 0.2 * static_cast<double>(b)) * 2) / 2;
  };
  const auto log_p = [&](std::size_t x, std::size_t y) {
    double sum = 0;
    for (std::size_t z = 0; z < 6; ++z) sum += std::exp(-epsilon * distance(x, z) / 2);
    return -epsilon * distance(x, y) / 2 - std::log(sum);
  };
  for (std::size_t a = 0; a < 6; ++a) {
    for (std::size_t b = 0; b < 6; ++b) {
      for (std::size_t y = 0; y < 6; ++y)
        worst = std::max(worst, log_p(a, y) - log_p(b, y) - epsilon * distance(a, b));
    }
  }
  EXPECT_GT(worst, 0.1);
  EXPECT_LE(worst_excess(santext(vectors, 2, 1)), kSlack + kRounding);
}

TEST(Santext, HasNoZeroAndNoInfinityAtExtremeEpsilon) {
  const WordVectors vectors = random_words(60, 10, 3.0, 9);
  for (const Rational& epsilon : {Rational(1000), Rational(1, 1'000'000)}) {
    const auto mechanism = santext(vectors, epsilon);
    EXPECT_LE(worst_excess(mechanism), kSlack + kRounding);
    for (std::size_t x = 0; x < vectors.size(); ++x) {
      const auto law = mechanism.law(x);
      EXPECT_NEAR(sum_of(law), 1, 1e-12);
      for (std::size_t y = 0; y < law.p.size(); ++y) {
        EXPECT_GT(law.p[y], 0);
        EXPECT_TRUE(std::isfinite(law.log_p[y]));
      }
    }
  }
  EXPECT_NEAR(santext(vectors, Rational(1, 1'000'000)).law(0).p[5], 1.0 / 60, 1e-5);
}

TEST(Santext, DoesNotTellWordsWithTheSameVectorApart) {
  const auto mechanism = santext(words_at({{1, 2}, {1, 2}, {4, 6}}), 1);
  EXPECT_EQ(mechanism.law(0).p, mechanism.law(1).p);
}

TEST(Santext, TakesAVocabularyOfOneWord) {
  EXPECT_EQ(santext(words_at({{1, 2}}), 1).law(0).p, std::vector<double>{1});
}

TEST(SoftmaxMechanism, HasNormalisersThatAreTheSumsOfItsRows) {
  const WordVectors vectors = random_words(700, 12, 1.0, 11);
  std::vector<bool> sensitive(700);
  for (std::size_t i = 0; i < 700; ++i) sensitive[i] = i % 3 != 0;
  for (const auto& mechanism :
       {santext(vectors, 3), plus(vectors, 3, Rational(3, 10), sensitive), tem(vectors, 3, 2)}) {
    const auto sums = mechanism.normalisers().value();
    std::size_t wrong = 0;
    for (std::size_t x = 0; x < vectors.size(); ++x) {
      Weight sum = 0;
      for (const Weight weight : mechanism.weight_row(x)) sum += weight;
      wrong += sums[x] != sum;
    }
    EXPECT_EQ(wrong, 0U) << to_string(mechanism.kind());
  }
}

TEST(SoftmaxMechanism, HasApproximateSumsThatAreClose) {
  const WordVectors vectors = random_words(700, 12, 1.0, 11);
  std::vector<bool> sensitive(700);
  for (std::size_t i = 0; i < 700; ++i) sensitive[i] = i % 3 != 0;
  for (const auto& mechanism : {santext(vectors, 3), santext(vectors, 500),
                                plus(vectors, 3, Rational(3, 10), sensitive), tem(vectors, 3, 2)}) {
    const auto sums = mechanism.approximate_sums().value();
    const auto exact = mechanism.normalisers().value();
    for (std::size_t x = 0; x < vectors.size(); ++x) {
      EXPECT_NEAR(sums.weights[x] / (to_double(exact[x]) * 0x1p-100), 1, 0x1p-38);
    }
    for (const std::size_t x : {0U, 77U, 699U}) {
      Weight sum = 0;
      double entropy = 0;
      for (const Weight weight : mechanism.weight_row(x)) sum += weight;
      for (const Weight weight : mechanism.weight_row(x)) {
        entropy -= to_double(weight) / to_double(sum) * (log_of(weight) - log_of(sum));
      }
      EXPECT_NEAR(std::log(sums.weights[x]) + sums.energies[x] / sums.weights[x], entropy, 1e-9);
    }
  }
}

TEST(SoftmaxMechanism, AgreesWithDoublesOnTheMeanChanceToStay) {
  const WordVectors vectors = random_words(400, 20, 0.5, 12);
  const auto mechanism = santext(vectors, 4);
  const auto sums = mechanism.normalisers().value();
  double mean = 0;
  double brute = 0;
  for (std::size_t x = 0; x < 400; ++x) {
    mean += 0x1p100 / to_double(sums[x]) / 400;
    double sum = 0;
    for (std::size_t y = 0; y < 400; ++y) {
      double squared = 0;
      for (std::size_t d = 0; d < 20; ++d) {
        const double difference = std::ldexp(vectors.fixed_row(x)[d], -vectors.scale_bits()) -
                                  std::ldexp(vectors.fixed_row(y)[d], -vectors.scale_bits());
        squared += difference * difference;
      }
      sum += std::exp(-2 * std::sqrt(squared));
    }
    brute += 1 / sum / 400;
  }
  EXPECT_NEAR(mean, brute, 1e-5);  // the granule moves each distance by up to 2^-20
}

TEST(Santext, HasTheKnownCliffOnGlove) {
  GAUZE_SHARED_DATA_OR_SKIP(file, "vectors/glove100_top20k.txt.gz");
  const WordVectors vectors = WordVectors::open(file, {.limit = 5000}).value();
  const std::vector<std::pair<int, double>> known = {{1, 0.006}, {2, 0.136}, {3, 0.713}, {5, 0.994}};
  for (const auto& [epsilon, expected] : known) {
    const auto sums = santext(vectors, epsilon).approximate_sums().value();
    double mean = 0;
    for (const double sum : sums.weights) mean += 1 / sum / 5000;
    EXPECT_NEAR(mean, expected, 0.0006) << epsilon;  // three decimals, computed elsewhere in double precision
  }
}

TEST(SantextPlus, ReplacesBySensitiveWordsOnlyAndLetsOthersStay) {
  const auto mechanism = plus(words_at({{0}, {1}, {2}, {3}}), 1, Rational(3, 10), {false, true, true, false});
  EXPECT_EQ(std::vector<std::uint32_t>(mechanism.outputs().begin(), mechanism.outputs().end()),
            (std::vector<std::uint32_t>{1, 2}));
  const auto open = mechanism.law(0);
  EXPECT_DOUBLE_EQ(open.stays.value(), 0.7);
  EXPECT_NEAR(open.p[0], 0.3 / (1 + std::exp(-0.5)), 1e-12);
  EXPECT_NEAR(sum_of(open), 1, 1e-12);
  const auto closed = mechanism.law(1);
  EXPECT_FALSE(closed.stays);
  EXPECT_NEAR(closed.p[0], 1 / (1 + std::exp(-0.5)), 1e-12);
}

TEST(SantextPlus, KeepsItsInequalityOnProtectedOutputs) {
  std::vector<bool> sensitive(30);
  for (std::size_t i = 0; i < 30; ++i) sensitive[i] = i % 4 != 1;
  const auto mechanism = plus(random_words(30, 3, 0.7, 13), 5, Rational(1, 5), sensitive);
  EXPECT_NEAR(mechanism.epsilon0(), std::log(5), 1e-12);
  EXPECT_GE(mechanism.epsilon0(), std::log(5.0));
  EXPECT_LE(worst_excess(mechanism), mechanism.epsilon0() + kSlack + kRounding);
  EXPECT_GT(worst_excess(mechanism), 0);  // it needs epsilon0
}

TEST(Tem, TreatsAllWordsBeyondGammaAlike) {
  const auto mechanism = tem(words_at({{0}, {1}, {5}, {9}}), 2, 2);
  const auto law = mechanism.law(0);
  const double sum = 1 + std::exp(-1) + 2 * std::exp(-2);
  EXPECT_NEAR(law.p[1], std::exp(-1) / sum, 1e-12);
  EXPECT_NEAR(law.p[2], std::exp(-2) / sum, 1e-12);
  EXPECT_EQ(law.p[2], law.p[3]);
  EXPECT_DOUBLE_EQ(mechanism.largest_distance(), 2);
  EXPECT_LE(worst_excess(mechanism), kSlack + kRounding);
  EXPECT_LE(worst_excess(tem(random_words(25, 2, 0.7, 3), 7, Rational(1, 3))), kSlack + kRounding);
}

TEST(Tem, ComputesThePublishedGammaFromBeta) {
  const WordVectors vectors = random_words(101, 5, 1.0, 1);
  const auto mechanism =
      SoftmaxMechanism::make(WordMetric::make(vectors).value(),
                             {.kind = SoftmaxKind::tem, .epsilon = Rational(4), .beta = Rational(1, 1000)})
          .value();
  const double gamma = 2.0 / 4 * std::log(0.999 * 100 / 0.001);
  EXPECT_GE(mechanism.largest_distance(), gamma);
  EXPECT_LE(mechanism.largest_distance(), gamma + 0x1p-20);
  const auto one = SoftmaxMechanism::make(WordMetric::make(words_at({{1}})).value(),
                                          {.kind = SoftmaxKind::tem, .epsilon = Rational(4), .beta = Rational(1, 2)});
  EXPECT_EQ(one->law(0).p, std::vector<double>{1});
}

TEST(SoftmaxMechanism, RefusesParametersThatCannotBe) {
  const auto refused = [](const SoftmaxMechanism::Options& options) {
    const auto mechanism = SoftmaxMechanism::make(WordMetric::make(words_at({{0}, {1}})).value(), options);
    return !mechanism && mechanism.error().code == ErrorCode::invalid_parameter;
  };
  EXPECT_TRUE(refused({.epsilon = Rational(0)}));
  EXPECT_TRUE(refused({.epsilon = Rational(-1)}));
  EXPECT_TRUE(refused({.epsilon = Rational(1), .gamma = Rational(1)}));
  EXPECT_TRUE(refused({.kind = SoftmaxKind::tem, .epsilon = Rational(1)}));
  EXPECT_TRUE(
      refused({.kind = SoftmaxKind::tem, .epsilon = Rational(1), .gamma = Rational(1), .beta = Rational(1, 2)}));
  EXPECT_TRUE(refused({.kind = SoftmaxKind::tem, .epsilon = Rational(1), .gamma = Rational(0)}));
  EXPECT_TRUE(refused({.kind = SoftmaxKind::tem, .epsilon = Rational(1), .beta = Rational(1)}));
  EXPECT_TRUE(refused({.kind = SoftmaxKind::santext_plus, .epsilon = Rational(1)}));
  EXPECT_TRUE(refused({.kind = SoftmaxKind::santext_plus, .epsilon = Rational(1), .sensitive = {false, false}}));
  EXPECT_TRUE(
      refused({.kind = SoftmaxKind::santext_plus, .epsilon = Rational(1), .p = 0, .sensitive = {true, false}}));
  EXPECT_TRUE(
      refused({.kind = SoftmaxKind::santext_plus, .epsilon = Rational(1), .p = 2, .sensitive = {true, false}}));
  EXPECT_TRUE(refused({.epsilon = Rational(1), .sensitive = {true, false}}));
}

Result<WordFrequencies> frequencies(const std::string& text, const WordVectors& vectors) {
  return WordFrequencies::read(std::make_unique<TextSource>(text), "f.txt", vectors);
}

TEST(WordFrequencies, MarkTheLeastFrequentShareExactly) {
  const WordVectors vectors = words_at(std::vector<std::vector<float>>(10, {1.0F}));
  const auto counts = frequencies("w3 7\nw0\t5\n\nother 100\nw3 1\r\nw9 5\n", vectors).value();
  EXPECT_EQ(counts.counts(), (std::vector<std::uint64_t>{5, 0, 0, 8, 0, 0, 0, 0, 0, 5}));
  EXPECT_EQ(counts.others(), 100U);
  const auto nine = counts.least_frequent(Rational::parse("0.9").value()).value();
  EXPECT_EQ(std::count(nine.begin(), nine.end(), true), 9);  // not ten, as binary fractions would have it
  EXPECT_FALSE(nine[3]);
  const auto eight = counts.least_frequent(Rational::parse("0.75").value()).value();  // 7.5: eight
  EXPECT_EQ(std::count(eight.begin(), eight.end(), true), 8);
  EXPECT_FALSE(eight[0]);  // as frequent as w9, and earlier
  EXPECT_TRUE(eight[9]);
  const auto one = counts.least_frequent(Rational(1, 100)).value();
  EXPECT_TRUE(one[8]);  // the last of those that are absent
  EXPECT_EQ(std::count(one.begin(), one.end(), true), 1);
  EXPECT_NEAR(counts.expected_pass_through(nine, Rational(3, 10)), 0.7 * 8 / 18, 1e-12);
}

TEST(WordFrequencies, RefuseDamageWithTheLine) {
  const WordVectors vectors = words_at({{1.0F}});
  for (const std::string text : {"w0 5\nw1\n", "w0 5\nw1 x\n", "w0 5\nw1 -3\n", "w0 5\n\xFF 3\n"}) {
    const auto counts = frequencies(text, vectors);
    ASSERT_FALSE(counts) << text;
    EXPECT_NE(counts.error().message.find("line 2"), std::string::npos);
  }
  EXPECT_FALSE(frequencies("", vectors));
  EXPECT_FALSE(frequencies("w0 1\n", vectors)->least_frequent(0));
  EXPECT_FALSE(frequencies("w0 1\n", vectors)->least_frequent(2));
}

}  // namespace softmax_mechanism_test
}  // namespace gauze::text
