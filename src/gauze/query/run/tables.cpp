#include "gauze/query/run/tables.h"

#include <algorithm>
#include <set>

#include "gauze/files/sha256.h"
#include "gauze/query/plan/group_keys.h"

namespace gauze::query {
namespace {

void collect(const Relation& relation, const schema::DatabaseSchema& schema, std::set<std::string>& names);

void collect(const ExpressionPtr& expression, const schema::DatabaseSchema& schema, std::set<std::string>& names) {
  if (!expression) return;
  for_each_part(expression, [&](const Expression& part) {
    if (part.relation) collect(*part.relation, schema, names);
  });
}

void collect(const Relation& relation, const schema::DatabaseSchema& schema, std::set<std::string>& names) {
  if (relation.table != nullptr) {
    names.insert(relation.table->name);
    for (const schema::TableSchema* table = relation.table;
         relation.follows_path && table->unit && !table->unit->table.empty();) {
      table = schema.find(table->unit->table);
      names.insert(table->name);
    }
  }
  for (const RelationPtr& side : {relation.left, relation.right})
    if (side) collect(*side, schema, names);
  collect(relation.condition, schema, names);
  for (const ExpressionPtr& one : relation.expressions) collect(one, schema, names);
}

/// Runs a statement that gives no rows.
Result<void> execute(engines::SqlSession& session, const std::string& sql) {
  GAUZE_TRY(const auto rows, session.run_whole(sql, "prepare the tables"));
  for (;;) {
    GAUZE_TRY(const auto batch, rows->next());
    if (!batch) return {};
  }
}

}  // namespace

std::vector<const schema::TableSchema*> tables_of(const Relation& relation, const schema::DatabaseSchema& schema) {
  std::set<std::string> names;
  collect(relation, schema, names);
  std::vector<const schema::TableSchema*> tables;
  for (const schema::TableSchema& table : schema.tables)
    if (names.contains(table.name)) tables.push_back(&table);
  return tables;
}

std::string SchemaTables::stored_name(const schema::TableSchema& table) { return table.name + " as stored"; }

Result<SchemaTables> SchemaTables::open(const schema::DatabaseSchema& schema,
                                        std::vector<const schema::TableSchema*> tables, const EngineLimits& limits) {
  std::vector<engines::DatabaseTable> wanted;
  for (const schema::TableSchema* table : tables) {
    engines::DatabaseTable one{.name = stored_name(*table), .uri = table->source, .options = table->input};
    for (const schema::ColumnSchema& column : table->columns)
      one.columns.push_back({.name = column.name, .unreadable = column.other.value_or("")});
    wanted.push_back(std::move(one));
  }
  GAUZE_TRY(auto database, engines::open_database(wanted, limits.engine, limits.time_limit));
  GAUZE_TRY(SchemaTables opened, over(schema, std::move(database)));
  opened.tables_ = std::move(tables);
  return opened;
}

Result<SchemaTables> SchemaTables::over(const schema::DatabaseSchema& schema,
                                        std::unique_ptr<engines::SqlDatabase> database) {
  SchemaTables tables;
  tables.database_ = std::move(database);
  GAUZE_TRY(tables.writer_, make_sql_writer(tables.database_->session().dialect(), schema));
  return tables;
}

Result<void> SchemaTables::load(Progress& progress, const engines::SqlDatabase::Witnesses& witnesses) {
  std::map<std::string, Sha256> digests;
  GAUZE_TRY_VOID(database_->load(progress, [&](std::size_t table) -> ByteWitness {
    if (!tables_[table]->is_public) return witnesses ? witnesses(table) : ByteWitness();
    return [&digest = digests[tables_[table]->name]](std::string_view piece) { digest.add(piece); };
  }));
  for (auto& [name, digest] : digests) digests_[name] = digest.finish();
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    std::vector<table::StoredType> stored;
    for (std::size_t column = 0; column < tables_[i]->columns.size(); ++column)
      stored.push_back(database_->stored_type(i, column));
    GAUZE_TRY_VOID(execute(database_->session(),
                           fmt::format("CREATE VIEW {} AS {}", writer_->dialect().identifier(tables_[i]->name),
                                       writer_->scan(*tables_[i], stored_name(*tables_[i]), stored))));
  }
  return {};
}

CellValue cell_value(const table::ValueColumn& column, table::ValueType type, std::size_t row, const Shape& shape) {
  if (column.is_null(row)) return std::nullopt;
  if (type == table::ValueType::integer && shape.type == Type::decimal)
    return decimal_text(column.integers[row], shape.scale);
  if (type == table::ValueType::real && column.reals[row] == 0) return "0";  // -0 is the same number
  std::string text;
  table::append_value(text, column, type, row);
  if (text.empty() && type == table::ValueType::real) return std::nullopt;  // not a number
  return text;
}

Result<std::vector<std::vector<CellValue>>> SchemaTables::rows(const std::string& sql,
                                                               const std::vector<Shape>& shapes) {
  GAUZE_TRY(const auto stream, database_->session().run_whole(sql, "answer the question"));
  std::vector<std::vector<CellValue>> rows;
  for (;;) {
    GAUZE_TRY(const auto batch, stream->next());
    if (!batch) return rows;
    for (std::size_t row = 0; row < batch->rows; ++row) {
      std::vector<CellValue> cells;
      for (std::size_t i = 0; i < shapes.size(); ++i)
        cells.push_back(cell_value(batch->columns[i], stream->columns()[i].type, row, shapes[i]));
      rows.push_back(std::move(cells));
    }
  }
}

Result<void> PublicTables::open(const Relation& relation) {
  std::vector<const schema::TableSchema*> wanted = tables_of(relation, schema_);
  if (tables_) {
    const auto& open = tables_->tables();
    if (std::all_of(wanted.begin(), wanted.end(),
                    [&](const auto* table) { return std::find(open.begin(), open.end(), table) != open.end(); }))
      return {};
    for (const schema::TableSchema* table : open)
      if (std::find(wanted.begin(), wanted.end(), table) == wanted.end()) wanted.push_back(table);
  }
  GAUZE_TRY(SchemaTables opened, SchemaTables::open(schema_, std::move(wanted), limits_));
  Progress silent;
  GAUZE_TRY_VOID(opened.load(silent));
  for (const auto& [name, digest] : digests())
    if (opened.digests().at(name) != digest)
      return make_error(ErrorCode::io, "the public table '{}' was changed while it was read", name);
  tables_ = std::make_unique<SchemaTables>(std::move(opened));
  return {};
}

Result<std::vector<std::vector<CellValue>>> PublicTables::rows(const Relation& relation, std::size_t most) {
  GAUZE_TRY_VOID(open(relation));
  std::vector<Shape> shapes;
  for (const RelationColumn& column : relation.columns) shapes.push_back(column.shape);
  GAUZE_TRY(auto rows, tables_->rows(tables_->writer().relation(relation), shapes));
  if (rows.size() > most)
    return invalid_parameter("a public relation has {} rows here; at most {} are taken", rows.size(), most);
  return rows;
}

}  // namespace gauze::query
