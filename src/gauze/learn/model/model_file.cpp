#include "gauze/learn/model/model_file.h"

#include "gauze/files/atomic_file.h"
#include "gauze/learn/model/model_kinds.h"

namespace gauze::learn {
namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 30;
constexpr YamlLimits kLimits = {.bytes = std::size_t{48} << 20, .depth = 24, .nodes = 3'000'000};

Json texts_json(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push(text);
  return list;
}

Json description_json(const ModelDescription& model) {
  Json object = Json::object({{"kind", model.kind}, {"loss", word_of(kLossWords, model.loss)}});
  object.set("unit", schema::unit_json(model.policy)).set("neighbours", to_string(model.policy.neighbours));
  if (model.encoding != InputEncoding::expanded) object.set("encoding", word_of(kInputEncodingWords, model.encoding));
  if (model.decimal != table::DecimalSign::point)
    object.set("decimal", word_of(table::kDecimalSignWords, model.decimal));
  if (!model.null_tokens.empty()) object.set("null", texts_json(model.null_tokens));
  object.set("features", schema::features_json(model.policy.features));
  object.set("target", schema::target_json(model.policy.target));
  if (!model.policy.groups.empty()) object.set("groups", schema::groups_json(model.policy.groups));
  object.set("layers", layers_json(model.layers));
  return object;
}

Result<ModelDescription> read_description(const YamlNode& node, const std::map<std::string, StoredTensor>& tensors) {
  GAUZE_TRY_VOID(check_keys(
      node,
      {"kind", "loss", "unit", "neighbours", "encoding", "decimal", "null", "features", "target", "groups", "layers"},
      "the model"));
  ModelDescription model;
  for (const char* key : {"kind", "loss", "features", "target", "layers"})
    if (node.find(key) == nullptr) return invalid_parameter("the model needs {}", key);
  GAUZE_TRY(model.kind, read_text(*node.find("kind"), "kind"));
  GAUZE_TRY(model.loss, read_word(*node.find("loss"), "loss", kLossWords));
  GAUZE_TRY(model.policy.features, schema::read_learn_features(*node.find("features")));
  GAUZE_TRY(model.policy.target, schema::read_learn_target(*node.find("target")));
  GAUZE_TRY(model.layers, read_layers(*node.find("layers"), tensors));
  if (const YamlNode* unit = node.find("unit")) {
    GAUZE_TRY(model.policy.unit, schema::read_learn_unit(*unit));
  }
  if (const YamlNode* neighbours = node.find("neighbours")) {
    GAUZE_TRY(model.policy.neighbours, read_word(*neighbours, "neighbours", kOneUnitWords));
  }
  if (const YamlNode* encoding = node.find("encoding")) {
    GAUZE_TRY(model.encoding, read_word(*encoding, "encoding", kInputEncodingWords));
  }
  if (const YamlNode* decimal = node.find("decimal")) {
    GAUZE_TRY(model.decimal, read_word(*decimal, "decimal", table::kDecimalSignWords));
  }
  if (const YamlNode* tokens = node.find("null")) {
    GAUZE_TRY(model.null_tokens, read_texts(*tokens, "null"));
  }
  if (const YamlNode* groups = node.find("groups")) {
    GAUZE_TRY(model.policy.groups, schema::read_learn_groups(*groups));
  }
  GAUZE_TRY_VOID(check(model.policy));
  return model;
}

}  // namespace

tl::unexpected<Error> no_model(std::string_view reason) {
  return make_error(ErrorCode::bad_data, "the file is no model, or damaged: {}", reason);
}

ModelFile ModelFile::of_network(ModelDescription description, const Network<float>& network,
                                std::span<const float> weights) {
  ModelFile file{.description = std::move(description)};
  file.description.layers = network.layers();
  for (const WeightTensor& tensor : network.tensors()) {
    const std::span<const float> own = weights.subspan(tensor.offset, tensor.size());
    file.tensors.emplace(tensor.name,
                         StoredTensor{.shape = tensor.shape, .values = std::vector<float>(own.begin(), own.end())});
  }
  return file;
}

std::string ModelFile::to_bytes() const {
  TensorFile file;
  file.metadata =
      Json::object({{"format", "gauze-model"}, {"version", "1"}, {"gauze", description_json(description).dump()}});
  file.tensors = tensors;
  return file.to_bytes();
}

Result<ModelFile> ModelFile::parse(std::string_view bytes) {
  GAUZE_TRY(TensorFile file, TensorFile::parse(bytes));
  const auto text_of = [&](const char* key) {
    const Json* value = file.metadata.find(key);
    return value == nullptr ? std::string_view() : value->text();
  };
  if (text_of("format") != "gauze-model") return no_model("its metadata do not say format gauze-model");
  if (text_of("version") != "1") return no_model("it is of another version than 1");
  const auto node = parse_yaml(text_of("gauze"), "", kLimits);
  if (!node) return no_model("its description cannot be read");
  ModelFile model;
  auto description = read_description(*node, file.tensors);
  if (!description) return no_model("its description is not that of a model");
  model.description = std::move(*description);
  model.tensors = std::move(file.tensors);
  if (const auto predictor = make_predictor(model); !predictor) return no_model(predictor.error().message);
  return model;
}

Result<ModelFile> ModelFile::read(const std::string& path) {
  GAUZE_TRY(const std::string bytes, read_file(path, kLargestFile));
  return parse(bytes);
}

}  // namespace gauze::learn
