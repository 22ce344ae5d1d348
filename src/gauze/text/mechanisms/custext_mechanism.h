#pragma once

#include <optional>
#include <span>
#include <vector>

#include "gauze/random/secure_random.h"
#include "gauze/random/seeded_random.h"
#include "gauze/text/mechanisms/exact_weights.h"
#include "gauze/text/mechanisms/output_sets.h"

namespace gauze::text {

/// CusText: the vocabulary is divided into sets of near words (output_sets.h), and a word is replaced by one of its own set, with
/// probability proportional to an integer weight that falls with their distance, scaled to 1 for the farthest word of the set.
///
/// Privacy unit   : one word of a text, at its place.
/// Guarantee      : P[x -> y] <= exp(epsilon + 2^-39) P[x' -> y] for all words x, x' of one output set and every y.
///                  Between words of different sets: none. Every output says which set its word is of.
/// Proven         : docs/proofs/text-mechanisms.md; holds for the integers that are drawn from.
/// Not covered    : as for SoftmaxMechanism. The sets follow from the public vectors.
/// Thread safety  : const members may be called concurrently.
class CustextMechanism {
 public:
  static constexpr std::size_t kUsualSize = 20;  ///< as published

  struct Options {
    Rational epsilon = 0;           ///< required, positive
    std::size_t size = kUsualSize;  ///< words in an output set, 2 at least
  };
  [[nodiscard]] static Result<CustextMechanism> make(WordVectors vectors, const Options& options);

  [[nodiscard]] const WordVectors& vectors() const { return vectors_; }
  [[nodiscard]] const OutputSets& sets() const { return sets_; }
  [[nodiscard]] const Rational& epsilon() const { return weights_.epsilon(); }

  /// The weights of x over the words of its set.
  [[nodiscard]] std::vector<Weight> weight_row(std::size_t x) const;
  /// P[x -> y] and its logarithm over the words of its set.
  struct Law {
    std::vector<double> p;
    std::vector<double> log_p;
  };
  [[nodiscard]] Law law(std::size_t x) const;

  /// out[i]: what is printed for words[i].
  void release(std::span<const std::uint32_t> words, SecureRandom& random, std::span<std::uint32_t> out) const;
  void simulate(std::span<const std::uint32_t> words, SeededRandom& random, std::span<std::uint32_t> out) const;

 private:
  CustextMechanism(WordVectors vectors, OutputSets sets, ExactWeights weights)
      : vectors_(std::move(vectors)), sets_(std::move(sets)), weights_(std::move(weights)) {}
  void draw(std::span<const std::uint32_t> words, RandomWords& random, std::span<std::uint32_t> out) const;

  WordVectors vectors_;
  OutputSets sets_;
  ExactWeights weights_;
};

}  // namespace gauze::text
