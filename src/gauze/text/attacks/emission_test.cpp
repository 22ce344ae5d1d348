#include "gauze/text/attacks/emission.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gauze/base/parallel.h"
#include "gauze/text/mechanisms/dchi_mechanism.h"
#include "gauze/text/testing/attack_checks.h"

namespace gauze::text {
namespace emission_test {

using testing::all_of;
using testing::full_law;
using testing::one_of_each_kind;
using testing::random_words;
using testing::softmax_of;
using testing::words_at;

DrawWords draws_of(const DchiMechanism& mechanism) {
  return [&mechanism](std::span<const std::uint32_t> words, SeededRandom& random, std::span<std::uint32_t> out) {
    mechanism.simulate(words, random, out);
  };
}

Result<std::unique_ptr<SimulatedEmission>> simulated(const DchiMechanism& mechanism,
                                                     const SimulatedEmission::Options& options,
                                                     Progress* progress = nullptr) {
  return SimulatedEmission::make(mechanism.vectors().size(), draws_of(mechanism), options, progress);
}

std::vector<double> all_columns(const Emission& emission, const WordVectors& vectors) {
  std::vector<double> columns(vectors.size() * vectors.size());
  EXPECT_TRUE(emission.fill(all_of(vectors), columns));
  return columns;
}

TEST(SoftmaxEmission, IsTheLawOfTheMechanism) {
  for (const std::size_t words : {1, 2, 3, 40, 300}) {
    const WordVectors vectors = random_words(words, 3, 1, words);
    for (const char* epsilon : {"0.01", "2", "50"}) {
      for (const SoftmaxMechanism& mechanism : one_of_each_kind(vectors, *Rational::parse(epsilon))) {
        const auto emission = SoftmaxEmission::make(mechanism);
        ASSERT_TRUE(emission);
        const auto law = full_law(mechanism);
        const std::vector<double> columns = all_columns(**emission, vectors);
        for (std::size_t y = 0; y < words; ++y)
          for (std::size_t x = 0; x < words; ++x)
            ASSERT_NEAR(columns[y * words + x], law[x][y], 1e-10 * law[x][y])
                << to_string(mechanism.kind()) << " " << epsilon << " " << x << " -> " << y;
      }
    }
  }
}

TEST(SoftmaxEmission, FillsColumnsInTheOrderAskedFor) {
  const WordVectors vectors = random_words(30, 4, 1, 7);
  for (const SoftmaxMechanism& mechanism : one_of_each_kind(vectors, 2)) {
    const auto emission = SoftmaxEmission::make(mechanism);
    const auto law = full_law(mechanism);
    const std::vector<std::uint32_t> seen = {29, 0, 3, 4};  // 0 and 3 are common words of santext+
    std::vector<double> columns(seen.size() * 30);
    ASSERT_TRUE((*emission)->fill(seen, columns));
    for (std::size_t c = 0; c < seen.size(); ++c)
      for (std::size_t x = 0; x < 30; ++x) EXPECT_NEAR(columns[c * 30 + x], law[x][seen[c]], 1e-10);
    EXPECT_TRUE((*emission)->fill({}, {}));
  }
}

TEST(SoftmaxEmission, OfACommonWordPointsAtItAlone) {
  const WordVectors vectors = words_at({{0}, {1}, {2}});
  const SoftmaxMechanism mechanism = softmax_of(
      vectors,
      {.kind = SoftmaxKind::santext_plus, .epsilon = 1, .p = Rational(1, 4), .sensitive = {false, true, true}});
  const auto emission = SoftmaxEmission::make(mechanism);
  std::vector<double> column(3);
  ASSERT_TRUE((*emission)->fill(std::vector<std::uint32_t>{0}, column));
  EXPECT_EQ(column, (std::vector<double>{0.75, 0, 0}));
}

TEST(SoftmaxEmission, StopsWhenAsked) {
  const WordVectors vectors = random_words(30, 4, 1, 7);
  const SoftmaxMechanism mechanism = softmax_of(vectors, {.epsilon = 1});
  Progress progress;
  progress.request_stop();
  const auto emission = SoftmaxEmission::make(mechanism, &progress);
  ASSERT_FALSE(emission);
  EXPECT_EQ(emission.error().code, ErrorCode::interrupted);
}

LawOfWord law_of(const DchiMechanism& mechanism) {
  return [&mechanism](std::size_t x, std::span<double> p) {
    const auto law = *mechanism.law(x);
    std::copy(law.begin(), law.end(), p.begin());
  };
}

TEST(LawEmission, IsTheLawOfTheMechanismByColumns) {
  for (const auto& vectors : {random_words(60, 1, 2, 5), words_at({{0, 0, 0}, {1, 2, 0}}), words_at({{1, 2}})}) {
    const auto mechanism = DchiMechanism::make(vectors, 2).value();
    const LawEmission emission(vectors.size(), law_of(mechanism));
    const std::vector<double> columns = all_columns(emission, vectors);
    for (std::size_t x = 0; x < vectors.size(); ++x) {
      const std::vector<double> law = *mechanism.law(x);
      for (std::size_t y = 0; y < vectors.size(); ++y) ASSERT_EQ(columns[y * vectors.size() + x], law[y]);
    }
  }
}

TEST(LawEmission, FillsColumnsInTheOrderAskedFor) {
  const WordVectors vectors = random_words(40, 1, 2, 5);
  const auto mechanism = DchiMechanism::make(vectors, 2).value();
  const LawEmission emission(40, law_of(mechanism));
  const std::vector<std::uint32_t> seen = {39, 0, 7};
  std::vector<double> columns(seen.size() * 40);
  ASSERT_TRUE(emission.fill(seen, columns));
  for (std::size_t c = 0; c < seen.size(); ++c)
    for (std::size_t x = 0; x < 40; ++x) EXPECT_EQ(columns[c * 40 + x], (*mechanism.law(x))[seen[c]]);
  EXPECT_TRUE(emission.fill({}, {}));
}

// 100,000 runs: by Hoeffding a share is off by more than 0.0086 with a probability below 1e-6.
TEST(SimulatedEmission, ComesCloseToTheKnownLawOfTwoWords) {
  const auto mechanism = DchiMechanism::make(words_at({{0, 0, 0}, {1, 2, 0}}), 2);
  ASSERT_TRUE(mechanism);
  const auto emission = simulated(*mechanism, {.runs = 100'000, .seed = 3});
  ASSERT_TRUE(emission);
  const std::vector<double> columns = all_columns(**emission, mechanism->vectors());
  for (std::size_t x = 0; x < 2; ++x) {
    const std::vector<double> law = *mechanism->law(x);
    for (std::size_t y = 0; y < 2; ++y) EXPECT_NEAR(columns[y * 2 + x], law[y], 0.0087);
  }
}

TEST(SimulatedEmission, IsADistributionWithoutZeros) {
  const WordVectors vectors = random_words(50, 5, 1, 3);
  const auto mechanism = DchiMechanism::make(vectors, 3);
  const auto emission = simulated(*mechanism, {.runs = 7, .seed = 3});
  ASSERT_TRUE(emission);
  const std::vector<double> columns = all_columns(**emission, vectors);
  for (std::size_t x = 0; x < 50; ++x) {
    double sum = 0;
    for (std::size_t y = 0; y < 50; ++y) {
      EXPECT_GE(columns[y * 50 + x], 1 / (8.0 * 50) * (1 - 1e-12));
      sum += columns[y * 50 + x];
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

TEST(SimulatedEmission, RepeatsWithItsSeedWhateverTheThreads) {
  const WordVectors vectors = random_words(100, 5, 1, 3);
  const auto mechanism = DchiMechanism::make(vectors, 3);
  std::vector<std::vector<double>> all;
  for (const int threads : {1, 4}) {
    set_thread_count(threads);
    all.push_back(all_columns(**simulated(*mechanism, {.runs = 20, .seed = 9}), vectors));
  }
  set_thread_count(0);
  EXPECT_EQ(all[0], all[1]);
  EXPECT_NE(all[0], all_columns(**simulated(*mechanism, {.runs = 20, .seed = 10}), vectors));
}

TEST(SimulatedEmission, RefusesTooManyDrawsAndNone) {
  const auto mechanism = DchiMechanism::make(words_at({{0}, {1}, {2}}), 2);
  for (const std::uint64_t runs : {std::uint64_t{0}, SimulatedEmission::kMostDraws / 3 + 1, ~std::uint64_t{0}}) {
    const auto emission = simulated(*mechanism, {.runs = runs});
    ASSERT_FALSE(emission);
    EXPECT_EQ(emission.error().code, ErrorCode::invalid_parameter);
  }
  Progress progress;
  progress.request_stop();
  EXPECT_FALSE(simulated(*mechanism, {.runs = 5}, &progress));
}

}  // namespace emission_test
}  // namespace gauze::text
