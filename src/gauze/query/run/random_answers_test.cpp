// With the noise off: random questions of random databases, against plain SQL where limits do not bind, and against a reference
// that works unit by unit where they do.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "gauze/base/testing/watched.h"
#include "gauze/query/render/sums_sql.h"
#include "gauze/query/testing/random_shop.h"

namespace gauze::query {
namespace random_answers_test {

using testing::below;
using testing::one_of;
using testing::Random;
using Rows = std::vector<std::vector<CellValue>>;

/// A shop as whoever asks plain SQL sees it: rows that lead to no unit are not there.
class PlainShop {
 public:
  explicit PlainShop(const testing::Database& database) : tables_(database.load(1)) {
    const std::pair<const char*, const char*> kept[] = {{"customers", "c_id IS NOT NULL"},
                                                        {"orders", "c_id IS NOT NULL"},
                                                        {"items", "o_id IN (SELECT o_id FROM \"orders that count\")"},
                                                        {"nations", "true"}};
    for (const auto& [name, condition] : kept)
      ask(fmt::format("CREATE TABLE \"{0} that count\" AS SELECT * FROM {0} WHERE {1}", name, condition), 0);
    for (const auto& [name, condition] : kept) {
      ask(fmt::format("DROP VIEW {}", name), 0);
      ask(fmt::format("CREATE VIEW {0} AS SELECT * FROM \"{0} that count\"", name), 0);
    }
    ask("CREATE MACRO width_bucket(x, low, high, n) AS CASE WHEN x < low THEN 0 WHEN x >= high THEN n + 1 ELSE "
        "CAST(floor((x - low) * n / (high - low)) AS BIGINT) + 1 END",
        0);
  }
  Rows ask(const std::string& sql, std::size_t columns) {
    auto rows = tables_.rows(sql, std::vector<Shape>(columns));
    EXPECT_TRUE(rows.has_value()) << sql << ": " << (rows ? "" : rows.error().message);
    return rows ? *rows : Rows();
  }

 private:
  SchemaTables tables_;
};

/// Two cells mean the same; what is no number is compared as text.
bool agree(const CellValue& own, const CellValue& plain) {
  if (!own || !plain) return own.has_value() == plain.has_value();
  char* end = nullptr;
  const double x = std::strtod(own->c_str(), &end);
  if (end == own->c_str() || *end != '\0') return own == plain;
  const double y = std::strtod(plain->c_str(), nullptr);
  return std::abs(x - y) <= 1e-7 * std::max(1.0, std::abs(y));
}

struct Sides {
  std::string keys;
  std::vector<std::string> own, plain;
};

/// Random aggregates as they are asked, and as plain SQL is asked for the same: of no rows SUM is 0, the others are left out.
Sides random_aggregates(Random& random, const testing::QuestionSource& source) {
  Sides sides;
  for (std::size_t i = 0; i <= below(random, 3); ++i) {
    const std::string x = one_of(random, source.numbers);
    const std::string filter =
        below(random, 3) == 0 ? " FILTER (WHERE " + one_of(random, source.conditions) + ")" : "";
    const std::string name = one_of(random, {"COUNT({})", "COUNT(DISTINCT {})", "SUM({})", "AVG({})", "VAR_POP({})",
                                             "STDDEV_SAMP({})", "COUNT(*)"});
    const std::string text = fmt::format(fmt::runtime(name), x) + filter;
    sides.own.push_back(text);
    sides.plain.push_back(name == "SUM({})" ? "COALESCE(" + text + ", 0)" : text);
  }
  sides.own.emplace_back("COUNT(*)");
  sides.plain.emplace_back("COUNT(*)");
  return sides;
}

std::string joined_list(const std::string& keys, const std::vector<std::string>& list) {
  std::string text = keys;
  for (const std::string& one : list) text += (text.empty() ? "" : ", ") + one;
  return text;
}

Rows answered(const QueryPlan& plan, SchemaTables& tables) {
  SeededRandom seeded(1);
  Chance chance = Chance::none(seeded);
  Progress progress;
  const auto table = measure(plan, tables, chance, progress);
  EXPECT_TRUE(table.has_value()) << plan.sql << ": " << (table ? "" : table.error().message);
  if (!table) return {};
  const auto result = finish_answer(plan, *table, false, {.engine = {.threads = 1}});
  EXPECT_TRUE(result.has_value()) << plan.sql;
  Rows rows;
  if (result)
    for (const auto& row : result->rows) {
      rows.emplace_back();
      for (const OutputCell& cell : row) rows.back().push_back(cell.value);
    }
  return rows;
}

TEST(QueryRandomAnswers, AreThoseOfPlainSqlWhereLimitsDoNotBind) {
  Random random(17);
  int compared = 0;
  int refused = 0;
  for (int round = 0; round < 3; ++round) {
    testing::RandomShop shop(random, 30, false);
    const testing::Database database(testing::files_of({shop}), testing::shop_schema());
    SchemaTables tables = database.load(1);
    PlainShop plain(database);
    for (int i = 0; i < (is_watched() ? 10 : 50); ++i) {
      const auto& source = testing::shop_sources()[below(random, testing::shop_sources().size())];
      const Sides sides = random_aggregates(random, source);
      const std::size_t grouping = below(random, 4);
      const std::string key = grouping == 0                                   ? ""
                              : grouping == 1 && !source.private_keys.empty() ? one_of(random, source.private_keys)
                                                                              : one_of(random, source.keys);
      if (key.find('/') != std::string::npos) continue;  // 5 / 2 is 2 here, 2.5 there
      std::string rest = fmt::format(" FROM {}", source.from);
      if (below(random, 2) == 0) rest += " WHERE " + one_of(random, source.conditions);
      if (!key.empty()) rest += " GROUP BY " + key;
      const std::string sql = "SELECT " + joined_list(key, sides.own) + rest;
      // A large epsilon, so that the grid of the noise is no coarser than the granule of the sums.
      const auto plan = database.plan(sql, testing::with_epsilon(1'000'000, Rational::parse("1e-6").value()));
      if (!plan) {
        ++refused;
        continue;
      }
      std::map<CellValue, std::vector<CellValue>> expected;
      for (auto& row :
           plain.ask("SELECT " + joined_list(key.empty() ? "0" : key, sides.plain) + rest, sides.plain.size() + 1))
        expected[key.empty() ? CellValue("") : row[0]] = row;
      std::size_t shown = 0;
      for (auto& row : answered(*plan, tables)) {
        if (row.back() == "0") continue;  // a cell that is there because it might be
        if (key.empty()) row.insert(row.begin(), CellValue(""));
        ++shown;
        const auto found = expected.find(row[0]);
        ASSERT_NE(found, expected.end()) << sql << " has no group " << row[0].value_or("NULL");
        for (std::size_t column = 1; column < row.size(); ++column)
          if (found->second[column]) {
            EXPECT_TRUE(agree(row[column], found->second[column]))
                << sql << "\ngroup " << row[0].value_or("NULL") << ", column " << column << ": "
                << row[column].value_or("NULL") << ", plain SQL says " << *found->second[column];
          }
      }
      std::erase_if(expected, [](const auto& one) { return one.second.back() == "0"; });
      EXPECT_EQ(shown, expected.size()) << sql;
      ++compared;
    }
  }
  EXPECT_GT(compared, is_watched() ? 20 : 100);
  EXPECT_LT(refused, 15);
}

/// One row of a question: whose it is, in which group, its value, and what decides where its unit is in too many groups.
struct UnitRow {
  std::string unit, group, order;
  std::optional<std::int64_t> x;
};
struct Expected {
  Int128 units = 0, rows = 0, count = 0, sum = 0;
};

/// What is to be measured of rows, unit by unit, for integers between `low` and `high`.
std::map<std::string, Expected> by_hand(const std::vector<UnitRow>& all, std::uint64_t most_groups,
                                        std::int64_t most_rows, std::int64_t low, std::int64_t high) {
  std::map<std::string, std::map<std::pair<std::string, std::string>, std::vector<std::optional<std::int64_t>>>>
      units;
  for (const UnitRow& row : all) units[row.unit][{row.order, row.group}].push_back(row.x);
  std::map<std::string, Expected> expected;
  for (const auto& [unit, groups] : units) {
    std::uint64_t place = 0;
    for (const auto& [group, values] : groups) {
      if (place++ == most_groups) break;
      const auto rows = static_cast<Int128>(values.size());
      Int128 count = 0, sum = 0;
      for (const auto& x : values)
        if (x) count += 1, sum += *x;
      const auto weighted = [&](Int128 s) { return rows <= most_rows ? s << 20 : (s * most_rows << 20) / rows; };
      Expected& one = expected[group.second];
      one.units += 1;
      one.rows += std::min<Int128>(rows, most_rows);
      one.count += weighted(count);
      one.sum += std::clamp<Int128>(weighted(sum), std::min<Int128>(0, low * most_rows) << 20,
                                    std::max<Int128>(0, high * most_rows) << 20);
    }
  }
  return expected;
}

TEST(QueryRandomAnswers, AreThoseOfAReferenceUnitByUnitWhereLimitsBind) {
  struct Case {
    const char* from;
    const char* unit;
    const char* key;  ///< an integer, or a text
    const char* x;
    std::int64_t low, high;
  };
  const Case cases[] = {
      {"orders", "c_id", "EXTRACT(month FROM day)", "o_id % 7 - 3", -9, 3},
      {"orders", "c_id", "o_id", "EXTRACT(dow FROM day)", 0, 6},
      {"customers", "c_id", "note", "nation", 0, 4},
      {"items JOIN orders USING (o_id)", "c_id", "EXTRACT(month FROM day)", "quantity", 1, 50},
      {"orders JOIN customers USING (c_id)", "c_id", "segment", "nation - 2", -2, 2},
      {"(SELECT c_id, day, o_id FROM orders UNION ALL SELECT c_id, since, 1 FROM customers) t", "c_id",
       "EXTRACT(dow FROM day)", "o_id % 5", -4, 4},
  };
  Random random(23);
  for (int round = 0; round < 3; ++round) {
    testing::RandomShop shop(random, 30, false);
    const testing::Database database(testing::files_of({shop}), testing::shop_schema());
    SchemaTables tables = database.load(1);
    PlainShop plain(database);
    for (const Case& one : cases) {
      QueryParameters parameters = testing::with_epsilon(1, Rational::parse("1e-6").value());
      parameters.groups_per_unit = 1 + below(random, 3);
      parameters.rows_per_unit = 1 + below(random, 3);
      const std::string sql =
          fmt::format("SELECT COUNT(DISTINCT {}), COUNT(*), COUNT({}), SUM({}) FROM {} GROUP BY {}", one.unit, one.x,
                      one.x, one.from, one.key);
      SCOPED_TRACE(sql);
      const auto plan = database.plan(sql, parameters);
      ASSERT_TRUE(plan.has_value()) << plan.error().message;
      SeededRandom seeded(round);
      Chance chance = Chance::none(seeded);
      Progress progress;
      const auto table = measure(*plan, tables, chance, progress);
      ASSERT_TRUE(table.has_value());
      SeededRandom again(round);
      const std::string key = Chance::none(again).key();
      std::vector<UnitRow> rows;
      const bool is_text = plan->question.answer.keys[0]->shape.type == Type::text;
      for (
          auto& row : plain.ask(
              fmt::format(
                  "SELECT u, k, md5('{}/' || u || '/' || COALESCE({}CAST(k AS VARCHAR), 'n')), x FROM (SELECT {} AS u, {} AS k, {} AS x FROM {}) t",
                  key, is_text ? "length(k) || ':' || " : "", one.unit, one.key, one.x, one.from),
              4))
        rows.push_back({*row[0], row[1].value_or("NULL"), *row[2],
                        row[3] ? std::optional<std::int64_t>(std::stoll(*row[3])) : std::nullopt});
      auto expected =
          by_hand(rows, plan->limits.groups, static_cast<std::int64_t>(plan->limits.rows), one.low, one.high);
      std::size_t groups = 0;
      for (const auto& row : table->rows) {
        const std::string group = row.keys[0].value_or("NULL");
        if (!plan->keys.are_public) ++groups;
        const Expected& own = expected[group];
        for (std::size_t i = 0; i < plan->measurements.all.size(); ++i) {
          const Measurement& measurement = plan->measurements.all[i];
          using Kind = Measurement::Kind;
          const Int128 wanted = measurement.kind == Kind::units   ? own.units
                                : measurement.kind == Kind::rows  ? own.rows
                                : measurement.kind == Kind::count ? own.count
                                                                  : own.sum;
          EXPECT_EQ(to_rational(row.steps[i]) * plan->noise.measurements[i].step(measurement),
                    to_rational(wanted) * measurement.granule)
              << "group " << group << ", measurement " << i;
        }
      }
      if (!plan->keys.are_public) {
        EXPECT_EQ(groups, expected.size());
      }
    }
  }
}

}  // namespace random_answers_test
}  // namespace gauze::query
