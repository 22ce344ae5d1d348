#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gauze/text/vectors/word_vectors.h"

namespace gauze::text {

/// The linear map x -> C^-1 x with C C' = M = lambda S + (1 - lambda) I, S the covariance of a public vocabulary, its mean variance made
/// 1: the Euclidean length of what it gives is the regularised Mahalanobis norm of Xu et al. (2020). In doubles: whatever it gives is
/// rounded to a grid and taken for the vectors of the metric, so that the guarantee does not rest on this arithmetic.
class MahalanobisMap {
 public:
  /// lambda in [0, 1). The covariance is that of at most 50,000 words, spread evenly over the vocabulary.
  [[nodiscard]] static Result<MahalanobisMap> make(const WordVectors& vectors, double lambda);

  /// The vocabulary with mapped vectors.
  [[nodiscard]] Result<WordVectors> mapped(const WordVectors& vectors) const;
  /// Points one after the other, in steps of a lattice, to C times each, rounded and cut at `largest` steps.
  void map_back(std::span<std::int64_t> points, std::int64_t largest) const;
  /// Of two words, how far noise must go in the mapped space to be nearer to the other: |y - x|^2 / (2 |C' (y - x)|).
  [[nodiscard]] double way_across(const WordVectors& two) const;

 private:
  explicit MahalanobisMap(std::size_t n) : n_(n), factor_(n * n) {}
  std::size_t n_;
  std::vector<double> factor_;  // C, lower triangular, row by row
};

}  // namespace gauze::text
