#include "gauze/accounting/calibration.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gauze/base/testing/watched.h"
#include "gauze/mechanisms/noise/gaussian_calibration.h"

namespace gauze {
namespace calibration_test {

using Kind = PrivacyEvent::Kind;
using Sampling = PrivacyEvent::Sampling;

/// What an accountant shows for a figure that was printed and typed in again.
double shown_epsilon(PrivacyEvent event, std::string_view figure, double value, double delta) {
  EXPECT_TRUE(set_figure(event, figure, Rational::parse(fmt::format("{}", value)).value()));
  return Accountant::make({event}).value().epsilon(delta).value().front().bounds.upper;
}

std::string text(const PrivacyEvent& event, double epsilon, double delta) {
  return fmt::format("{} steps {} rate {} sensitivity {}, epsilon {} delta {}", to_string(event.kind), event.count,
                     event.rate, event.sensitivity, epsilon, delta);
}

std::vector<PrivacyEvent> events() {
  std::vector<PrivacyEvent> all;
  for (const Kind kind : {Kind::gaussian, Kind::laplace, Kind::discrete_laplace, Kind::discrete_gaussian}) {
    for (const double count : {1.0, 30.0}) all.push_back({.kind = kind, .count = count});
    all.push_back({.kind = kind, .sensitivity = 3, .count = 7});
    all.push_back({.kind = kind, .count = 200, .sampling = Sampling::poisson, .rate = 0.02});
  }
  all.push_back({.kind = Kind::gaussian,
                 .count = 100,
                 .sampling = Sampling::fixed_size,
                 .rate = 0.03,
                 .neighbours = Neighbours::replace_one});
  return all;
}

// 17 mechanisms, 4 targets each. Targets are small, too: there the usual distance of the bounds is a larger share. And not by adding
// more noise than is needed: of what is not discrete 1 % less no longer fits.
TEST(Calibration, WhatIsPrintedShowsNoMoreThanTheTargetAndIsHardlyMoreThanNeeded) {
  for (const PrivacyEvent& event : events()) {
    const bool is_discrete = event.kind == Kind::discrete_gaussian || event.kind == Kind::discrete_laplace;
    for (const double epsilon : {0.1, 0.19, 1.0, 4.3}) {
      if (is_watched() && epsilon != 1.0) continue;
      const double delta = epsilon < 1 ? 1e-5 : 1e-6;
      const auto amount = calibrate_noise(event, epsilon, delta);
      ASSERT_TRUE(amount) << text(event, epsilon, delta) << ": " << amount.error().message;
      EXPECT_LE(shown_epsilon(event, amount_name(event.kind), *amount, delta), epsilon)
          << text(event, epsilon, delta) << ": " << *amount;
      if (is_discrete || (epsilon != 0.1 && epsilon != 1.0)) continue;
      PrivacyEvent less = event;
      less.sigma = less.scale = 0.99 * *amount;
      const auto tight =
          Accountant::make({less}).value().epsilon(delta, Accountant::Method::automatic, 1e-5 * epsilon);
      EXPECT_GT(tight->front().bounds.upper, epsilon) << text(event, epsilon, delta);
    }
  }
}

TEST(Calibration, OfATinyDeltaIsTheClosedForm) {
  // One Gaussian release: the ratio that a search on the exact curve finds, to which calibration adds up to 1e-4.
  const PrivacyEvent event{.kind = Kind::gaussian, .count = 1};
  for (const double epsilon : {0.01, 1.0}) {
    const double exact = calibrate_gaussian(Rational(epsilon), Rational(1e-300)).to_double();
    const double sigma = calibrate_noise(event, epsilon, 1e-300).value();
    EXPECT_GE(sigma, exact * (1 - 1e-12));
    EXPECT_LE(sigma, exact * (1 + 1e-4));
  }
}

TEST(Calibration, StepsAndRatesThatArePrintedStayWithinTheTarget) {
  const PrivacyEvent gaussian{.kind = Kind::gaussian, .sigma = 5, .count = 1};
  const PrivacyEvent laplace{.kind = Kind::laplace, .scale = 30, .count = 1};
  const PrivacyEvent fixed{.kind = Kind::gaussian,
                           .sigma = 2,
                           .count = 100,
                           .sampling = Sampling::fixed_size,
                           .neighbours = Neighbours::replace_one};
  for (const double epsilon : {0.8, 1.1, 3.0}) {
    if (is_watched() && epsilon != 1.1) continue;
    for (const PrivacyEvent& event : {gaussian, laplace}) {
      const auto steps = calibrate_steps(event, epsilon, 1e-5);
      ASSERT_TRUE(steps) << steps.error().message;
      EXPECT_LE(shown_epsilon(event, "steps", *steps, 1e-5), epsilon);
      EXPECT_GT(shown_epsilon(event, "steps", *steps + 1, 1e-5), epsilon);
      PrivacyEvent often = event;
      often.count = 500;
      const auto rate = calibrate_rate(often, epsilon, 1e-5);
      ASSERT_TRUE(rate) << rate.error().message;
      EXPECT_LE(shown_epsilon(often, "poisson", *rate, 1e-5), epsilon);
    }
    const auto share = calibrate_rate(fixed, epsilon, 1e-5);
    ASSERT_TRUE(share) << share.error().message;
    EXPECT_LE(shown_epsilon(fixed, "fixed-size", *share, 1e-5), epsilon);
  }
}

}  // namespace calibration_test
}  // namespace gauze
