// How files become something that SQL can select from.
#include "gauze/engines/duckdb/internal/relation.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "gauze/base/did_you_mean.h"
#include "gauze/engines/duckdb/internal/duckdb_session.h"
#include "gauze/engines/internal/sound_csv_rows.h"

namespace gauze::engines {
namespace {

/// Every option is given, so that DuckDB guesses nothing and changes no text, but for one: when told that lines end with
/// CR LF, DuckDB 1.4.4 returns no rows and no error. It finds CR LF itself, where no other line end is in sight.
std::string read_csv(const SoundCsv& csv, std::size_t columns) {
  std::string types;
  for (std::size_t i = 0; i < columns; ++i)
    fmt::format_to(std::back_inserter(types), "{}c{}: 'VARCHAR'", i == 0 ? "" : ", ", i);
  constexpr std::size_t kDefaultLine = 2'097'152;
  const std::size_t line = std::max(kDefaultLine, csv.longest_record + 1024);
  return fmt::format(
      "SELECT * FROM read_csv({}, auto_detect=false, columns={{{}}}, delim={}, quote='\"', escape='\"', header={}, "
      "{}strict_mode=true, null_padding=false, ignore_errors=false, compression='none', comment='', "
      "skip=0, max_line_size={}, buffer_size={}, parallel={})",
      sql_text(csv.file.path()), types, sql_text(std::string_view(&csv.delimiter, 1)), csv.header,
      csv.crlf ? "" : "new_line='\\n', ", line, std::max(16 * kDefaultLine, 2 * line), !csv.quoted_line_ends);
}

bool is_nested(duckdb_type type) {
  switch (type) {
    case DUCKDB_TYPE_LIST:
    case DUCKDB_TYPE_ARRAY:
    case DUCKDB_TYPE_STRUCT:
    case DUCKDB_TYPE_MAP:
    case DUCKDB_TYPE_UNION:
    case DUCKDB_TYPE_BLOB:
    case DUCKDB_TYPE_BIT:
      return true;
    default:
      return false;
  }
}

struct ParquetColumn {
  std::string name;
  duckdb_type type;
  friend bool operator==(const ParquetColumn&, const ParquetColumn&) = default;
};

/// `files`: their paths, as SQL.
std::string read_parquet(const std::string& files, bool declared) {
  return fmt::format("read_parquet([{}], binary_as_string={}, hive_partitioning=false)", files, !declared);
}

Result<std::vector<ParquetColumn>> describe(Connection& connection, const InputFile& file, bool declared) {
  const std::string sql =
      fmt::format("SELECT * FROM {} LIMIT 0", read_parquet(sql_text(file.descriptor().path()), declared));
  GAUZE_TRY(ResultStream rows, connection.stream(sql, fmt::format("read {}", file.name())));
  std::vector<ParquetColumn> columns;
  for (std::size_t i = 0; i < rows.columns(); ++i) {
    columns.push_back({rows.column_name(i), rows.column_type(i)});
  }
  return columns;
}

/// DuckDB gives a second column of a name, in whatever case, another one: a column that nobody named would be taken for the one
/// that was.
Result<void> check_stored_names(Connection& connection, const InputFile& file,
                                const std::vector<ParquetColumn>& columns) {
  const std::string sql = fmt::format("SELECT name FROM parquet_schema({}) OFFSET 1",  // the first is the root
                                      sql_text(file.descriptor().path()));
  GAUZE_TRY(ResultStream rows, connection.stream(sql, fmt::format("read {}", file.name())));
  std::vector<std::string> stored;
  for (;;) {
    GAUZE_TRY(const std::optional<Chunk> chunk, rows.next());
    if (!chunk) break;
    const TextVector names(chunk->column(0));
    for (std::size_t row = 0; row < chunk->size(); ++row) stored.emplace_back(names[row]);
  }
  const auto is_stored = [&](const ParquetColumn& column) {
    return std::find(stored.begin(), stored.end(), column.name) != stored.end();
  };
  const auto renamed = std::find_if_not(columns.begin(), columns.end(), is_stored);
  if (renamed == columns.end()) return {};
  return asking_for(
      "names", make_error(ErrorCode::bad_data,
                          "{} has a name twice among its columns, or in upper and lower case: name them all anew",
                          file.name()));
}

/// A column of a file; `declared`: for whom bytes without a type are text, or what is no text.
Result<SqlRelation::Column> make_column(const ParquetColumn& column, const std::string& name, const std::string& file,
                                        const table::DeclaredColumn* declared) {
  const std::string value = sql_name(column.name);
  if (declared != nullptr && column.type == DUCKDB_TYPE_BLOB) {
    return SqlRelation::Column{name,
                               fmt::format("CASE WHEN {0} IS NULL THEN NULL ELSE coalesce(TRY(decode({0})), {1}) END",
                                           value, sql_text(declared->unreadable)),
                               table::StoredType::text};
  }
  if (is_nested(column.type)) {
    return make_error(ErrorCode::bad_data,
                      "{}: the column '{}' holds lists, records or bytes; a table of single values is needed", file,
                      name);
  }
  return SqlRelation::Column{name, value, stored_type(column.type)};
}

}  // namespace

SqlRelation relation_of(TextTable table) {
  SqlRelation relation;
  relation.name = table.files.front().name;
  relation.rows = table.rows();
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    relation.columns.push_back({std::move(table.columns[i]), fmt::format("c{}", i), table::StoredType::text});
  const auto files = std::make_shared<const std::vector<SoundCsv>>(std::move(table.files));
  for (const SoundCsv& file : *files) {
    if (!relation.from.empty()) relation.from += " UNION ALL ";
    relation.from += read_csv(file, relation.columns.size());
  }
  relation.from = "(" + relation.from + ") AS f";
  relation.files = files;
  relation.rows_of_text = [files, width = relation.columns.size()](std::span<const std::size_t> columns,
                                                                   Progress& progress) {
    return std::make_unique<SoundCsvRows>(std::vector<table::RowStream::Column>(columns.size()), files,
                                          std::vector(columns.begin(), columns.end()), width, progress);
  };
  relation.has_byte = [files](char byte) -> Result<bool> {
    std::vector<char> block(std::size_t{1} << 18U);
    for (const SoundCsv& file : *files) {
      FileSource source(file.file, file.name);
      for (std::size_t got = 1; got > 0;) {
        GAUZE_TRY(got, source.read(block));
        if (got > 0 && std::memchr(block.data(), byte, got) != nullptr) return true;
      }
    }
    return false;
  };
  return relation;
}

Result<SqlRelation> open_parquet(Connection& connection, std::vector<InputFile> files,
                                 const std::vector<std::string>& names,
                                 const std::vector<table::DeclaredColumn>& declared) {
  SqlRelation relation;
  relation.name = files.front().name();
  auto open = std::make_shared<std::vector<FileDescriptor>>();
  GAUZE_TRY(const auto columns, describe(connection, files.front(), !declared.empty()));
  if (names.empty()) GAUZE_TRY_VOID(check_stored_names(connection, files.front(), columns));
  std::string list;
  for (auto& file : files) {
    GAUZE_TRY(const auto own, describe(connection, file, !declared.empty()));
    if (own != columns) {
      return make_error(ErrorCode::bad_data, "{} and {} do not have the same columns", files.front().name(),
                        file.name());
    }
    list += (list.empty() ? "" : ", ") + sql_text(file.descriptor().path());
    open->push_back(file.take_descriptor());
  }
  relation.from = read_parquet(list, !declared.empty());
  relation.files = std::move(open);
  std::vector<std::string> own_names;
  for (const auto& column : columns) own_names.push_back(column.name);
  GAUZE_TRY(const auto final_names, name_columns(names, std::move(own_names), columns.size(), relation.name));
  for (std::size_t i = 0; declared.empty() && i < columns.size(); ++i) {
    GAUZE_TRY(SqlRelation::Column column, make_column(columns[i], final_names[i], relation.name, nullptr));
    relation.columns.push_back(std::move(column));
  }
  for (const table::DeclaredColumn& wanted : declared) {
    const auto found = std::find(final_names.begin(), final_names.end(), wanted.name);
    if (found == final_names.end())
      return make_error(ErrorCode::unknown_column, "{} has no column '{}'{}", relation.name, wanted.name,
                        did_you_mean(wanted.name, final_names));
    const ParquetColumn& column = columns[static_cast<std::size_t>(found - final_names.begin())];
    GAUZE_TRY(SqlRelation::Column made, make_column(column, wanted.name, relation.name, &wanted));
    relation.columns.push_back(std::move(made));
  }
  GAUZE_TRY(relation.rows, connection.count(fmt::format("SELECT count(*) FROM {}", relation.from),
                                            fmt::format("read {}", relation.name)));
  return relation;
}

}  // namespace gauze::engines
