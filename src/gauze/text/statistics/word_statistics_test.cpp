#include "gauze/text/statistics/word_statistics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gauze/base/parallel.h"
#include "gauze/base/testing/watched.h"
#include "gauze/table/testing/shared_data.h"
#include "gauze/text/statistics/internal/kept_pairs.h"
#include "gauze/text/statistics/internal/normaliser_bounds.h"
#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text {
namespace word_statistics_test {

using testing::random_words;
using testing::words_at;

SoftmaxMechanism make(const WordVectors& vectors, SoftmaxMechanism::Options options) {
  return SoftmaxMechanism::make(WordMetric::make(vectors).value(), options).value();
}

/// From the law of every word, by the definitions.
WordStatistics by_definition(const SoftmaxMechanism& mechanism, const StatisticsOptions& options) {
  const std::size_t words = mechanism.metric().vectors().size();
  WordStatistics result;
  result.inputs.resize(words);
  std::vector<double> best_even(words);
  std::vector<double> best_prior(words);
  for (std::size_t x = 0; x < words; ++x) {
    std::vector<double> p(words);
    const auto law = mechanism.law(x);
    for (std::size_t i = 0; i < law.p.size(); ++i) p[mechanism.outputs()[i]] = law.p[i];
    if (law.stays) p[x] = *law.stays;
    result.stays.push_back(p[x]);
    result.outputs.push_back(0);
    result.distinct.push_back(0);
    result.entropy.push_back(0);
    for (std::size_t y = 0; y < words; ++y) {
      result.outputs[x] += p[y] >= options.eta ? 1 : 0;
      result.inputs[y] += p[y] >= options.eta ? 1 : 0;
      result.distinct[x] += 1 - std::pow(1 - p[y], static_cast<double>(options.runs));
      if (p[y] > 0) result.entropy[x] -= p[y] * std::log2(p[y]);
      best_even[y] = std::max(best_even[y], p[y] / static_cast<double>(words));
      if (!options.prior.empty()) best_prior[y] = std::max(best_prior[y], p[y] * options.prior[x]);
    }
  }
  for (const double p : best_even) result.bayes_uniform += p;
  double success = 0;
  for (const double p : best_prior) success += p;
  if (!options.prior.empty()) result.bayes_prior = success;
  return result;
}

void expect_equal(const WordStatistics& found, const WordStatistics& expected, const std::string& what) {
  EXPECT_NEAR(found.bayes_uniform / expected.bayes_uniform, 1, 1e-9) << what;
  ASSERT_EQ(found.bayes_prior.has_value(), expected.bayes_prior.has_value());
  if (found.bayes_prior) {
    EXPECT_NEAR(*found.bayes_prior / *expected.bayes_prior, 1, 1e-9) << what;
  }
  EXPECT_EQ(found.outputs, expected.outputs) << what;
  EXPECT_EQ(found.inputs, expected.inputs) << what;
  for (std::size_t x = 0; x < expected.stays.size(); ++x) {
    ASSERT_NEAR(found.stays[x] / expected.stays[x], 1, 1e-9) << what;
    ASSERT_NEAR(found.distinct[x] / expected.distinct[x], 1, 1e-5) << what << " word " << x;
    ASSERT_NEAR(found.entropy[x], expected.entropy[x], 1e-8) << what;
  }
}

/// A prior that falls like 1 / rank, with words that never occur.
std::vector<double> zipf(std::size_t words) {
  std::vector<double> prior(words);
  double sum = 0;
  for (std::size_t i = 0; i < words; ++i)
    sum += prior[i] = i % 17 == 3 ? 0 : 1 / static_cast<double>(1 + i * 7 % words);
  for (double& p : prior) p /= sum;
  return prior;
}

TEST(WordStatistics, AreTheirDefinitionsForEveryMechanismAndEpsilon) {
  const WordVectors vectors = random_words(600, 8, 1.0, 5);
  std::vector<bool> sensitive(600);
  for (std::size_t i = 0; i < 600; ++i) sensitive[i] = i % 4 != 1;
  const std::vector<double> prior = zipf(600);
  for (const double epsilon : {1e-6, 0.1, 1.0, 3.0, 8.0, 30.0, 1000.0}) {
    for (const std::uint64_t runs : {1U, 100U, 5000U}) {
      if (is_watched() && runs != 100) continue;
      const StatisticsOptions options{.eta = runs == 100 ? 0.01 : 0.002, .runs = runs, .prior = prior};
      const std::vector<std::pair<std::string, SoftmaxMechanism::Options>> kinds = {
          {"santext", {.epsilon = Rational(epsilon)}},
          {"tem", {.kind = SoftmaxKind::tem, .epsilon = Rational(epsilon), .gamma = Rational(2)}},
          {"santext+",
           {.kind = SoftmaxKind::santext_plus,
            .epsilon = Rational(epsilon),
            .p = Rational(3, 10),
            .sensitive = sensitive}}};
      for (const auto& [name, kind] : kinds) {
        const SoftmaxMechanism mechanism = make(vectors, kind);
        const auto found = word_statistics(std::span(&mechanism, 1), options).value();
        expect_equal(found[0], by_definition(mechanism, options),
                     name + " " + std::to_string(epsilon) + " " + std::to_string(runs));
      }
    }
  }
}

/// 600 random words with forty twins among those that a guess from 256 of 600, or of the first 512, does not see: their
/// sums are far above what it expects.
WordVectors words_with_twins() {
  std::vector<bool> seen(600);
  for (std::size_t i = 0; i < 256; ++i) seen[i * 600 / 256] = seen[i * 2] = true;
  std::vector<std::vector<float>> places;
  const WordVectors others = random_words(600, 6, 1.0, 9);
  std::size_t twins = 0;
  for (std::size_t i = 0; i < others.size(); ++i) {
    std::vector<float> place(6);
    others.copy_floats(!seen[i] && twins++ < 40 ? 5 : i, 1, place.data());
    places.push_back(place);
  }
  return words_at(places);
}

TEST(WordStatistics, AreTheirDefinitionsWhereSumsWereGuessedWrong) {
  const WordVectors vectors = words_with_twins();
  const std::vector<double> prior = zipf(vectors.size());
  std::vector<bool> sensitive(vectors.size(), true);
  for (std::size_t i = 512; i < sensitive.size(); ++i) sensitive[i] = false;
  const SoftmaxMechanism mechanisms[] = {
      make(vectors, {.epsilon = Rational(8)}),
      make(vectors, {.kind = SoftmaxKind::santext_plus, .epsilon = Rational(8), .sensitive = sensitive})};
  const StatisticsOptions options{.prior = prior};
  for (const SoftmaxMechanism& mechanism : mechanisms) {
    const auto bounds = internal::guess_normalisers(std::span(&mechanism, 1)).value();
    EXPECT_FALSE(bounds[0].hold(mechanism.approximate_sums().value().weights)) << "nothing is tested";
    const auto found = word_statistics(std::span(&mechanism, 1), options).value();
    expect_equal(found[0], by_definition(mechanism, options), std::string(to_string(mechanism.kind())));
  }
}

// Else statistics are right, but take twice the time.
TEST(WordStatistics, GuessSumsRightOnGlove) {
  GAUZE_SHARED_DATA_OR_SKIP(file, "vectors/glove100_top20k.txt.gz");
  const WordVectors vectors = WordVectors::open(file, {.limit = 4000}).value();
  std::vector<SoftmaxMechanism> curve;
  for (const double epsilon : {0.01, 0.5, 1.0, 2.0, 3.0, 5.0, 20.0})
    curve.push_back(make(vectors, {.epsilon = Rational(epsilon)}));
  const auto bounds = internal::guess_normalisers(curve).value();
  const auto sums = SoftmaxMechanism::approximate_sums(curve).value();
  for (std::size_t i = 0; i < curve.size(); ++i)
    EXPECT_TRUE(bounds[i].hold(sums[i].weights)) << curve[i].epsilon().to_decimal();
}

TEST(KeptPairs, GiveUpAllOrNothingAndReturnTheirRoom) {
  std::atomic<std::int64_t> room = 5;
  internal::KeptPairs many(room);
  internal::KeptPairs few(room);
  const internal::FoundPairs two{0, 0, {{0, 1, 10}, {0, 2, 20}}};
  few.keep(two);
  many.keep(two);
  many.keep({});
  EXPECT_EQ(room, 1);
  EXPECT_EQ(many.tiles().size(), 1U);
  many.keep(two);
  EXPECT_TRUE(many.gave_up());
  EXPECT_TRUE(many.tiles().empty());
  EXPECT_EQ(room, 3);
  few.keep({0, 0, {{3, 4, 30}}});
  EXPECT_FALSE(few.gave_up());
  EXPECT_EQ(few.tiles().size(), 2U);
}

// Three tenths shared by three words is a tenth each, though not in doubles.
TEST(WordStatistics, CountChancesThatAreExactlyEta) {
  const WordVectors vectors = words_at({{0}, {0}, {0}, {0}});
  const auto mechanism = make(vectors, {.kind = SoftmaxKind::santext_plus,
                                        .epsilon = Rational(1),
                                        .p = Rational(3, 10),
                                        .sensitive = {true, true, true, false}});
  EXPECT_EQ(word_statistics(std::span(&mechanism, 1), {.eta = 0.1}).value()[0].outputs[3], 4U);
}

TEST(WordStatistics, OfACurveAreThoseOfItsPointsWhateverTheThreads) {
  const WordVectors vectors = random_words(700, 5, 1.0, 6);
  std::vector<SoftmaxMechanism> curve;
  for (const int epsilon : {1, 2, 4, 8}) curve.push_back(make(vectors, {.epsilon = Rational(epsilon)}));
  const auto together = word_statistics(curve, {}).value();
  set_thread_count(1);
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const auto alone = word_statistics(std::span(&curve[i], 1), {}).value();
    EXPECT_EQ(alone[0].distinct, together[i].distinct);
    EXPECT_EQ(alone[0].stays, together[i].stays);
    EXPECT_EQ(alone[0].bayes_uniform, together[i].bayes_uniform);
  }
  set_thread_count(0);
}

TEST(WordStatistics, OfTwoWordsHaveClosedForms) {
  const auto mechanism = make(words_at({{0}, {3}}), {.epsilon = Rational(2)});
  const auto found = word_statistics(std::span(&mechanism, 1), {.eta = 0.04, .runs = 2}).value()[0];
  const double stays = 1 / (1 + std::exp(-3.0));
  EXPECT_NEAR(found.stays[0], stays, 1e-6);
  EXPECT_EQ(found.outputs[1], 2U) << "1 - stays is 0.047";
  EXPECT_NEAR(found.distinct[0], 1 + 2 * stays * (1 - stays), 1e-6);
  EXPECT_NEAR(found.bayes_uniform, stays, 1e-6);
  EXPECT_NEAR(found.entropy[0], -stays * std::log2(stays) - (1 - stays) * std::log2(1 - stays), 1e-5);
}

// All words as far from each other as any: every word has the same law.
TEST(WordStatistics, OfASimplexAreTheSameForAllWords) {
  std::vector<std::vector<float>> places(40, std::vector<float>(40, 0.0F));
  for (std::size_t i = 0; i < 40; ++i) places[i][i] = 2;
  const auto mechanism = make(words_at(places), {.epsilon = Rational(3)});
  const auto found = word_statistics(std::span(&mechanism, 1), {}).value()[0];
  const double other = std::exp(-1.5 * std::sqrt(8.0));
  const double stays = 1 / (1 + 39 * other);
  for (std::size_t x = 0; x < 40; ++x) {
    EXPECT_NEAR(found.stays[x], stays, 1e-5);
    EXPECT_EQ(found.outputs[x], stays * other >= 0.01 ? 40U : 1U);
    EXPECT_EQ(found.outputs[x], found.inputs[x]);
  }
  EXPECT_NEAR(found.bayes_uniform, stays, 1e-5);
}

TEST(WordStatistics, OfOneWordAndOfEqualVectors) {
  const auto one = make(words_at({{1, 2}}), {.epsilon = Rational(1)});
  const auto alone = word_statistics(std::span(&one, 1), {}).value()[0];
  EXPECT_EQ(alone.stays[0], 1);
  EXPECT_EQ(alone.distinct[0], 1);
  EXPECT_EQ(alone.entropy[0], 0);
  EXPECT_EQ(alone.bayes_uniform, 1);
  const auto twins = make(words_at({{1, 2}, {1, 2}, {1, 2}}), {.epsilon = Rational(1000)});
  const auto found = word_statistics(std::span(&twins, 1), {}).value()[0];
  EXPECT_NEAR(found.stays[2], 1.0 / 3, 1e-12);
  EXPECT_NEAR(found.bayes_uniform, 1.0 / 3, 1e-12);
}

TEST(WordStatistics, RefuseAbsurdOptions) {
  const auto mechanism = make(words_at({{0}, {3}}), {.epsilon = Rational(2)});
  for (const double eta : {0.0, -1.0, 1.5, std::nan("")})
    EXPECT_FALSE(word_statistics(std::span(&mechanism, 1), {.eta = eta}));
  EXPECT_FALSE(word_statistics(std::span(&mechanism, 1), {.runs = 0}));
  EXPECT_FALSE(word_statistics(std::span(&mechanism, 1), {.runs = 200'000}));
}

TEST(WordStatistics, FollowTheSeedsTrendsOnGlove) {
  GAUZE_SHARED_DATA_OR_SKIP(file, "vectors/glove100_top20k.txt.gz");
  const WordVectors vectors = WordVectors::open(file, {.limit = 3000}).value();
  std::vector<SoftmaxMechanism> curve;
  for (const int epsilon : {1, 2, 3, 5}) curve.push_back(make(vectors, {.epsilon = Rational(epsilon)}));
  const auto found = word_statistics(curve, {.eta = 0.001}).value();
  for (std::size_t i = 1; i < found.size(); ++i) {
    EXPECT_GT(spread_of(found[i].stays).mean, spread_of(found[i - 1].stays).mean);
    EXPECT_LT(spread_of(found[i].distinct).mean, spread_of(found[i - 1].distinct).mean);
    EXPECT_GT(found[i].bayes_uniform, found[i - 1].bayes_uniform);
  }
  EXPECT_LT(spread_of(found[3].outputs).mean, spread_of(found[1].outputs).mean);
  EXPECT_LT(spread_of(found[3].inputs).mean, spread_of(found[1].inputs).mean);
}

TEST(Spread, InterpolatesQuantiles) {
  const std::vector<double> values = {4, 1, 3, 2, 0};
  const Spread spread = spread_of(values);
  EXPECT_EQ(spread.mean, 2);
  EXPECT_EQ(spread.q50, 2);
  EXPECT_NEAR(spread.q05, 0.2, 1e-12);
  EXPECT_NEAR(spread.q95, 3.8, 1e-12);
  EXPECT_EQ(quantile_of(values, 1), 4);
}

}  // namespace word_statistics_test
}  // namespace gauze::text
