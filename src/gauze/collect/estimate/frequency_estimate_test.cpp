#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "gauze/base/testing/watched.h"
#include "gauze/collect/testing/simulated_counts.h"

namespace gauze::collect::frequency_estimate_test {
namespace {

const char* const kMechanisms[] = {"de", "she", "the", "sue", "oue", "blh", "olh", "hr", "ss"};

/// Devices whose values fall off: of d values the first has about half of them.
std::vector<gauze_value> falling(std::size_t devices, std::uint32_t size) {
  std::vector<gauze_value> values;
  for (std::size_t i = 0; i < devices; ++i) {
    std::uint32_t value = 0;
    for (std::size_t left = i; value + 1 < size && left % 2 == 1; left /= 2) ++value;
    values.push_back(category(value));
  }
  return values;
}

std::vector<double> shares_of(const std::vector<gauze_value>& values, std::uint32_t size) {
  std::vector<double> shares(size);
  for (const gauze_value& value : values)
    shares[static_cast<std::size_t>(value.number)] += 1 / static_cast<double>(values.size());
  return shares;
}

/// How far a figure was off over many runs, against what it says of itself.
struct Score {
  double squares = 0;  ///< of errors over their true standard deviation
  double sum = 0;      ///< of errors over it
  double covered = 0;
  int runs = 0;

  void add(const NoisyFigure& figure, double truth, double true_sd) {
    const double error = (figure.estimate - truth) / true_sd;
    squares += error * error;
    sum += error;
    covered += figure.low <= truth && truth <= figure.high ? 1 : 0;
    ++runs;
  }
};

/// Errors have mean 0 and variance 1 in units of their standard deviation, and intervals cover 93 to 97 %.
/// Over n runs the mean square has a standard deviation of about sqrt(2/n), the mean 1/sqrt(n): five of them alarm with p below 1e-6.
void expect_honest(const Score& score, const std::string& what) {
  const double n = score.runs;
  EXPECT_NEAR(score.squares / n, 1, 5 * std::sqrt(2 / n)) << what;
  EXPECT_NEAR(score.sum / n, 0, 5 / std::sqrt(n)) << what;
  // 95 % of n runs have a standard deviation of sqrt(0.0475/n); a percent more for what is not quite normal.
  const double slack = 0.01 + 5 * std::sqrt(0.0475 / n);
  EXPECT_NEAR(score.covered / n, 0.95, slack) << what;
}

class FrequencyLaw : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

bool is_long() { return std::getenv("GAUZE_LONG_TESTS") != nullptr; }

/// So many that a value nobody has gets 30 supports or more by chance: fewer are not normal.
std::size_t enough_devices(const Task& task) {
  const auto chances = task.mechanism().frequency->chances(task.law());
  if (!chances) return 400;  // Laplace noise itself, whatever their number
  return static_cast<std::size_t>(std::fmax(2000, std::ceil(31 / (chances->q * (1 - chances->q)))));
}

// Single values, the sum of half of the domain and the difference of two values, in 400 runs (2,000 when there is time). A variance that is
// wrong by half is caught in more than 99.9 % of runs; that of sums of `hr` without its covariance, or of `de` by adding, is wrong by more.
TEST_P(FrequencyLaw, SaysHowFarItIsOff) {
  const auto [mechanism, epsilon] = GetParam();
  constexpr std::uint32_t kSize = 15;
  if (std::string(mechanism) == "olh" && std::string(epsilon) != "1") GTEST_SKIP() << "more hash values than values";
  if (std::string(epsilon) == "8" && !is_long()) GTEST_SKIP() << "needs a hundred thousand devices";
  const Task task = frequency_task(mechanism, epsilon, kSize);
  const auto values = falling(enough_devices(task), kSize);
  const auto truth = shares_of(values, kSize);
  const std::vector<std::uint32_t> half = {0, 2, 4, 6, 8, 10, 12};
  double half_share = 0;
  for (const std::uint32_t value : half) half_share += truth[value];
  const FrequencyMechanism& law = *task.mechanism().frequency;
  const double n = static_cast<double>(values.size());
  const double sd0 = std::sqrt(law.variance(task.law(), truth[0]) / n);
  const double sd_half = std::sqrt(law.variance_of_sum(task.law(), half, truth) / n);
  const double sd_gap = std::sqrt(law.variance_of_difference(task.law(), 0, 2, truth) / n);
  Score first;
  Score sum;
  Score gap;
  const auto runs = watched_less(std::size_t{is_long() ? 2000U : 400U});
  for (std::size_t run = 0; run < runs; ++run) {
    SeededRandom random(7, run);
    const auto result = make_result(task, counted_reports(task, values, random), {});
    ASSERT_TRUE(result);
    const FrequencyEstimate& estimate = *result->frequency;
    first.add(estimate.value(0).share, truth[0], sd0);
    sum.add(estimate.sum(half), half_share, sd_half);
    gap.add(estimate.difference(0, 2), truth[0] - truth[2], sd_gap);
  }
  expect_honest(first, "one value");
  expect_honest(sum, "the sum of half of them");
  expect_honest(gap, "the difference of two");
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, FrequencyLaw,
                         testing::Combine(testing::ValuesIn(kMechanisms), testing::Values("1", "4", "8")),
                         [](const auto& one) {
                           return std::string(std::get<0>(one.param)) + "_epsilon" + std::get<1>(one.param);
                         });

// Consecutive values under local hashing at epsilon 4: with a linear hash the variance of their sum would be several times what is stated, with the
// quadratic one it is what is stated. 400 runs: five standard deviations are 35 %.
TEST(FrequencyEstimate, OfARunOfHashedValuesIsAsGoodAsItSays) {
  constexpr std::uint32_t kSize = 64;
  const Task task = frequency_task("olh", "4", kSize);
  const auto values = falling(2500, kSize);
  const auto truth = shares_of(values, kSize);
  std::vector<std::uint32_t> run_of_values;
  for (std::uint32_t value = 16; value < 48; ++value) run_of_values.push_back(value);
  double share = 0;
  for (const std::uint32_t value : run_of_values) share += truth[value];
  const double sd = std::sqrt(task.mechanism().frequency->variance_of_sum(task.law(), run_of_values, truth) / 2500);
  Score sum;
  const auto runs = watched_less(std::size_t{400});
  for (std::size_t run = 0; run < runs; ++run) {
    SeededRandom random(17, run);
    const auto result = make_result(task, counted_reports(task, values, random), {});
    sum.add(result->frequency->sum(run_of_values), share, sd);
  }
  expect_honest(sum, "half of the domain");
}

// All values together have share 1, which `de` and `ss` know exactly: every report has as many supports.
TEST(FrequencyEstimate, IsSureOfAllValuesTogetherWhereReportsAre) {
  for (const char* mechanism : {"de", "ss"}) {
    const Task task = frequency_task(mechanism, "1", 6);
    SeededRandom random(3);
    const auto result = make_result(task, counted_reports(task, falling(500, 6), random), {});
    const std::uint32_t all[] = {0, 1, 2, 3, 4, 5};
    const NoisyFigure sum = result->frequency->sum(all);
    EXPECT_NEAR(sum.estimate, 1, 1e-12) << mechanism;
    EXPECT_NEAR(sum.sd, 0, 1e-9) << mechanism;
  }
}

// The covariance of two values of `hr` by going through all pairs of reports, against the one that the sum has.
TEST(FrequencyEstimate, KnowsWhichRowsOfAHadamardMatrixGoTogether) {
  const Task task = frequency_task("hr", "2", 7);
  const double a = static_cast<double>(task.law().law.numbers[0]) * 0x1p-32;
  const std::vector<double> shares = {0.1, 0.2, 0.3, 0.05, 0.05, 0.1, 0.2};
  const std::vector<std::uint32_t> set = {0, 1, 4, 5};
  const double p = a / (a + 1);
  double expected = 0;
  for (std::uint32_t value = 0; value < 7; ++value) {
    double mean = 0;
    double square = 0;
    for (std::uint32_t y = 0; y < 8; ++y) {
      const auto supports = [y](std::uint32_t v) { return __builtin_popcount((v + 1) & y) % 2 == 0; };
      const double chance = (supports(value) ? a : 1) / (4 * (a + 1));
      double count = 0;
      for (const std::uint32_t one : set) count += supports(one) ? 1 : 0;
      mean += chance * count;
      square += chance * count * count;
    }
    expected += shares[value] * (square - mean * mean);
  }
  expected /= (p - 0.5) * (p - 0.5);
  EXPECT_NEAR(task.mechanism().frequency->variance_of_sum(task.law(), set, shares), expected, 1e-9 * expected);
}

// Bands are wider than intervals, by the quantile of 1 - 0.025/d.
TEST(FrequencyEstimate, HasBandsForAllValuesAtOnce) {
  const Task task = frequency_task("oue", "1", 20);
  SeededRandom random(1);
  const auto result = make_result(task, counted_reports(task, falling(3000, 20), random), {});
  const ValueEstimate one = result->frequency->value(3);
  EXPECT_NEAR((one.band_high - one.share.estimate) / one.share.sd, 3.0233414397391, 1e-9);
  EXPECT_NEAR((one.share.estimate - one.share.low) / one.share.sd, 1.959963984540054, 1e-9);
}

TEST(FrequencyEstimate, OfNoReportsIsNone) {
  const Task task = frequency_task("de", "1", 3);
  Aggregate nothing;
  nothing.cells = 3;
  const auto result = make_result(task, nothing, {.sums = {{"0", "1"}}});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->reports, 0U);
  EXPECT_TRUE(result->frequency->shares().empty());
  EXPECT_FALSE(result->sums[0].figure);
  const Json json = to_json(*result);
  EXPECT_TRUE((*json.find("values")->elements())[0].find("estimate")->is_null());
  EXPECT_TRUE((*json.find("values")->elements())[0].find("percent")->is_null());
}

}  // namespace
}  // namespace gauze::collect::frequency_estimate_test
