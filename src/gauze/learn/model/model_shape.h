#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/learn/engine/layer_spec.h"

namespace gauze::learn {

/// The kinds of models that the engine trains.
enum class ModelKind { logistic, svm, mlp, cnn, lstm, transformer };
inline constexpr Words<ModelKind, 6> kModelWords = {{{ModelKind::logistic, "logistic"},
                                                     {ModelKind::svm, "svm"},
                                                     {ModelKind::mlp, "mlp"},
                                                     {ModelKind::cnn, "cnn"},
                                                     {ModelKind::lstm, "lstm"},
                                                     {ModelKind::transformer, "transformer"}}};

/// What a model is built from besides its kind.
struct ModelShape {
  std::vector<std::size_t> hidden = {128, 64};  ///< mlp
  std::size_t width = 64;                       ///< numbers of a token; lstm, transformer
  std::size_t heads = 4;                        ///< transformer
  std::size_t blocks = 1;                       ///< transformer
  double dropout = 0;
  /// Sequences of so many positions of so many inputs; none: an attribute is a position (tokens).
  std::optional<std::pair<std::size_t, std::size_t>> reshape = {};
};

/// The layers of a model for inputs that belong to attributes, so many each. `invalid_parameter` for a shape that cannot be.
[[nodiscard]] Result<std::vector<LayerSpec>> model_layers(ModelKind kind, const ModelShape& shape,
                                                          std::span<const std::size_t> inputs_of,
                                                          std::size_t outputs);
/// Whether a kind sees a row as a sequence of positions.
[[nodiscard]] bool is_sequential(ModelKind kind);

}  // namespace gauze::learn
