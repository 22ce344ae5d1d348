#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gauze/base/words.h"

namespace gauze::learn {

enum class LossKind {
  softmax,  ///< cross entropy of the softmax of the outputs
  squared,  ///< (output - target)^2 / 2, one output
  hinge,    ///< one against the rest, smoothed: quadratic within 1/2 of the margin
};
inline constexpr Words<LossKind, 3> kLossWords = {
    {{LossKind::softmax, "softmax"}, {LossKind::squared, "squared"}, {LossKind::hinge, "hinge"}}};

/// What a row is to be predicted as.
struct RowTarget {
  std::uint32_t label = 0;  ///< softmax, hinge: the class
  float value = 0;          ///< squared
  float weight = 1;         ///< of the row's loss; 0: it contributes exact zeros, whatever its outputs are
};

/// gradients = weight x d loss / d outputs, row by row; the same bits for a row in every place. Losses of the rows too, where asked for
/// (empty span: not).
template <class Real>
void loss_gradients(LossKind kind, std::span<const Real> outputs, std::size_t width,
                    std::span<const RowTarget> targets, std::span<Real> gradients, std::span<double> losses);

/// Softmax of each row in place, for predictions. Total: rows that overflow give a distribution, NaN an even one.
template <class Real>
void softmax_rows(std::span<Real> rows, std::size_t width);

}  // namespace gauze::learn
