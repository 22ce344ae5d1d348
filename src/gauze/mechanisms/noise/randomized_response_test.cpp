#include "gauze/mechanisms/noise/randomized_response.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "gauze/mechanisms/testing/distribution_checks.h"

namespace gauze {
namespace randomized_response_test {

// 200,000 answers, chi-square over the categories: false alarm 1e-6; a keep probability off by 0.01 is caught in > 99
// %.
TEST(RandomizedResponse, KeepsAndSwapsWithTheRightProbabilities) {
  for (const double epsilon : {0.1, 1.0, 4.0}) {
    for (const std::uint64_t k : {2, 5}) {
      const auto mechanism = RandomizedResponse::make({.epsilon = epsilon, .categories = k});
      const double keep = std::exp(epsilon) / (std::exp(epsilon) + static_cast<double>(k - 1));
      EXPECT_NEAR(mechanism->keep_probability(), keep, 1e-14);
      std::map<std::int64_t, double> expected;
      for (std::uint64_t v = 0; v < k; ++v) {
        expected[static_cast<std::int64_t>(v)] = v == 1 ? keep : (1 - keep) / static_cast<double>(k - 1);
      }
      std::vector<std::int64_t> answers;
      for (int i = 0; i < 200'000; ++i) {
        answers.push_back(static_cast<std::int64_t>(mechanism->release(SecureRandom::of_thread(), 1)));
      }
      EXPECT_FALSE(testing::chi_square(expected, answers).alarms());
    }
  }
}

TEST(RandomizedResponse, UsesUpItsEpsilonAndNoMore) {
  for (const std::uint64_t k : {2, 3, 1000}) {
    const auto mechanism = RandomizedResponse::make({.epsilon = 2, .categories = k});
    const double p = mechanism->keep_probability();
    const double q = (1 - p) / static_cast<double>(k - 1);
    EXPECT_NEAR(std::log(p / q), 2, 1e-12);
  }
}

TEST(RandomizedResponse, VarianceIsThatOfTheUnbiasedCount) {
  const auto mechanism = RandomizedResponse::make({.epsilon = 1, .categories = 4});
  const double e = std::exp(1.0);
  const double p = e / (e + 3), q = 1 / (e + 3);
  EXPECT_NEAR(mechanism->variance(), q * (1 - q) / ((p - q) * (p - q)), 1e-12);
}

TEST(RandomizedResponse, IsTotalAndChecksItsParameters) {
  const auto mechanism = RandomizedResponse::make({.epsilon = 100, .categories = 3});
  EXPECT_EQ(mechanism->release(SecureRandom::of_thread(), 99), 2U);
  EXPECT_FALSE(RandomizedResponse::make({.epsilon = 1, .categories = 1}));
  EXPECT_FALSE(RandomizedResponse::make({.epsilon = 0, .categories = 2}));
  // A tiny epsilon over many categories still works: both probabilities are near 2^-40.
  EXPECT_LT(RandomizedResponse::make({.epsilon = Rational(1e-6), .categories = std::uint64_t{1} << 40})
                ->release(SecureRandom::of_thread(), 5),
            std::uint64_t{1} << 40);
}

}  // namespace randomized_response_test
}  // namespace gauze
