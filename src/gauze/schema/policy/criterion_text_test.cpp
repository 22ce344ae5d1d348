#include "gauze/schema/policy/criterion_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "gauze/schema/hierarchies/hierarchy_testing.h"

namespace gauze::schema {
namespace criterion_text_test {

using ::testing::HasSubstr;

Rational decimal(std::string_view text) { return *Rational::parse(text); }

TEST(CriterionText, ReadsLDiversity) {
  EXPECT_EQ(*parse_l_diversity("occupation:distinct:3"), (LDiversity{"occupation", DiversityKind::distinct, 3, 0}));
  EXPECT_EQ(*parse_l_diversity("occupation:entropy:2.5"),
            (LDiversity{"occupation", DiversityKind::entropy, decimal("2.5"), 0}));
  EXPECT_EQ(*parse_l_diversity("occupation:recursive:3:4"),
            (LDiversity{"occupation", DiversityKind::recursive, 3, 4}));
  EXPECT_EQ(*parse_l_diversity("occupation:recursive:3:0.1"),
            (LDiversity{"occupation", DiversityKind::recursive, 3, Rational(1, 10)}));
}

TEST(CriterionText, ColumnsMayContainColons) {
  EXPECT_EQ(parse_l_diversity("a:b:distinct:3")->column, "a:b");
  EXPECT_EQ(parse_l_diversity("recursive:3:distinct:3")->column, "recursive:3");
  EXPECT_EQ(parse_l_diversity("distinct:recursive:3:4")->column, "distinct");
  EXPECT_EQ(parse_l_diversity("疾病:entropy:3")->column, "疾病");
  EXPECT_EQ(parse_t_closeness("a:b:equal:0.2")->column, "a:b");
  EXPECT_EQ(parse_delta_disclosure("a:b:1")->column, "a:b");
  EXPECT_EQ(parse_beta_likeness("x:y:basic:2")->column, "x:y");
}

TEST(CriterionText, RefusesWrongLDiversity) {
  for (const std::string_view text : {"", "occupation", "occupation:3", "occupation:distinct",
                                      "occupation:recursive:3", "occupation:dense:3", "distinct:3", "a:b:c:d:e"}) {
    EXPECT_FALSE(parse_l_diversity(text)) << text;
  }
  EXPECT_THAT(error_of(parse_l_diversity("occupation:distict:3")), HasSubstr("did you mean 'distinct'"));
  EXPECT_THAT(error_of(parse_l_diversity("occupation")), HasSubstr("COLUMN:recursive:3:4"));
  EXPECT_THAT(error_of(parse_l_diversity(":distinct:3")), HasSubstr("name of a column"));
  EXPECT_THAT(error_of(parse_l_diversity("x:distinct:0")), HasSubstr("at least 1, but is 0"));
  EXPECT_THAT(error_of(parse_l_diversity("x:distinct:2.5")), HasSubstr("whole number for distinct"));
  EXPECT_THAT(error_of(parse_l_diversity("x:recursive:2.5:1")), HasSubstr("whole number for recursive"));
  EXPECT_THAT(error_of(parse_l_diversity("x:recursive:2:0")), HasSubstr("c must be positive"));
  EXPECT_THAT(error_of(parse_l_diversity("x:entropy:0.5")), HasSubstr("at least 1"));
  EXPECT_THAT(error_of(parse_l_diversity("x:entropy:many")), HasSubstr("l-diversity: l"));
  EXPECT_EQ(parse_l_diversity("x:entropy:nan").error().code, ErrorCode::invalid_parameter);
}

TEST(CriterionText, ReadsTheOtherCriteria) {
  EXPECT_EQ(*parse_t_closeness("s:equal:0.2"), (TCloseness{"s", Distance::equal, Rational(1, 5)}));
  EXPECT_EQ(*parse_t_closeness("s:ordered:1"), (TCloseness{"s", Distance::ordered, 1}));
  EXPECT_EQ(*parse_t_closeness("s:hierarchical:0"), (TCloseness{"s", Distance::hierarchical, 0}));
  EXPECT_EQ(*parse_delta_disclosure("s:1.5"), (DeltaDisclosure{"s", decimal("1.5")}));
  EXPECT_EQ(*parse_beta_likeness("s:enhanced:2"), (BetaLikeness{"s", true, 2}));
  EXPECT_EQ(*parse_beta_likeness("s:basic:2e-1"), (BetaLikeness{"s", false, Rational(1, 5)}));
  EXPECT_EQ(*parse_metric("loss_geometric"), Metric::loss_geometric);
  EXPECT_EQ(*parse_metric("precision"), Metric::precision);
  EXPECT_EQ(*parse_search_kind("mondrian"), SearchKind::mondrian);
}

TEST(CriterionText, RefusesFiguresOutOfRange) {
  EXPECT_EQ(error_of(parse_t_closeness("s:equal:1.01")), "t-closeness: t must lie between 0 and 1, but is 1.01");
  EXPECT_FALSE(parse_t_closeness("s:equal:-0.1"));
  EXPECT_FALSE(parse_t_closeness("s:0.2"));
  EXPECT_EQ(error_of(parse_t_closeness("s:euclid:0.2")),
            "t-closeness: the distance must be equal, ordered or hierarchical");
  EXPECT_THAT(error_of(parse_t_closeness("s:orderd:0.2")), HasSubstr("did you mean 'ordered'"));
  EXPECT_THAT(error_of(parse_delta_disclosure("s:0")), HasSubstr("must be positive, but is 0"));
  EXPECT_FALSE(parse_delta_disclosure("s"));
  EXPECT_FALSE(parse_delta_disclosure(":1"));
  EXPECT_THAT(error_of(parse_beta_likeness("s:enhanced:-1")), HasSubstr("must be positive"));
  EXPECT_THAT(error_of(parse_beta_likeness("s:strong:1")), HasSubstr("basic or enhanced"));
  EXPECT_FALSE(parse_beta_likeness("s:1"));
  EXPECT_THAT(error_of(parse_metric("los")), HasSubstr("did you mean 'loss'"));
  EXPECT_THAT(error_of(parse_search_kind("optimum")), HasSubstr("optimal, local or mondrian"));
}

TEST(CriterionText, ChecksWholeSets) {
  Criteria criteria;
  EXPECT_TRUE(check(criteria));
  criteria.k = 0;
  EXPECT_THAT(error_of(check(criteria)), HasSubstr("k must be at least 1"));
  criteria = {.k = 2, .l_diversity = {{"s", DiversityKind::entropy, 2, 1}}};
  EXPECT_THAT(error_of(check(criteria)), HasSubstr("recursive only"));
  criteria = {.k = 2, .t_closeness = {{"s", Distance::equal, 2}}};
  EXPECT_FALSE(check(criteria));
  criteria = {.k = 2, .delta_disclosure = {{"s", 0}}};
  EXPECT_FALSE(check(criteria));
  criteria = {.k = 2, .beta_likeness = {{"", true, 1}}};
  EXPECT_FALSE(check(criteria));
  criteria = {.k = 2, .k_map = KMap{0, "p.csv"}};
  EXPECT_THAT(error_of(check(criteria)), HasSubstr("k-map"));
  criteria = {.k = 2, .k_map = KMap{5, ""}};
  EXPECT_THAT(error_of(check(criteria)), HasSubstr("population"));
  criteria = {.k = 2, .delta_presence = DeltaPresence{Rational(1, 2), Rational(1, 4), "p.csv"}};
  EXPECT_THAT(error_of(check(criteria)), HasSubstr("min is 0.5 and max is 0.25"));
  criteria = {.k = 2, .delta_presence = DeltaPresence{0, 2, "p.csv"}};
  EXPECT_FALSE(check(criteria));
  criteria = {.k = 2, .delta_presence = DeltaPresence{0, 1, ""}};
  EXPECT_FALSE(check(criteria));
}

TEST(CriterionText, ReadsAvailability) {
  const auto availability = parse_availability("a=b=4");
  ASSERT_TRUE(availability);
  EXPECT_EQ(availability->column, "a=b");
  EXPECT_EQ(availability->level, 4);
  for (const std::string_view text : {"", "age", "=3", "age=", "age=0", "age=6", "age=10", "age=x"}) {
    EXPECT_FALSE(parse_availability(text)) << text;
  }
}

TEST(CriterionText, ReadsTheHierarchyOfAColumn) {
  const auto plain = parse_hierarchy_assignment("age=h/age=1.csv");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->column, "age");
  EXPECT_EQ(plain->file, "h/age=1.csv");
  const std::vector<std::string> columns = {"a", "a=b", "年龄"};
  const auto known = parse_hierarchy_assignment("a=b=f.csv", columns);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->column, "a=b");
  EXPECT_EQ(known->file, "f.csv");
  EXPECT_EQ(parse_hierarchy_assignment("年龄=f.csv", columns)->column, "年龄");
  EXPECT_EQ(parse_hierarchy_assignment("other=f.csv", columns)->column, "other");
  for (const std::string_view text : {"", "age", "=f", "age="})
    EXPECT_FALSE(parse_hierarchy_assignment(text)) << text;
}

RC_GTEST_PROP(CriterionTextProperty, WhatIsWrittenReadsBack, ()) {
  const auto column = *rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab:=3"))));
  const auto share = Rational(*rc::gen::inRange<std::int64_t>(1, 1000), 1000);
  const auto count = *rc::gen::inRange(1, 50);
  const LDiversity diversity = {column, *rc::gen::element(DiversityKind::distinct, DiversityKind::entropy), count, 0};
  RC_ASSERT(*parse_l_diversity(format_criterion(diversity)) == diversity);
  const LDiversity recursive = {column, DiversityKind::recursive, count, share};
  RC_ASSERT(*parse_l_diversity(format_criterion(recursive)) == recursive);
  const TCloseness closeness = {column, *rc::gen::element(Distance::equal, Distance::hierarchical), share};
  RC_ASSERT(*parse_t_closeness(format_criterion(closeness)) == closeness);
  const DeltaDisclosure disclosure = {column, share};
  RC_ASSERT(*parse_delta_disclosure(format_criterion(disclosure)) == disclosure);
  const BetaLikeness likeness = {column, *rc::gen::arbitrary<bool>(), share};
  RC_ASSERT(*parse_beta_likeness(format_criterion(likeness)) == likeness);
}

}  // namespace criterion_text_test
}  // namespace gauze::schema
