#include "gauze/text/statistics/mechanism_laws.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text {
namespace mechanism_laws_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class MechanismLaws : public ::testing::Test {
 protected:
  [[nodiscard]] static TextMechanism make(const WordVectors& vectors, MechanismKind kind, bool as_published = false) {
    MechanismOptions options{.kind = kind, .epsilon = 2, .as_published = as_published};
    if (kind == MechanismKind::tem) options.gamma = Rational(2);
    if (kind == MechanismKind::santext_plus) options.sensitive = SensitiveWords{.marked = {false, true, true}};
    return TextMechanism::make(vectors, options).value();
  }
  WordVectors line_ = testing::words_at({{0}, {1}, {3}});
  WordVectors plane_ = testing::words_at({{0, 0}, {1, 0}, {0, 3}});
};

TEST_F(MechanismLaws, AreDistributionsOverTheVocabulary) {
  for (const bool as_published : {false, true}) {
    for (const MechanismKind kind :
         {MechanismKind::santext, MechanismKind::santext_plus, MechanismKind::tem, MechanismKind::dchi}) {
      if (kind == MechanismKind::dchi && as_published) continue;
      const TextMechanism mechanism = make(line_, kind, as_published);
      const auto law = closed_law(mechanism);
      ASSERT_TRUE(law);
      for (std::size_t x = 0; x < 3; ++x) {
        std::vector<double> p(3, 0);
        (*law)(x, p);
        EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-9) << to_string(kind) << " " << x;
      }
    }
  }
}

TEST_F(MechanismLaws, OfSantextFollowFromTheDistances) {
  const TextMechanism mechanism = make(line_, MechanismKind::santext);
  std::vector<double> p(3, 0);
  (*closed_law(mechanism))(0, p);
  const double sum = 1 + std::exp(-1) + std::exp(-3);  // exp(-epsilon d / 2)
  EXPECT_NEAR(p[0], 1 / sum, 1e-6);
  EXPECT_NEAR(p[2], std::exp(-3) / sum, 1e-6);
}

TEST_F(MechanismLaws, AreNotClosedForDchiInThePlaneOrAsPublished) {
  for (const bool as_published : {false, true}) {
    const TextMechanism plane = make(plane_, MechanismKind::dchi, as_published);
    EXPECT_FALSE(closed_law(plane));
    const auto laws = output_laws(plane, testing::all_of(plane_));
    ASSERT_FALSE(laws);
    EXPECT_THAT(laws.error().message, HasSubstr("closed probabilities"));
  }
  EXPECT_FALSE(closed_law(make(line_, MechanismKind::dchi, true)));
}

TEST_F(MechanismLaws, OfDchiAreThoseOfItsDraws) {
  const TextMechanism mechanism = make(line_, MechanismKind::dchi);
  std::vector<double> p(3, 0);
  (*closed_law(mechanism))(1, p);
  constexpr std::size_t kDraws = 100'000;
  const std::vector<std::uint32_t> words(kDraws, 1);
  std::vector<std::uint32_t> out(kDraws);
  SeededRandom random(1);
  dchi_draws(mechanism)(words, random, out);
  for (std::uint32_t y = 0; y < 3; ++y) {
    const double share = static_cast<double>(std::count(out.begin(), out.end(), y)) / kDraws;
    EXPECT_NEAR(share, p[y], 5.1 * std::sqrt(0.25 / kDraws)) << "alarms with p <= 1e-6; a fixed seed";
  }
}

TEST_F(MechanismLaws, HaveAColumnForACommonWordThatMayStay) {
  const TextMechanism mechanism = make(line_, MechanismKind::santext_plus);
  const auto laws = output_laws(mechanism, std::vector<std::uint32_t>{0, 2});
  ASSERT_TRUE(laws);
  EXPECT_THAT(laws->words, ElementsAre(0, 2));
  EXPECT_THAT(laws->outputs, ElementsAre(1, 2, 0));
  EXPECT_DOUBLE_EQ(laws->p[0][2], 0.7) << "1 - p";
  EXPECT_DOUBLE_EQ(laws->log_p[0][2], std::log(0.7));
  EXPECT_EQ(laws->p[1][2], 0) << "a sensitive word never becomes a common one";
  EXPECT_TRUE(std::isinf(laws->log_p[1][2]));
}

TEST_F(MechanismLaws, OfACommonWordNeverGiveAnotherOne) {
  const MechanismOptions options{
      .kind = MechanismKind::santext_plus, .epsilon = 2, .sensitive = SensitiveWords{.marked = {false, false, true}}};
  const TextMechanism mechanism = TextMechanism::make(line_, options).value();
  const auto laws = output_laws(mechanism, std::vector<std::uint32_t>{0, 1});
  ASSERT_TRUE(laws);
  EXPECT_THAT(laws->outputs, ElementsAre(2, 0, 1));
  EXPECT_EQ(laws->p[0][2], 0);
  EXPECT_EQ(laws->p[1][1], 0);
  EXPECT_NEAR(laws->p[0][0] + laws->p[0][1], 1, 1e-9);
}

TEST_F(MechanismLaws, AreWrittenWithNamesAndNullForNever) {
  const OutputLaws laws{.words = {1}, .outputs = {0, 2}, .p = {{1, 0}}, .log_p = {{0, -HUGE_VAL}}};
  EXPECT_EQ(to_json(laws, line_).dump(), R"({"words":["w1"],"outputs":["w0","w2"],"P":[[1,0]],"log_P":[[0,null]]})");
}

}  // namespace mechanism_laws_test
}  // namespace gauze::text
