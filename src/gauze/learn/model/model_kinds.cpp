#include "gauze/learn/model/model_kinds.h"

#include <algorithm>

namespace gauze::learn {
namespace {

constexpr std::size_t kRowsAtOnce = 256;

tl::unexpected<Error> unfit(std::string_view what) {
  return make_error(ErrorCode::bad_data, "the model does not fit together: {}", what);
}

/// Models of the engine.
class NetworkPredictor final : public Predictor {
 public:
  static Result<std::unique_ptr<Predictor>> make(const ModelFile& model) {
    const ModelDescription& description = model.description;
    const RowEncoder encoder(description.policy.features, description.encoding, description.decimal, {});
    auto network = Network<float>::make(description.layers, encoder.inputs());
    if (!network) return unfit("its layers cannot be one after the other");
    const std::size_t wanted = description.policy.target.numeric ? 1 : description.policy.target.classes.size();
    if (network->outputs() != wanted) return unfit("it has another number of outputs than classes");
    if (network->tensors().size() != model.tensors.size()) return unfit("it has other arrays than its layers need");
    std::vector<float> weights(network->weights());
    for (const WeightTensor& tensor : network->tensors()) {
      const auto stored = model.tensors.find(tensor.name);
      if (stored == model.tensors.end() || stored->second.shape != tensor.shape)
        return unfit("it has other arrays than its layers need");
      std::copy(stored->second.values.begin(), stored->second.values.end(),
                weights.begin() + static_cast<std::ptrdiff_t>(tensor.offset));
    }
    return std::unique_ptr<Predictor>(new NetworkPredictor(std::move(*network), weights));
  }

  [[nodiscard]] std::size_t inputs() const override { return network_.inputs(); }
  [[nodiscard]] std::size_t outputs() const override { return network_.outputs(); }
  void predict(std::span<const float> inputs, std::size_t rows, std::span<float> outputs) override {
    const std::size_t in = network_.inputs();
    const std::size_t out = network_.outputs();
    for (std::size_t begin = 0; begin < rows; begin += kRowsAtOnce) {
      const std::size_t count = std::min(kRowsAtOnce, rows - begin);
      const std::span<float> place = network_.inputs_of(*pass_, count);
      std::copy_n(inputs.data() + begin * in, count * in, place.data());
      network_.forward(*packed_, *pass_, count, nullptr);
      std::copy_n(network_.outputs_of(*pass_, count).data(), count * out, outputs.data() + begin * out);
    }
  }

 private:
  NetworkPredictor(Network<float> network, std::span<const float> weights)
      : network_(std::move(network)), packed_(network_.make_packed()), pass_(network_.make_pass(kRowsAtOnce)) {
    network_.pack(weights, *packed_);
  }

  Network<float> network_;
  std::unique_ptr<Network<float>::Packed> packed_;
  std::unique_ptr<Network<float>::Pass> pass_;
};

struct KnownKind {
  std::string_view word;
  bool linear;
  Result<std::unique_ptr<Predictor>> (*make)(const ModelFile& model);
};
constexpr KnownKind kKinds[] = {
    {"logistic", true, NetworkPredictor::make}, {"svm", true, NetworkPredictor::make},
    {"mlp", false, NetworkPredictor::make},     {"cnn", false, NetworkPredictor::make},
    {"lstm", false, NetworkPredictor::make},    {"transformer", false, NetworkPredictor::make},
};

const KnownKind* find_kind(std::string_view word) {
  const auto* const found =
      std::find_if(std::begin(kKinds), std::end(kKinds), [&](const KnownKind& k) { return k.word == word; });
  return found == std::end(kKinds) ? nullptr : found;
}

}  // namespace

Result<std::unique_ptr<Predictor>> make_predictor(const ModelFile& model) {
  const KnownKind* kind = find_kind(model.description.kind);
  if (kind == nullptr) return unfit("this program does not know its kind");
  return kind->make(model);
}

bool is_linear(std::string_view kind) {
  const KnownKind* found = find_kind(kind);
  return found != nullptr && found->linear;
}

}  // namespace gauze::learn
