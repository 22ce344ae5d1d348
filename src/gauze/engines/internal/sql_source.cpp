#include "gauze/engines/internal/sql_source.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gauze/base/utf8.h"
#include "gauze/engines/query_watch.h"
#include "gauze/table/tuple_encoder.h"

namespace gauze::engines {
namespace {

std::vector<table::Source::Column> schema_of(const SqlRelation& relation) {
  std::vector<table::Source::Column> schema;
  for (const auto& column : relation.columns) schema.push_back({column.name, column.type});
  return schema;
}

/// The rows of a scan: texts without blanks, not-a-number as NULL, and none of them lost.
class SourceRows : public table::RowStream {
 public:
  SourceRows(std::vector<Column> columns, const SqlSource& source, std::unique_ptr<QueryWatch> watch,
             std::unique_ptr<RowStream> rows)
      : RowStream(std::move(columns)), source_(source), watch_(std::move(watch)), rows_(std::move(rows)) {}

  [[nodiscard]] Result<std::optional<table::ValueBatch>> next() override {
    GAUZE_TRY(auto batch, rows_->next());
    if (!batch) {
      GAUZE_TRY_VOID(source_.check_rows(seen_));
      return batch;
    }
    seen_ += batch->rows;
    batch->columns.resize(columns().size());
    for (table::ValueColumn& column : batch->columns) {
      for (std::string_view& text : column.texts) text = trimmed(text);
      for (std::size_t row = 0; row < column.reals.size(); ++row) {
        if (!std::isnan(column.reals[row])) continue;
        column.nulls.resize(batch->rows, 0);
        column.nulls[row] = 1;
      }
    }
    return batch;
  }

 private:
  const SqlSource& source_;
  std::unique_ptr<QueryWatch> watch_;
  std::unique_ptr<RowStream> rows_;
  std::uint64_t seen_ = 0;
};

}  // namespace

SqlSource::SqlSource(std::unique_ptr<SqlSession> session, SqlRelation relation,
                     const std::vector<std::string>& null_tokens, std::size_t values_in_memory,
                     table::DecimalSign decimal)
    : Source(schema_of(relation), null_tokens, decimal),
      relation_(std::move(relation)),
      session_(std::move(session)),
      values_in_memory_(values_in_memory) {}

std::string SqlSource::text(std::size_t column) const {
  const auto& [name, value, type] = relation_.columns[column];
  return session_->dialect().as_text(value, type);
}

Result<void> SqlSource::check_rows(std::uint64_t rows) const {
  if (rows == relation_.rows) return {};
  return make_error(ErrorCode::io, "{} changed while it was being read", relation_.name);
}

Result<std::string> SqlSource::where(const std::vector<table::Grouping::Filter>& filters) const {
  const SqlDialect& dialect = session_->dialect();
  std::string conditions;
  for (const auto& [column, texts] : filters) {
    GAUZE_TRY_VOID(check_columns(std::span(&column, 1)));
    std::string list;
    for (const std::string& one : texts)
      if (!missing().contains(one)) list += (list.empty() ? "" : ", ") + dialect.text(one);
    conditions += conditions.empty() ? " WHERE " : " AND ";
    conditions += list.empty() ? "1 = 0" : fmt::format("{} IN ({})", dialect.trimmed(text(column)), list);
  }
  return conditions;
}

std::string SqlSource::grouped(const std::vector<table::Grouping::Key>& by, const std::string& conditions) const {
  // Stored values are grouped first; their texts are needed only once a distinct tuple.
  std::string keys;
  std::string texts;
  std::string places;
  for (std::size_t i = 0; i < by.size(); ++i) {
    const auto& column = relation_.columns[by[i].column];
    const std::string key = fmt::format("k{}", i);
    fmt::format_to(std::back_inserter(keys), "{} AS {}, ", column.value, key);
    texts += session_->dialect().as_text(key, column.type) + ", ";
    fmt::format_to(std::back_inserter(places), "{}{}", i == 0 ? " GROUP BY " : ", ", i + 1);
  }
  return fmt::format("SELECT {}n FROM (SELECT {}count(*) AS n FROM {}{}{}) AS g", texts, keys, relation_.from,
                     conditions, places);
}

Result<std::uint64_t> SqlSource::count_passing(const std::vector<table::Grouping::Filter>& filters,
                                               Progress& progress) {
  std::vector<std::size_t> columns;
  for (const auto& [column, texts] : filters) {
    columns.push_back(column);
    // Mostly nothing passes, and the bytes of the files tell.
    if (texts.size() != 1 || texts.front().size() != 1 || !relation_.has_byte) continue;
    GAUZE_TRY(const bool found, relation_.has_byte(texts.front().front()));
    if (!found) return std::uint64_t{0};
  }
  GAUZE_TRY(const auto stream, scan(columns, table::Cells::text, progress));
  const auto passes = [&](const table::Grouping::Filter& filter, std::string_view text) {
    return !missing().contains(text) &&
           std::any_of(filter.texts.begin(), filter.texts.end(), [&](const auto& one) { return one == text; });
  };
  std::uint64_t passing = 0;
  for (;;) {
    GAUZE_TRY(const auto batch, stream->next());
    if (!batch) return passing;
    for (std::size_t row = 0; row < batch->rows; ++row) {
      bool all = true;
      for (std::size_t i = 0; all && i < filters.size(); ++i) all = passes(filters[i], batch->columns[i].texts[row]);
      passing += all ? 1 : 0;
    }
    progress.advance(batch->rows);
    GAUZE_TRY_VOID(progress.check());
  }
}

Result<table::TupleCounts> SqlSource::group(const table::Grouping& grouping, Progress& progress) {
  for (const auto& key : grouping.keys) GAUZE_TRY_VOID(check_columns(std::span(&key.column, 1)));
  GAUZE_TRY(const std::string conditions, where(grouping.filters));
  GAUZE_TRY_VOID(progress.check());
  const std::size_t width = grouping.keys.size();
  table::TupleEncoder encoder(width, missing());
  for (std::size_t i = 0; i < width; ++i)
    if (grouping.keys[i].as_written) encoder.keep_letters(i);
  if (width == 0 && grouping.filters.empty()) {
    if (relation_.rows > 0) encoder.counts().push_back(relation_.rows);
    return encoder.finish();
  }
  progress.begin("reading", relation_.rows);
  if (width == 0 && relation_.rows_of_text) {
    GAUZE_TRY(const std::uint64_t passing, count_passing(grouping.filters, progress));
    if (passing > 0) encoder.counts().push_back(passing);
    return encoder.finish();
  }
  const QueryWatch watch(*session_, progress, relation_.rows);
  GAUZE_TRY(const auto stream, session_->run(grouped(grouping.keys, conditions), doing()));
  std::uint64_t rows = 0;
  for (;;) {
    GAUZE_TRY(const auto batch, stream->next());
    if (!batch) break;
    for (std::size_t i = 0; i < width; ++i) {
      const auto& recoding = grouping.keys[i].recoding;
      auto& codes = encoder.codes(i);
      for (const std::string_view raw : batch->columns[i].texts) {
        const auto cell = recoding ? trimmed(raw) : raw;
        codes.push_back(encoder.intern(i, recoding && !missing().contains(cell) ? recode(*recoding, cell) : raw));
      }
    }
    for (const std::int64_t count : batch->columns[width].integers) {
      if (count == 0) continue;  // of no rows, without keys
      encoder.counts().push_back(static_cast<std::uint64_t>(count));
      rows += static_cast<std::uint64_t>(count);
    }
    GAUZE_TRY_VOID(progress.check());
  }
  if (grouping.filters.empty()) GAUZE_TRY_VOID(check_rows(rows));
  table::TupleCounts tuples = encoder.finish();
  for (std::size_t i = 0; i < width; ++i) tuples.dictionaries[i].decimal = decimal(grouping.keys[i].column);
  return tuples;
}

Result<std::unique_ptr<table::RowStream>> SqlSource::scan(std::span<const std::size_t> columns, table::Cells cells,
                                                          Progress& progress) {
  GAUZE_TRY_VOID(check_columns(columns));
  GAUZE_TRY_VOID(progress.check());
  std::string list;
  std::vector<table::RowStream::Column> made;
  for (const std::size_t column : columns) {
    const auto& [name, value, type] = relation_.columns[column];
    const auto as = cells == table::Cells::text ? table::ValueType::text : table::value_type(type);
    list += (list.empty() ? "" : ", ") + (as == table::ValueType::text ? text(column) : value);
    made.push_back({name, as});
  }
  if (relation_.rows_of_text)
    return std::make_unique<SourceRows>(std::move(made), *this, nullptr, relation_.rows_of_text(columns, progress));
  auto watch = std::make_unique<QueryWatch>(*session_, progress, 0);
  GAUZE_TRY(auto rows,
            session_->run(fmt::format("SELECT {} FROM {}", list.empty() ? "''" : list, relation_.from), doing()));
  return std::make_unique<SourceRows>(std::move(made), *this, std::move(watch), std::move(rows));
}

}  // namespace gauze::engines
