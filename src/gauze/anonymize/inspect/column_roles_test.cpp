#include "gauze/anonymize/inspect/column_roles.h"

#include <gtest/gtest.h>

namespace gauze::anonymize {
namespace {

using namespace schema;  // the vocabulary of this file

table::ColumnSummary summary(std::uint64_t distinct, table::ColumnType type = table::ColumnType::text) {
  table::ColumnSummary made;
  made.distinct = distinct;
  made.type = type;
  return made;
}

Role role_of(std::string_view name, std::uint64_t distinct, table::ColumnType type = table::ColumnType::text) {
  return suggest_role(name, summary(distinct, type), 100).role;
}

TEST(ColumnRoles, NamesSayMoreThanCounts) {
  for (const char* name :
       {"age", "Age", "birthDate", "date_of_birth", "born", "zip-code", "年龄", "出生日期", "city_name"})
    EXPECT_EQ(role_of(name, 100), Role::quasi) << name;
  for (const char* name : {"diagnosis", "疾病", "monthly income"})
    EXPECT_EQ(role_of(name, 100), Role::sensitive) << name;
  for (const char* name : {"email", "姓名", "customer_id", "Phone"})
    EXPECT_EQ(role_of(name, 10), Role::identifier) << name;
}

TEST(ColumnRoles, AWordIsAWordOfItsOwn) {
  EXPECT_EQ(role_of("stage", 5), Role::quasi) << "by its counts";
  EXPECT_EQ(suggest_role("stage", summary(5), 100).reason.find("age"), std::string::npos);
  EXPECT_FALSE(names_an_identifier("valid"));
}

TEST(ColumnRoles, CountsDecideWhereNamesSayNothing) {
  EXPECT_EQ(role_of("x", 100), Role::identifier);
  EXPECT_EQ(role_of("x", 1), Role::insensitive);
  EXPECT_EQ(role_of("x", 60), Role::insensitive);
  EXPECT_EQ(role_of("x", 8), Role::quasi);
  EXPECT_EQ(role_of("x", 8, table::ColumnType::number), Role::insensitive);
  EXPECT_EQ(role_of("x", 100, table::ColumnType::number), Role::insensitive);
}

TEST(ColumnRoles, NamesOfIdentifiersAreKnownWithoutLookingAtData) {
  EXPECT_TRUE(names_an_identifier("name"));
  EXPECT_TRUE(names_an_identifier("手机号"));
  EXPECT_FALSE(names_an_identifier("country_id")) << "a country is no person";
  EXPECT_FALSE(names_an_identifier("age"));
}

TEST(ColumnRoles, AvailabilityFollowsTheKindOfColumn) {
  EXPECT_EQ(default_availability("education", Role::quasi), 5);
  EXPECT_EQ(default_availability("country", Role::quasi), 2);
  EXPECT_EQ(default_availability("x", Role::quasi), 2);
  EXPECT_EQ(default_availability("x", Role::sensitive), 1);
}

}  // namespace
}  // namespace gauze::anonymize
