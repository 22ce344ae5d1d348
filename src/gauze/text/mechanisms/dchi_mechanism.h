#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gauze/base/rational.h"
#include "gauze/random/secure_random.h"
#include "gauze/random/seeded_random.h"
#include "gauze/text/vectors/word_vectors.h"

namespace gauze::text {

namespace internal {
class RadialNoise;
}

class MahalanobisMap;

/// d_chi-privacy: adds noise of density proportional to exp(-epsilon |z|) to the vector of a word, rounds the sum to a
/// public lattice and prints the word nearest to it (the first of equals). Two more mechanisms are this one with a change:
///
/// lambda (Mahalanobis): the density is proportional to exp(-epsilon |z|_M), |z|_M^2 = z' M^-1 z with M = lambda S + (1 - lambda) I
///     and S the covariance of the public vocabulary, its mean variance made 1: more noise where words spread more.
/// t (Vickrey): not always the nearest word is printed, but with probability t d1 / (t d1 + (1 - t) d2) the second-nearest, d1 and d2
///     being their distances to the sum.
///
/// Privacy unit   : one word of a text, at its place.
/// Metric         : d, the Euclidean distance of metric_vectors(): the fixed-point vectors; with lambda those that the map
///                  makes of them, whose distance is the Mahalanobis one of the words. It is not the Euclidean one of the words.
/// Guarantee      : P[x -> y] <= exp(epsilon d(x, x')) P[x' -> y] for all words x, x', y; no further term: the rounded
///                  sum has exactly the law of the mechanism on real numbers (sampling error tau = 0), what follows is
///                  post-processing, and the nearest word is found exactly. With t, because what is printed depends on the
///                  sum and a coin alone: the word itself is a candidate like any other, never left out.
/// Proven         : docs/proofs/text-mechanisms.md; it takes for granted that log, sin, cos and sqrt of the C library are
///                  within 8 units in the last place (glibc states less than one).
/// Not covered    : as for SoftmaxMechanism. Of words with the same vector only the first is ever printed.
/// Thread safety  : const members may be called concurrently.
class DchiMechanism {
 public:
  static constexpr std::size_t kBatch = 256;  ///< words that are looked up together

  struct Options {
    Rational epsilon = 0;                           ///< required, positive
    std::optional<Rational> lambda = std::nullopt;  ///< in [0, 1): Mahalanobis
    std::optional<Rational> t =
        std::nullopt;  ///< in [0, 1]: Vickrey; 0 prints the nearest, 1 the second-nearest word
  };
  [[nodiscard]] static Result<DchiMechanism> make(WordVectors vectors, const Options& options);
  [[nodiscard]] static Result<DchiMechanism> make(WordVectors vectors, const Rational& epsilon) {
    return make(std::move(vectors), Options{.epsilon = epsilon});
  }

  [[nodiscard]] const WordVectors& vectors() const { return vectors_; }
  /// Noise is added to these.
  [[nodiscard]] const WordVectors& metric_vectors() const { return metric_vectors_; }
  [[nodiscard]] const Rational& epsilon() const { return epsilon_; }
  /// The sum is rounded to multiples of 2^-bits: the vectors' grid, or coarser where the noise is so large that it does
  /// not matter (a 2^-25th of the mean radius).
  [[nodiscard]] int lattice_bits() const { return lattice_bits_; }
  /// Bound on the total-variation distance to the mechanism on real numbers, for labels of the form
  /// (epsilon d, tau (1 + exp(epsilon d))).
  [[nodiscard]] static double sampling_error() { return 0; }

  /// out[i]: what is printed for words[i]. Fastest in batches of kBatch or more; one thread. (Callers with several
  /// threads share out their tokens, with a stream each.)
  void release(std::span<const std::uint32_t> words, SecureRandom& random, std::span<std::uint32_t> out) const;
  void simulate(std::span<const std::uint32_t> words, SeededRandom& random, std::span<std::uint32_t> out) const;

  /// The law of the output for word x, where there is a closed form: in one dimension (that of the lattice, exactly), and
  /// for two words that of the real numbers by quadrature, where the lattice is fine enough: rounding moves a point by
  /// sqrt(n) / 2 steps at most, so a chance changes by a factor of exp(epsilon sqrt(n) step / 2) at most, which must be
  /// below exp(2^-kLawBits). Otherwise, and with t, nothing.
  static constexpr int kLawBits = 10;
  [[nodiscard]] std::optional<std::vector<double>> law(std::size_t x) const;

 private:
  DchiMechanism(WordVectors vectors, WordVectors metric_vectors, const Options& options, int lattice_bits);
  /// Prints a word for each point of the lattice.
  void choose(std::span<std::int64_t> points, RandomWords& random, std::span<std::uint32_t> out) const;
  void draw(std::span<const std::uint32_t> words, RandomWords& random, std::span<std::uint32_t> out) const;
  [[nodiscard]] std::vector<double> law_on_a_line(std::size_t x) const;
  [[nodiscard]] std::vector<double> law_of_two(std::size_t x) const;

  WordVectors vectors_;
  WordVectors metric_vectors_;
  std::shared_ptr<const MahalanobisMap> map_;  ///< from metric_vectors() back to vectors()
  std::optional<double> t_;
  Rational epsilon_;
  int lattice_bits_;
  std::shared_ptr<const internal::RadialNoise> noise_;
};

}  // namespace gauze::text
