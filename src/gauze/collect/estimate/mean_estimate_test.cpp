#include <gtest/gtest.h>

#include <cmath>

#include "gauze/base/testing/watched.h"
#include "gauze/collect/testing/simulated_counts.h"

namespace gauze::collect::mean_estimate_test {
namespace {

/// Numbers from 0 to 100, most of them small.
std::vector<gauze_value> small_numbers(std::size_t devices) {
  std::vector<gauze_value> values;
  for (std::size_t i = 0; i < devices; ++i)
    values.push_back(number(static_cast<std::int64_t>((i * i) % 101 * (i % 3) / 2)));
  return values;
}

struct Truth {
  double mean = 0;
  double variance = 0;
};

Truth truth_of(const std::vector<gauze_value>& values) {
  Truth truth;
  double squares = 0;
  for (const gauze_value& value : values) {
    const double x = static_cast<double>(value.number);
    truth.mean += x / static_cast<double>(values.size());
    squares += x * x / static_cast<double>(values.size());
  }
  truth.variance = squares - truth.mean * truth.mean;
  return truth;
}

class MeanLaw : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

// 500 runs of 2,000 devices: the mean is unbiased (five standard errors: an alarm with p below 1e-6), and 95 % intervals cover at least 93 %, less five
// standard deviations of that share. Those of duchi may cover more: they do not see the mean of squares.
TEST_P(MeanLaw, CoversTheMeanAsOftenAsItSays) {
  const auto [mechanism, epsilon] = GetParam();
  const Task task = mean_task(mechanism, epsilon, 0, 100);
  const auto values = small_numbers(2000);
  const Truth truth = truth_of(values);
  const auto runs = watched_less(std::size_t{500});
  double covered = 0;
  double errors = 0;
  double squares = 0;
  double said = 0;
  for (std::size_t run = 0; run < runs; ++run) {
    SeededRandom random(11, run);
    const auto result = make_result(task, counted_reports(task, values, random), {});
    const NoisyFigure& mean = *result->mean->mean;
    covered += mean.low <= truth.mean && truth.mean <= mean.high ? 1 : 0;
    errors += mean.estimate - truth.mean;
    squares += (mean.estimate - truth.mean) * (mean.estimate - truth.mean);
    said += mean.sd * mean.sd;
  }
  const double n = static_cast<double>(runs);
  EXPECT_GT(covered / n, 0.93 - 5 * std::sqrt(0.0475 / n));
  EXPECT_LT(std::fabs(errors / n), 5 * std::sqrt(said / n / n));
  const bool is_bound = std::string(mechanism) == "duchi" || std::string(epsilon) == "0.5";
  EXPECT_LT(squares / said, 1 + 5 * std::sqrt(2 / n));
  if (!is_bound) {
    EXPECT_GT(squares / said, 1 - 5 * std::sqrt(2 / n));
  }
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, MeanLaw,
                         testing::Combine(testing::Values("duchi", "piecewise", "hybrid", "laplace"),
                                          testing::Values("0.5", "1", "4", "8")),
                         [](const auto& one) {
                           std::string epsilon = std::get<1>(one.param);
                           if (epsilon == "0.5") epsilon = "half";
                           return std::string(std::get<0>(one.param)) + "_epsilon_" + epsilon;
                         });

class SplitMean : public testing::TestWithParam<const char*> {};

// Half of the devices are asked for the square: which half is chance, and at epsilon 8 that is most of the error.
TEST_P(SplitMean, CountsTheChanceOfTheSplit) {
  for (const char* epsilon : {"1", "4", "8"}) {
    const Task task = mean_task(GetParam(), epsilon, 0, 100, true);
    const auto values = small_numbers(3000);
    const Truth truth = truth_of(values);
    const auto runs = watched_less(std::size_t{400});
    double covered = 0;
    double covered_variance = 0;
    double error = 0;
    double said = 0;
    for (std::size_t run = 0; run < runs; ++run) {
      SeededRandom random(13, run);
      const auto result = make_result(task, counted_reports(task, values, random), {});
      const NoisyFigure& mean = *result->mean->mean;
      const NoisyFigure& variance = *result->mean->variance;
      covered += mean.low <= truth.mean && truth.mean <= mean.high ? 1 : 0;
      covered_variance += variance.low <= truth.variance && truth.variance <= variance.high ? 1 : 0;
      error += variance.estimate - truth.variance;
      said += variance.sd * variance.sd;
    }
    const double n = static_cast<double>(runs);
    EXPECT_GT(covered / n, 0.93 - 5 * std::sqrt(0.0475 / n)) << epsilon;
    EXPECT_GT(covered_variance / n, 0.93 - 5 * std::sqrt(0.0475 / n)) << epsilon;
    EXPECT_LT(std::fabs(error / n), 5 * std::sqrt(said / n / n)) << epsilon;
  }
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, SplitMean, testing::Values("duchi", "piecewise", "hybrid", "laplace"),
                         [](const auto& one) { return std::string(one.param); });

// The published variances, within what the grid and the rounding of epsilon change.
TEST(MeanLaws, HaveThePublishedVariances) {
  for (const double epsilon : {0.5, 1.0, 2.0, 6.0}) {
    const auto nano = static_cast<std::uint64_t>(epsilon * 1e9);
    const double s = std::exp(epsilon / 2);
    const double c = (std::exp(epsilon) + 1) / (std::exp(epsilon) - 1);
    const LocalMechanism& piecewise = *find_local_mechanism("piecewise");
    const LocalMechanism& duchi = *find_local_mechanism("duchi");
    const LocalMechanism& hybrid = *find_local_mechanism("hybrid");
    for (const double t : {-1.0, 0.0, 0.3, 1.0}) {
      const double published = t * t / (s - 1) + (s + 3) / (3 * (s - 1) * (s - 1));
      EXPECT_NEAR(piecewise.mean->variance({piecewise.law(nano, 0), 0}, t) / published, 1, 3e-4)
          << epsilon << " " << t;
      EXPECT_NEAR(duchi.mean->variance({duchi.law(nano, 0), 0}, t) / (c * c - t * t), 1, 1e-7) << epsilon << " " << t;
    }
    const double worst = (s + 3) / (3 * s * (s - 1)) + c * c / s;
    if (epsilon > 0.61) {
      EXPECT_NEAR(hybrid.mean->variance({hybrid.law(nano, 0), 0}, 0.7) / worst, 1, 1e-3) << epsilon;
    }
  }
}

}  // namespace
}  // namespace gauze::collect::mean_estimate_test
