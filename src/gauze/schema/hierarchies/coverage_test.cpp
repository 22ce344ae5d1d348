#include "gauze/schema/hierarchies/coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/schema/hierarchies/hierarchy_file.h"
#include "gauze/schema/hierarchies/hierarchy_testing.h"

namespace gauze::schema {
namespace coverage_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Hierarchy ages() { return *Hierarchy::make("age", {{"39", "30s"}, {"40", "40s"}, {"41", "40s"}}); }

TEST(Coverage, ListsTheCodesThatHaveNoRow) {
  const Coverage found = coverage(ages(), dictionary_of({"38", "39", "40", "42"}));
  EXPECT_THAT(found.missing_codes, ElementsAre(0U, 3U));
  EXPECT_EQ(found.covered, 2U);
  EXPECT_FALSE(found.is_complete());
  EXPECT_TRUE(coverage(ages(), dictionary_of({"41"})).is_complete());
  EXPECT_TRUE(coverage(ages(), dictionary_of({})).is_complete());
}

TEST(Coverage, MatchesTextsNotNumbers) {
  EXPECT_THAT(coverage(ages(), dictionary_of({"39.0", "+39", "039", "39 "})).missing_codes,
              ElementsAre(0U, 1U, 2U, 3U));
}

TEST(Coverage, OfARuleNeedsNoRows) {
  const IntervalsSpec hours = {{{0, 35, 100}}};
  const auto found = coverage(hours, "hours", dictionary_of({"10", "200", "abc"}, "?"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->covered, 2U);
  EXPECT_EQ(found->missing_codes.size(), 2U);
  const auto none = coverage(hours, "hours", dictionary_of({"200"}));
  ASSERT_TRUE(none);
  EXPECT_EQ(none->covered, 0U);
  EXPECT_THAT(error_of(coverage(MaskSpec{}, "zip", dictionary_of({"1"}))), HasSubstr("hierarchy 'zip'"));
  EXPECT_FALSE(coverage(CsvSpec{"/nonexistent.csv", {}}, "x", dictionary_of({"1"})));
}

TEST(Bind, FindsTheRowOfEveryCode) {
  const auto bound = bind(ages(), dictionary_of({"41", "39"}));
  ASSERT_TRUE(bound) << bound.error().message;
  EXPECT_THAT(bound->row_of_code, ElementsAre(0U, 2U));
  EXPECT_EQ(bound->hierarchy->name(), "age");
}

TEST(Bind, SharesAHierarchyBetweenColumns) {
  const auto hierarchy = std::make_shared<const Hierarchy>(ages());
  const auto one = bind_shared(hierarchy, dictionary_of({"39"}));
  const auto other = bind_shared(hierarchy, dictionary_of({"40"}));
  ASSERT_TRUE(one && other);
  EXPECT_EQ(one->hierarchy.get(), other->hierarchy.get());
}

TEST(Bind, RefusesAHierarchyThatMissesValues) {
  const auto bound = bind(ages(), dictionary_of({"38", "39", "42"}));
  ASSERT_FALSE(bound);
  EXPECT_EQ(bound.error().code, ErrorCode::bad_data);
  EXPECT_EQ(bound.error().message,
            "hierarchy 'age' misses 2 of the 3 values of the column; 'gauze hierarchy check' lists them");
}

TEST(Bind, TreatsMissingAsAValue) {
  EXPECT_FALSE(bind(ages(), dictionary_of({"39"}, "?")));
  const auto with = Hierarchy::make("age", {{"39", "30s"}, {"?", "?"}});
  const auto bound = bind(*with, dictionary_of({"39"}, "?"));
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->row_of_code.size(), 2U);
  // All ways to write "missing" are one code; the hierarchy may list another way.
  const auto other = bind(*with, dictionary_of({"39"}, ""));
  ASSERT_TRUE(other);
  EXPECT_THAT(other->row_of_code, ElementsAre(1U, 0U));
}

TEST(Bind, DoesNotTakeAValueForMissing) {
  // "NULL" is a value of this column (its token is "n/a"): its row is not that of missing.
  const auto hierarchy = Hierarchy::make("x", {{"NULL", "v"}, {"a", "v"}});
  EXPECT_FALSE(bind(*hierarchy, dictionary_of({"NULL", "a"}, "n/a")));
}

TEST(Bind, MaterialisesAndBindsInOneStep) {
  const auto bound = materialise_and_bind(IntervalsSpec{{{0, 35, 100}}}, "hours", dictionary_of({"10", "9"}, "?"));
  ASSERT_TRUE(bound) << bound.error().message;
  EXPECT_EQ(bound->row_of_code.size(), 3U);
  const Hierarchy& hierarchy = *bound->hierarchy;
  EXPECT_EQ(hierarchy.text(0, bound->row_of_code[0]), "10");
  EXPECT_EQ(hierarchy.text(0, bound->row_of_code[1]), "9");
  EXPECT_THAT(error_of(materialise_and_bind(IntervalsSpec{{{0, 35}}}, "hours", dictionary_of({"10", "99"}))),
              HasSubstr("misses 1 of the 2 values"));
}

TEST(Bind, TheFilesOfArxCoverTheirData) {
  const auto data = data_folder();
  if (!data) GTEST_SKIP() << "no data folder: set GAUZE_DATA";
  const auto file = read_hierarchy_file(*data / "arx-adult" / "adult_hierarchy_sex.csv", "sex");
  ASSERT_TRUE(file);
  EXPECT_TRUE(coverage(file->hierarchy, dictionary_of({"Male", "Female"})).is_complete());
}

}  // namespace coverage_test
}  // namespace gauze::schema
