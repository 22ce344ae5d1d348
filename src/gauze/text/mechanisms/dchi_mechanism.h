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

/// d_chi-privacy: adds noise of density proportional to exp(-epsilon |z|) to the vector of a word, rounds the sum to a
/// public lattice and prints the word nearest to it (the first of equals).
///
/// Privacy unit   : one word of a text, at its place.
/// Metric         : d, the Euclidean distance of the fixed-point vectors.
/// Guarantee      : P[x -> y] <= exp(epsilon d(x, x')) P[x' -> y] for all words x, x', y; no further term: the rounded
///                  sum has exactly the law of the mechanism on real numbers (sampling error tau = 0), what follows is
///                  post-processing, and the nearest word is found exactly.
/// Proven         : docs/proofs/text-mechanisms.md; it takes for granted that log, sin, cos and sqrt of the C library are
///                  within 8 units in the last place (glibc states less than one).
/// Not covered    : as for SoftmaxMechanism. Of words with the same vector only the first is ever printed.
/// Thread safety  : const members may be called concurrently.
class DchiMechanism {
 public:
  static constexpr std::size_t kBatch = 256;  ///< words that are looked up together

  [[nodiscard]] static Result<DchiMechanism> make(WordVectors vectors, const Rational& epsilon);

  [[nodiscard]] const WordVectors& vectors() const { return vectors_; }
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
  /// below exp(2^-kLawBits). Otherwise nothing.
  static constexpr int kLawBits = 10;
  [[nodiscard]] std::optional<std::vector<double>> law(std::size_t x) const;

 private:
  DchiMechanism(WordVectors vectors, Rational epsilon, int lattice_bits);
  void draw(std::span<const std::uint32_t> words, RandomWords& random, std::span<std::uint32_t> out) const;
  [[nodiscard]] std::vector<double> law_on_a_line(std::size_t x) const;
  [[nodiscard]] std::vector<double> law_of_two(std::size_t x) const;

  WordVectors vectors_;
  Rational epsilon_;
  int lattice_bits_;
  std::shared_ptr<const internal::RadialNoise> noise_;
};

}  // namespace gauze::text
