#pragma once

#include <cstdint>
#include <memory>

#include "gauze/base/rational.h"
#include "gauze/random/secure_random.h"
#include "gauze/random/seeded_random.h"

namespace gauze {

namespace internal {
class FixedProbability;
}

/// k-ary randomised response ("direct encoding" in the standard): the true category with probability
/// e^epsilon / (e^epsilon + k - 1), else one of the others, uniformly.
///
/// Privacy unit   : one value, reported once.
/// Neighbours     : any two values (local differential privacy; with a value a person, replace-one).
/// Guarantee      : epsilon-DP.
/// Proven         : docs/proofs/randomized-response.md.
/// Not covered    : repeated reports of the same value: their costs add up.
/// Thread safety  : const members may be called concurrently.
class RandomizedResponse {
 public:
  struct Options {
    Rational epsilon = 0;          ///< required
    std::uint64_t categories = 0;  ///< at least 2, at most 2^53
  };
  [[nodiscard]] static Result<RandomizedResponse> make(const Options& options);

  /// Total: a value that is not below `categories` counts as the last category.
  [[nodiscard]] std::uint64_t release(SecureRandom& random, std::uint64_t value) const {
    return answer(random, value);
  }
  [[nodiscard]] std::uint64_t simulate(SeededRandom& random, std::uint64_t value) const {
    return answer(random, value);
  }

  [[nodiscard]] const Rational& epsilon() const { return epsilon_; }
  [[nodiscard]] std::uint64_t categories() const { return categories_; }
  /// Probability of the true category, for display.
  [[nodiscard]] double keep_probability() const;
  /// Variance that one report of another category adds to an unbiased count: q (1 - q) / (p - q)^2, rounded up.
  [[nodiscard]] double variance() const;

 private:
  RandomizedResponse(const Options& options);
  [[nodiscard]] std::uint64_t answer(RandomWords& random, std::uint64_t value) const;

  Rational epsilon_;
  std::uint64_t categories_;
  std::shared_ptr<const internal::FixedProbability> keep_;
};

}  // namespace gauze
