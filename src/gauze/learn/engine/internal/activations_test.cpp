#include "gauze/learn/engine/internal/activations.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>

#include "gauze/learn/engine/internal/sequence_rows.h"

namespace gauze::learn::internal {
namespace activations_test {

template <class Body>
void on_every_target(const Body& body) {
  for (std::int64_t targets = hwy::SupportedTargets(); targets != 0; targets &= targets - 1) {
    hwy::SetSupportedTargetsForTest(targets & -targets);
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
}

using OfFloats = void (*)(const Activation<float>&);

std::vector<double> points() {
  std::vector<double> list;
  for (double x = -12; x <= 12; x += 1.0 / 64) list.push_back(x);
  for (const double x : {1e-30, -1e-7, 1e-3, 90.0, -90.0, 1e30, -1e30}) list.push_back(x);
  return list;
}

/// Both outputs of an activation against the function and its slope, as doubles know them.
template <class Real>
void expect_function(void (*activate)(const Activation<Real>&), const std::function<double(double)>& function,
                     const std::function<double(double)>& slope, double tolerance) {
  std::vector<Real> x;
  for (const double point : points()) x.push_back(static_cast<Real>(point));
  std::vector<Real> y(x.size()), slopes(x.size());
  activate({x.data(), y.data(), slopes.data(), x.size()});
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double at = static_cast<double>(x[i]);
    const double expected = function(at);
    EXPECT_NEAR(static_cast<double>(y[i]), expected, tolerance * std::max(1.0, std::abs(at))) << at;
    EXPECT_NEAR(static_cast<double>(slopes[i]), slope(at), 3 * tolerance) << at;
  }
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double normal_law(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }

template <class Real>
void expect_functions(double tolerance) {
  expect_function<Real>(
      &activate_relu, [](double x) { return x > 0 ? x : 0; }, [](double x) { return x > 0 ? 1 : 0; }, 0);
  expect_function<Real>(
      &activate_tanh, [](double x) { return std::tanh(x); }, [](double x) { return 1 - std::tanh(x) * std::tanh(x); },
      tolerance);
  expect_function<Real>(
      &activate_sigmoid, sigmoid, [](double x) { return sigmoid(x) * (1 - sigmoid(x)); }, tolerance);
  expect_function<Real>(
      &activate_gelu, [](double x) { return x * normal_law(x); },
      [](double x) { return normal_law(x) + x * std::exp(-x * x / 2) / std::sqrt(2 * M_PI); }, tolerance);
}

TEST(Activations, AreTheFunctionsOfTheirNamesOnEveryProcessor) {
  on_every_target([] {
    expect_functions<float>(0x1p-21);
    expect_functions<double>(0x1p-49);
  });
}

TEST(Activations, PassOnWhatIsNotANumber) {
  on_every_target([] {
    for (const OfFloats activate : {OfFloats{&activate_relu}, OfFloats{&activate_tanh}, OfFloats{&activate_sigmoid},
                                    OfFloats{&activate_gelu}}) {
      const std::vector<float> x(3, std::numeric_limits<float>::quiet_NaN());
      std::vector<float> y(3), slopes(3);
      activate({x.data(), y.data(), slopes.data(), 3});
      EXPECT_TRUE(std::isnan(y[0]) && std::isnan(y[2]));
    }
  });
}

TEST(Activations, HaveTheSameBitsInEveryLane) {
  on_every_target([] {
    for (const float point : {0.3F, -1.7F, 4.0F}) {
      for (const OfFloats activate :
           {OfFloats{&activate_tanh}, OfFloats{&activate_sigmoid}, OfFloats{&activate_gelu}}) {
        std::vector<float> x(37, point), y(37), slopes(37);
        activate({x.data(), y.data(), slopes.data(), x.size()});
        for (std::size_t i = 1; i < x.size(); ++i) {
          EXPECT_EQ(std::memcmp(&y[i], &y[0], sizeof(float)), 0);
          EXPECT_EQ(std::memcmp(&slopes[i], &slopes[0], sizeof(float)), 0);
        }
      }
    }
  });
}

TEST(Activations, SlopesOfZeroTakeAwayWhatIsInfinite) {
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> x = {inf, std::nanf(""), 2}, slopes = {0, 0, 3};
  std::vector<float> y(3);
  on_every_target([&] {
    multiply_slopes(x.data(), slopes.data(), 3, y.data());
    EXPECT_EQ(y, (std::vector<float>{0, 0, 6}));
  });
}

TEST(Activations, TheFirstOfEqualLargestNumbersTakesTheGradient) {
  const std::vector<double> x = {1, 5, 2, 3, 5, 1, -4, -5, -6};  // three positions of three numbers
  const std::vector<double> dy = {7, 8, 9, 1, 2, 3};
  on_every_target([&] {
    std::vector<double> y(6), dx(9, 100.0);
    const Pool<double> pool{.x = x.data(), .positions = 3, .channels = 3, .window = 2, .y = y.data()};
    take_largest(pool);
    EXPECT_EQ(y, (std::vector<double>{3, 5, 2, -4, -5, -6}));
    give_to_largest(pool, dy.data(), dx.data());
    EXPECT_EQ(dx, (std::vector<double>{0, 8, 9, 7, 0, 0, 1, 2, 3}));
  });
}

TEST(SequenceRows, SoftenedNumbersAreShares) {
  on_every_target([] {
    std::vector<float> rows = {0, 0, 0, 1e4F, 0, -1e4F, 1, 2, 3};
    soften(rows.data(), 3, 3, 0.5F);
    EXPECT_FLOAT_EQ(rows[1], 1.0F / 3);
    EXPECT_EQ((std::vector<float>{rows[3], rows[4], rows[5]}), (std::vector<float>{1, 0, 0}));
    EXPECT_FLOAT_EQ(rows[8], static_cast<float>(1 / (1 + std::exp(-0.5) + std::exp(-1.0))));
  });
}

TEST(SequenceRows, NormalisedNumbersHaveMeanZeroAndVarianceOne) {
  const std::vector<double> gain(5, 2.0), shift(5, 1.0);
  const std::vector<double> x = {1, 2, 3, 4, 5};
  on_every_target([&] {
    std::vector<double> normal(5), y(5), inverse(1);
    normalise({x.data(), 1, 5, gain.data(), shift.data(), normal.data(), inverse.data(), y.data()});
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_NEAR(normal[i], (x[i] - 3) / std::sqrt(2 + 1e-5), 1e-14);
      EXPECT_NEAR(y[i], 2 * normal[i] + 1, 1e-14);
    }
  });
}

}  // namespace activations_test
}  // namespace gauze::learn::internal
