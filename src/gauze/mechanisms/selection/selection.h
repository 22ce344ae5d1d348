#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/base/rational.h"
#include "gauze/label/neighbours.h"
#include "gauze/random/secure_random.h"
#include "gauze/random/seeded_random.h"

namespace gauze {

namespace internal {
class SelectionStrategy;
}

/// Chooses one of several candidates by score, at random, so that the choice is private.
///
/// Privacy unit   : whatever the caller's sensitivity refers to.
/// Neighbours     : as stated in the options.
/// Guarantee      : epsilon-DP when no score changes by more than `sensitivity` between neighbours. With `monotone`
///                  (all scores move the same way when a unit is added) the noise is halved at the same epsilon; that
///                  holds for add / remove only, and make() refuses it for replace-one.
/// Proven         : docs/proofs/selection.md; exact for the arithmetic as coded.
/// Not covered    : the caller's claims about sensitivity and monotonicity; the number of candidates is public.
/// Thread safety  : const members may be called concurrently.
class SelectionMechanism {
 public:
  enum class Kind {
    exponential,        ///< P[i] proportional to exp(epsilon q_i / (2 sensitivity)), exactly
    base2_exponential,  ///< the same with a base that is a dyadic fraction; whole-number scores (Ilvento 2020)
    permute_and_flip,   ///< McKenna, Sheldon 2020: never worse than exponential
    noisy_max,          ///< largest score after discrete Laplace noise of scale 2 sensitivity / epsilon
  };
  struct Options {
    Kind kind = Kind::exponential;
    Rational epsilon = 0;      ///< required
    Rational sensitivity = 1;  ///< finite and positive
    bool monotone = false;
    Neighbours neighbours = Neighbours::add_remove;
  };
  [[nodiscard]] static Result<SelectionMechanism> make(const Options& options);

  /// `count` independent choices (each costs epsilon): indices into scores, from 0. Refuses an empty list, more than
  /// 2^24 candidates, undefined scores, and (base 2) scores that are not whole numbers. Each choice is one step of
  /// the progress, if one is given; it can be stopped there.
  [[nodiscard]] Result<std::vector<std::size_t>> release(SecureRandom& random, std::span<const Rational> scores,
                                                         std::size_t count = 1, Progress* progress = nullptr) const;
  [[nodiscard]] Result<std::vector<std::size_t>> simulate(SeededRandom& random, std::span<const Rational> scores,
                                                          std::size_t count = 1, Progress* progress = nullptr) const;

  /// The probability of each candidate, right to about 15 digits. Computed from the true scores: for the owner's
  /// eyes.
  [[nodiscard]] Result<std::vector<double>> probabilities(std::span<const Rational> scores) const;

  [[nodiscard]] const Rational& epsilon() const { return options_.epsilon; }

 private:
  explicit SelectionMechanism(const Options& options);
  [[nodiscard]] Result<std::unique_ptr<internal::SelectionStrategy>> prepare(std::span<const Rational> scores) const;
  [[nodiscard]] Result<std::vector<std::size_t>> select(RandomWords& random, std::span<const Rational> scores,
                                                        std::size_t count, Progress* progress) const;

  Options options_;
};

}  // namespace gauze
