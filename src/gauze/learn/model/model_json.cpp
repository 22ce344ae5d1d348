#include "gauze/learn/model/model_json.h"

#include "gauze/learn/model/model_kinds.h"

namespace gauze::learn {
namespace {

/// Of a model of one layer.
void add_coefficients(const ModelFile& model, const std::vector<std::string>& inputs, Json& object) {
  const auto weight = model.tensors.find("0.weight");
  const auto bias = model.tensors.find("0.bias");
  if (weight == model.tensors.end() || bias == model.tensors.end()) return;
  const auto& classes = model.description.policy.target.classes;
  const auto by_class = [&](const auto& value_of) {
    Json values = Json::object();
    for (std::size_t c = 0; c < classes.size(); ++c) values.set(classes[c].name, static_cast<double>(value_of(c)));
    return values;
  };
  object.set("intercept", by_class([&](std::size_t c) { return bias->second.values[c]; }));
  Json coefficients = Json::object();
  for (std::size_t i = 0; i < inputs.size(); ++i)
    coefficients.set(inputs[i],
                     by_class([&](std::size_t c) { return weight->second.values[c * inputs.size() + i]; }));
  object.set("coefficients", std::move(coefficients));
}

}  // namespace

Json nested_json(std::span<const double> values, std::span<const std::size_t> shape) {
  if (shape.empty()) return values.empty() ? Json() : Json(values.front());
  Json list = Json::array();
  const std::size_t size = shape.front() == 0 ? 0 : values.size() / shape.front();
  for (std::size_t i = 0; i < shape.front(); ++i)
    list.push(nested_json(values.subspan(i * size, size), shape.subspan(1)));
  return list;
}

Json model_json(const ModelFile& model) {
  const ModelDescription& description = model.description;
  const RowEncoder encoder(description.policy.features, description.encoding, description.decimal, {});
  const std::vector<std::string> inputs = encoder.input_names();
  Json names = Json::array();
  for (const std::string& name : inputs) names.push(name);
  std::size_t parameters = 0;
  for (const auto& [name, tensor] : model.tensors) parameters += tensor.values.size();
  Json object = Json::object({{"kind", description.kind}, {"inputs", std::move(names)}});
  object.set("target", schema::target_json(description.policy.target))
      .set("layers", layers_json(description.layers))
      .set("parameters", parameters);
  if (is_linear(description.kind)) add_coefficients(model, inputs, object);
  return object;
}

}  // namespace gauze::learn
