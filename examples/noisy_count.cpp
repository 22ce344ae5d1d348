// A count with noise, and how far off it may be.
#include <fmt/core.h>

#include "gauze/mechanisms/noise/geometric.h"

int main() {
  using namespace gauze;
  // One person changes the count by at most 1; the release costs epsilon = 1/2.
  const auto mechanism = GeometricMechanism::make({.epsilon = Rational(1, 2), .l1_sensitivity = 1});
  if (!mechanism) {
    fmt::print(stderr, "{}\n", mechanism.error().message);
    return 1;
  }
  const double patients = 1234;  // the true count: it stays here
  const GridValue noisy = mechanism->release(SecureRandom::of_thread(), patients);
  const GridValue radius = mechanism->noise_interval(Rational(95, 100));

  fmt::print("{} +- {} (95 %), at epsilon {}\n", noisy.to_decimal(), radius.to_decimal(),
             mechanism->epsilon().to_decimal());
}
