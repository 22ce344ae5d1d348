#include "gauze/anonymize/job/verification.h"

#include <gtest/gtest.h>

#include "gauze/table/testing/memory_table.h"

namespace gauze::anonymize {
namespace verification_test {

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
  EXPECT_EQ(found->risk.classes, 3U) << "the suppressed row shows its illness";
  EXPECT_EQ(found->risk.smallest_class, 1U);
  EXPECT_EQ(found->risk_unsuppressed.classes, 2U);
  EXPECT_EQ(found->risk_unsuppressed.smallest_class, 2U);
  ASSERT_EQ(found->sensitive.size(), 1U);
  EXPECT_EQ(found->sensitive[0].l_distinct, 1);
  // Over all six rows: flu 1/2, asthma 1/3, rare 1/6, which is everything in the class of one.
  EXPECT_NEAR(found->sensitive[0].t_equal, 5.0 / 6, 1e-15);
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
  EXPECT_EQ(found->requirements[0].failing_classes, 2U);
  EXPECT_EQ(found->requirements[0].failing_records, 3U);
  EXPECT_FALSE(found->requirements[1].holds);
  EXPECT_EQ(found->requirements[1].failing_records, 1U) << "the suppressed one";
  EXPECT_FALSE(found->requirements[2].holds);
  EXPECT_FALSE(found->satisfied());
}

TEST(Verification, RowsOfNothingButStarsAreInNoClass) {
  table::MemoryTable table({"age", "ill"}, {{"*", "*"}, {"*", "*"}, {"30", "flu"}, {"30", "flu"}});
  Progress progress;
  VerificationRequest request{.quasi = {"age"}, .sensitive = {"ill"}};
  request.criteria.k = 3;
  request.k_is_asked = true;
  const auto found = verify(table, request, progress);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->rows, 4U);
  EXPECT_EQ(found->suppressed, 2U);
  EXPECT_EQ(found->suppressed_class.blank, 2U);
  EXPECT_EQ(found->suppressed_class.rows, 0U);
  EXPECT_TRUE(found->suppressed_class.satisfied);
  EXPECT_EQ(found->risk.classes, 1U);
  EXPECT_EQ(found->requirements[0].failing_classes, 1U) << "the other one";
}

TEST(Verification, RowsLookAlikeByTheLettersOfTheirCells) {
  table::MemoryTable table({"sex", "age", "ill"}, {{"M", "30", "flu"},
                                                   {"M", "30", "flu "},
                                                   {"M ", "30", "flu"},
                                                   {"F", "?", "flu"},
                                                   {"F", "?", "flu"},
                                                   {"F", "", "flu"}});
  Progress progress;
  VerificationRequest request{.quasi = {"sex", "age"}, .sensitive = {"ill"}};
  request.criteria.k = 2;
  request.k_is_asked = true;
  auto found = verify(table, request, progress);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->k, 1U);
  EXPECT_EQ(found->alone, 2U);
  EXPECT_EQ(found->requirements[0].failing_records, 2U);
  EXPECT_EQ(found->sensitive[0].l_distinct, 1) << "a blank makes no second illness";
  request.criteria.missing_matches_everything = true;
  found = verify(table, request, progress);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->alone, 1U) << "however missing is written, it matches";
}

TEST(Verification, ShowsTheKOfTheReadingThatWasAskedFor) {
  table::MemoryTable table({"age", "zip"}, {{"30", "1"}, {"30", "1"}, {"?", "1"}});
  Progress progress;
  VerificationRequest request{.quasi = {"age", "zip"}};
  EXPECT_EQ(verify(table, request, progress)->k, 1U);
  request.criteria.missing_matches_everything = true;
  EXPECT_EQ(verify(table, request, progress)->k, 3U);
}

TEST(Verification, StarsWithBlanksAroundThemAreStars) {
  table::MemoryTable table({"age", "ill"}, {{"*", "*"}, {"* ", "*"}, {"*", "* "}, {" *", "flu"}});
  Progress progress;
  const auto found = verify(table, {.quasi = {"age"}, .sensitive = {"ill"}}, progress);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->suppressed, 4U);
  EXPECT_EQ(found->suppressed_class.blank, 3U);
  EXPECT_EQ(found->suppressed_class.rows, 1U);
  EXPECT_EQ(found->k, 1U);
}

TEST(Verification, AMissingSensitiveCellIsNoValueToDiversity) {
  table::MemoryTable table({"age", "ill"},
                           {{"30", "flu"}, {"30", "?"}, {"40", "flu"}, {"40", "asthma"}, {"50", ""}, {"50", "?"}});
  Progress progress;
  VerificationRequest request{.quasi = {"age"}};
  request.criteria.l_diversity = {{"ill", DiversityKind::distinct, 2, 0}, {"ill", DiversityKind::entropy, 2, 0}};
  const auto found = verify(table, request, progress);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->sensitive[0].l_distinct, 0) << "nothing is known of the last class";
  for (const auto& requirement : found->requirements) EXPECT_EQ(requirement.failing_classes, 2U) << requirement.text;
}

// One suppressed row that still shows its illness tells everything about the one person who fits no class.
TEST(Verification, SuppressedRowsThatShowSomethingAreAClass) {
  table::MemoryTable table({"age", "ill", "ward"}, {{"30", "flu", "a"}, {"30", "asthma", "a"}, {"*", "HIV", "a"}});
  Progress progress;
  VerificationRequest request{.quasi = {"age"}};
  request.criteria.k = 2;
  request.k_is_asked = true;
  const auto found = verify(table, request, progress);
  ASSERT_TRUE(found.has_value());
  EXPECT_FALSE(found->satisfied());
  EXPECT_FALSE(found->suppressed_class.satisfied);
  EXPECT_EQ(found->risk.smallest_class, 1U);
  EXPECT_EQ(found->risk_unsuppressed.smallest_class, 2U) << "as ARX counts";
  EXPECT_EQ(found->suppressed_class.rows, 1U);
}

TEST(Verification, TenSuppressedRowsWithOneIllnessAreNotDiverse) {
  table::MemoryTable::Rows rows(10, {"*", "HIV"});
  rows.push_back({"30", "flu"});
  rows.push_back({"30", "HIV"});
  table::MemoryTable table({"age", "ill"}, rows);
  Progress progress;
  VerificationRequest request{.quasi = {"age"}};
  request.criteria.l_diversity = {{"ill", DiversityKind::distinct, 2, 0}};
  const auto found = verify(table, request, progress);
  ASSERT_TRUE(found.has_value());
  EXPECT_FALSE(found->satisfied());
  EXPECT_FALSE(found->suppressed_class.satisfied);
  EXPECT_EQ(found->sensitive[0].l_distinct, 1);
}

TEST(Verification, WhatIsNotVisibleIsNotCounted) {
  // The visible illnesses are half and half, in the class and in the file: the ten hidden ones change nothing.
  table::MemoryTable::Rows rows(10, {"*", "*", "a"});
  for (int i = 0; i < 4; ++i) rows.push_back({"30", i % 2 == 0 ? "flu" : "HIV", "a"});
  table::MemoryTable table({"age", "ill", "ward"}, rows);
  Progress progress;
  VerificationRequest request{.quasi = {"age"}};
  request.criteria.k = 4;
  request.k_is_asked = true;
  request.criteria.l_diversity = {{"ill", DiversityKind::entropy, 2, 0}};
  request.criteria.t_closeness = {{"ill", Distance::ordered, 0}};
  request.criteria.delta_disclosure = {{"ill", decimal("0.1")}};
  const auto found = verify(table, request, progress);
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->satisfied());
  EXPECT_EQ(found->suppressed_class.rows, 10U) << "a class of ten, by the wards";
  EXPECT_EQ(found->sensitive[0].t_equal, 0);
  EXPECT_EQ(found->sensitive[0].t_ordered, 0);
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

}  // namespace verification_test
}  // namespace gauze::anonymize
