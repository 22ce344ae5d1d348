#include "gauze/learn/job/gradient_report.h"

#include <algorithm>
#include <cmath>

#include "gauze/learn/model/model_json.h"
#include "gauze/learn/step/noisy_sum.h"

namespace gauze::learn {
namespace {

constexpr std::size_t kUnitsAtOnce = 64;

Result<std::vector<double>> scales_of(const GradientRequest& request, const std::vector<std::string>& inputs) {
  std::vector<double> scales;
  if (request.scales.empty()) return scales;
  scales.assign(inputs.size(), 1.0);
  for (const auto& [name, scale] : request.scales) {
    const auto found = std::find(inputs.begin(), inputs.end(), name);
    if (found == inputs.end()) return invalid_parameter("the model has no input '{}'", name);
    if (!(scale > Rational())) return invalid_parameter("a scale must be above 0");
    scales[static_cast<std::size_t>(found - inputs.begin())] = scale.to_double();
  }
  return scales;
}

}  // namespace

Result<Json> gradient_report(const ModelFile& model, const LearningRows& rows, const GradientRequest& request) {
  if (!(request.clip > Rational())) return invalid_parameter("clip must be above 0");
  GAUZE_TRY(const std::vector<double> scales, scales_of(request, rows.encoder().input_names()));
  GAUZE_TRY(const Network<float> network, Network<float>::make(model.description.layers, rows.encoder().inputs()));
  if (!scales.empty()) {
    GAUZE_TRY(const auto inputs, network.input_of_weights());
    static_cast<void>(inputs);
  }
  std::vector<float> weights(network.weights());
  for (const WeightTensor& tensor : network.tensors()) {
    const StoredTensor& stored = model.tensors.at(tensor.name);
    std::copy(stored.values.begin(), stored.values.end(),
              weights.begin() + static_cast<std::ptrdiff_t>(tensor.offset));
  }
  const auto packed = network.make_packed();
  network.pack(weights, *packed);
  const auto pass = network.make_pass(kUnitsAtOnce);
  std::vector<double> sum(network.weights());
  Json samples = Json::array();
  const double clip = request.clip.to_double();
  const std::size_t width = network.inputs();
  for (std::size_t begin = 0; begin < rows.units(); begin += kUnitsAtOnce) {
    const std::size_t units = std::min(kUnitsAtOnce, rows.units() - begin);
    std::vector<RowTarget> targets;
    std::vector<std::uint32_t> ends;
    std::vector<std::uint32_t> own;
    for (std::size_t unit = begin; unit < begin + units; ++unit) {
      const auto rows_of = rows.rows_of(unit);
      own.insert(own.end(), rows_of.begin(), rows_of.end());
      ends.push_back(static_cast<std::uint32_t>(own.size()));
    }
    const std::span<float> inputs = network.inputs_of(*pass, own.size());
    for (std::size_t i = 0; i < own.size(); ++i) {
      rows.encoder().encode(rows.codes(own[i]), inputs.subspan(i * width, width));
      targets.push_back(rows.target(own[i]));
    }
    network.forward(*packed, *pass, own.size(), nullptr);
    loss_gradients<float>(model.description.loss, network.outputs_of(*pass, own.size()), network.outputs(), targets,
                          network.output_gradients_of(*pass, own.size()), {});
    network.backward(*packed, *pass, own.size());
    std::vector<double> squared(units);
    network.squared_norms(*pass, ends, request.mode, scales, squared);
    std::vector<double> factors;
    for (const double one : squared) {
      const ClipFactor found = clip_factor(one, clip);
      factors.push_back(found.factor);
      samples.push(Json::object({{"norm", std::sqrt(one)}, {"factor", found.factor}}));
    }
    network.add_gradients(*pass, ends, factors, sum);
  }
  Json tensors = Json::object();
  for (const WeightTensor& tensor : network.tensors())
    tensors.set(tensor.name, nested_json(std::span(sum).subspan(tensor.offset, tensor.size()), tensor.shape));
  return Json::object({{"samples", std::move(samples)}, {"sum", std::move(tensors)}, {"internal", true}});
}

}  // namespace gauze::learn
