// Which of several treatments was given most often? The name leaves, the counts do not.
#include <fmt/core.h>

#include <array>

#include "gauze/mechanisms/selection/selection.h"

int main() {
  using namespace gauze;
  constexpr std::array kTreatments = {"rest", "massage", "surgery"};
  const std::array<Rational, 3> counts = {Rational(41), Rational(39), Rational(7)};

  // Adding a patient raises counts and lowers none, so the scores are monotone: half the noise is enough.
  const auto mechanism = SelectionMechanism::make({.kind = SelectionMechanism::Kind::permute_and_flip,
                                                   .epsilon = Rational(1, 2),
                                                   .sensitivity = 1,
                                                   .monotone = true});
  if (!mechanism) {
    fmt::print(stderr, "{}\n", mechanism.error().message);
    return 1;
  }
  const auto chosen = mechanism->release(SecureRandom::of_thread(), counts);
  if (!chosen) {
    fmt::print(stderr, "{}\n", chosen.error().message);
    return 1;
  }
  fmt::print("{}\n", kTreatments.at(chosen->front()));
}
