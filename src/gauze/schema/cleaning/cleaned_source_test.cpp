#include "gauze/schema/cleaning/cleaned_source.h"

#include "gauze/base/progress.h"
#include "gauze/table/rewritten_rows.h"
#include "gauze/table/testing/source_conformance.h"

namespace gauze::schema {
namespace cleaned_source_test {

using table::ConformanceTable;
using table::Grouping;
using table::MemoryTable;
using table::TupleCounts;

Policy policy_of(const std::string& columns) {
  const auto policy = parse_policy("version: 1\ncolumns: {" + columns + "}\nprivacy: {k: 2}\n");
  EXPECT_TRUE(policy) << policy.error().message;
  return *policy;
}

const char* const kBoth =
    "sex: {role: protected, same: {male: [M, Male, 男], female: [F]}}, "
    "age: {role: quasi, valid: [0, 120], outside: missing}, town: {role: quasi}";

MemoryTable people() {
  return {{"sex", "age", "town"},
          {{"M", "30", "Rome"},
           {" Male ", "999", "Oslo"},
           {"F", "x", "Rome"},
           {"male", "30", "Rome"},
           {"?", "", "Oslo"}}};
}

/// Rows of texts with their counts.
std::map<std::vector<std::string>, std::uint64_t> listed(const TupleCounts& tuples) {
  std::map<std::vector<std::string>, std::uint64_t> rows;
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    std::vector<std::string> row;
    for (std::size_t column = 0; column < tuples.codes.size(); ++column)
      row.push_back(tuples.dictionaries[column].values[tuples.codes[column][i]]);
    rows[row] += tuples.counts[i];
  }
  return rows;
}

TEST(CleanedSource, GroupsWhatCellsBecame) {
  MemoryTable raw = people();
  const auto table = CleanedSource::make(raw, policy_of(kBoth)).value();
  Progress progress;
  const std::map<std::vector<std::string>, std::uint64_t> expected = {
      {{"male", "30"}, 2}, {{"male", ""}, 1}, {{"female", ""}, 1}, {{"?", ""}, 1}};
  EXPECT_EQ(listed(table->group(std::vector<std::size_t>{0, 1}, progress).value()), expected);
}

TEST(CleanedSource, FiltersByWhatCellsBecame) {
  MemoryTable raw = people();
  const auto table = CleanedSource::make(raw, policy_of(kBoth)).value();
  Progress progress;
  Grouping grouping{.keys = {{.column = 2}}, .filters = {{.column = 0, .texts = {"male"}}}};
  const std::map<std::vector<std::string>, std::uint64_t> expected = {{{"Rome"}, 2}, {{"Oslo"}, 1}};
  EXPECT_EQ(listed(table->group(grouping, progress).value()), expected);
  grouping.filters.front().texts = {"M"};
  EXPECT_EQ(table->group(grouping, progress).value().size(), 0U) << "nobody is spelt so any more";
}

TEST(CleanedSource, RecodesWhatCellsBecame) {
  MemoryTable raw = people();
  const auto table = CleanedSource::make(raw, policy_of(kBoth)).value();
  Progress progress;
  const Grouping grouping{
      .keys = {{.column = 0, .recoding = table::KeyRecoding{.texts = {{"male", "m"}}, .otherwise = "x"}}}};
  const std::map<std::vector<std::string>, std::uint64_t> expected = {{{"m"}, 3}, {{"x"}, 1}, {{"?"}, 1}};
  EXPECT_EQ(listed(table->group(grouping, progress).value()), expected);
}

TEST(CleanedSource, LettersStayWhereNothingIsChanged) {
  MemoryTable raw({"sex"}, {{" Male "}, {" else "}, {"else"}, {"?"}});
  const auto table = CleanedSource::make(raw, policy_of("sex: {role: quasi, same: {male: [Male]}}")).value();
  Progress progress;
  const Grouping grouping{.keys = {{.column = 0, .recoding = {}, .as_written = true}}};
  const std::map<std::vector<std::string>, std::uint64_t> expected = {
      {{"male"}, 1}, {{" else "}, 1}, {{"else"}, 1}, {{"?"}, 1}};
  EXPECT_EQ(listed(table->group(grouping, progress).value()), expected);
}

TEST(CleanedSource, ScansAndSummariesAgreeWithGroups) {
  MemoryTable raw = people();
  const auto table = CleanedSource::make(raw, policy_of(kBoth)).value();
  Progress progress;
  const auto stream = table->scan(std::vector<std::size_t>{1, 0}, table::Cells::text, progress).value();
  const auto batch = stream->next().value().value();
  std::vector<std::string> cells;
  for (std::size_t row = 0; row < batch.rows; ++row)
    cells.push_back(fmt::format("{}|{}", batch.columns[0].texts[row], batch.columns[1].texts[row]));
  EXPECT_EQ(cells, (std::vector<std::string>{"30|male", "|male", "|female", "30|male", "|?"}));
  EXPECT_TRUE(batch.columns[0].is_null(1));
  const auto summary = table->summarise(std::vector<std::size_t>{0, 1}, 10, progress).value();
  EXPECT_EQ(summary[0].distinct, 2U);
  EXPECT_EQ(summary[0].missing, 1U);
  EXPECT_EQ(summary[1].distinct, 1U);
  EXPECT_EQ(summary[1].missing, 3U);
  EXPECT_EQ(table->changed_rows(0, progress).value(), 3U);
  EXPECT_EQ(table->changed_rows(1, progress).value(), 2U);
  EXPECT_EQ(table->changed_rows(2, progress).value(), 0U);
}

TEST(CleanedSource, NumbersThatAreStoredAsSuchAreCleanedByTheirText) {
  MemoryTable raw({"age"}, {{"30"}, {"999"}}, {}, 2048, {table::StoredType::integer});
  const auto table = CleanedSource::make(raw, policy_of("age: {role: quasi, valid: [0, 120]}")).value();
  EXPECT_EQ(table->schema()[0].type, table::StoredType::text);
  Progress progress;
  const auto stream = table->scan(std::vector<std::size_t>{0}, table::Cells::stored, progress).value();
  const auto batch = stream->next().value().value();
  EXPECT_EQ(batch.columns[0].texts, (std::vector<std::string_view>{"30", "other"}));
}

TEST(CleanedSource, CleaningTwiceChangesNothing) {
  MemoryTable raw = people();
  const Policy policy = policy_of(kBoth);
  const auto once = CleanedSource::make(raw, policy).value();
  const auto twice = CleanedSource::make(*once, policy).value();
  Progress progress;
  const std::vector<std::size_t> all = {0, 1, 2};
  EXPECT_EQ(listed(once->group(all, progress).value()), listed(twice->group(all, progress).value()));
}

TEST(CleanedSource, FinishedTablesKeepTheirIntervalsAndStars) {
  MemoryTable raw({"age", "weight"}, {{"[20, 40)", "*"}, {"*", "700"}});
  const Policy policy = policy_of(
      "age: {role: quasi, valid: [0, 120]}, weight: {role: sensitive, valid: [1, 400]}, name: {role: identifier, "
      "same: {a: [b]}}");
  EXPECT_FALSE(CleanedSource::make(raw, policy)) << "a column to clean that is not there";
  const auto table = CleanedSource::make(raw, policy, {.finished = true}).value();
  Progress progress;
  const std::map<std::vector<std::string>, std::uint64_t> expected = {{{"[20, 40)", "*"}, 1}, {{"*", "other"}, 1}};
  EXPECT_EQ(listed(table->group(std::vector<std::size_t>{0, 1}, progress).value()), expected);
}

TEST(CleanedSource, WhatIsRewrittenIsWhatWasCleaned) {
  MemoryTable raw = people();
  const auto table = CleanedSource::make(raw, policy_of(kBoth)).value();
  Progress progress;
  table::Rewrite rewrite{.inputs = {0}, .outputs = {0}};
  rewrite.rewrite = [](const table::RowBatch& batch, table::RewrittenBatch& result) {
    for (std::size_t row = 0; row < batch.rows; ++row)
      result.cells[0][row] = result.storage.emplace_back("<" + std::string(batch.cells[0][row].text) + ">");
  };
  const auto rows = table::RewrittenRows::open(*table, rewrite, progress).value();
  const auto batch = rows->next().value().value();
  EXPECT_EQ(batch.columns[0].texts[1], "<male>");
  EXPECT_EQ(batch.columns[1].texts[1], "");
}

/// A cleaned source with its raw one.
class Holder : public table::Source {
 public:
  Holder(std::unique_ptr<MemoryTable> raw, std::unique_ptr<CleanedSource> cleaned)
      : Source(cleaned->schema(), cleaned->missing().all()), raw_(std::move(raw)), cleaned_(std::move(cleaned)) {}
  Result<std::uint64_t> row_count() override { return cleaned_->row_count(); }
  Result<TupleCounts> group(const Grouping& grouping, Progress& progress) override {
    return cleaned_->group(grouping, progress);
  }
  Result<std::unique_ptr<table::RowStream>> scan(std::span<const std::size_t> columns, table::Cells cells,
                                                 Progress& progress) override {
    return cleaned_->scan(columns, cells, progress);
  }
  Result<std::vector<table::ColumnSummary>> summarise(std::span<const std::size_t> columns, std::size_t max_values,
                                                      Progress& progress) override {
    return cleaned_->summarise(columns, max_values, progress);
  }

 private:
  std::unique_ptr<MemoryTable> raw_;
  std::unique_ptr<CleanedSource> cleaned_;
};

using table::SourceConformance;
INSTANTIATE_TEST_SUITE_P(CleanedSource, SourceConformance,
                         ::testing::Values(table::SourceMaker{
                             "RulesThatChangeNothing",
                             [](const ConformanceTable& table) -> std::unique_ptr<table::Source> {
                               auto raw = std::make_unique<MemoryTable>(table.in_memory());
                               Policy policy;
                               for (std::size_t i = 0; i < table.names.size(); ++i) {
                                 if (table.types[i] != table::StoredType::text) continue;
                                 policy.columns.push_back({.name = table.names[i]});
                                 policy.columns.back().same = {{"nobody says this", {"nor this"}}};
                               }
                               auto cleaned = CleanedSource::make(*raw, policy).value();
                               return std::make_unique<Holder>(std::move(raw), std::move(cleaned));
                             }}),
                         table::maker_name);

}  // namespace cleaned_source_test
}  // namespace gauze::schema
