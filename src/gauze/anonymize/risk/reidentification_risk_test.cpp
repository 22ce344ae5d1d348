#include "gauze/anonymize/risk/reidentification_risk.h"

#include <gtest/gtest.h>

namespace gauze::anonymize {
namespace reidentification_risk_test {

TEST(ReidentificationRisk, FollowsItsDefinitions) {
  // Classes of 1, 4 and 5 records: risks 1, 1/4 and 1/5.
  const auto risk = assess_risk({{1, 0}, {4, 0}, {5, 0}}, Rational(1, 5));
  EXPECT_EQ(risk.records, 10U);
  EXPECT_EQ(risk.classes, 3U);
  EXPECT_DOUBLE_EQ(risk.prosecutor.highest, 1);
  EXPECT_DOUBLE_EQ(risk.prosecutor.mean, 0.3);     // classes / records
  EXPECT_DOUBLE_EQ(risk.prosecutor.at_risk, 0.5);  // 1 / 5 is not above one fifth
  EXPECT_EQ(risk.uniques, 1U);
  EXPECT_FALSE(risk.population_uniques.has_value());  // nothing is known of a population
  EXPECT_EQ(risk.smallest_class, 1U);
  EXPECT_EQ(risk.largest_class, 5U);
  EXPECT_DOUBLE_EQ(risk.journalist.mean, 0.3);
  EXPECT_DOUBLE_EQ(risk.marketer, 0.3);
}

TEST(ReidentificationRisk, APopulationLowersTheJournalistsRiskAlone) {
  const auto risk = assess_risk({{1, 10}, {4, 8}}, Rational(1, 5));
  EXPECT_DOUBLE_EQ(risk.prosecutor.highest, 1);
  EXPECT_DOUBLE_EQ(risk.journalist.highest, 0.125);
  EXPECT_DOUBLE_EQ(risk.marketer, (0.1 + 4 * 0.125) / 5);
  EXPECT_EQ(risk.uniques, 1U);
  EXPECT_EQ(risk.population_uniques, 0U);
}

TEST(ReidentificationRisk, OfNothingIsNothing) {
  const auto risk = assess_risk({}, Rational(1, 5));
  EXPECT_EQ(risk.classes, 0U);
  EXPECT_EQ(risk.prosecutor.highest, 0);
  EXPECT_TRUE(risk.sizes.empty());
}

TEST(ReidentificationRisk, BandsHoldEveryClassOnce) {
  std::vector<ClassSize> classes;
  for (std::uint64_t size = 1; size < 3000; size += 7) classes.push_back({size, 0});
  const auto risk = assess_risk(classes, Rational(1, 5));
  std::uint64_t count = 0;
  std::uint64_t records = 0;
  for (const auto& band : risk.sizes) {
    count += band.classes;
    records += band.records;
    EXPECT_GE(band.records, band.classes * band.from);
    if (band.to != 0) {
      EXPECT_LE(band.records, band.classes * band.to);
    }
  }
  EXPECT_EQ(count, classes.size());
  EXPECT_EQ(records, risk.records);
}

TEST(ReidentificationRisk, OfAGroupUsesTheWholeClasses) {
  const auto groups = assess_groups({"flu", "rare", "asthma"},
                                    {{.value = 0, .class_size = 4, .records = 1},
                                     {.value = 2, .class_size = 10, .records = 7},
                                     {.value = 0, .class_size = 10, .records = 3}},
                                    Rational(1, 5));
  ASSERT_EQ(groups.size(), 2U);  // nobody has the rare one
  EXPECT_EQ(groups[0].first, "flu");
  EXPECT_EQ(groups[1].first, "asthma");
  const ReidentificationRisk::Group& group = groups[0].second;
  EXPECT_EQ(group.records, 4U);
  EXPECT_DOUBLE_EQ(group.prosecutor.mean, (0.25 + 0.3) / 4);
  EXPECT_DOUBLE_EQ(group.prosecutor.highest, 0.25);
  EXPECT_DOUBLE_EQ(group.prosecutor.at_risk, 0.25);
}

}  // namespace reidentification_risk_test
}  // namespace gauze::anonymize
