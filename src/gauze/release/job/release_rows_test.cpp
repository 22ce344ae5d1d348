#include "gauze/release/job/release_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/schema/testing/small_tables.h"

namespace gauze::release {
namespace release_rows_test {

using namespace schema;  // the vocabulary of this file

using ::testing::ElementsAre;

std::vector<std::string> lines_of(table::RowStream& rows) {
  std::vector<std::string> lines;
  for (auto batch = rows.next(); batch && *batch; batch = rows.next()) {
    for (std::size_t row = 0; row < (*batch)->rows; ++row) {
      std::string line;
      for (std::size_t i = 0; i < (*batch)->columns.size(); ++i) {
        if (i > 0) line += '|';
        table::append_value(line, (*batch)->columns[i], rows.columns()[i].type, row);
      }
      lines.push_back(line);
    }
  }
  return lines;
}

/// Two classes of one column: three of "(other)", a value like any other, and none of "b".
struct Example {
  explicit Example(schema::ReleaseKind kind) {
    schema::PolicyColumn column;
    column.name = "town";
    column.values = {"(other)", "b"};
    plan.release.kind = kind;
    plan.columns = {"town"};
    plan.quasi = {"town"};
    release.levels = {0};
    release.domain = std::make_shared<const Domain>(
        *Domain::product({{std::make_shared<const DomainColumn>(*DomainColumn::make(column)), 0}}));
    for (std::uint64_t cell = 0; cell < release.domain->size(); ++cell)
      if (release.domain->text(cell, 0) == "(other)")
        release.histogram.cells.push_back({.cell = cell, .noisy = 3, .count = 3, .low = 1, .high = 5});
    release.histogram.remainder = 4;
    release.histogram.remainder_interval = CountInterval{2, 9};
    release.histogram.total = 7;
  }
  ReleasePlan plan;
  Release release;
};

TEST(ReleaseRows, CountsEndWithTheRemainderWhateverValuesAreCalled) {
  Example example(schema::ReleaseKind::counts);
  const auto rows = rows_of(example.plan, example.release);
  ASSERT_EQ(rows->columns().size(), 4U);
  EXPECT_EQ(rows->columns()[1].name, "count");
  EXPECT_THAT(lines_of(*rows), ElementsAre("\\(other)|3|1|5", "(other)|4|2|9"));
}

TEST(ReleaseRows, TheRemainderHasNoIntervalWhereItWouldMiss) {
  Example example(schema::ReleaseKind::counts);
  example.release.histogram.remainder_interval.reset();
  EXPECT_THAT(lines_of(*rows_of(example.plan, example.release)), ElementsAre("\\(other)|3|1|5", "(other)|4||"));
  EXPECT_EQ(to_json(example.plan, example.release).find("other_interval")->dump(), "null");
}

TEST(ReleaseRows, NothingIsToldOfTheRemainderWithoutATotal) {
  Example example(schema::ReleaseKind::counts);
  example.release.histogram.total.reset();
  const auto rows = rows_of(example.plan, example.release);
  EXPECT_THAT(lines_of(*rows), ElementsAre("\\(other)|3|1|5", "(other)|||"));
  EXPECT_EQ(to_json(example.plan, example.release).find("other")->dump(), "null");
}

TEST(ReleaseRows, RecordsComeAsOftenAsTheirCountSays) {
  Example example(schema::ReleaseKind::records);
  const auto rows = rows_of(example.plan, example.release);
  EXPECT_THAT(lines_of(*rows), ElementsAre("(other)", "(other)", "(other)"));
  EXPECT_EQ(record_count(example.release), 3);
  EXPECT_EQ(to_json(example.plan, example.release).find("rows")->text(), "3");
}

}  // namespace release_rows_test
}  // namespace gauze::release
