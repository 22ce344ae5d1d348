#include "gauze/cli/query/schema_text.h"

#include <cmath>

#include "gauze/base/joined.h"
#include "gauze/cli/core/text_table.h"
#include "gauze/label/printable_text.h"

namespace gauze::cli {
namespace {

/// A share in hundredths; what is not quite nothing or all does not look like it.
std::string percent(double share) {
  if (share > 0 && share < 0.0001) return "<0.01 %";
  if (share < 1 && share > 0.9999) return ">99.99 %";
  return fmt::format("{:.4g} %", std::round(share * 1e4) / 100);
}

std::string or_dash(double share) { return share == 0 ? "-" : percent(share); }

}  // namespace

std::string schema_check_text(const query::SchemaCheck& check, const schema::DatabaseSchema& schema, Style style) {
  std::string text = style.bold("INTERNAL") + ": exact figures of the data, for the owner's own eyes\n\n";
  TextTable tables;
  tables.add({"table", "rows", "without unit"});
  for (const query::TableCheck& table : check.tables)
    tables.add({printable(table.name), table.rows ? fmt::format("{}", *table.rows) : "?",
                schema.find(table.name)->is_public ? "public"
                : table.without_unit               ? or_dash(*table.without_unit)
                                                   : "?"});
  text += tables.text(style) + "\n";

  TextTable columns;
  columns.add({"column", "missing", "clamped", "outside", "unreadable"});
  for (const query::TableCheck& table : check.tables)
    for (const query::ColumnCheck& column : table.columns)
      columns.add({printable(table.name) + "." + printable(column.name), or_dash(column.missing),
                   or_dash(column.clamped), or_dash(column.outside), or_dash(column.unreadable)});
  text += columns.text(style) + "\n";

  if (check.units)
    text += fmt::format("{} {} ({})\n", style.bold("units"), *check.units, printable(schema.unit.name));
  if (check.rows_per_unit && !schema.unit.is_row)
    text += fmt::format("{} half have at most {}, 90 % at most {}, 99 % at most {}, all at most {}\n",
                        style.bold("rows per unit"), check.rows_per_unit->q50, check.rows_per_unit->q90,
                        check.rows_per_unit->q99, check.rows_per_unit->max);
  if (check.cut && !schema.unit.is_row)
    text += fmt::format("{} {} of rows (at most {} a unit and group), {} of groups (at most {} a unit)\n",
                        style.bold("limits cut"), percent(check.cut->rows), schema.limits.rows,
                        percent(check.cut->groups), schema.limits.groups);
  if (check.problems.empty()) return text + style.bold("no problems") + "\n";
  text += style.red(counted(check.problems.size(), "problem")) + "\n";
  for (const query::SchemaProblem& problem : check.problems) text += "  " + printable(problem.message) + "\n";
  return text;
}

}  // namespace gauze::cli
