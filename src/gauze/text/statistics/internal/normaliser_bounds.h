#pragma once

#include <span>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/text/mechanisms/softmax_mechanism.h"

namespace gauze::text::internal {

/// Between which values the sum of the weights of each word is taken to lie.
struct NormaliserBounds {
  std::vector<double> low;
  std::vector<double> high;
  [[nodiscard]] bool hold(std::span<const double> sums) const;
};

/// A guess from the weights of a few outputs, spread over the vocabulary, for mechanisms that share their outputs: to be
/// checked with hold() once the sums are known. As wide as can be without letting in pairs of words that are far apart: a
/// few times the sample's error, and a small part of the energy (epsilon d / 2) of a typical pair.
[[nodiscard]] Result<std::vector<NormaliserBounds>> guess_normalisers(std::span<const SoftmaxMechanism> mechanisms);

}  // namespace gauze::text::internal
