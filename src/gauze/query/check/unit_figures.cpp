#include "gauze/query/check/unit_figures.h"

#include <algorithm>

namespace gauze::query {
namespace {

using schema::ColumnSchema;
using schema::TableSchema;

/// How many units (or groups of them) have how many of something; in rising order.
using Histogram = std::vector<std::vector<std::uint64_t>>;

/// The smallest figure that at least so many hundredths of all units do not exceed.
std::uint64_t quantile(const Histogram& histogram, std::uint64_t units, std::uint64_t hundredths) {
  const std::uint64_t wanted = units / 100 * hundredths + (units % 100 * hundredths + 99) / 100;
  std::uint64_t seen = 0;
  for (const auto& bar : histogram) {
    seen += bar[1];
    if (seen >= wanted) return bar[0];
  }
  return 0;
}

/// A sum of things, and what of it lies beyond a limit.
struct Excess {
  double beyond = 0;
  double all = 0;
  void add(const Histogram& histogram, std::uint64_t limit) {
    for (const auto& bar : histogram) {
      const auto units = static_cast<double>(bar[1]);
      all += static_cast<double>(bar[0]) * units;
      if (bar[0] > limit) beyond += static_cast<double>(bar[0] - limit) * units;
    }
  }
  [[nodiscard]] double share() const { return all > 0 ? beyond / all : 0; }
};

/// SQL about the units of private tables.
class UnitSql {
 public:
  explicit UnitSql(const CheckedTables& tables) : tables_(tables) {}

  /// Whether all columns on the way to the unit are there.
  [[nodiscard]] bool is_whole(const TableSchema& table) const {
    if (!tables_.has(table, table.unit->column)) return false;
    if (table.unit->table.empty()) return true;
    const TableSchema& next = *tables_.schema().find(table.unit->table);
    return tables_.has(next, table.unit->key) && is_whole(next);
  }

  /// Keys of a table's rows with the units they lead to, each pair once: k, u.
  [[nodiscard]] std::string units_by_key(const TableSchema& table, const std::string& key) const {
    const std::string column = tables_.name(table.unit->column);
    const std::string key_name = tables_.name(key);
    const std::string from = tables_.name(table.name);
    if (table.unit->table.empty())
      return fmt::format("SELECT DISTINCT {0} AS k, {1} AS u FROM {2} WHERE {0} IS NOT NULL AND {1} IS NOT NULL",
                         key_name, column, from);
    return fmt::format("SELECT DISTINCT t.{} AS k, p.u FROM {} AS t JOIN ({}) AS p ON t.{} = p.k", key_name, from,
                       next_units(table), column);
  }

  /// The rows of a table with their unit and one more column: u, v.
  [[nodiscard]] std::string rows(const TableSchema& table, const std::string& value) const {
    const std::string column = tables_.name(table.unit->column);
    const std::string from = tables_.name(table.name);
    const std::string shown = tables_.name(value);
    if (table.unit->table.empty())
      return fmt::format("SELECT {0} AS u, {1} AS v FROM {2} WHERE {0} IS NOT NULL", column, shown, from);
    return fmt::format("SELECT p.u, t.{} AS v FROM {} AS t JOIN ({}) AS p ON t.{} = p.k", shown, from,
                       next_units(table), column);
  }

  /// Units with the number of their rows: u, c.
  [[nodiscard]] std::string row_counts(const TableSchema& table) const {
    return fmt::format("SELECT u, count(*) AS c FROM ({}) AS t GROUP BY u", rows(table, table.unit->column));
  }

  /// Rows that lead to no unit.
  [[nodiscard]] std::string lost_rows(const TableSchema& table) const {
    const std::string column = tables_.name(table.unit->column);
    const std::string from = tables_.name(table.name);
    if (table.unit->table.empty()) return fmt::format("SELECT count(*) - count({}) FROM {}", column, from);
    return fmt::format("SELECT count(*) - count(CASE WHEN {0} IN (SELECT k FROM ({1}) AS p) THEN 1 END) FROM {2}",
                       column, next_units(table), from);
  }

  /// How many have how many, of a statement that gives the figure `c`.
  [[nodiscard]] static std::string histogram(const std::string& sql) {
    return fmt::format("SELECT c, count(*) FROM ({}) AS t GROUP BY c ORDER BY c", sql);
  }

  /// Units with the number of different values of a column, NULL being one: c.
  [[nodiscard]] std::string group_counts(const TableSchema& table, const std::string& column) const {
    return fmt::format(
        "SELECT count(DISTINCT v) + max(CASE WHEN v IS NULL THEN 1 ELSE 0 END) AS c FROM ({}) AS t GROUP BY u",
        rows(table, column));
  }

 private:
  [[nodiscard]] std::string next_units(const TableSchema& table) const {
    return units_by_key(*tables_.schema().find(table.unit->table), table.unit->key);
  }

  const CheckedTables& tables_;
};

/// A key by which rows are found that is in several of them.
Result<void> check_unique(CheckedTables& tables, const TableSchema& table, const std::string& key,
                          std::vector<SchemaProblem>& problems) {
  const bool is_home = table.name == tables.schema().unit.table && key == tables.schema().unit.key;
  const std::string code = is_home ? "unit_key_not_unique" : "path_key_not_unique";
  const auto is_told = [&](const SchemaProblem& one) {
    return one.code == code && one.table == table.name && one.column == key;
  };
  if (!tables.has(table, key) || std::any_of(problems.begin(), problems.end(), is_told)) return {};
  const std::string column = tables.name(key);
  GAUZE_TRY(const std::uint64_t repeated, tables.count(fmt::format("SELECT count({0}) - count(DISTINCT {0}) FROM {1}",
                                                                   column, tables.name(table.name))));
  if (repeated == 0) return {};
  problems.push_back(
      {.code = code,
       .table = table.name,
       .column = key,
       .message = fmt::format("{}.{} is not unique: {} the key of another row{}", table.name, key,
                              repeated == 1 ? "1 row has" : fmt::format("{} rows have", repeated),
                              is_home ? "" : ", so that one row may lead to several units and counts for each")});
  return {};
}

/// Keys that no row has to which they should lead.
Result<void> check_dangling(CheckedTables& tables, const TableSchema& table, std::vector<SchemaProblem>& problems) {
  const schema::PrivacyUnit& unit = tables.schema().unit;
  const bool is_step = !table.unit->table.empty();
  if (!is_step && table.name == unit.table) return {};
  const TableSchema& target = *tables.schema().find(is_step ? table.unit->table : unit.table);
  const std::string& key = is_step ? table.unit->key : unit.key;
  if (!tables.has(table, table.unit->column) || !tables.has(target, key)) return {};
  GAUZE_TRY(const std::uint64_t dangling,
            tables.count(fmt::format("SELECT count(*) FROM {0} WHERE {1} IS NOT NULL AND {1} NOT IN (SELECT {2} FROM "
                                     "{3} WHERE {2} IS NOT NULL)",
                                     tables.name(table.name), tables.name(table.unit->column), tables.name(key),
                                     tables.name(target.name))));
  if (dangling == 0) return {};
  problems.push_back(
      {.code = "dangling_key",
       .table = table.name,
       .column = table.unit->column,
       .message = fmt::format("{} of {} {} a key in {} that {}.{} does not have; {}",
                              dangling == 1 ? "1 row" : fmt::format("{} rows", dangling), table.name,
                              dangling == 1 ? "has" : "have", table.unit->column, target.name, key,
                              is_step ? "no answer counts them" : "such a key is a unit all the same")});
  return {};
}

Result<void> count_row_units(CheckedTables& tables, SchemaCheck& check) {
  check.cut = LimitCut{};
  for (std::size_t i = 0; i < check.tables.size(); ++i) {
    check.tables[i].without_unit = 0;
    const TableSchema& table = tables.schema().tables[i];
    if (table.is_public || tables.is_empty(table)) continue;
    GAUZE_TRY(check.units, tables.count(fmt::format("SELECT count(*) FROM {}", tables.name(table.name))));
    const std::uint64_t one = *check.units > 0 ? 1 : 0;
    check.rows_per_unit = RowsPerUnit{.q50 = one, .q90 = one, .q99 = one, .max = one};
  }
  return {};
}

/// The figures of one private table; its rows and groups join those of the others.
Result<void> count_table(CheckedTables& tables, const UnitSql& sql, const TableSchema& table, TableCheck& figures,
                         Excess& rows, double& groups_cut) {
  const schema::ContributionLimits& limits = tables.schema().limits;
  GAUZE_TRY(const std::uint64_t lost, tables.count(sql.lost_rows(table)));
  figures.without_unit = *figures.rows == 0 ? 0 : static_cast<double>(lost) / static_cast<double>(*figures.rows);
  GAUZE_TRY(const Histogram counts, tables.counts(UnitSql::histogram(sql.row_counts(table))));
  rows.add(counts, limits.rows);
  for (const ColumnSchema& column : table.columns) {
    if (column.values.empty() || !tables.has(table, column.name)) continue;
    GAUZE_TRY(const Histogram values, tables.counts(UnitSql::histogram(sql.group_counts(table, column.name))));
    Excess groups;
    groups.add(values, limits.groups);
    groups_cut = std::max(groups_cut, groups.share());
  }
  return {};
}

}  // namespace

Result<void> count_units(CheckedTables& tables, SchemaCheck& check) {
  const schema::DatabaseSchema& schema = tables.schema();
  if (schema.unit.is_row) return count_row_units(tables, check);
  const UnitSql sql(tables);
  GAUZE_TRY_VOID(check_unique(tables, *schema.find(schema.unit.table), schema.unit.key, check.problems));
  Excess rows;
  double groups_cut = 0;
  std::string all;
  bool is_whole = true;
  for (std::size_t i = 0; i < schema.tables.size(); ++i) {
    const TableSchema& table = schema.tables[i];
    if (table.is_public) {
      check.tables[i].without_unit = 0;
      continue;
    }
    if (!table.unit->table.empty())
      GAUZE_TRY_VOID(check_unique(tables, *schema.find(table.unit->table), table.unit->key, check.problems));
    GAUZE_TRY_VOID(check_dangling(tables, table, check.problems));
    if (!sql.is_whole(table)) {
      is_whole = false;
      continue;
    }
    GAUZE_TRY_VOID(count_table(tables, sql, table, check.tables[i], rows, groups_cut));
    all += (all.empty() ? "" : " UNION ALL ") + sql.row_counts(table);
  }
  if (!is_whole) return {};
  GAUZE_TRY(const Histogram largest,
            tables.counts(UnitSql::histogram(fmt::format("SELECT u, max(c) AS c FROM ({}) AS t GROUP BY u", all))));
  std::uint64_t units = 0;
  for (const auto& bar : largest) units += bar[1];
  check.units = units;
  check.rows_per_unit = RowsPerUnit{.q50 = quantile(largest, units, 50),
                                    .q90 = quantile(largest, units, 90),
                                    .q99 = quantile(largest, units, 99),
                                    .max = largest.empty() ? 0 : largest.back()[0]};
  check.cut = LimitCut{.rows = rows.share(), .groups = groups_cut};
  return {};
}

}  // namespace gauze::query
