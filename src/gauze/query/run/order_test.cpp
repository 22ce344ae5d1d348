// Neither the order of rows nor how they lie in files, nor the number of threads, changes an integer.
#include <gtest/gtest.h>

#include <regex>

#include "gauze/base/testing/watched.h"
#include "gauze/query/testing/random_shop.h"

namespace gauze::query {
namespace order_test {

using testing::Random;

/// A text of lines as several: the first line on each.
std::vector<std::string> split_lines(const std::string& text, std::size_t parts) {
  std::vector<std::string> split(parts);
  std::size_t count = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin) + 1;
    const std::string line = text.substr(begin, end - begin);
    for (std::size_t part = 0; part < parts; ++part)
      if (count == 0 || count % parts == part) split[part] += line;
    ++count;
    begin = end;
  }
  return split;
}

/// The private tables each in three files.
testing::Database split_database(const testing::RandomShop& shop) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto& [name, text] : testing::files_of({shop})) {
    const std::size_t parts = name == "nations.csv" ? 1 : 3;
    const auto split = split_lines(text, parts);
    for (std::size_t part = 0; part < parts; ++part)
      files.emplace_back(parts == 1 ? name : name.substr(0, name.find('.')) + fmt::format("-{}.csv", part),
                         split[part]);
  }
  return testing::Database(
      files, std::regex_replace(testing::shop_schema(), std::regex("source: (customers|orders|items).csv"),
                                "source: \"$1-*.csv\""));
}

std::vector<std::vector<Int128>> steps_of(const QueryPlan& plan, SchemaTables& tables) {
  SeededRandom seeded(11);
  Chance chance(seeded);
  Progress progress;
  const auto table = measure(plan, tables, chance, progress);
  EXPECT_TRUE(table.has_value()) << (table ? "" : table.error().message);
  std::vector<std::vector<Int128>> steps;
  if (table)
    for (const auto& row : table->rows) steps.push_back(row.steps);
  return steps;
}

TEST(QueryOrder, OfRowsFilesAndThreadsChangesNoInteger) {
  Random random(5);
  int compared = 0;
  for (int round = 0; round < 2; ++round) {
    testing::RandomShop shop(random);
    const testing::Database plain(testing::files_of({shop}), testing::shop_schema());
    shop.shuffle(random);
    const testing::Database shuffled(testing::files_of({shop}), testing::shop_schema());
    const testing::Database split = split_database(shop);
    SchemaTables engines[] = {plain.load(1), shuffled.load(1), shuffled.load(2), split.load(2)};
    for (int i = 0; i < (is_watched() ? 8 : 40); ++i) {
      const testing::RandomQuestion question = testing::random_question(random, testing::shop_sources());
      QueryParameters parameters = testing::with_epsilon(1, Rational::parse("1e-2").value());
      parameters.groups_per_unit = 1 + testing::below(random, 3);
      parameters.rows_per_unit = 1 + testing::below(random, 3);
      const auto plan = plain.plan(question.sql, parameters);
      if (!plan) continue;
      ++compared;
      const auto steps = steps_of(*plan, engines[0]);
      for (std::size_t other = 1; other < std::size(engines); ++other)
        EXPECT_EQ(steps, steps_of(*plan, engines[other])) << question.sql << "\nin engine " << other;
    }
  }
  EXPECT_GT(compared, is_watched() ? 12 : 60);
}

/// A sum of doubles ends in other bits in another order; what a unit adds up in a subquery is exact.
TEST(QueryOrder, OfAUnitsRowsChangesNoBitOfItsSum) {
  Random random(6);
  std::vector<std::string> prices;
  for (int i = 0; i < 40; ++i) prices.push_back(fmt::format("{}.{}", testing::below(random, 999), i * 7919 % 10'007));
  const std::string last_bits =
      "GREATEST(LEAST((LEAST(GREATEST({}, 0), 100000) - {}) * 1000000000000, 1000000), -1000000)";
  const std::string sql = fmt::format(
      "SELECT SUM({}), SUM({}) FROM (SELECT c_id, SUM(price) AS s, AVG(price) AS a FROM orders GROUP BY c_id) t",
      fmt::format(fmt::runtime(last_bits), "s", "round(LEAST(GREATEST(s, 0), 100000), 6)"),
      fmt::format(fmt::runtime(last_bits), "a", "round(LEAST(GREATEST(a, 0), 100000), 6)"));
  std::vector<std::vector<Int128>> first;
  for (int round = 0; round < 10; ++round) {
    std::string orders = "o_id,c_id,price,day,weight\n";
    for (const std::string& price : prices) orders += fmt::format("1,1,{},2024-01-01,1\n", price);
    auto files = testing::shop_files();
    files[1].second = orders;
    const testing::Database database(files, testing::shop_schema());
    const auto plan = database.plan(sql, testing::with_epsilon(1'000'000));
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    SchemaTables tables = database.load(1);
    const auto steps = steps_of(*plan, tables);
    if (round == 0) first = steps;
    EXPECT_EQ(steps, first);
    std::shuffle(prices.begin(), prices.end(), random);
  }
}

}  // namespace order_test
}  // namespace gauze::query
