#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/files/json.h"
#include "gauze/learn/engine/loss.h"
#include "gauze/learn/engine/network.h"
#include "gauze/learn/model/model_shape.h"
#include "gauze/learn/rows/row_encoder.h"

namespace gauze::learn {

/// One array of numbers as a file holds it.
struct StoredTensor {
  std::vector<std::size_t> shape = {};
  std::vector<float> values = {};
  friend bool operator==(const StoredTensor&, const StoredTensor&) = default;
};

/// What a model file says besides its numbers: enough to predict on any table, and to score.
struct ModelDescription {
  std::string kind = {};  ///< a word of the registry: "mlp"
  LossKind loss = LossKind::softmax;
  InputEncoding encoding = InputEncoding::expanded;
  table::DecimalSign decimal = table::DecimalSign::point;  ///< of the table it was trained on
  std::vector<std::string> null_tokens = {};               ///< likewise
  schema::LearnPolicy policy = {};  ///< features, target, groups, unit, neighbours; nothing else
  std::vector<LayerSpec> layers = {};

  friend bool operator==(const ModelDescription&, const ModelDescription&) = default;
};

/// A model as a file: safetensors, with the description under `__metadata__`. docs/formats/model.md
struct ModelFile {
  ModelDescription description = {};
  std::map<std::string, StoredTensor> tensors = {};

  /// Of a network of the engine.
  [[nodiscard]] static ModelFile of_network(ModelDescription description, const Network<float>& network,
                                            std::span<const float> weights);
  [[nodiscard]] std::string to_bytes() const;
  /// Total: any bytes give a model or `bad_data`, which does not quote them. The numbers are finite.
  [[nodiscard]] static Result<ModelFile> parse(std::string_view bytes);
  [[nodiscard]] static Result<ModelFile> read(const std::string& path);
};

/// The metadata of a file, before anybody knows whether it is a model: {"format":...}, and its arrays. Checkpoints are such files, too.
struct TensorFile {
  Json metadata = Json::object();
  std::map<std::string, StoredTensor> tensors = {};

  [[nodiscard]] std::string to_bytes() const;
  [[nodiscard]] static Result<TensorFile> parse(std::string_view bytes);
};

/// `bad_data`: what is wrong with a file that should be a model.
[[nodiscard]] tl::unexpected<Error> no_model(std::string_view reason);

/// Layers in words, with the names of their arrays; and back, with the sizes of the arrays.
[[nodiscard]] Json layers_json(const std::vector<LayerSpec>& layers, const std::string& prefix = {});
[[nodiscard]] Result<std::vector<LayerSpec>> read_layers(const YamlNode& node,
                                                         const std::map<std::string, StoredTensor>& tensors);

}  // namespace gauze::learn
