#include "gauze/accounting/spec.h"

#include <gtest/gtest.h>

namespace gauze {
namespace spec_test {

std::string error_of(std::string_view text) {
  const auto spec = parse_composition_spec(text);
  return spec ? "" : spec.error().message;
}

TEST(CompositionSpec, ReadsEventsInOrder) {
  const auto spec = parse_composition_spec(
      "version: 1\nevents:\n  - {mechanism: gaussian, sigma: 2, steps: 10, poisson: 0.01}\n"
      "  - {mechanism: approx, epsilon: 0.1, delta: 1e-9}\n");
  ASSERT_TRUE(spec) << spec.error().message;
  ASSERT_EQ(spec->alternatives.size(), 1U);
  ASSERT_EQ(spec->alternatives[0].size(), 2U);
  EXPECT_EQ(spec->alternatives[0][0].count, 10);
  EXPECT_EQ(spec->alternatives[0][0].sampling, PrivacyEvent::Sampling::poisson);
  EXPECT_GE(spec->alternatives[0][1].epsilon, 0.1);
}

TEST(CompositionSpec, ParallelPartsAreAlternatives) {
  const std::string events =
      "events:\n  - {mechanism: pure, epsilon: 1}\n  - parallel:\n      - [{mechanism: pure, epsilon: 2}]\n"
      "      - [{mechanism: pure, epsilon: 3}]\n      - [{mechanism: pure, epsilon: 4}]\n";
  const auto adding = parse_composition_spec("version: 1\n" + events);
  ASSERT_TRUE(adding) << adding.error().message;
  ASSERT_EQ(adding->alternatives.size(), 3U);
  EXPECT_EQ(adding->alternatives[2].back().epsilon, 4);
  // Replacing a unit can move it from one part to another: two parts change.
  const auto replacing = parse_composition_spec("version: 1\nadjacency: replace-one\n" + events);
  ASSERT_TRUE(replacing);
  ASSERT_EQ(replacing->alternatives.size(), 3U);
  EXPECT_EQ(replacing->alternatives[2].size(), 3U);
}

// Replacing a unit may move it to another part, so that M of N is about an N that is not public.
TEST(CompositionSpec, RefusesFixedSizeSamplingInParallelParts) {
  const std::string sampled = "{mechanism: gaussian, sigma: 2, fixed-size: 0.01}";
  const std::string plain = "{mechanism: gaussian, sigma: 2}";
  const auto spec = [](const std::string& first, const std::string& second) {
    return "version: 1\nadjacency: replace-one\nevents:\n  - parallel:\n      - [" + first + "]\n      - [" + second +
           "]\n";
  };
  for (const auto& [first, second] : {std::pair(sampled, plain), {plain, sampled}, {sampled, sampled}}) {
    const std::string error = error_of(spec(first, second));
    EXPECT_NE(error.find("sizes of the parts are not public"), std::string::npos) << error;
    EXPECT_NE(error.find("line"), std::string::npos) << error;
  }
  EXPECT_TRUE(parse_composition_spec(spec(plain, plain)));
  EXPECT_TRUE(parse_composition_spec("version: 1\nadjacency: replace-one\nevents:\n  - " + sampled + "\n"));
  const auto poisson = parse_composition_spec(
      "version: 1\nevents:\n  - parallel:\n      - [{mechanism: gaussian, sigma: 2, poisson: 0.01}]\n      - [" +
      plain + "]\n");
  EXPECT_TRUE(poisson) << poisson.error().message;
}

TEST(CompositionSpec, NamesTheLineOfAMistake) {
  EXPECT_NE(error_of("version: 1\nevents:\n  - {mechanism: gaussian, sigma: 2, sigma: 3}\n").find("line 3"),
            std::string::npos);
  EXPECT_NE(error_of("version: 1\nevents:\n  - {mechanism: gaussian, sgima: 2}\n").find("unknown key"),
            std::string::npos);
  EXPECT_NE(error_of("version: 1\nevents:\n  - {mechanism: gaussian}\n").find("needs sigma"), std::string::npos);
  EXPECT_NE(error_of("version: 2\nevents: []\n").find("version"), std::string::npos);
  EXPECT_NE(error_of("version: 1\nevents:\n  - {mechanism: gaussian, sigma: nan}\n").find("decimal"),
            std::string::npos);
  EXPECT_NE(error_of("version: 1\nevents: [[[[\n").find("line"), std::string::npos);
  EXPECT_NE(error_of("").find("map"), std::string::npos);
  EXPECT_NE(
      error_of("version: 1\nadjacency: replace-one\nevents:\n  - {mechanism: gaussian, sigma: 1, poisson: 0.1}\n")
          .find("Poisson"),
      std::string::npos);
}

}  // namespace spec_test
}  // namespace gauze
