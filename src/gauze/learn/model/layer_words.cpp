// Layers in a model file.
#include "gauze/learn/model/model_file.h"

namespace gauze::learn {
namespace {

constexpr std::size_t kMostLayers = 1'000;
constexpr std::uint64_t kLargest = std::uint64_t{1} << 26;

/// The arrays of a kind, in the order of the engine: their names behind the layer's index.
std::vector<std::string> parts_of(LayerKind kind) {
  switch (kind) {
    case LayerKind::linear:
    case LayerKind::conv1d:
    case LayerKind::tokens:
    case LayerKind::layer_norm:
      return {"weight", "bias"};
    case LayerKind::lstm:
      return {"input.weight", "hidden.weight", "bias"};
    case LayerKind::attention:
      return {"query.weight", "query.bias", "key.weight", "key.bias",
              "value.weight", "value.bias", "out.weight", "out.bias"};
    default:
      return {};
  }
}

Result<std::size_t> number(const YamlNode& node, std::string_view key, std::uint64_t least) {
  const YamlNode* found = node.find(key);
  if (found == nullptr) return invalid_parameter("a layer needs {}", key);
  GAUZE_TRY(const std::uint64_t value, read_count(*found, key, least, kLargest));
  return static_cast<std::size_t>(value);
}

/// The array a layer names under a key, with so many dimensions.
Result<const StoredTensor*> tensor(const YamlNode& node, std::string_view key, std::size_t dimensions,
                                   const std::map<std::string, StoredTensor>& tensors) {
  const YamlNode* found = node.find(key);
  if (found == nullptr || !found->is_scalar()) return invalid_parameter("a layer needs {}", key);
  const auto stored = tensors.find(found->text);
  if (stored == tensors.end() || stored->second.shape.size() != dimensions)
    return invalid_parameter("a layer's {} is not in the file, or has another shape", key);
  return &stored->second;
}

Result<LayerSpec> read_layer(const YamlNode& node, const std::map<std::string, StoredTensor>& tensors) {
  if (!node.is_map()) return invalid_parameter("a layer must be a map");
  const YamlNode* kind = node.find("kind");
  if (kind == nullptr) return invalid_parameter("a layer needs a kind");
  LayerSpec layer;
  GAUZE_TRY(layer.kind, read_word(*kind, "kind", kLayerWords));
  switch (layer.kind) {
    case LayerKind::linear: {
      GAUZE_TRY(const StoredTensor* weight, tensor(node, "weight", 2, tensors));
      layer.out = weight->shape[0];
      layer.in = weight->shape[1];
      break;
    }
    case LayerKind::conv1d: {
      GAUZE_TRY(const StoredTensor* weight, tensor(node, "weight", 3, tensors));
      layer.out = weight->shape[0];
      layer.kernel = weight->shape[1];
      layer.in = weight->shape[2];
      GAUZE_TRY(layer.padding, number(node, "padding", 0));
      break;
    }
    case LayerKind::tokens: {
      GAUZE_TRY(const StoredTensor* weight, tensor(node, "weight", 2, tensors));
      layer.in = weight->shape[0];
      layer.out = weight->shape[1];
      const YamlNode* inputs = node.find("inputs_of");
      if (inputs == nullptr || !inputs->is_list()) return invalid_parameter("a layer of tokens needs inputs_of");
      for (const YamlNode& item : inputs->items) {
        GAUZE_TRY(const std::uint64_t count, read_count(item, "inputs_of", 1, kLargest));
        layer.inputs_of.push_back(static_cast<std::size_t>(count));
      }
      break;
    }
    case LayerKind::reshape: {
      GAUZE_TRY(layer.positions, number(node, "positions", 1));
      GAUZE_TRY(layer.out, number(node, "channels", 1));
      break;
    }
    case LayerKind::lstm: {
      GAUZE_TRY(const StoredTensor* input, tensor(node, "input.weight", 2, tensors));
      GAUZE_TRY(const StoredTensor* hidden, tensor(node, "hidden.weight", 2, tensors));
      layer.in = input->shape[1];
      layer.out = hidden->shape[1];
      break;
    }
    case LayerKind::layer_norm: {
      GAUZE_TRY(const StoredTensor* weight, tensor(node, "weight", 1, tensors));
      layer.in = weight->shape[0];
      break;
    }
    case LayerKind::attention: {
      GAUZE_TRY(const StoredTensor* query, tensor(node, "query.weight", 2, tensors));
      layer.in = query->shape[1];
      GAUZE_TRY(layer.heads, number(node, "heads", 1));
      break;
    }
    case LayerKind::max_pool: {
      GAUZE_TRY(layer.kernel, number(node, "kernel", 1));
      break;
    }
    case LayerKind::dropout: {
      const YamlNode* rate = node.find("rate");
      if (rate == nullptr) return invalid_parameter("a layer of dropout needs rate");
      GAUZE_TRY(const Rational share, read_number(*rate, "rate"));
      layer.rate = share.to_double();
      if (!(layer.rate >= 0 && layer.rate < 1)) return invalid_parameter("a rate of dropout must be below 1");
      break;
    }
    case LayerKind::residual: {
      const YamlNode* inner = node.find("layers");
      if (inner == nullptr) return invalid_parameter("a residual layer needs layers");
      GAUZE_TRY(layer.inner, read_layers(*inner, tensors));
      break;
    }
    default:
      break;
  }
  return layer;
}

}  // namespace

Json layers_json(const std::vector<LayerSpec>& layers, const std::string& prefix) {
  Json list = Json::array();
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const LayerSpec& layer = layers[i];
    const std::string name = fmt::format("{}{}.", prefix, i);
    Json object = Json::object({{"kind", word_of(kLayerWords, layer.kind)}});
    for (const std::string& part : parts_of(layer.kind)) object.set(part, name + part);
    if (layer.kind == LayerKind::conv1d) object.set("padding", layer.padding);
    if (layer.kind == LayerKind::max_pool) object.set("kernel", layer.kernel);
    if (layer.kind == LayerKind::attention) object.set("heads", layer.heads);
    if (layer.kind == LayerKind::reshape) object.set("positions", layer.positions).set("channels", layer.out);
    if (layer.kind == LayerKind::dropout) object.set("rate", layer.rate);
    if (layer.kind == LayerKind::tokens) {
      Json counts = Json::array();
      for (const std::size_t count : layer.inputs_of) counts.push(count);
      object.set("inputs_of", std::move(counts));
    }
    if (layer.kind == LayerKind::residual) object.set("layers", layers_json(layer.inner, name + "inner."));
    list.push(std::move(object));
  }
  return list;
}

Result<std::vector<LayerSpec>> read_layers(const YamlNode& node, const std::map<std::string, StoredTensor>& tensors) {
  if (!node.is_list() || node.items.size() > kMostLayers) return invalid_parameter("layers must be a list");
  std::vector<LayerSpec> layers;
  for (const YamlNode& item : node.items) {
    GAUZE_TRY(LayerSpec layer, read_layer(item, tensors));
    layers.push_back(std::move(layer));
  }
  return layers;
}

}  // namespace gauze::learn
