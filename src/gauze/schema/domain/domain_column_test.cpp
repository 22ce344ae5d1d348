#include "gauze/schema/domain/domain_column.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "gauze/files/atomic_file.h"

namespace gauze::schema {
namespace domain_column_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

PolicyColumn column(std::optional<HierarchySpec> hierarchy, std::vector<std::string> values = {}) {
  PolicyColumn result;
  result.name = "col";
  result.roles = {Role::quasi};
  result.hierarchy = std::move(hierarchy);
  result.values = std::move(values);
  return result;
}

GroupsSpec cities() {
  return {{{{"north", {"Kiel", "Oslo"}}, {"south", {"Rom"}}}, {{"europe", {"north", "south"}}}}};
}

Rational sum_of_shares(const DomainColumn& domain, int level) {
  Rational sum = 0;
  for (std::uint32_t code = 0; code < domain.size(level); ++code) sum += domain.share(level, code);
  return sum;
}

TEST(DomainColumn, ListsTheValuesOfGroupsAtEveryLevel) {
  const auto domain = DomainColumn::make(column(cities()));
  ASSERT_TRUE(domain) << domain.error().message;
  EXPECT_EQ(domain->height(), 2);
  EXPECT_EQ(domain->lowest(), 0);
  EXPECT_EQ(domain->size(0), 3U);
  EXPECT_EQ(domain->size(1), 2U);
  EXPECT_EQ(domain->text(2, 0), "europe");
  EXPECT_EQ(domain->share(1, 0), Rational(2, 3));
  for (int level = 0; level <= 2; ++level) EXPECT_EQ(sum_of_shares(*domain, level), Rational(1));
  const table::Dictionary values{{"Kiel", "Paris", "Rom"}, std::nullopt};
  EXPECT_THAT(domain->encode(values, 1), ElementsAre(0, kOutside, 1));
  EXPECT_THAT(domain->encode(values, 2), ElementsAre(0, kOutside, 0));
}

TEST(DomainColumn, NumbersHaveNoGroundLevel) {
  const IntervalsSpec ages{{{0, 30, 60, 120}, {0, 60, 120}}};
  const auto domain = DomainColumn::make(column(ages));
  ASSERT_TRUE(domain);
  EXPECT_EQ(domain->lowest(), 1);
  EXPECT_EQ(domain->height(), 3);
  EXPECT_EQ(domain->size(1), 3U);
  EXPECT_EQ(domain->share(1, 2), Rational(1, 2));
  for (int level = 1; level <= 3; ++level) EXPECT_EQ(sum_of_shares(*domain, level), Rational(1));
  const table::Dictionary values{{"-1", "0", "120", "1e1", "59.9", "abc", "nan"}, std::nullopt};
  EXPECT_THAT(domain->encode(values, 1), ElementsAre(kOutside, 0, 2, 0, 1, kOutside, kOutside));
  EXPECT_THAT(domain->encode(values, 3), ElementsAre(kOutside, 0, 0, 0, 0, kOutside, kOutside));
}

TEST(DomainColumn, DatesBetweenTwoDaysAreADomain) {
  DatesSpec spec{{DatesSpec::Unit::month, DatesSpec::Unit::year}, {}, DateRange{{2023, 12, 1}, {2024, 1, 31}}};
  const auto domain = DomainColumn::make(column(spec));
  ASSERT_TRUE(domain) << domain.error().message;
  EXPECT_EQ(domain->lowest(), 1);
  EXPECT_EQ(domain->height(), 3);
  EXPECT_EQ(domain->text(1, 1), "2024-01");
  EXPECT_EQ(domain->text(3, 0), "*");
  EXPECT_EQ(domain->share(2, 0), Rational(1, 2));
  for (int level = 1; level <= 3; ++level) EXPECT_EQ(sum_of_shares(*domain, level), Rational(1));
  const table::Dictionary values{{"2023-11-30", "2023-12-01", "31.1.2024", "02/01/2024", "never", "?"}, 5};
  EXPECT_THAT(domain->encode(values, 1), ElementsAre(kOutside, 0, 1, kOutside, kOutside, kOutside));
  EXPECT_THAT(domain->encode(values, 3), ElementsAre(kOutside, 0, 0, kOutside, kOutside, kOutside));
  spec.range.reset();
  EXPECT_THAT(DomainColumn::make(column(spec)).error().message, HasSubstr("from: 1920-01-01"));
}

TEST(DomainColumn, DeclaredValuesHaveAnOther) {
  const auto domain = DomainColumn::make(column(std::nullopt, {"流感", "asthma"}));
  ASSERT_TRUE(domain);
  EXPECT_EQ(domain->size(0), 3U);
  EXPECT_EQ(domain->text(0, 2), "other");
  const table::Dictionary values{{"?", "asthma", "gout", "流感"}, 0};
  EXPECT_THAT(domain->encode(values, 0), ElementsAre(2, 1, 2, 0));
  const auto with_other = DomainColumn::make(column(std::nullopt, {"other", "a"}));
  EXPECT_EQ(with_other->size(0), 2U) << "not twice";
}

TEST(DomainColumn, MissingIsAValueWhereTheDomainListsAnySpelling) {
  const auto listed = DomainColumn::make(column(std::nullopt, {"a", "?"}));
  EXPECT_THAT(listed->encode({{"", "a"}, 0}, 0), ElementsAre(1, 0));
  EXPECT_THAT(listed->encode({{"NULL", "a"}, 0}, 0), ElementsAre(1, 0));
  const GroupsSpec groups{{{{"known", {"x"}}, {"unknown", {"?"}}}}};
  const auto grouped = DomainColumn::make(column(groups));
  EXPECT_THAT(grouped->encode({{"", "x"}, 0}, 1), ElementsAre(1, 0));
  const auto cities_only = DomainColumn::make(column(cities()));
  EXPECT_THAT(cities_only->encode({{"?", "Rom"}, 0}, 1), ElementsAre(kOutside, 1));
  const IntervalsSpec ages{{{0, 30}}};
  EXPECT_THAT(DomainColumn::make(column(ages))->encode({{"", "3"}, 0}, 1), ElementsAre(kOutside, 0));
}

TEST(DomainColumn, AFileIsTakenRowByRowUnlessItWasMadeFromData) {
  const auto folder = std::filesystem::temp_directory_path() / "gauze-domain-column-test";
  std::filesystem::create_directories(folder);
  const auto file = folder / "zip.csv";
  ASSERT_TRUE(write_file(file, "10115;101**;*\n10117;101**;*\n20095;200**;*\n"));
  const auto domain = DomainColumn::make(column(CsvSpec{file, std::nullopt}));
  ASSERT_TRUE(domain) << domain.error().message;
  EXPECT_EQ(domain->size(1), 2U);
  EXPECT_EQ(domain->share(1, 0), Rational(2, 3));
  EXPECT_THAT(domain->encode({{"10115", "20095", "99999"}, std::nullopt}, 1), ElementsAre(0, 1, kOutside));
  ASSERT_TRUE(write_file(file, "# gauze: made from data\n10115;101**;*\n10117;101**;*\n"));
  const auto refused = DomainColumn::make(column(CsvSpec{file, std::nullopt}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::not_private);
  std::filesystem::remove_all(folder);
}

TEST(DomainColumn, ADomainIsNeverReadFromTheData) {
  for (const auto& spec : {HierarchySpec(AutomaticSpec{}), HierarchySpec(MaskSpec{.side = {}, .steps = {1}})}) {
    const auto refused = DomainColumn::make(column(spec));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_parameter);
    EXPECT_THAT(refused.error().message, HasSubstr("no public domain"));
  }
  EXPECT_FALSE(DomainColumn::make(column(std::nullopt)));
}

TEST(DomainColumn, ObservedValuesServeStabilityAlone) {
  const DomainColumn domain = DomainColumn::observed("col", {{"?", "a", "b"}, 0});
  EXPECT_EQ(domain.height(), 1);
  EXPECT_THAT(domain.encode({{"?", "a", "b"}, 0}, 0), ElementsAre(0, 1, 2));
  EXPECT_EQ(DomainColumn::observed("col", {{}, std::nullopt}).height(), 1) << "a level `*` is always there";
}

}  // namespace domain_column_test
}  // namespace gauze::schema
