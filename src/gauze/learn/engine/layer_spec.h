#pragma once

#include <cstddef>
#include <vector>

#include "gauze/base/words.h"

namespace gauze::learn {

/// What a layer does to a row: `positions` vectors of `channels` numbers become others.
enum class LayerKind {
  linear,  ///< at every position: in -> out, with bias
  conv1d,  ///< over positions: in -> out channels, kernel, zero padding at both ends, stride 1, with bias
  tokens,  ///< one position of inputs -> one position an attribute: its bias vector and, for each input, input x vector
  reshape,     ///< one position of inputs, padded with zeros -> `positions` of `out` channels
  lstm,        ///< in -> out hidden numbers at every position; gates i, f, g, o; one bias
  layer_norm,  ///< at every position, with gain and shift
  attention,   ///< multi-head self-attention: four linear maps with bias (query, key, value, out)
  max_pool,    ///< over `kernel` neighbouring positions; the last window may be shorter (rounds up)
  mean_pool,   ///< over all positions -> one
  last,        ///< the last position -> one
  flatten,     ///< all positions one after the other -> one position
  relu,
  gelu,  ///< exact, with the error function's normal law (not the tanh form)
  tanh,
  sigmoid,
  dropout,   ///< in training: a number becomes 0 with chance `rate`, else x / (1 - rate)
  residual,  ///< x + inner(x)
};

inline constexpr Words<LayerKind, 17> kLayerWords = {{{LayerKind::linear, "linear"},
                                                      {LayerKind::conv1d, "conv1d"},
                                                      {LayerKind::tokens, "tokens"},
                                                      {LayerKind::reshape, "reshape"},
                                                      {LayerKind::lstm, "lstm"},
                                                      {LayerKind::layer_norm, "layer_norm"},
                                                      {LayerKind::attention, "attention"},
                                                      {LayerKind::max_pool, "max_pool"},
                                                      {LayerKind::mean_pool, "mean_pool"},
                                                      {LayerKind::last, "last"},
                                                      {LayerKind::flatten, "flatten"},
                                                      {LayerKind::relu, "relu"},
                                                      {LayerKind::gelu, "gelu"},
                                                      {LayerKind::tanh, "tanh"},
                                                      {LayerKind::sigmoid, "sigmoid"},
                                                      {LayerKind::dropout, "dropout"},
                                                      {LayerKind::residual, "residual"}}};

/// One layer, as a model file describes it. Members that a kind does not need are 0.
struct LayerSpec {
  LayerKind kind = LayerKind::linear;
  std::size_t in = 0;       ///< channels of the input: linear, conv1d, lstm, layer_norm, attention; inputs of tokens
  std::size_t out = 0;      ///< channels of the output: linear, conv1d, lstm, tokens, reshape
  std::size_t kernel = 0;   ///< conv1d, max_pool
  std::size_t padding = 0;  ///< conv1d
  std::size_t heads = 0;    ///< attention; divides `in`
  std::size_t positions = 0;                ///< reshape
  double rate = 0;                          ///< dropout, from 0 to below 1
  std::vector<std::size_t> inputs_of = {};  ///< tokens: how many consecutive inputs each attribute has; none is 0
  std::vector<LayerSpec> inner = {};        ///< residual

  friend bool operator==(const LayerSpec&, const LayerSpec&) = default;
};

}  // namespace gauze::learn
