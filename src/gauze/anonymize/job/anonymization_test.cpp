#include "gauze/anonymize/job/anonymization.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <random>

#include "gauze/anonymize/job/anonymization_label.h"
#include "gauze/anonymize/job/row_recoding.h"
#include "gauze/anonymize/job/tuple_lookup.h"
#include "gauze/anonymize/job/verification.h"
#include "gauze/files/atomic_file.h"
#include "gauze/table/testing/memory_table.h"

namespace gauze::anonymize {
namespace anonymization_test {

using namespace schema;  // the vocabulary of this file

namespace fs = std::filesystem;
using table::MemoryTable;

MemoryTable::Rows people(std::size_t rows, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  MemoryTable::Rows made;
  for (std::size_t i = 0; i < rows; ++i)
    made.push_back({"N" + std::to_string(i), std::to_string(20 + random() % 50), random() % 2 == 0 ? "f" : "m",
                    std::to_string(80000 + random() % 40), random() % 3 == 0 ? "asthma" : "flu"});
  return made;
}

const std::vector<std::string> kNames = {"name", "age", "sex", "zip", "illness"};

Policy policy(std::uint64_t k, const char* suppression, SearchKind kind = SearchKind::optimal) {
  Policy made;
  for (const char* name : {"age", "sex", "zip"}) {
    PolicyColumn column;
    column.name = name;
    column.roles = {Role::quasi};
    made.columns.push_back(column);
  }
  PolicyColumn illness;
  illness.name = "illness";
  illness.roles = {Role::sensitive};
  made.columns.push_back(illness);
  made.privacy.k = k;
  made.search.kind = kind;
  made.search.suppression = *Rational::parse(suppression);
  return made;
}

struct Ran {
  TableRecords records;
  Anonymization result;
  MemoryTable::Rows written;
};

class AnonymizationTest : public ::testing::Test {
 protected:
  Result<Ran> run(MemoryTable& table, const Policy& by, RowRecodingOptions options = {}) {
    Progress progress;
    Ran ran;
    GAUZE_TRY(ran.records, read_records(table, open_, by, progress));
    GAUZE_TRY(ran.result, anonymize(ran.records, by, options.suppressed, progress));
    GAUZE_TRY(options.stars, star_rows(table, by, ran.result.recoding, options.suppressed, options.dropped,
                                       options.pseudonymous, progress));
    const table::Rewrite rewrite = make_rewrite(table, ran.records, ran.result.recoding, std::move(options));
    const std::string text = table.rewritten(rewrite);
    std::size_t begin = text.find('\n') + 1;
    while (begin < text.size()) {
      const std::size_t end = text.find('\n', begin);
      ran.written.emplace_back();
      std::string cell;
      bool quoted = false;
      for (const char c : text.substr(begin, end - begin)) {
        if (c == '"') {
          quoted = !quoted;
        } else if (c == ',' && !quoted) {
          ran.written.back().push_back(std::exchange(cell, {}));
        } else {
          cell += c;
        }
      }
      ran.written.back().push_back(cell);
      begin = end + 1;
    }
    return ran;
  }

  std::map<std::string, MemoryTable> tables_;
  const table::SourceOpener open_ =
      [this](const std::string& uri,
             const table::ReadOptions& /*options*/) -> Result<std::unique_ptr<table::Source>> {
    const auto found = tables_.find(uri);
    if (found == tables_.end()) return make_error(ErrorCode::io, "no {}", uri);
    return std::make_unique<MemoryTable>(found->second);
  };
};

TEST_F(AnonymizationTest, RowsThatCameWhileItWasReadAreCountedAndNotWritten) {
  MemoryTable before({"age"}, {{"1"}, {"1"}, {"2"}, {"2"}});
  MemoryTable after({"age"}, {{"1"}, {"1"}, {"2"}, {"7"}});
  Policy by = *schema::parse_policy("version: 1\ncolumns: {age: {role: quasi}}\nprivacy: {k: 2}\n");
  Progress progress;
  const auto records = read_records(before, open_, by, progress);
  ASSERT_TRUE(records) << records.error().message;
  const auto result = anonymize(*records, by, SuppressedRows::drop, progress);
  ASSERT_TRUE(result) << result.error().message;
  RowRecodingOptions options;
  options.strangers = std::make_shared<std::atomic<std::uint64_t>>(0);
  const auto strangers = options.strangers;
  const std::string text = after.rewritten(make_rewrite(after, *records, result->recoding, std::move(options)));
  EXPECT_EQ(strangers->load(), 1U);
  EXPECT_EQ(text.find('7'), std::string::npos);
}

TEST_F(AnonymizationTest, WhatIsWrittenIsWhatWasFound) {
  for (const SearchKind kind : {SearchKind::optimal, SearchKind::local, SearchKind::mondrian}) {
    MemoryTable table(kNames, people(300, 1));
    const auto ran = run(table, policy(4, "0.05", kind));
    ASSERT_TRUE(ran.has_value()) << ran.error().message;
    ASSERT_EQ(ran->written.size(), 300U);
    MemoryTable written(kNames, ran->written);
    Progress progress;
    VerificationRequest request{.quasi = {"age", "sex", "zip"}, .sensitive = {"illness"}};
    request.criteria.k = 4;
    request.k_is_asked = true;
    const auto verified = verify(written, request, progress);
    ASSERT_TRUE(verified.has_value());
    EXPECT_TRUE(verified->satisfied());
    EXPECT_EQ(verified->suppressed, ran->result.recoding.suppressed);
    EXPECT_EQ(verified->risk.classes, ran->result.output_risk.classes);
    EXPECT_EQ(verified->risk.smallest_class, ran->result.output_risk.smallest_class);
    EXPECT_DOUBLE_EQ(verified->risk.prosecutor.mean, ran->result.output_risk.prosecutor.mean);
    EXPECT_DOUBLE_EQ(verified->risk.prosecutor.at_risk, ran->result.output_risk.prosecutor.at_risk);
    ASSERT_EQ(verified->risk.by_group.at("illness").size(), ran->result.output_risk.by_group.at("illness").size());
    for (std::size_t row = 0; row < ran->written.size(); ++row)
      EXPECT_EQ(ran->written[row][0], ran->written[row][4] == "*" ? "*" : "N" + std::to_string(row));
  }
}

TEST_F(AnonymizationTest, RelaxedMondrianDealsOutSplitTuples) {
  MemoryTable::Rows rows;
  for (int i = 0; i < 12; ++i) rows.push_back({std::to_string(i), i < 1 ? "20" : "21", "f", "80000", "flu"});
  MemoryTable table(kNames, rows);
  Policy by = policy(3, "0", SearchKind::mondrian);
  by.search.relaxed = true;
  const auto ran = run(table, by);
  ASSERT_TRUE(ran.has_value());
  std::map<std::string, int> ages;
  for (const auto& row : ran->written) ++ages[row[1]];
  EXPECT_GE(ages.size(), 2U);
  for (const auto& [age, count] : ages) EXPECT_GE(count, 3) << age;
}

TEST_F(AnonymizationTest, PermutingRowsAndColumnsChangesNothing) {
  MemoryTable::Rows rows = people(200, 2);
  MemoryTable table(kNames, rows);
  const auto straight = run(table, policy(3, "0.1"));
  std::mt19937_64 random(3);
  std::shuffle(rows.begin(), rows.end(), random);
  for (auto& row : rows) std::reverse(row.begin(), row.end());
  std::vector<std::string> names(kNames.rbegin(), kNames.rend());
  MemoryTable other(names, rows);
  Policy reversed = policy(3, "0.1");
  std::reverse(reversed.columns.begin(), reversed.columns.end());
  const auto crooked = run(other, reversed);
  ASSERT_TRUE(straight.has_value());
  ASSERT_TRUE(crooked.has_value());
  EXPECT_EQ(*straight->result.levels, *crooked->result.levels);
  EXPECT_EQ(straight->result.value, crooked->result.value);
  EXPECT_EQ(straight->result.recoding.suppressed, crooked->result.recoding.suppressed);
}

TEST_F(AnonymizationTest, DropsSuppressedRowsAndIdentifiers) {
  MemoryTable table(kNames, people(120, 4));
  RowRecodingOptions options;
  options.suppressed = SuppressedRows::drop;
  options.dropped = {0};
  const auto ran = run(table, policy(5, "0.3"), options);
  ASSERT_TRUE(ran.has_value());
  EXPECT_EQ(ran->written.size(), 120 - ran->result.recoding.suppressed);
  for (const auto& row : ran->written) {
    ASSERT_EQ(row.size(), 4U);
    EXPECT_NE(row[0] + row[1] + row[2], "***");
  }
}

TEST_F(AnonymizationTest, APopulationAllowsWhatTheTableAloneDoesNot) {
  tables_.emplace("everybody", MemoryTable(kNames, people(3000, 5)));
  MemoryTable::Rows some = people(3000, 5);
  some.resize(100);
  MemoryTable table(kNames, some);
  Policy with_map = policy(1, "0");
  with_map.privacy.k_map = KMap{5, "everybody"};
  const auto mapped = run(table, with_map);
  const auto plain = run(table, policy(5, "0"));
  ASSERT_TRUE(mapped.has_value()) << mapped.error().message;
  ASSERT_TRUE(plain.has_value());
  EXPECT_LT(mapped->result.value, plain->result.value);
  EXPECT_LE(mapped->result.output_risk.journalist.highest, 0.2);
}

/// Rows of the written file that have each text of the first two columns.
std::map<std::string, int> written_classes(const Ran& ran) {
  std::map<std::string, int> classes;
  for (const auto& row : ran.written) ++classes[row[0] + "|" + row[1]];
  return classes;
}

Policy policy_of_two(const char* first, const char* second, std::uint64_t k, SearchKind kind) {
  Policy made;
  for (const char* name : {first, second}) {
    PolicyColumn column;
    column.name = name;
    column.roles = {Role::quasi};
    made.columns.push_back(column);
  }
  made.privacy.k = k;
  made.search.kind = kind;
  return made;
}

TEST_F(AnonymizationTest, AGroupMayBeCalledLikeOneOfItsMembers) {
  const fs::path hierarchy = fs::temp_directory_path() / ("gauze-race-" + std::to_string(::getpid()) + ".csv");
  ASSERT_TRUE(write_file(hierarchy, "Other;Other;*\nAsian;Other;*\nWhite;White;*\n").has_value());
  MemoryTable::Rows rows(6, {"Other", "u"});
  rows.insert(rows.end(), 4, {"Other", "v"});
  rows.push_back({"Asian", "v"});
  for (const SearchKind kind : {SearchKind::optimal, SearchKind::local, SearchKind::mondrian}) {
    MemoryTable table({"race", "z"}, rows);
    Policy by = policy_of_two("race", "z", 3, kind);
    by.columns[0].hierarchy = CsvSpec{.path = hierarchy, .delimiter = {}};
    const auto ran = run(table, by);
    ASSERT_TRUE(ran.has_value()) << ran.error().message;
    for (const auto& [text, count] : written_classes(*ran)) EXPECT_GE(count, 3) << text;
    EXPECT_EQ(written_classes(*ran).size(), ran->result.output_risk.classes);
  }
  fs::remove(hierarchy);
}

TEST_F(AnonymizationTest, AllWaysToWriteMissingBecomeOne) {
  MemoryTable table({"a", "b"}, {{"?", "x"}, {"", "x"}, {"NA", "x"}, {"r", "y"}, {"r", "y"}, {"r", "y"}}, {"NA"});
  const auto ran = run(table, policy_of_two("a", "b", 3, SearchKind::optimal));
  ASSERT_TRUE(ran.has_value());
  for (const auto& [text, count] : written_classes(*ran)) EXPECT_GE(count, 3) << text;
}

TEST_F(AnonymizationTest, MatchesThroughMissingCountOnlyKeptRows) {
  MemoryTable table({"a", "b"}, {{"?", "x"}, {"p", "x"}, {"q", "x"}, {"r", "y"}, {"r", "y"}, {"r", "y"}});
  Policy by = policy_of_two("a", "b", 3, SearchKind::optimal);
  by.privacy.missing_matches_everything = true;
  by.search.suppression = *Rational::parse("0.5");
  by.search.metric = Metric::precision;
  const auto ran = run(table, by);
  ASSERT_TRUE(ran.has_value()) << ran.error().message;
  MemoryTable written({"a", "b"}, ran->written);
  VerificationRequest request{.quasi = {"a", "b"}};
  request.criteria.k = 3;
  request.criteria.missing_matches_everything = true;
  request.k_is_asked = true;
  Progress progress;
  EXPECT_TRUE(verify(written, request, progress)->satisfied());
}

TEST_F(AnonymizationTest, RefusesWhatCannotBe) {
  MemoryTable table(kNames, people(20, 6));
  EXPECT_EQ(run(table, policy(21, "0")).error().code, ErrorCode::infeasible);
  Policy none = policy(2, "0");
  none.columns.erase(none.columns.begin(), none.columns.begin() + 3);
  EXPECT_EQ(run(table, none).error().code, ErrorCode::invalid_parameter);
  Policy unknown = policy(2, "0");
  unknown.columns[0].name = "years";
  EXPECT_EQ(run(table, unknown).error().code, ErrorCode::unknown_column);
  MemoryTable empty(kNames, {});
  EXPECT_EQ(run(empty, policy(2, "0")).error().code, ErrorCode::bad_data);
}

TEST_F(AnonymizationTest, TheSuppressionLimitIsExact) {
  // 0.29 of 100 rows is 29, also where the nearest double of 0.29 x 100 lies below.
  MemoryTable::Rows rows;
  for (int i = 0; i < 100; ++i)
    rows.push_back({"n", "30", "f", i < 29 ? std::to_string(10000 + i * 100) : "99999", "flu"});
  MemoryTable table(kNames, rows);
  Policy by = policy(2, "0.29");
  by.search.metric = Metric::discernibility;
  by.columns[2].hierarchy = MaskSpec{.side = MaskSpec::Side::right, .steps = {5}};  // all or nothing
  const auto enough = run(table, by);
  ASSERT_TRUE(enough.has_value());
  EXPECT_EQ(enough->result.recoding.suppressed, 29U);
  EXPECT_EQ(enough->result.value, 71 * 71 + 29 * 100);
  by.search.suppression = *Rational::parse("0.28999999999999999999");
  EXPECT_EQ(run(table, by)->result.recoding.suppressed, 0U);
}

TEST_F(AnonymizationTest, TheLabelTellsWhatCheckNeeds) {
  MemoryTable table(kNames, people(60, 7));
  const Policy by = policy(60, "0");
  const auto ran = run(table, by);
  ASSERT_TRUE(ran.has_value()) << ran.error().message;
  const PrivacyLabel label = make_label(ran->records, by, ran->result, {});
  ASSERT_TRUE(label.check_rules().has_value());
  const auto release = read_label(label);
  ASSERT_TRUE(release.has_value());
  EXPECT_FALSE(release->suppressed_dropped);
  EXPECT_EQ(release->quasi, (std::vector<std::string>{"age", "sex", "zip"}));
  const auto dropped = read_label(make_label(ran->records, by, ran->result,
                                             {.suppressed = SuppressedRows::drop, .columns_pseudonymous = {"name"}}));
  EXPECT_TRUE(dropped->suppressed_dropped);
  EXPECT_EQ(dropped->pseudonymous, std::vector<std::string>{"name"});
}

TEST(TupleLookup, FindsEveryTupleAndNothingElse) {
  std::mt19937_64 random(8);
  for (const std::uint64_t values : {10U, 100000U}) {  // packed keys, and keys that do not fit 64 bits
    // Short ones, and ones that differ in the middle alone.
    auto text = [&](std::uint64_t number) {
      const std::string digits = std::to_string(number);
      return number % 2 == 0 ? digits : "eight or more" + digits + "eight or more";
    };
    MemoryTable::Rows rows;
    for (int i = 0; i < 400; ++i) {
      rows.emplace_back();
      for (int column = 0; column < 9; ++column) rows.back().push_back(text(random() % values));
    }
    std::vector<std::string> names;
    for (int column = 0; column < 9; ++column) names.push_back("c" + std::to_string(column));
    MemoryTable table(names, rows);
    Progress progress;
    std::vector<std::size_t> all = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    const table::TupleCounts tuples = *table.group(all, progress);
    const TupleLookup lookup(tuples, table.missing());
    table::RowBatch batch;
    batch.rows = tuples.size() + 2;
    batch.cells.resize(9);
    std::vector<std::uint32_t> expected(batch.rows, TupleLookup::kNone);
    for (std::size_t column = 0; column < 9; ++column) {
      const std::vector<std::string>& texts = tuples.dictionaries[column].values;
      for (std::uint32_t tuple = 0; tuple < tuples.size(); ++tuple) {
        batch.cells[column].push_back({.text = texts[tuples.codes[column][tuple]], .missing = false});
        expected[tuple] = tuple;
      }
      batch.cells[column].push_back(
          {.text = column == 3 ? std::string_view("eight or more!eight or more") : std::string_view(texts.front())});
      batch.cells[column].push_back({.text = texts.front(), .missing = column == 8});
    }
    EXPECT_EQ(lookup.find(batch), expected);
    std::vector<std::vector<std::string_view>> texts(9);
    for (std::size_t column = 0; column < 9; ++column)
      for (const auto& cell : batch.cells[column]) texts[column].push_back(cell.missing ? "?" : cell.text);
    const std::vector<std::span<const std::string_view>> spans(texts.begin(), texts.end());
    EXPECT_EQ(lookup.find(spans), expected);
  }
}

TEST(TupleLookup, KnowsEveryWayToWriteMissing) {
  const MemoryTable::Rows rows = {{"1", "?"}, {"2", "none"}, {"3", "x"}};
  MemoryTable table({"a", "b"}, rows, {"none"});
  Progress progress;
  const std::vector<std::size_t> both = {0, 1};
  const table::TupleCounts tuples = *table.group(both, progress);
  const TupleLookup lookup(tuples, table.missing());
  const std::vector<std::string_view> a = {"1", "2", "1", "3", "1", "?"};
  const std::vector<std::string_view> b = {"none", "NULL", "", "x", "x", "x"};
  const std::vector<std::span<const std::string_view>> texts = {a, b};
  EXPECT_THAT(lookup.find(texts), ::testing::ElementsAre(0, 1, 0, 2, TupleLookup::kNone, TupleLookup::kNone));
}

}  // namespace anonymization_test
}  // namespace gauze::anonymize
