#include "gauze/learn/model/model_shape.h"

#include <cmath>
#include <numeric>

namespace gauze::learn {
namespace {

constexpr std::size_t kWidest = 65'536;

Result<void> check_size(std::string_view what, std::size_t value, std::size_t most) {
  if (value >= 1 && value <= most) return {};
  return invalid_parameter("{} must be from 1 to {}, but is {}", what, most, value);
}

LayerSpec linear(std::size_t in, std::size_t out) { return {.kind = LayerKind::linear, .in = in, .out = out}; }

void add_dropout(std::vector<LayerSpec>& layers, const ModelShape& shape) {
  if (shape.dropout > 0) layers.push_back({.kind = LayerKind::dropout, .rate = shape.dropout});
}

/// Puts positions in front: tokens of attributes, or the inputs as they stand. Returns positions and channels.
std::pair<std::size_t, std::size_t> add_positions(std::vector<LayerSpec>& layers, const ModelShape& shape,
                                                  std::span<const std::size_t> inputs_of, std::size_t inputs) {
  if (shape.reshape) {
    layers.push_back({.kind = LayerKind::reshape, .out = shape.reshape->second, .positions = shape.reshape->first});
    return *shape.reshape;
  }
  layers.push_back({.kind = LayerKind::tokens,
                    .in = inputs,
                    .out = shape.width,
                    .inputs_of = std::vector<std::size_t>(inputs_of.begin(), inputs_of.end())});
  return {inputs_of.size(), shape.width};
}

void add_cnn(std::vector<LayerSpec>& layers, const ModelShape& shape, std::size_t positions, std::size_t channels,
             std::size_t outputs) {
  for (const std::size_t out : {std::size_t{16}, std::size_t{32}}) {
    layers.push_back({.kind = LayerKind::conv1d, .in = channels, .out = out, .kernel = 3, .padding = 1});
    layers.push_back({.kind = LayerKind::relu});
    layers.push_back({.kind = LayerKind::max_pool, .kernel = 2});
    channels = out;
    positions = (positions + 1) / 2;
  }
  layers.push_back({.kind = LayerKind::flatten});
  layers.push_back(linear(positions * channels, 64));
  layers.push_back({.kind = LayerKind::relu});
  add_dropout(layers, shape);
  layers.push_back(linear(64, outputs));
}

void add_transformer(std::vector<LayerSpec>& layers, const ModelShape& shape, std::size_t channels,
                     std::size_t outputs) {
  const std::size_t width = shape.width;
  if (shape.reshape) layers.push_back(linear(channels, width));
  const auto residual = [&](std::vector<LayerSpec> inner) {
    add_dropout(inner, shape);
    layers.push_back({.kind = LayerKind::residual, .inner = std::move(inner)});
    layers.push_back({.kind = LayerKind::layer_norm, .in = width});
  };
  for (std::size_t block = 0; block < shape.blocks; ++block) {
    residual({{.kind = LayerKind::attention, .in = width, .heads = shape.heads}});
    residual({linear(width, 2 * width), {.kind = LayerKind::gelu}, linear(2 * width, width)});
  }
  layers.push_back({.kind = LayerKind::mean_pool});
  layers.push_back(linear(width, outputs));
}

Result<void> check_shape(ModelKind kind, const ModelShape& shape, std::size_t inputs) {
  if (!(shape.dropout >= 0 && shape.dropout < 1))
    return invalid_parameter("dropout must be from 0 to below 1, but is {}", shape.dropout);
  for (const std::size_t width : shape.hidden) GAUZE_TRY_VOID(check_size("a hidden width", width, kWidest));
  if (shape.hidden.size() > 64) return invalid_parameter("more than 64 hidden layers are not built");
  if (!is_sequential(kind)) return {};
  GAUZE_TRY_VOID(check_size("width", shape.width, kWidest));
  if (kind == ModelKind::transformer) {
    GAUZE_TRY_VOID(check_size("heads", shape.heads, shape.width));
    GAUZE_TRY_VOID(check_size("blocks", shape.blocks, 64));
    if (shape.width % shape.heads != 0)
      return invalid_parameter("width {} is no multiple of heads {}", shape.width, shape.heads);
  }
  if (!shape.reshape) return {};
  const auto [positions, channels] = *shape.reshape;
  GAUZE_TRY_VOID(check_size("the positions of reshape", positions, kWidest));
  GAUZE_TRY_VOID(check_size("the channels of reshape", channels, kWidest));
  if (positions * channels < inputs)
    return invalid_parameter("reshape:{}x{} holds {} numbers, but a row has {} inputs", positions, channels,
                             positions * channels, inputs);
  return {};
}

}  // namespace

bool is_sequential(ModelKind kind) {
  return kind == ModelKind::cnn || kind == ModelKind::lstm || kind == ModelKind::transformer;
}

Result<std::vector<LayerSpec>> model_layers(ModelKind kind, const ModelShape& shape,
                                            std::span<const std::size_t> inputs_of, std::size_t outputs) {
  const std::size_t inputs = std::accumulate(inputs_of.begin(), inputs_of.end(), std::size_t{0});
  GAUZE_TRY_VOID(check_shape(kind, shape, inputs));
  std::vector<LayerSpec> layers;
  switch (kind) {
    case ModelKind::logistic:
    case ModelKind::svm:
      layers.push_back(linear(inputs, outputs));
      break;
    case ModelKind::mlp: {
      std::size_t in = inputs;
      for (const std::size_t out : shape.hidden) {
        layers.push_back(linear(in, out));
        layers.push_back({.kind = LayerKind::relu});
        add_dropout(layers, shape);
        in = out;
      }
      layers.push_back(linear(in, outputs));
      break;
    }
    case ModelKind::cnn: {
      const auto [positions, channels] = add_positions(layers, shape, inputs_of, inputs);
      add_cnn(layers, shape, positions, channels, outputs);
      break;
    }
    case ModelKind::lstm: {
      const std::size_t channels = add_positions(layers, shape, inputs_of, inputs).second;
      layers.push_back({.kind = LayerKind::lstm, .in = channels, .out = shape.width});
      layers.push_back({.kind = LayerKind::last});
      add_dropout(layers, shape);
      layers.push_back(linear(shape.width, outputs));
      break;
    }
    case ModelKind::transformer: {
      const std::size_t channels = add_positions(layers, shape, inputs_of, inputs).second;
      add_transformer(layers, shape, channels, outputs);
      break;
    }
  }
  return layers;
}

}  // namespace gauze::learn
