#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gauze/random/secure_random.h"
#include "gauze/random/seeded_random.h"
#include "gauze/text/mechanisms/softmax_mechanism.h"

namespace gauze::text {

/// SanText, SanText+ and TEM to the letter of their papers, in double precision: P[x -> y] is the softmax of
/// -epsilon d(x, y) / 2 (TEM: of -epsilon min(d, gamma) / 2), d the plain Euclidean distance; a draw compares a uniform
/// double with the running sum.
///
/// Claimed : epsilon d (SanText+: UMLDP with ln(1/p)).
/// Holds   : nothing that could be proven for the arithmetic as coded. Far words get the probability 0, rounding breaks
///           the inequality, and a sum of doubles is not the sum of the probabilities. Use SoftmaxMechanism.
/// Thread safety: const members may be called concurrently.
class PublishedSoftmax {
 public:
  /// The same parameters as the mechanism it is compared with; the mechanism must outlive it. gamma is TEM's, before
  /// rounding.
  explicit PublishedSoftmax(const SoftmaxMechanism& mechanism, std::optional<double> gamma = std::nullopt)
      : mechanism_(mechanism), gamma_(gamma) {}

  /// TEM's published gamma: (2 / epsilon) ln((1 - beta)(|V| - 1) / beta), at least 0.
  [[nodiscard]] static double published_gamma(double epsilon, double beta, std::size_t words);

  [[nodiscard]] const std::optional<double>& gamma() const { return gamma_; }
  [[nodiscard]] SoftmaxMechanism::Law law(std::size_t x) const;
  /// Two uniform doubles decide a draw: whether the word stays (santext+), and which word of running_sums() it is. They
  /// are drawn apart, so that equal words of a batch share their sums.
  struct Uniforms {
    double stays = 0;
    double which = 0;
  };
  [[nodiscard]] static Uniforms release(SecureRandom& random) { return draw(random); }
  [[nodiscard]] static Uniforms simulate(SeededRandom& random) { return draw(random); }
  /// Over the outputs of the mechanism, for word x.
  [[nodiscard]] std::vector<double> running_sums(std::uint32_t x) const;
  [[nodiscard]] std::uint32_t pick(std::uint32_t x, std::span<const double> sums, Uniforms drawn) const;

 private:
  [[nodiscard]] std::vector<double> softmax(std::size_t x) const;
  [[nodiscard]] static Uniforms draw(RandomWords& random);

  const SoftmaxMechanism& mechanism_;
  std::optional<double> gamma_;
};

}  // namespace gauze::text
