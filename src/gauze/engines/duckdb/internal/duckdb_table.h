#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/engines/duckdb/internal/connection.h"
#include "gauze/engines/internal/text_table.h"
#include "gauze/files/file_descriptor.h"
#include "gauze/table/missing_tokens.h"
#include "gauze/table/table.h"

namespace gauze::engines {

/// An opened input as SQL sees it.
struct Relation {
  struct Column {
    enum class Form { text, floating, bytes, other };
    std::string name;  ///< as people call it
    std::string raw;   ///< SQL for the value as it is stored
    Form form = Form::text;
    std::string unreadable = {};  ///< the text of bytes that are none

    /// SQL for the text of a stored value, NULL when missing.
    [[nodiscard]] std::string text_of(const std::string& value) const;
    [[nodiscard]] std::string text() const { return text_of(raw); }
  };
  std::string name;  ///< in messages
  table::FileFormat format = table::FileFormat::csv;
  std::string delimiter = ",";
  std::string from;  ///< what stands after FROM
  std::vector<Column> columns;
  std::uint64_t rows = 0;
  std::vector<FileDescriptor> files;  ///< that `from` names
};

[[nodiscard]] Relation relation_of(TextTable table, table::FileFormat format);
/// With declared columns: those alone, and bytes without a type are read as text one by one.
[[nodiscard]] Result<Relation> open_parquet(Connection& connection, std::vector<InputFile> files,
                                            const std::vector<std::string>& names,
                                            const std::vector<table::DeclaredColumn>& declared = {});

/// What tables share with the engine that opened them, and keep alive.
struct EngineSettings {
  std::filesystem::path temporary;
  int threads = 1;
  std::size_t values_in_memory = 0;
  std::size_t shuffle_bytes = 0;  ///< of rows that are put into a random order, kept at once
};

class DuckDbTable : public table::Table {
 public:
  DuckDbTable(std::shared_ptr<const void> engine, EngineSettings settings, Connection connection, Relation relation,
              const std::vector<std::string>& null_tokens);

  [[nodiscard]] const std::vector<std::string>& columns() const override { return names_; }
  [[nodiscard]] const std::string& delimiter() const override { return relation_.delimiter; }
  [[nodiscard]] table::FileFormat format() const override { return relation_.format; }
  [[nodiscard]] Result<std::uint64_t> row_count() override { return relation_.rows; }
  [[nodiscard]] Result<table::TupleCounts> group(std::span<const std::size_t> columns, Progress& progress) override;
  [[nodiscard]] Result<std::vector<table::ColumnSummary>> summaries(std::span<const std::size_t> columns,
                                                                    std::size_t max_values,
                                                                    Progress& progress) override;
  [[nodiscard]] Result<void> write(const table::Rewrite& rewrite, const std::filesystem::path& target,
                                   const table::WriteOptions& options, Progress& progress) override;

 private:
  [[nodiscard]] Result<void> write_csv(const table::Rewrite& rewrite, const std::filesystem::path& target,
                                       char delimiter, Progress& progress);
  [[nodiscard]] Result<void> write_parquet(const table::Rewrite& rewrite, const std::filesystem::path& target,
                                           Progress& progress);
  [[nodiscard]] Result<void> write_parquet_rows(const table::Rewrite& rewrite, const std::string& path,
                                                const std::string& target_name, Progress& progress);
  /// Scans the columns at some places of `columns` and fills their summaries; returns the places there was no room for, and
  /// adds to `uncounted` those with too many values to count them in memory.
  [[nodiscard]] Result<std::vector<std::size_t>> scan_columns(
      std::span<const std::size_t> columns, std::span<const std::size_t> places, std::size_t max_values,
      std::vector<table::ColumnSummary>& summaries, std::vector<std::size_t>& uncounted, Progress& progress);
  [[nodiscard]] Result<void> count_distinct(std::span<const std::size_t> columns, std::span<const std::size_t> places,
                                            std::vector<table::ColumnSummary>& summaries, Progress& progress);
  [[nodiscard]] Result<void> check_columns(std::span<const std::size_t> columns) const;
  /// SELECT of the texts of some columns, rows in their order.
  [[nodiscard]] std::string select_texts(std::span<const std::size_t> columns) const;
  [[nodiscard]] std::string doing() const { return fmt::format("read {}", relation_.name); }
  /// Whether the engine returned each row once.
  [[nodiscard]] Result<void> check_rows(std::uint64_t rows) const;

  std::shared_ptr<const void> engine_;
  EngineSettings settings_;
  Relation relation_;  // after the connection's database, before the connection: its files outlive every query
  Connection connection_;
  std::vector<std::string> names_;
  table::MissingTokens tokens_;
};

}  // namespace gauze::engines
