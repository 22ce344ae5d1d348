#include "gauze/anonymize/job/verification.h"

#include <gtest/gtest.h>

#include "gauze/table/testing/memory_table.h"

namespace gauze::anonymize {
namespace {

using namespace schema;  // the vocabulary of this file

Rational decimal(const char* text) { return *Rational::parse(text); }

table::MemoryTable release() {
  return {{"age", "zip", "illness"},
          {{"20-39", "9*", "flu"},
           {"20-39", "9*", "flu"},
           {"20-39", "9*", "asthma"},
           {"40-59", "8*", "flu"},
           {"40-59", "8*", "asthma"},
           {"*", "*", "rare"}}};
}

TEST(Verification, SaysWhatAFileSatisfies) {
  table::MemoryTable table = release();
  Progress progress;
  const auto found = verify(table, {.quasi = {"age", "zip"}, .sensitive = {"illness"}}, progress);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->rows, 6U);
  EXPECT_EQ(found->suppressed, 1U);
  EXPECT_EQ(found->risk.classes, 2U);
  EXPECT_EQ(found->risk.smallest_class, 2U);
  ASSERT_EQ(found->sensitive.size(), 1U);
  EXPECT_EQ(found->sensitive[0].l_distinct, 2);
  // Over all six rows, the suppressed one too: flu 1/2, asthma 1/3, rare 1/6.
  EXPECT_DOUBLE_EQ(found->sensitive[0].t_equal, 1.0 / 6);
  EXPECT_TRUE(found->satisfied());
}

TEST(Verification, CountsWhatFails) {
  table::MemoryTable table = release();
  Progress progress;
  VerificationRequest request{.quasi = {"age", "zip"}};
  request.criteria.k = 3;
  request.k_is_asked = true;
  request.criteria.l_diversity = {{"illness", DiversityKind::distinct, 2, 0}};
  request.criteria.t_closeness = {{"illness", Distance::equal, decimal("0.16")}};
  const auto found = verify(table, request, progress);
  ASSERT_TRUE(found.has_value());
  ASSERT_EQ(found->requirements.size(), 3U);
  EXPECT_FALSE(found->requirements[0].holds);
  EXPECT_EQ(found->requirements[0].failing_classes, 1U);
  EXPECT_EQ(found->requirements[0].failing_records, 2U);
  EXPECT_TRUE(found->requirements[1].holds);
  EXPECT_FALSE(found->requirements[2].holds);
  EXPECT_FALSE(found->satisfied());
}

TEST(Verification, StarsMayBeHowTheFileIsGeneralised) {
  table::MemoryTable table({"age"}, {{"*"}, {"*"}, {"*"}});
  Progress progress;
  const auto suppressed = verify(table, {.quasi = {"age"}}, progress);
  ASSERT_TRUE(suppressed.has_value());
  EXPECT_EQ(suppressed->suppressed, 3U);
  EXPECT_EQ(suppressed->risk.classes, 0U);
  const auto general = verify(table, {.quasi = {"age"}, .stars_are_suppressed = false}, progress);
  ASSERT_TRUE(general.has_value());
  EXPECT_EQ(general->suppressed, 0U);
  EXPECT_EQ(general->risk.smallest_class, 3U);
}

TEST(Verification, TheFlatClassOfThreePassesEntropyThree) {
  table::MemoryTable table({"q", "s"}, {{"a", "1"}, {"a", "1"}, {"a", "2"}, {"a", "2"}, {"a", "3"}, {"a", "3"}});
  Progress progress;
  VerificationRequest request{.quasi = {"q"}};
  request.criteria.l_diversity = {{"s", DiversityKind::entropy, 3, 0}};
  const auto found = verify(table, request, progress);
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->satisfied());
  EXPECT_EQ(found->sensitive[0].l_entropy, 3);
}

TEST(Verification, MissingMayMatchEverything) {
  table::MemoryTable table({"q"}, {{"a"}, {"a"}, {"?"}, {"b"}});
  Progress progress;
  VerificationRequest request{.quasi = {"q"}};
  request.criteria.k = 2;
  request.k_is_asked = true;
  EXPECT_FALSE(verify(table, request, progress)->satisfied());
  request.criteria.missing_matches_everything = true;
  EXPECT_TRUE(verify(table, request, progress)->satisfied());
}

TEST(Verification, RefusesWhatCannotBeAsked) {
  table::MemoryTable table = release();
  Progress progress;
  EXPECT_EQ(verify(table, {}, progress).error().code, ErrorCode::invalid_parameter);
  EXPECT_EQ(verify(table, {.quasi = {"agee"}}, progress).error().code, ErrorCode::unknown_column);
  VerificationRequest both{.quasi = {"age"}, .sensitive = {"age"}};
  EXPECT_EQ(verify(table, both, progress).error().code, ErrorCode::invalid_parameter);
  VerificationRequest people{.quasi = {"age"}};
  people.criteria.k_map = KMap{2, "people.csv"};
  EXPECT_EQ(verify(table, people, progress).error().code, ErrorCode::invalid_parameter);
}

}  // namespace
}  // namespace gauze::anonymize
