#include "gauze/query/check/checked_tables.h"

#include <algorithm>

#include "gauze/engines/open_source.h"
#include "gauze/engines/query_watch.h"

namespace gauze::query {
namespace {

using schema::ColumnSchema;
using schema::DeclaredType;
using schema::TableSchema;
using table::StoredType;

/// What a text is read as that is none: no text of a table begins like this.
const std::string kUnreadable = "\x1a unreadable \x1a";

std::string cleaned_name(const TableSchema& table) { return table.name + " as read"; }
std::string twice_name(const TableSchema& table) { return table.name + " twice"; }
std::string declared_name(std::size_t column) { return fmt::format("declared {}", column); }
std::string plain_name(std::size_t column) { return fmt::format("plain {}", column); }

/// Whether any value that is stored so can be one of the declared type.
bool can_fit(DeclaredType declared, StoredType stored) {
  const bool is_instant = stored == StoredType::date || stored == StoredType::timestamp;
  if (stored == StoredType::text) return true;
  if (stored == StoredType::other) return false;
  if (declared == DeclaredType::text) return true;
  if (declared == DeclaredType::date || declared == DeclaredType::timestamp) return is_instant;
  return !is_instant && stored != StoredType::time;
}

std::vector<table::DeclaredColumn> declared_columns(const TableSchema& table) {
  std::vector<table::DeclaredColumn> columns;
  for (const ColumnSchema& column : table.columns)
    columns.push_back({.name = column.name, .unreadable = kUnreadable});
  return columns;
}

SchemaProblem misfit(const TableSchema& table, const ColumnSchema& column, std::string_view reason) {
  return {.code = "type_misfit",
          .table = table.name,
          .column = column.name,
          .message = fmt::format("{}.{} is declared {}, but {}", table.name, column.name,
                                 word_of(schema::kDeclaredTypeWords, column.type), reason),
          .makes_infeasible = true};
}

/// Takes the columns out of the table that its file does not have, or has as what no query can read.
Result<void> leave_out_absent(TableSchema& table, const EngineLimits& limits, std::vector<SchemaProblem>& problems) {
  const std::vector<table::DeclaredColumn> all = declared_columns(table);
  const auto whole = engines::open_declared_source(table.source, all, table.input, limits.engine);
  if (whole) return {};
  const auto is_about_columns = [](const Error& error) {
    return error.code == ErrorCode::unknown_column || error.code == ErrorCode::bad_data;
  };
  if (!is_about_columns(whole.error())) return tl::unexpected(whole.error());
  std::vector<ColumnSchema> present;
  std::vector<SchemaProblem> found;
  bool names_fit = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ColumnSchema& column = table.columns[i];
    const auto one = engines::open_declared_source(table.source, {all[i]}, table.input, limits.engine);
    if (one) {
      present.push_back(column);
    } else if (!is_about_columns(one.error())) {
      return tl::unexpected(one.error());
    } else if (one.error().code == ErrorCode::bad_data) {
      found.push_back(misfit(table, column, "its file stores lists, records or bytes"));
    } else {
      found.push_back({.code = "column_absent",
                       .table = table.name,
                       .column = column.name,
                       .message = fmt::format("the table '{}' has no column '{}'", table.name, column.name),
                       .makes_infeasible = true});
      continue;
    }
    names_fit = true;
  }
  const bool is_damaged = present.empty() && whole.error().code == ErrorCode::bad_data;
  if (found.empty() || is_damaged) return tl::unexpected(whole.error());
  if (!names_fit)
    found.front().message += ", nor any other of the schema: are delimiter and header as its `input` says?";
  problems.insert(problems.end(), found.begin(), found.end());
  table.columns = std::move(present);
  return {};
}

std::string count_where(const std::string& condition) {
  return fmt::format("count(CASE WHEN {} THEN 1 END)", condition);
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

Result<std::unique_ptr<CheckedTables>> CheckedTables::open(const schema::DatabaseSchema& schema,
                                                           const EngineLimits& limits, Progress& progress,
                                                           std::vector<SchemaProblem>& problems) {
  std::unique_ptr<CheckedTables> tables(new CheckedTables(schema, progress));
  for (TableSchema& table : tables->present_.tables) GAUZE_TRY_VOID(leave_out_absent(table, limits, problems));
  GAUZE_TRY_VOID(tables->open_database(limits));
  if (tables->leave_out_misfits(problems)) GAUZE_TRY_VOID(tables->open_database(limits));
  GAUZE_TRY_VOID(tables->database_->load(progress));
  GAUZE_TRY_VOID(tables->make_views());
  return tables;
}

Result<void> CheckedTables::open_database(const EngineLimits& limits) {
  std::erase_if(present_.tables, [](const TableSchema& table) { return table.columns.empty(); });
  std::vector<engines::DatabaseTable> wanted;
  for (const TableSchema& table : present_.tables)
    wanted.push_back({.name = SchemaTables::stored_name(table),
                      .uri = table.source,
                      .columns = declared_columns(table),
                      .options = table.input});
  GAUZE_TRY(database_, engines::open_database(wanted, limits.engine, limits.time_limit));
  GAUZE_TRY(writer_, make_sql_writer(database_->session().dialect(), present_));
  return {};
}

bool CheckedTables::leave_out_misfits(std::vector<SchemaProblem>& problems) {
  bool found = false;
  for (std::size_t i = 0; i < present_.tables.size(); ++i) {
    TableSchema& table = present_.tables[i];
    std::vector<ColumnSchema> fitting;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const ColumnSchema& column = table.columns[c];
      if (can_fit(column.type, database_->stored_type(i, c))) {
        fitting.push_back(column);
        continue;
      }
      found = true;
      problems.push_back(misfit(table, column, "its file stores another type"));
    }
    table.columns = std::move(fitting);
  }
  return found;
}

std::vector<StoredType> CheckedTables::stored_types(std::size_t table) const {
  std::vector<StoredType> types;
  for (std::size_t i = 0; i < present_.tables[table].columns.size(); ++i)
    types.push_back(database_->stored_type(table, i));
  return types;
}

Result<void> CheckedTables::make_view(const std::string& view, const std::string& sql) {
  GAUZE_TRY(const auto rows,
            database_->session().run(fmt::format("CREATE VIEW {} AS {}", name(view), sql), "prepare the tables"));
  for (;;) {
    GAUZE_TRY(const auto batch, rows->next());
    if (!batch) return {};
  }
}

/// Three for each table: what queries read; the same as they see it; each cell as its type alone has it beside what bounds and
/// values make of it.
Result<void> CheckedTables::make_views() {
  const engines::SqlDialect& dialect = writer_->dialect();
  for (std::size_t i = 0; i < present_.tables.size(); ++i) {
    const TableSchema& table = present_.tables[i];
    const std::vector<StoredType> stored = stored_types(i);
    std::string cleaned;
    std::string twice;
    TableSchema pairs{.name = twice_name(table)};
    std::vector<StoredType> pair_types;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const ColumnSchema& column = table.columns[c];
      const std::string cell = name(column.name);
      const bool is_text = stored[c] == StoredType::text;
      const std::string marker = dialect.text(kUnreadable);
      add_item(cleaned, is_text ? fmt::format("CASE WHEN {0} = {1} THEN {2} ELSE {0} END AS {0}", cell, marker,
                                              column.other ? dialect.text(*column.other) : "NULL")
                                : cell);
      ColumnSchema declared = column;
      declared.name = declared_name(c);
      declared.other.reset();
      declared.nullable = true;
      const ColumnSchema plain{.name = plain_name(c), .type = column.type, .scale = column.scale};
      for (const ColumnSchema& one : {declared, plain}) {
        add_item(twice, fmt::format("{} AS {}", is_text ? fmt::format("nullif({}, {})", cell, marker) : cell,
                                    name(one.name)));
        pairs.columns.push_back(one);
        pair_types.push_back(stored[c]);
      }
    }
    const std::string from = name(SchemaTables::stored_name(table));
    GAUZE_TRY_VOID(make_view(cleaned_name(table), fmt::format("SELECT {} FROM {}", cleaned, from)));
    GAUZE_TRY_VOID(make_view(table.name, writer_->scan(table, cleaned_name(table), stored)));
    const std::string doubled = pairs.name + " as read";
    GAUZE_TRY_VOID(make_view(doubled, fmt::format("SELECT {} FROM {}", twice, from)));
    GAUZE_TRY_VOID(make_view(pairs.name, writer_->scan(pairs, doubled, pair_types)));
  }
  return {};
}

bool CheckedTables::has(const TableSchema& table, std::string_view column) const {
  const TableSchema* present = present_.find(table.name);
  return present != nullptr && present->find(column) != nullptr;
}

bool CheckedTables::is_empty(const TableSchema& table) const { return present_.find(table.name) == nullptr; }

std::string CheckedTables::name(std::string_view name) const { return writer_->dialect().identifier(name); }

std::string CheckedTables::presence(const ColumnSchema& column, StoredType stored) const {
  const std::string text = writer_->dialect().as_text(name(column.name), stored);
  const bool can_be_nan = stored == StoredType::text && schema::is_number(column.type);
  return can_be_nan ? fmt::format("lower({}) NOT IN ('nan', '+nan', '-nan')", text)
                    : fmt::format("{} IS NOT NULL", text);
}

Result<void> CheckedTables::count_cells(const TableSchema& table, TableCheck& check,
                                        std::vector<SchemaProblem>& problems) {
  const auto place = static_cast<std::size_t>(present_.find(table.name) - present_.tables.data());
  const TableSchema& present = present_.tables[place];
  const std::vector<StoredType> stored = stored_types(place);
  std::string cells = "count(*)";
  std::string values = "count(*)";
  for (std::size_t c = 0; c < present.columns.size(); ++c) {
    add_item(cells, count_where(presence(present.columns[c], stored[c])));
    const std::string declared = name(declared_name(c));
    const std::string plain = name(plain_name(c));
    add_item(values, fmt::format("count({})", plain));
    add_item(values, count_where(fmt::format("{} <> {}", declared, plain)));
    add_item(values, fmt::format("count({})", declared));
  }
  GAUZE_TRY(const auto there,
            counts(fmt::format("SELECT {} FROM {}", cells, name(SchemaTables::stored_name(table)))));
  GAUZE_TRY(const auto read, counts(fmt::format("SELECT {} FROM {}", values, name(twice_name(table)))));
  const std::uint64_t rows = there.at(0).at(0);
  check.rows = rows;
  for (std::size_t c = 0; c < present.columns.size(); ++c) {
    const ColumnSchema& column = present.columns[c];
    const std::uint64_t cells_there = there[0][c + 1];
    const std::uint64_t readable = std::min(read.at(0)[3 * c + 1], cells_there);
    const std::uint64_t moved = read[0][3 * c + 2];
    const std::uint64_t listed = std::min(read[0][3 * c + 3], readable);
    const std::uint64_t kept = column.other ? readable : listed;
    // A text that cannot be read counts as `other` in queries, so nothing is left out for it.
    const bool leaves_out = !column.nullable;
    const std::uint64_t read_otherwise = column.other ? cells_there - readable : 0;
    check.columns.push_back({.name = column.name,
                             .missing = share(rows - (leaves_out ? kept + read_otherwise : cells_there), rows),
                             .clamped = column.bounds ? share(moved, rows) : 0,
                             .outside = column.values.empty() ? 0 : share(readable - listed, rows),
                             .unreadable = share(cells_there - readable, rows)});
    if (cells_there == 0 || readable > 0) continue;
    problems.push_back(misfit(table, column, "not one of its cells can be read as that"));
  }
  return {};
}

Result<std::vector<std::vector<std::uint64_t>>> CheckedTables::counts(const std::string& sql) {
  constexpr std::uint64_t kSteps = 1000;
  GAUZE_TRY_VOID(progress_.check());
  progress_.begin("counting", kSteps);
  const engines::QueryWatch watch(database_->session(), progress_, kSteps);
  GAUZE_TRY(const auto stream, database_->session().run(sql, "count what the tables hold"));
  std::vector<std::vector<std::uint64_t>> rows;
  for (;;) {
    GAUZE_TRY(const auto batch, stream->next());
    if (!batch) return rows;
    for (std::size_t row = 0; row < batch->rows; ++row) {
      std::vector<std::uint64_t>& numbers = rows.emplace_back();
      for (std::size_t i = 0; i < batch->columns.size(); ++i) {
        const table::ValueColumn& column = batch->columns[i];
        const bool is_wide = stream->columns()[i].type == table::ValueType::wide_integer;
        numbers.push_back(static_cast<std::uint64_t>(is_wide ? column.wide_integers[row] : column.integers[row]));
      }
    }
  }
}

Result<std::uint64_t> CheckedTables::count(const std::string& sql) {
  GAUZE_TRY(const auto rows, counts(sql));
  GAUZE_CHECK(rows.size() == 1 && rows.front().size() == 1);
  return rows.front().front();
}

}  // namespace gauze::query
