#include "gauze/mechanisms/job/noise_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace gauze {
namespace noise_plot_test {

using ::testing::HasSubstr;

const std::vector<Rational> kEpsilons = {Rational(1, 10), Rational(2)};

NoisePlot plot_of(const std::string& mechanism, const std::vector<Rational>& epsilons = kEpsilons) {
  SeededRandom random(1);
  NoiseRequest request{.mechanism = mechanism, .delta = Rational(0)};
  if (mechanism.find("gaussian") != std::string::npos) request.delta = Rational(1, 1'000'000);
  auto plot = NoisePlot::simulate(request, epsilons, random);
  GAUZE_CHECK(plot.has_value());
  return std::move(*plot);
}

TEST(NoisePlot, PartsHoldAllDrawsAndAllOfTheLaw) {
  for (const char* mechanism : {"laplace", "gaussian", "geometric", "discrete-gaussian", "staircase"}) {
    const NoisePlot plot = plot_of(mechanism);
    ASSERT_EQ(plot.panels().size(), 2U);
    for (const NoisePlot::Panel& panel : plot.panels()) {
      std::size_t drawn = 0;
      double expected = 0;
      for (std::size_t i = 0; i < panel.bins.size(); ++i) {
        drawn += panel.bins[i].drawn;
        expected += panel.bins[i].expected;
        if (i > 0) {
          EXPECT_DOUBLE_EQ(panel.bins[i].low, panel.bins[i - 1].high) << mechanism;
        }
      }
      EXPECT_EQ(drawn, NoisePlot::kDraws) << mechanism;
      EXPECT_NEAR(expected, NoisePlot::kDraws, 1e-6) << mechanism;
      EXPECT_LE(panel.bins.size(), 61U);
    }
  }
}

// chi-square of about 60 parts by the closed form of the law: above 150 once in a hundred million plots; a scale that is 10 % off gives
// more than 200 in nearly all.
TEST(NoisePlot, DrawsFollowTheLawThatIsDrawnBesideThem) {
  const NoisePlot plot = plot_of("laplace", {Rational(2)});
  const NoisePlot::Panel& panel = plot.panels().front();
  const auto below = [](double x) { return x < 0 ? std::exp(2 * x) / 2 : 1 - std::exp(-2 * x) / 2; };
  double chi_square = 0;
  for (std::size_t i = 0; i < panel.bins.size(); ++i) {
    const NoisePlot::Bin& bin = panel.bins[i];
    const double low = i == 0 ? 0 : below(bin.low);
    const double high = i + 1 == panel.bins.size() ? 1 : below(bin.high);
    EXPECT_NEAR(bin.expected, NoisePlot::kDraws * (high - low), 0.01);
    chi_square += std::pow(static_cast<double>(bin.drawn) - bin.expected, 2) / bin.expected;
  }
  EXPECT_LT(chi_square, 150);
}

TEST(NoisePlot, QuantilesOfTheLawAreThoseOfItsClosedForm) {
  const NoisePlot plot = plot_of("laplace", {Rational(1)});
  for (const NoisePlot::Quantile& one : plot.panels().front().quantiles) {
    const double law = one.share < 0.5 ? std::log(2 * one.share) : -std::log(2 * (1 - one.share));
    EXPECT_NEAR(one.law, law, 1e-9);
    // 5.5 deviations of a quantile of 10,000 draws: sqrt(p (1 - p) / n) over the density
    const double density = std::exp(-std::abs(law)) / 2;
    EXPECT_NEAR(one.drawn, law, 5.5 * std::sqrt(one.share * (1 - one.share) / NoisePlot::kDraws) / density);
  }
}

TEST(NoisePlot, NeverLooksAtAValue) {
  for (const std::int64_t value : {0, 1'000'000}) {
    SeededRandom random(2);
    const NoiseRequest request{.mechanism = "geometric", .value = value};
    EXPECT_EQ(NoisePlot::simulate(request, kEpsilons, random)->to_json().dump(), [&] {
      SeededRandom again(2);
      return NoisePlot::simulate({.mechanism = "geometric"}, kEpsilons, again)->to_json().dump();
    }());
  }
}

TEST(NoisePlot, SaysWhatAsManyDrawsOfARealValueWouldCost) {
  const NoisePlot laplace = plot_of("laplace");
  EXPECT_EQ(laplace.panels()[0].cost_of_draws->epsilon, Rational(1000));
  EXPECT_EQ(laplace.panels()[1].cost_of_draws->epsilon, Rational(20'000));
  SeededRandom random(1);
  const auto hopeless = NoisePlot::simulate({.mechanism = "gaussian", .delta = Rational(1, 1000)}, kEpsilons, random);
  EXPECT_FALSE(hopeless->panels()[0].cost_of_draws) << "a delta of 10 promises nothing";
}

TEST(NoisePlot, RefusesWhatHasNoLawOnAGrid) {
  SeededRandom random(1);
  const auto refusal = [&](const NoiseRequest& request, const std::vector<Rational>& epsilons = kEpsilons) {
    const auto plot = NoisePlot::simulate(request, epsilons, random);
    EXPECT_FALSE(plot);
    return plot ? std::string() : plot.error().message;
  };
  EXPECT_THAT(refusal({.mechanism = "snapping", .bound = 10'000}), HasSubstr("no law"));
  EXPECT_THAT(refusal({.mechanism = "randomized-response", .categories = 3}), HasSubstr("no law"));
  EXPECT_THAT(refusal({.mechanism = "laplace", .scale = 2}), HasSubstr("several epsilons"));
  EXPECT_THAT(refusal({.mechanism = "laplace"}, {}), HasSubstr("at least one"));
}

}  // namespace noise_plot_test
}  // namespace gauze
