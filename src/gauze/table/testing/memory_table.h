#pragma once
// A table in memory with the whole interface of Table, written as plainly as possible: upper rooms are tested on it
// without an engine, and engines are compared with it.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gauze/files/atomic_file.h"
#include "gauze/table/column_type.h"
#include "gauze/table/csv_text.h"
#include "gauze/table/missing_tokens.h"
#include "gauze/table/table.h"

namespace gauze::table {

class MemoryTable : public Table {
 public:
  using Rows = std::vector<std::vector<std::string>>;

  /// Rows must be as long as there are names. Rows go through a rewrite `batch_rows` at a time.
  MemoryTable(std::vector<std::string> names, Rows rows, const std::vector<std::string>& null_tokens = {},
              std::size_t batch_rows = 2048)
      : names_(std::move(names)), rows_(std::move(rows)), tokens_(null_tokens), batch_rows_(batch_rows) {
    for (auto& row : rows_) {
      GAUZE_CHECK(row.size() == names_.size());
      for (auto& cell : row) cell = std::string(trim_blanks(cell));
    }
  }

  [[nodiscard]] const std::vector<std::string>& columns() const override { return names_; }
  [[nodiscard]] const std::string& delimiter() const override { return delimiter_; }
  [[nodiscard]] FileFormat format() const override { return FileFormat::csv; }
  [[nodiscard]] Result<std::uint64_t> row_count() override { return rows_.size(); }

  [[nodiscard]] Result<TupleCounts> group(std::span<const std::size_t> columns, Progress& progress) override {
    GAUZE_TRY_VOID(progress.check());
    TupleCounts result;
    for (const std::size_t column : columns) result.dictionaries.push_back(dictionary(column));
    std::map<std::vector<std::uint32_t>, std::uint64_t> counts;
    for (const auto& row : rows_) {
      std::vector<std::uint32_t> tuple;
      for (std::size_t i = 0; i < columns.size(); ++i) tuple.push_back(code(result.dictionaries[i], row[columns[i]]));
      ++counts[tuple];
    }
    result.codes.resize(columns.size());
    for (const auto& [tuple, count] : counts) {
      for (std::size_t i = 0; i < columns.size(); ++i) result.codes[i].push_back(tuple[i]);
      result.counts.push_back(count);
    }
    return result;
  }

  [[nodiscard]] Result<std::vector<ColumnSummary>> summaries(std::span<const std::size_t> columns,
                                                             std::size_t max_values, Progress& progress) override {
    GAUZE_TRY_VOID(progress.check());
    std::vector<ColumnSummary> result;
    for (const std::size_t column : columns) {
      ColumnSummary summary;
      Dictionary values = dictionary(column);
      summary.type = infer_type(values);
      summary.counts.resize(values.values.size());
      for (const auto& row : rows_) ++summary.counts[code(values, row[column])];
      summary.distinct = values.values.size() - (values.missing ? 1 : 0);
      if (values.missing) summary.missing = summary.counts[*values.missing];
      if (summary.distinct > max_values) {
        summary.counts.clear();
      } else {
        summary.dictionary = std::move(values);
      }
      result.push_back(std::move(summary));
    }
    return result;
  }

  [[nodiscard]] Result<void> write(const Rewrite& rewrite, const std::filesystem::path& target,
                                   const WriteOptions& options, Progress& progress) override {
    GAUZE_TRY_VOID(progress.check());
    return write_file(target, rewritten(rewrite, options.delimiter.front()));
  }

  /// What write() puts into the file.
  [[nodiscard]] std::string rewritten(const Rewrite& rewrite, char delimiter = ',') const {
    std::string text;
    std::vector<std::string> lines;
    append_csv_line(text, kept(names_, rewrite), delimiter);
    for (std::size_t begin = 0; begin < rows_.size(); begin += batch_rows_) {
      const std::size_t end = std::min(rows_.size(), begin + batch_rows_);
      RowBatch batch{.rows = end - begin, .cells = {}};
      for (const std::size_t column : rewrite.inputs) {
        auto& cells = batch.cells.emplace_back();
        for (std::size_t row = begin; row < end; ++row)
          cells.push_back({rows_[row][column], tokens_.contains(rows_[row][column])});
      }
      RewrittenBatch result;
      result.cells.assign(rewrite.outputs.size(), std::vector<std::optional<std::string_view>>(batch.rows));
      result.keep.assign(batch.rows, 1);
      if (rewrite.rewrite) rewrite.rewrite(batch, result);
      for (std::size_t row = begin; row < end; ++row) {
        if (result.keep[row - begin] == 0) continue;
        auto cells = rows_[row];
        for (std::size_t i = 0; i < rewrite.outputs.size(); ++i) {
          if (const auto& cell = result.cells[i][row - begin]) cells[rewrite.outputs[i]] = std::string(*cell);
        }
        append_csv_line(lines.emplace_back(), kept(cells, rewrite), delimiter);
      }
    }
    for (std::size_t i = lines.size(); rewrite.shuffle && i > 1; --i)
      std::swap(lines[i - 1], lines[rewrite.shuffle(i)]);
    for (const std::string& line : lines) text += line;
    return text;
  }

 private:
  static std::vector<std::string> kept(const std::vector<std::string>& row, const Rewrite& rewrite) {
    std::vector<std::string> result;
    for (std::size_t column = 0; column < row.size(); ++column) {
      if (std::count(rewrite.dropped.begin(), rewrite.dropped.end(), column) == 0) result.push_back(row[column]);
    }
    return result;
  }

  [[nodiscard]] Dictionary dictionary(std::size_t column) const {
    std::set<std::string> values;
    std::set<std::string> missing;
    for (const auto& row : rows_) (tokens_.contains(row[column]) ? missing : values).insert(row[column]);
    Dictionary result;
    if (!missing.empty()) values.insert(*missing.begin());
    result.values.assign(values.begin(), values.end());
    if (!missing.empty()) {
      result.missing = static_cast<std::uint32_t>(std::distance(values.begin(), values.find(*missing.begin())));
    }
    return result;
  }

  [[nodiscard]] std::uint32_t code(const Dictionary& values, const std::string& cell) const {
    if (tokens_.contains(cell)) return *values.missing;
    return static_cast<std::uint32_t>(std::lower_bound(values.values.begin(), values.values.end(), cell) -
                                      values.values.begin());
  }

  std::vector<std::string> names_;
  Rows rows_;
  MissingTokens tokens_;
  std::size_t batch_rows_;
  std::string delimiter_ = ",";
};

}  // namespace gauze::table
