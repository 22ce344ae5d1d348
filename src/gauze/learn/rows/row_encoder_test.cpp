#include "gauze/learn/rows/row_encoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace gauze::learn {
namespace {

using schema::LearnFeature;
using schema::NumberScale;
using testing::ElementsAre;
using testing::FloatEq;

std::vector<LearnFeature> survey() {
  return {{.name = "age", .low = 15, .high = 95, .missing = {"999"}, .indicator = true},
          {.name = "country", .kind = LearnFeature::Kind::values, .values = {"Austria", "中国"}},
          {.name = "belief", .kind = LearnFeature::Kind::ordered, .values = {"never", "rarely", "often"}},
          {.name = "hours", .low = 0, .high = 50, .scale = NumberScale::unit},
          {.name = "raw", .low = -3, .high = 7, .scale = NumberScale::none}};
}

std::vector<float> inputs_of(const RowEncoder& encoder, const std::vector<std::string>& cells) {
  std::vector<std::uint32_t> codes;
  for (std::size_t i = 0; i < cells.size(); ++i) codes.push_back(encoder.code(i, cells[i]));
  std::vector<float> inputs(encoder.inputs());
  encoder.encode(codes, inputs);
  return inputs;
}

TEST(RowEncoder, MakesTheInputsThatThePolicyNames) {
  const RowEncoder encoder(survey(), InputEncoding::expanded, table::DecimalSign::point, {"-"});
  EXPECT_THAT(encoder.input_names(), ElementsAre("age", "age=missing", "country=Austria", "country=中国",
                                                 "country=other", "belief", "hours", "raw"));
  EXPECT_THAT(inputs_of(encoder, {"55", "中国", "rarely", "25", "2.5"}), ElementsAre(0, 0, 0, 1, 0, 0, 0.5, 2.5));
  EXPECT_THAT(inputs_of(encoder, {" 15 ", "Austria", "often", "50", "-3"}), ElementsAre(-1, 0, 1, 0, 0, 1, 1, -3));
}

TEST(RowEncoder, HasARuleForEveryText) {
  const RowEncoder encoder(survey(), InputEncoding::expanded, table::DecimalSign::point, {"-"});
  const std::vector<float> nothing = {0, 1, 0, 0, 1, 0, 0, 0};
  for (const char* text : {"", "-", "?", "NULL", "abc", "nan", "--1", "1.2.3", "0x10", "\xff\xfe", "1e"})
    EXPECT_EQ(inputs_of(encoder, {text, text, text, text, text}), nothing) << text;
  EXPECT_EQ(inputs_of(encoder, {"999", "france", "", "", ""}), nothing);
  const std::vector<float> most = {1, 0, 0, 0, 1, 0, 1, 7};
  for (const char* text :
       {"inf", "+infinity", "1e9999", "123456789012345678901234567890", "100", "1e99999999999999999"})
    EXPECT_EQ(inputs_of(encoder, {text, text, text, text, text}), most) << text;
  const std::vector<float> least = {-1, 0, 0, 0, 1, 0, 0, -3};
  for (const char* text : {"-inf", "-1e9999", "-4"})
    EXPECT_EQ(inputs_of(encoder, {text, text, text, text, text}), least) << text;
  EXPECT_EQ(inputs_of(encoder, {"1e-9999", "x", "x", "1e-9999", "-1e-9999"})[7], 0);
}

TEST(RowEncoder, ReadsNumbersAsTheFileWritesThem) {
  const RowEncoder encoder(survey(), InputEncoding::expanded, table::DecimalSign::comma, {});
  EXPECT_THAT(inputs_of(encoder, {"55", "x", "x", "2,5", "1,5"})[6], FloatEq(0.05F));
  EXPECT_THAT(inputs_of(encoder, {"55", "x", "x", "2,5", "1,5"})[7], FloatEq(1.5F));
}

TEST(RowEncoder, KeepsNarrowBoundsFarFromZeroApart) {
  const RowEncoder encoder({{.name = "x", .low = Rational(1'000'000'000), .high = Rational(1'000'000'001)}},
                           InputEncoding::expanded, table::DecimalSign::point, {});
  EXPECT_THAT(inputs_of(encoder, {"1000000000.25"}), ElementsAre(FloatEq(-0.5F)));
}

TEST(RowEncoder, SpellingsCountAsTheirNames) {
  std::vector<LearnFeature> features = survey();
  features[0].same = {{"95", {"old", "-"}}, {"many", {"lots"}}};
  features[1].same = {{"中国", {"China", "PRC"}}, {"nowhere", {"x"}}};
  features[2].same = {{"often", {"daily"}}};
  const RowEncoder encoder(features, InputEncoding::expanded, table::DecimalSign::point, {"-"});
  const auto inputs = [&](const char* age, const char* country, const char* belief) {
    return inputs_of(encoder, {age, country, belief, "25", "2"});
  };
  EXPECT_EQ(inputs(" old ", "China", "daily"), inputs("95", "中国", "often"));
  EXPECT_EQ(inputs("-", "x", "rarely"), inputs("", "nobody", "rarely"))
      << "missing comes first; a name that is not listed";
  EXPECT_EQ(inputs("lots", "PRC", "Daily"), inputs("many", "中国", "")) << "a name that is no number";
}

TEST(RowEncoder, TakesPositionsForThePublishedMethod) {
  const RowEncoder encoder(survey(), InputEncoding::positions, table::DecimalSign::point, {});
  EXPECT_THAT(encoder.inputs_of_features(), ElementsAre(1, 1, 1, 1, 1));
  EXPECT_THAT(inputs_of(encoder, {"35", "中国", "rarely", "25", "2"}), ElementsAre(0.25, 1, 0.5, 0.5, 0.5));
  EXPECT_THAT(inputs_of(encoder, {"", "x", "x", "", ""}), ElementsAre(0, 0, 0, 0, 0));
}

}  // namespace
}  // namespace gauze::learn
