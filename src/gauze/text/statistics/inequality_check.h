#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/text/mechanisms/softmax_mechanism.h"

namespace gauze::text {

/// How far the outputs of a mechanism go beyond what it promises: the largest
///
///     ln P[x -> y] - ln P[x' -> y] - epsilon d(x, x')
///
/// over all triples of words, or of a sample of x and x' with all y.
struct InequalityCheck {
  double worst = 0;     ///< infinite when an output is possible for x and not for x'
  double error = 0;     ///< bound on what rounding may have moved `worst` by
  std::uint32_t x = 0;  ///< where it is
  std::uint32_t x_prime = 0;
  std::uint32_t y = 0;
  double log_ratio = 0;       ///< there
  double allowed = 0;         ///< epsilon d(x, x') there
  std::uint64_t triples = 0;  ///< how many were looked at
  bool complete = false;      ///< these are all
};

/// A mechanism by its laws, and what it promises for a pair of words.
struct CheckedMechanism {
  std::size_t words = 0;
  std::span<const std::uint32_t> outputs;  ///< the y that are promised anything for
  /// ln P[x -> y] over `outputs`, each within `error`.
  std::function<void(std::size_t x, std::span<double> log_p)> log_law;
  std::function<double(std::size_t x, std::size_t x_prime)> allowed;  ///< epsilon d, and what is constant besides
  double error = 0;
};

/// The integers that SoftmaxMechanism draws from, in logarithms: santext and tem over all words; santext+ over the protected
/// outputs, with ln(1/p) allowed besides. The mechanism must outlive the result. Expected: worst <= 2^-39.
[[nodiscard]] CheckedMechanism checked(const SoftmaxMechanism& mechanism);

/// All pairs of words when there are at most `complete_words`, else a sample of that many rows in all, spread evenly over
/// the vocabulary, each with its nearest word beside it. Memory: rows x outputs x 8 bytes, at most 200 MB; fewer rows when
/// the vocabulary is larger.
inline constexpr std::size_t kCompleteWords = 5'000;
[[nodiscard]] Result<InequalityCheck> check_inequality(const WordVectors& vectors, const CheckedMechanism& mechanism,
                                                       Progress* progress = nullptr,
                                                       std::size_t complete_words = kCompleteWords);

}  // namespace gauze::text
