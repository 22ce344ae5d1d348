#include "gauze/learn/model/model_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "gauze/learn/learn_testing.h"
#include "gauze/learn/model/model_json.h"
#include "gauze/learn/model/model_kinds.h"
#include "gauze/learn/model/model_shape.h"
#include "gauze/learn/step/training_run.h"

namespace gauze::learn {
namespace {

ModelFile made_model(ModelKind kind, const ModelShape& shape = {.hidden = {5}, .width = 4, .heads = 2}) {
  const schema::LearnPolicy policy = separable_policy(100);
  const RowEncoder encoder(policy.features, InputEncoding::expanded, table::DecimalSign::point, {});
  const auto layers = model_layers(kind, shape, encoder.inputs_of_features(), 2);
  GAUZE_CHECK(layers.has_value());
  const auto network = Network<float>::make(*layers, encoder.inputs());
  GAUZE_CHECK(network.has_value());
  SeededStreams streams(1);
  ModelDescription description;
  description.kind = word_of(kModelWords, kind);
  description.policy.features = policy.features;
  description.policy.target = policy.target;
  description.policy.groups = {{.column = "g", .values = {"a", "乙"}}};
  description.policy.unit = schema::LearnUnit{.id = "who", .max_rows = 3};
  description.null_tokens = {"-"};
  return ModelFile::of_network(description, *network, initial_weights(*network, InitialWeights::scaled, streams));
}

TEST(ModelFile, OfEveryKindReadsBackAndAnswersTheSame) {
  for (const auto& [kind, word] : kModelWords) {
    const ModelFile model = made_model(kind);
    const auto back = ModelFile::parse(model.to_bytes());
    ASSERT_TRUE(back) << word << ": " << back.error().message;
    EXPECT_EQ(back->description, model.description) << word;
    EXPECT_EQ(back->tensors, model.tensors) << word;
    const std::vector<float> inputs = {0.5F, -0.25F, 0, 1, 0, -1, 1, 1, 0, 0};
    std::vector<float> a(4);
    std::vector<float> b(4);
    (*make_predictor(model))->predict(inputs, 2, a);
    (*make_predictor(*back))->predict(inputs, 2, b);
    EXPECT_EQ(a, b) << word;
  }
  const ModelShape sequence{
      .width = 4, .heads = 2, .dropout = 0.25, .reshape = std::pair<std::size_t, std::size_t>{3, 2}};
  for (const ModelKind kind : {ModelKind::cnn, ModelKind::lstm, ModelKind::transformer}) {
    const auto back = ModelFile::parse(made_model(kind, sequence).to_bytes());
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(back->description.layers, made_model(kind, sequence).description.layers);
  }
}

TEST(ModelFile, IsSafetensorsAsOthersReadThem) {
  const std::string bytes = made_model(ModelKind::logistic).to_bytes();
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0u);
  const std::string header = bytes.substr(8, length);
  EXPECT_THAT(header, testing::HasSubstr(R"("0.weight":{"dtype":"F32","shape":[2,5],"data_offsets":[8,48]})"));
  EXPECT_THAT(header, testing::HasSubstr(R"("__metadata__":{"format":"gauze-model","version":"1","gauze":")"));
  EXPECT_EQ(bytes.size(), 8 + length + 12 * 4);
}

TEST(ModelFile, DamageIsFoundAndNeverCrashes) {
  const std::string bytes = made_model(ModelKind::mlp).to_bytes();
  for (std::size_t length = 0; length < bytes.size(); length += 7) {
    const auto cut = ModelFile::parse(std::string_view(bytes).substr(0, length));
    ASSERT_FALSE(cut) << length;
    EXPECT_EQ(cut.error().code, ErrorCode::bad_data);
  }
  EXPECT_FALSE(ModelFile::parse(bytes + "x"));
  SeededRandom random(1);
  for (int i = 0; i < 2'000; ++i) {
    std::string broken = bytes;
    broken[random.below(broken.size())] = static_cast<char>(random.below(256));
    const auto read = ModelFile::parse(broken);  // a changed weight is another model; anything else is refused
    if (read) {
      EXPECT_TRUE(make_predictor(*read));
    }
  }
}

struct Wrong {
  const char* name;
  std::function<void(std::string&)> change;
};
void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.name; }

void replace(std::string& bytes, const std::string& from, const std::string& to) {
  const std::size_t at = bytes.find(from);
  GAUZE_CHECK(at != std::string::npos);
  bytes.replace(at, from.size(), to);
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  length += to.size() - from.size();
  std::memcpy(bytes.data(), &length, 8);
}

class WrongModelFile : public testing::TestWithParam<Wrong> {};

TEST_P(WrongModelFile, IsBadData) {
  std::string bytes = made_model(ModelKind::logistic).to_bytes();
  GetParam().change(bytes);
  const auto read = ModelFile::parse(bytes);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::bad_data);
}

INSTANTIATE_TEST_SUITE_P(
    Files, WrongModelFile,
    testing::Values(Wrong{"OfAnotherVersion", [](auto& b) { replace(b, R"("version":"1")", R"("version":"2")"); }},
                    Wrong{"OfAnotherFormat", [](auto& b) { replace(b, "gauze-model", "other-model"); }},
                    Wrong{"OfAnUnknownKind", [](auto& b) { replace(b, "logistic", "illogical"); }},
                    Wrong{"OfAnImpossibleShape", [](auto& b) { replace(b, "[2,5]", "[5,2]"); }},
                    Wrong{"OfAHugeShape", [](auto& b) { replace(b, "[2,5]", "[999999999,999999999]"); }},
                    Wrong{"WithOverlappingArrays", [](auto& b) { replace(b, "[8,48]", "[0,40]"); }},
                    Wrong{"WithAGap", [](auto& b) { replace(b, "[0,8]", "[4,8]"); }},
                    Wrong{"WithoutAnArray", [](auto& b) { replace(b, "\"0.bias\":", "\"1.bias\":"); }},
                    Wrong{"WithNumbersThatAreNone",
                          [](auto& b) { std::memcpy(b.data() + b.size() - 4, "\x00\x00\xc0\x7f", 4); }}),
    [](const testing::TestParamInfo<Wrong>& one) { return std::string(one.param.name); });

TEST(ModelJson, GivesTheCoefficientsOfLinearModels) {
  const ModelFile model = made_model(ModelKind::logistic);
  const Json json = model_json(model);
  EXPECT_EQ(json.find("coefficients")->members()->size(), 5u);
  EXPECT_EQ(json.find("coefficients")->find("colour=blue")->find("yes")->text(),
            Json(static_cast<double>(model.tensors.at("0.weight").values[5 + 3])).text());
  EXPECT_EQ(model_json(made_model(ModelKind::mlp)).find("coefficients"), nullptr);
}

}  // namespace
}  // namespace gauze::learn
