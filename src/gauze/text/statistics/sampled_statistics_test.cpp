#include "gauze/text/statistics/sampled_statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

#include "gauze/base/parallel.h"
#include "gauze/base/testing/watched.h"
#include "gauze/text/mechanisms/dchi_mechanism.h"
#include "gauze/text/statistics/law_statistics.h"
#include "gauze/text/testing/attack_checks.h"

namespace gauze::text {
namespace sampled_statistics_test {

using testing::random_prior;
using testing::random_words;
using testing::words_at;

DrawWords draws_of(const DchiMechanism& mechanism) {
  return [&mechanism](std::span<const std::uint32_t> words, SeededRandom& random, std::span<std::uint32_t> out) {
    mechanism.simulate(words, random, out);
  };
}

/// Of a mechanism with a closed law.
WordStatistics exact_statistics(const DchiMechanism& mechanism, const StatisticsOptions& options) {
  return statistics_of_laws(
             mechanism.vectors().size(),
             [&](std::size_t x, std::span<double> p) {
               const auto law = *mechanism.law(x);
               std::copy(law.begin(), law.end(), p.begin());
             },
             options)
      .value();
}

SampledStatistics sample_all(const DchiMechanism& mechanism, const SamplingOptions& options) {
  const std::size_t words = mechanism.vectors().size();
  return sample_statistics(words, spread_words(words, words, 1), draws_of(mechanism), options).value();
}

/// A mechanism whose draws are given: outputs[x] one after the other.
DrawWords scripted(std::vector<std::vector<std::uint32_t>> outputs) {
  return [outputs = std::move(outputs)](std::span<const std::uint32_t> words, SeededRandom&,
                                        std::span<std::uint32_t> out) {
    std::vector<std::size_t> next(outputs.size());
    for (std::size_t i = 0; i < words.size(); ++i) out[i] = outputs[words[i]][next[words[i]]++];
  };
}

DchiMechanism words_on_a_line() {
  std::vector<std::vector<float>> places;
  for (int i = 0; i < 40; ++i) places.push_back({static_cast<float>(i * i % 37) / 10});
  return DchiMechanism::make(words_at(places), Rational(6)).value();
}

/// How often the intervals of repeated samples held the exact figures.
struct Held {
  int stays = 0, outputs = 0, distinct = 0, entropy = 0, uniform = 0, prior = 0;
  void count(const SampledStatistics& found, const WordStatistics& exact) {
    const auto in = [](const auto& interval, double truth) {
      return interval.low <= truth && truth <= interval.high ? 1 : 0;
    };
    stays += in(found.mean_stays, spread_of(exact.stays).mean);
    outputs += in(found.mean_outputs, spread_of(exact.outputs).mean);
    distinct += in(found.mean_distinct, spread_of(exact.distinct).mean);
    entropy += in(found.mean_entropy, spread_of(exact.entropy).mean);
    if (found.bayes_uniform) uniform += in(*found.bayes_uniform, exact.bayes_uniform);
    if (found.bayes_prior) prior += in(*found.bayes_prior, *exact.bayes_prior);
  }
};

// 100 samples: an interval that holds the truth 95 % of the time fails here with a chance of 4e-9 a figure; one of half the
// width (67 %) fails in 99 of 100 runs. (Those of outputs, entropy and guesses are wider: they hold what is off on average.)
constexpr int kSamples = 100;
constexpr int kEnough = 79;

TEST(SampledStatistics, OfAllWordsHoldTheExactFigures) {
  const auto mechanisms = {words_on_a_line(),
                           DchiMechanism::make(words_at({{0, 0, 0}, {1, 0.5, 0}}), Rational(2)).value()};
  for (const DchiMechanism& mechanism : mechanisms) {
    const std::size_t words = mechanism.vectors().size();
    const std::vector<double> prior = random_prior(words, 5);
    SamplingOptions options{.figures = {.eta = 0.05, .runs = 30, .prior = prior}, .draws = 200};
    const WordStatistics exact = exact_statistics(mechanism, options.figures);
    Held held;
    for (options.seed = 0; options.seed < kSamples; ++options.seed) held.count(sample_all(mechanism, options), exact);
    EXPECT_GE(held.stays, kEnough) << words;
    EXPECT_GE(held.outputs, kEnough) << words;
    EXPECT_GE(held.distinct, kEnough) << words;
    EXPECT_GE(held.entropy, kEnough) << words;
    EXPECT_GE(held.uniform, kEnough) << words;
    EXPECT_GE(held.prior, kEnough) << words;
  }
}

TEST(SampledStatistics, OfSomeWordsHoldTheExactFigures) {
  const DchiMechanism mechanism = words_on_a_line();
  SamplingOptions options{.figures = {.eta = 0.05, .runs = 30}, .draws = 200};
  const WordStatistics exact = exact_statistics(mechanism, options.figures);
  std::mt19937_64 random(2);
  std::vector<std::uint32_t> words(40);
  std::iota(words.begin(), words.end(), 0U);
  Held held;
  for (options.seed = 0; options.seed < kSamples; ++options.seed) {
    std::shuffle(words.begin(), words.end(), random);
    const std::vector<std::uint32_t> some(words.begin(), words.begin() + 25);
    held.count(sample_statistics(40, some, draws_of(mechanism), options).value(), exact);
  }
  EXPECT_GE(held.stays, kEnough);
  EXPECT_GE(held.outputs, kEnough);
  EXPECT_GE(held.distinct, kEnough);
  EXPECT_GE(held.entropy, kEnough);
}

// The mean of 400 samples is off by more than 6 of its standard errors with a chance below 1e-8; these are below 0.02, and
// counting what all draws show would be off by more than 1 at 60 draws.
TEST(SampledStatistics, CountDifferentOutputsWithoutBias) {
  if (is_watched()) GTEST_SKIP() << "of figures, not of memory";
  const DchiMechanism mechanism = words_on_a_line();
  for (const std::uint64_t draws : {30, 31, 60}) {
    SamplingOptions options{.figures = {.runs = 30}, .draws = draws};
    double sum = 0;
    double squares = 0;
    for (options.seed = 0; options.seed < 400; ++options.seed) {
      const double mean = spread_of(sample_all(mechanism, options).distinct).mean;
      sum += mean;
      squares += mean * mean;
    }
    const double error = std::sqrt((squares - sum * sum / 400) / 399 / 400);
    EXPECT_LT(error, 0.02);
    EXPECT_NEAR(sum / 400, spread_of(exact_statistics(mechanism, options.figures).distinct).mean, 6 * error) << draws;
  }
}

TEST(SampledStatistics, CountDifferentOutputsInSomeOfTheDraws) {
  const DrawWords draw = scripted({{0, 1, 2, 0}, {1, 1, 1, 1}, {2, 1, 0, 1}});
  const SamplingOptions two{.figures = {.eta = 0.3, .runs = 2}, .draws = 4};
  const auto found = sample_statistics(3, {0, 1, 2}, draw, two).value();
  // Of six pairs of draws of w0 one is (0, 0): (1 + 5 x 2) / 6.
  EXPECT_NEAR(found.distinct[0], 11.0 / 6, 1e-12);
  EXPECT_NEAR(found.distinct[1], 1, 1e-12);
  EXPECT_NEAR(found.stays[0], 0.5, 1e-12);
  EXPECT_EQ(found.outputs, (std::vector<std::uint32_t>{1, 1, 1}));
  EXPECT_EQ(*found.inputs, (std::vector<std::uint32_t>{1, 2, 0}));
  const SamplingOptions all{.figures = {.runs = 4}, .draws = 4};
  EXPECT_NEAR(sample_statistics(3, {0, 1, 2}, draw, all).value().distinct[0], 3, 1e-12) << "all that were seen";
  const SamplingOptions one{.figures = {.runs = 1}, .draws = 4};
  EXPECT_NEAR(sample_statistics(3, {0, 1, 2}, draw, one).value().distinct[2], 1, 1e-12);
}

TEST(SampledStatistics, CorrectTheEntropyOfFewDraws) {
  // 1,000 equally likely outputs, 100 draws: all shares together have fewer than 6.7 bits, the truth is 9.97.
  const DrawWords even = [](std::span<const std::uint32_t> words, SeededRandom& random,
                            std::span<std::uint32_t> out) {
    for (std::size_t i = 0; i < words.size(); ++i) out[i] = static_cast<std::uint32_t>(random.next() % 1000);
  };
  const auto found = sample_statistics(1000, spread_words(1000, 50, 1), even, {.draws = 100}).value();
  const double mean = spread_of(found.entropy).mean;
  EXPECT_GT(mean, std::log2(100.0)) << "more than the shares can have";
  EXPECT_LE(found.mean_entropy.low, std::log2(100.0));
  EXPECT_LE(mean, found.mean_entropy.high);
  EXPECT_NEAR(found.mean_entropy.high, std::log2(1000.0), 0.3);
  EXPECT_LE(found.mean_entropy.high, std::log2(1000.0));
}

TEST(SampledStatistics, LearnGuessesOnOneHalfAndTestThemOnTheOther) {
  // Learnt from the first halves: what is read. From the second, where both words came once each: always w0.
  const DrawWords draw = scripted({{0, 0, 0, 1}, {1, 1, 1, 0}});
  const auto found = sample_statistics(2, {0, 1}, draw, {.figures = {.runs = 1}, .draws = 4}).value();
  EXPECT_NEAR(found.bayes_uniform->success, (3 + 1) / 8.0, 1e-12);
  EXPECT_NEAR(found.bayes_uniform->low, 0.5 - 1.959964 * std::sqrt(0.5 / 8), 1e-9);
  EXPECT_EQ(found.bayes_uniform->high, 1) << "6 of 8 on the draws themselves, and a large error";
  EXPECT_FALSE(found.bayes_prior);
}

TEST(SampledStatistics, GuessTheUsualWordForWhatWasNotLearnt) {
  const std::vector<double> prior = {0.2, 0.8};
  const DrawWords draw = scripted({{0, 0}, {0, 1}});
  const auto found = sample_statistics(2, {0, 1}, draw, {.figures = {.runs = 1, .prior = prior}, .draws = 2}).value();
  // First halves: w1 for 0, and for 1, which did not come; right for w1 alone. Second halves: w0 for 0; right for w0.
  EXPECT_NEAR(found.bayes_prior->success, (0.8 + 0.2) / 2, 1e-12);
}

TEST(SampledStatistics, HaveTheSuccessOfGuessesInOrder) {
  for (const int epsilon : {1, 5, 40}) {
    const auto mechanism = DchiMechanism::make(random_words(50, 4, 1.0, 3), Rational(epsilon)).value();
    const auto found = sample_all(mechanism, {.figures = {.runs = 5}, .draws = 21});
    EXPECT_LE(found.bayes_uniform->low, found.bayes_uniform->success);
    EXPECT_LE(found.bayes_uniform->success, found.bayes_uniform->high);
    EXPECT_LE(spread_of(found.stays).mean, found.bayes_uniform->high) << "the printed word is a guess";
  }
}

TEST(SampledStatistics, CountTheSamePairsFromBothSides) {
  const auto mechanism = DchiMechanism::make(random_words(60, 3, 1.0, 4), Rational(3)).value();
  const auto all = sample_all(mechanism, {.draws = 100});
  ASSERT_TRUE(all.inputs);
  EXPECT_EQ(std::accumulate(all.inputs->begin(), all.inputs->end(), 0U),
            std::accumulate(all.outputs.begin(), all.outputs.end(), 0U));
  EXPECT_NE(*all.inputs, all.outputs);
  EXPECT_EQ(all.mean_inputs.low, all.mean_outputs.low);
  const auto some = sample_statistics(60, spread_words(60, 59, 1), draws_of(mechanism), {.draws = 100}).value();
  EXPECT_FALSE(some.inputs);
  EXPECT_FALSE(some.bayes_uniform);
  EXPECT_TRUE(std::isnan(some.mean_inputs.sd));
}

TEST(SampledStatistics, AreNarrowWithManyDraws) {
  if (is_watched()) GTEST_SKIP() << "of figures, not of memory";
  const DchiMechanism mechanism = words_on_a_line();
  const auto few = sample_all(mechanism, {.figures = {.eta = 0.05}, .draws = 200});
  const auto many = sample_all(mechanism, {.figures = {.eta = 0.05}, .draws = 20'000});
  const auto narrower = [](const auto& wide, const auto& narrow) {
    return (wide.high - wide.low) / (narrow.high - narrow.low);
  };
  EXPECT_GT(narrower(few.mean_stays, many.mean_stays), 8);
  EXPECT_GT(narrower(few.mean_outputs, many.mean_outputs), 8);
  EXPECT_GT(narrower(few.mean_distinct, many.mean_distinct), 8);
  EXPECT_GT(narrower(few.mean_entropy, many.mean_entropy), 8);
  EXPECT_GT(narrower(*few.bayes_uniform, *many.bayes_uniform), 8);
}

TEST(SampledStatistics, OfOneWordSayNothingOfTheOthers) {
  const auto mechanism = DchiMechanism::make(random_words(60, 3, 1.0, 4), Rational(3)).value();
  const auto found = sample_statistics(60, {7}, draws_of(mechanism), {.draws = 100}).value();
  EXPECT_EQ(found.mean_stays.low, 0);
  EXPECT_EQ(found.mean_stays.high, 1);
  EXPECT_EQ(found.mean_outputs.high, 60);
  EXPECT_EQ(found.mean_distinct.low, 1);
  EXPECT_EQ(found.mean_entropy.high, std::log2(60.0));
}

TEST(SampledStatistics, HaveAWidthWhereEveryDrawStays) {
  const auto mechanism = DchiMechanism::make(words_at({{0, 0}, {9, 0}, {0, 9}}), Rational(100)).value();
  const auto found = sample_all(mechanism, {.draws = 100});
  EXPECT_EQ(spread_of(found.stays).mean, 1);
  EXPECT_LT(found.mean_stays.low, 1);
  EXPECT_GT(found.mean_stays.low, 0.98);
  EXPECT_LT(found.bayes_uniform->low, 1);
}

TEST(SampledStatistics, RepeatWithTheirSeedWhateverTheThreads) {
  const auto mechanism = DchiMechanism::make(random_words(120, 6, 1.0, 8), Rational(6)).value();
  const std::vector<double> prior = random_prior(120, 6);
  const SamplingOptions options{.figures = {.prior = prior}, .draws = 150, .seed = 3};
  const auto once = sample_all(mechanism, options);
  set_thread_count(1);
  const auto again = sample_all(mechanism, options);
  set_thread_count(0);
  EXPECT_EQ(once.stays, again.stays);
  EXPECT_EQ(once.entropy, again.entropy);
  EXPECT_EQ(once.inputs, again.inputs);
  EXPECT_EQ(once.bayes_uniform->success, again.bayes_uniform->success);
  EXPECT_EQ(once.bayes_prior->high, again.bayes_prior->high);
  SamplingOptions other = options;
  other.seed = 4;
  EXPECT_NE(once.stays, sample_all(mechanism, other).stays);
}

TEST(SampledStatistics, RefuseWhatCannotBe) {
  const DrawWords draw = scripted({{0}});
  const auto error = [&](std::vector<std::uint32_t> words, const SamplingOptions& options) {
    const auto found = sample_statistics(60, std::move(words), draw, options);
    EXPECT_FALSE(found);
    return found ? std::string() : found.error().message;
  };
  EXPECT_THAT(error({}, {}), ::testing::HasSubstr("at least one"));
  EXPECT_THAT(error({1}, {.draws = 99}), ::testing::HasSubstr("from 100"));
  EXPECT_THAT(error({1}, {.figures = {.runs = 1}, .draws = 1}), ::testing::HasSubstr("from 2"));
  EXPECT_THAT(error({1}, {.draws = SamplingOptions::kMostDraws + 1}), ::testing::HasSubstr("draws must be"));
  EXPECT_THAT(error(spread_words(60, 60, 1), {.draws = SamplingOptions::kMostDraws}),
              ::testing::HasSubstr("lower the number of words, or of draws"));
  EXPECT_FALSE(error({1}, {.figures = {.eta = 0}}).empty());
  Progress progress;
  progress.request_stop();
  EXPECT_EQ(sample_statistics(1, {0}, draw, {}, &progress).error().code, ErrorCode::interrupted);
}

// A few rare outputs, which most samples do not show: an interval that knows only what came has no width then.
TEST(SampledStatistics, HaveRoomForOutputsThatNeverCame) {
  for (const double rare : {0.0008, 0.0002, 0.01}) {
    for (const std::uint64_t draws : {2, 10, 100, 1000}) {
      const DrawWords draw = [rare](std::span<const std::uint32_t> words, SeededRandom& random,
                                    std::span<std::uint32_t> out) {
        for (std::size_t i = 0; i < words.size(); ++i) {
          const double u = std::ldexp(static_cast<double>(random.next() >> 11), -53);
          out[i] = u >= rare ? words[i] : (words[i] + (u < rare / 2 ? 1 : 2)) % 3;
        }
      };
      SamplingOptions options{.figures = {.runs = std::min<std::uint64_t>(draws, 100)}, .draws = draws};
      const auto law = [rare](std::size_t x, std::span<double> p) {
        std::fill(p.begin(), p.end(), rare / 2);
        p[x] = 1 - rare;
      };
      const WordStatistics exact = statistics_of_laws(3, law, options.figures).value();
      Held held;
      for (options.seed = 0; options.seed < kSamples; ++options.seed)
        held.count(sample_statistics(3, {0, 1, 2}, draw, options).value(), exact);
      EXPECT_GE(held.distinct, kEnough) << rare << " " << draws;
      EXPECT_GE(held.entropy, kEnough) << rare << " " << draws;
      EXPECT_GE(held.uniform, kEnough) << rare << " " << draws;
    }
  }
}

// Two words in a hundred never stay, all others always: most samples of fifty do not have one of them or have only one.
TEST(SampledStatistics, OfSomeWordsHaveRoomForRareOnesThatWereNotLookedAt) {
  const DrawWords draw = [](std::span<const std::uint32_t> words, SeededRandom&, std::span<std::uint32_t> out) {
    for (std::size_t i = 0; i < words.size(); ++i) out[i] = words[i] % 100 < 2 ? 2 : words[i];
  };
  int held = 0;
  for (std::uint64_t seed = 0; seed < kSamples; ++seed) {
    const SamplingOptions options{.figures = {.runs = 10}, .draws = 20, .seed = seed};
    const auto found = sample_statistics(5000, spread_words(5000, 50, seed), draw, options).value().mean_stays;
    held += found.low <= 0.98 && 0.98 <= found.high ? 1 : 0;
  }
  EXPECT_GE(held, kEnough);
}

// All chances just above eta, or just below: then all of them count, or none, and every share is doubtful.
TEST(SampledStatistics, HoldTheNumberOfOutputsWhereAllChancesLieAtTheLine) {
  for (const std::uint32_t words : {95U, 105U}) {
    const DrawWords even = [words](std::span<const std::uint32_t> in, SeededRandom& random,
                                   std::span<std::uint32_t> out) {
      for (std::size_t i = 0; i < in.size(); ++i) out[i] = static_cast<std::uint32_t>(random.below(words));
    };
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto found = sample_statistics(words, spread_words(words, words, 1), even, {.seed = seed}).value();
      EXPECT_LE(found.mean_outputs.low, words == 95 ? 95 : 0) << seed;
      EXPECT_GE(found.mean_outputs.high, words == 95 ? 95 : 0) << seed;
    }
  }
}

TEST(SpreadWords, AreAllWhenTheyAreFewAndElseOneOfEachStretch) {
  EXPECT_EQ(spread_words(3, 10, 1), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_TRUE(spread_words(10, 0, 1).empty());
  const auto some = spread_words(1000, 100, 1);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(some[i] / 10, i);
  EXPECT_EQ(some, spread_words(1000, 100, 1));
  EXPECT_NE(some, spread_words(1000, 100, 2));
  std::array<int, 10> places{};  // no rhythm of the vocabulary can hide from it
  for (const std::uint32_t word : some) ++places[word % 10];
  EXPECT_LT(*std::max_element(places.begin(), places.end()), 30) << "10 each on average; 30 with a chance below 1e-6";
}

}  // namespace sampled_statistics_test
}  // namespace gauze::text
