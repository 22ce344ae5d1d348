#include "gauze/text/statistics/law_statistics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gauze/text/mechanisms/dchi_mechanism.h"
#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text {
namespace law_statistics_test {

using testing::random_words;
using testing::words_at;

LawOfWord law_of(const SoftmaxMechanism& mechanism) {
  return [&mechanism](std::size_t x, std::span<double> p) {
    const auto law = mechanism.law(x);
    for (std::size_t i = 0; i < law.p.size(); ++i) p[mechanism.outputs()[i]] = law.p[i];
    if (law.stays) p[x] = *law.stays;
  };
}

TEST(LawStatistics, AgreeWithTheFastOnes) {
  const WordVectors vectors = random_words(200, 4, 1.0, 8);
  std::vector<bool> sensitive(200, true);
  for (std::size_t i = 0; i < 200; i += 5) sensitive[i] = false;
  std::vector<double> prior(200, 0.004);
  prior[3] = 1 - 199 * 0.004;
  for (const int epsilon : {1, 4, 40}) {
    const auto mechanism =
        SoftmaxMechanism::make(
            WordMetric::make(vectors).value(),
            {.kind = SoftmaxKind::santext_plus, .epsilon = Rational(epsilon), .sensitive = sensitive})
            .value();
    const StatisticsOptions options{.prior = prior};
    const auto fast = word_statistics(std::span(&mechanism, 1), options).value()[0];
    const auto plain = statistics_of_laws(200, law_of(mechanism), options).value();
    EXPECT_EQ(plain.outputs, fast.outputs);
    EXPECT_EQ(plain.inputs, fast.inputs);
    EXPECT_NEAR(plain.bayes_uniform, fast.bayes_uniform, 1e-9);
    EXPECT_NEAR(*plain.bayes_prior, *fast.bayes_prior, 1e-9);
    for (std::size_t x = 0; x < 200; ++x) {
      EXPECT_NEAR(plain.distinct[x], fast.distinct[x], 1e-3);
      EXPECT_NEAR(plain.entropy[x], fast.entropy[x], 1e-7);
    }
  }
}

TEST(LawStatistics, OfDchiOnALineHaveTheClosedForm) {
  const auto mechanism = DchiMechanism::make(words_at({{0}, {2}}), Rational(1)).value();
  const auto found = statistics_of_laws(2,
                                        [&](std::size_t x, std::span<double> p) {
                                          const auto law = *mechanism.law(x);
                                          std::copy(law.begin(), law.end(), p.begin());
                                        },
                                        {})
                         .value();
  EXPECT_NEAR(found.stays[0], 1 - std::exp(-1.0) / 2, 1e-5);
  EXPECT_NEAR(found.bayes_uniform, 1 - std::exp(-1.0) / 2, 1e-5);
}

}  // namespace law_statistics_test
}  // namespace gauze::text
