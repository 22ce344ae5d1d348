#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/engines/sql_session.h"
#include "gauze/table/source.h"

namespace gauze::engines {

/// A table as SQL sees it.
struct SqlRelation {
  struct Column {
    std::string name;   ///< as people call it
    std::string value;  ///< SQL for the value as it is stored
    table::StoredType type = table::StoredType::text;
  };
  std::string name;  ///< in messages
  std::string from;  ///< what stands after FROM
  std::vector<Column> columns;
  std::uint64_t rows = 0;
  std::shared_ptr<const void> files;  ///< that `from` names, open as long as this lives
  /// Some columns of all rows, as text and in their order, where that takes less than asking the database. Or nothing.
  std::function<std::unique_ptr<table::RowStream>(std::span<const std::size_t> columns, Progress& progress)>
      rows_of_text;
  /// Whether a byte occurs in the files that those rows come from. Given together with them.
  std::function<Result<bool>(char byte)> has_byte;
};

/// A relation of a database as a source: all it needs of the database is a session.
class SqlSource : public table::Source {
 public:
  using Source::group;
  /// At most `values_in_memory` values are kept at once to summarise columns.
  SqlSource(std::unique_ptr<SqlSession> session, SqlRelation relation, const std::vector<std::string>& null_tokens,
            std::size_t values_in_memory, table::DecimalSign decimal = table::DecimalSign::point);

  [[nodiscard]] SqlSession& session() { return *session_; }
  [[nodiscard]] const SqlRelation& relation() const { return relation_; }
  /// SQL for the text of a column, NULL when missing.
  [[nodiscard]] std::string text(std::size_t column) const;
  [[nodiscard]] std::string doing() const { return fmt::format("read {}", relation_.name); }
  /// Whether the database returned each row once.
  [[nodiscard]] Result<void> check_rows(std::uint64_t rows) const;

  [[nodiscard]] Result<std::uint64_t> row_count() override { return relation_.rows; }
  [[nodiscard]] Result<table::TupleCounts> group(const table::Grouping& grouping, Progress& progress) override;
  [[nodiscard]] Result<std::unique_ptr<table::RowStream>> scan(std::span<const std::size_t> columns,
                                                               table::Cells cells, Progress& progress) override;
  [[nodiscard]] Result<std::vector<table::ColumnSummary>> summarise(std::span<const std::size_t> columns,
                                                                    std::size_t max_values,
                                                                    Progress& progress) override;

 private:
  /// Scans the columns at some places of `columns` and fills their summaries; returns the places there was no room for, and
  /// adds to `uncounted` those with too many values to count them in memory.
  [[nodiscard]] Result<std::vector<std::size_t>> scan_columns(
      std::span<const std::size_t> columns, std::span<const std::size_t> places, std::size_t max_values,
      std::vector<table::ColumnSummary>& summaries, std::vector<std::size_t>& uncounted, Progress& progress);
  [[nodiscard]] Result<void> count_distinct(std::span<const std::size_t> columns, std::span<const std::size_t> places,
                                            std::vector<table::ColumnSummary>& summaries, Progress& progress);
  /// How many rows pass all of them, by passing over the rows.
  [[nodiscard]] Result<std::uint64_t> count_passing(const std::vector<table::Grouping::Filter>& filters,
                                                    Progress& progress);
  /// " WHERE ...", or nothing.
  [[nodiscard]] Result<std::string> where(const std::vector<table::Grouping::Filter>& filters) const;
  /// SELECT of the texts of the keys, and of how many rows have them.
  [[nodiscard]] std::string grouped(const std::vector<table::Grouping::Key>& by, const std::string& conditions) const;

  SqlRelation relation_;  // before the session: its files outlive every statement
  std::unique_ptr<SqlSession> session_;
  std::size_t values_in_memory_;
};

}  // namespace gauze::engines
