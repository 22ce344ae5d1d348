#pragma once
// A table in memory with the whole interface of Source, written as plainly as possible: upper rooms are tested on it
// without an engine, and engines are compared with it.

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gauze/base/utf8.h"
#include "gauze/files/atomic_file.h"
#include "gauze/table/column_type.h"
#include "gauze/table/csv_text.h"
#include "gauze/table/rewrite.h"
#include "gauze/table/source.h"

namespace gauze::table {

class MemoryTable : public Source {
 public:
  using Rows = std::vector<std::vector<std::string>>;
  using Source::group;

  /// Rows must be as long as there are names. Rows go through a rewrite, and come from a scan, `batch_rows` at a time.
  /// `types`: what the texts stand for; text unless given.
  MemoryTable(const std::vector<std::string>& names, Rows rows, const std::vector<std::string>& null_tokens = {},
              std::size_t batch_rows = 2048, const std::vector<StoredType>& types = {},
              DecimalSign decimal = DecimalSign::point)
      : Source(columns_of(names, types), null_tokens, decimal),
        rows_(std::move(rows)),
        written_(rows_),
        batch_rows_(batch_rows) {
    for (auto& row : rows_) {
      GAUZE_CHECK(row.size() == names.size());
      for (auto& cell : row) cell = std::string(trimmed(cell));
    }
  }

  [[nodiscard]] Result<std::uint64_t> row_count() override { return rows_.size(); }

  [[nodiscard]] Result<TupleCounts> group(const Grouping& grouping, Progress& progress) override {
    GAUZE_TRY_VOID(progress.check());
    for (const auto& key : grouping.keys) GAUZE_TRY_VOID(check_columns(std::span(&key.column, 1)));
    for (const auto& filter : grouping.filters) GAUZE_TRY_VOID(check_columns(std::span(&filter.column, 1)));
    Rows keys;
    for (std::size_t place = 0; place < rows_.size(); ++place) {
      const auto& row = rows_[place];
      if (!passes(row, grouping)) continue;
      auto& cells = keys.emplace_back();
      for (const auto& [column, recoding, as_written] : grouping.keys) {
        const std::string& cell = as_written ? written_[place][column] : row[column];
        cells.push_back(recoding && !missing().contains(cell) ? std::string(trimmed(recode(*recoding, cell))) : cell);
      }
    }
    TupleCounts result;
    for (std::size_t i = 0; i < grouping.keys.size(); ++i)
      result.dictionaries.push_back(grouping.keys[i].as_written ? letters(keys, i) : dictionary(keys, i));
    for (std::size_t i = 0; i < grouping.keys.size(); ++i)
      result.dictionaries[i].decimal = decimal(grouping.keys[i].column);
    std::map<std::vector<std::uint32_t>, std::uint64_t> counts;
    for (const auto& cells : keys) {
      std::vector<std::uint32_t> tuple;
      for (std::size_t i = 0; i < cells.size(); ++i) tuple.push_back(code(result.dictionaries[i], cells[i]));
      ++counts[tuple];
    }
    result.codes.resize(grouping.keys.size());
    for (const auto& [tuple, count] : counts) {
      for (std::size_t i = 0; i < tuple.size(); ++i) result.codes[i].push_back(tuple[i]);
      result.counts.push_back(count);
    }
    return result;
  }

  [[nodiscard]] Result<std::unique_ptr<RowStream>> scan(std::span<const std::size_t> columns, Cells cells,
                                                        Progress& progress) override {
    GAUZE_TRY_VOID(check_columns(columns));
    std::vector<RowStream::Column> made;
    for (const std::size_t column : columns) {
      const auto& [name, type] = schema()[column];
      made.push_back({name, cells == Cells::text ? ValueType::text : value_type(type)});
    }
    return std::make_unique<Scan>(std::move(made), *this, std::vector(columns.begin(), columns.end()), progress);
  }

  [[nodiscard]] Result<std::vector<ColumnSummary>> summarise(std::span<const std::size_t> columns,
                                                             std::size_t max_values, Progress& progress) override {
    GAUZE_TRY_VOID(progress.check());
    GAUZE_TRY_VOID(check_columns(columns));
    std::vector<ColumnSummary> result;
    for (const std::size_t column : columns) {
      ColumnSummary summary;
      Dictionary values = dictionary(rows_, column);
      values.decimal = decimal(column);
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

  /// The rows that a rewrite makes, as CSV.
  [[nodiscard]] std::string rewritten(const Rewrite& rewrite, char delimiter = ',') const {
    std::string text;
    std::vector<std::string> lines;
    append_csv_line(text, kept(columns(), rewrite), delimiter);
    for (std::size_t begin = 0; begin < rows_.size(); begin += batch_rows_) {
      const std::size_t end = std::min(rows_.size(), begin + batch_rows_);
      RowBatch batch{.rows = end - begin, .cells = {}};
      for (const std::size_t column : rewrite.inputs) {
        auto& cells = batch.cells.emplace_back();
        for (std::size_t row = begin; row < end; ++row)
          cells.push_back({rows_[row][column], missing().contains(rows_[row][column])});
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
  class Scan : public RowStream {
   public:
    Scan(std::vector<Column> columns, const MemoryTable& table, std::vector<std::size_t> places, Progress& progress)
        : RowStream(std::move(columns)), table_(table), places_(std::move(places)), progress_(progress) {}

    [[nodiscard]] Result<std::optional<ValueBatch>> next() override {
      GAUZE_TRY_VOID(progress_.check());
      ValueBatch batch;
      batch.columns.resize(places_.size());
      for (; batch.rows < table_.batch_rows_ && row_ < table_.rows_.size(); ++batch.rows, ++row_)
        for (std::size_t i = 0; i < places_.size(); ++i)
          add(batch.columns[i], columns()[i].type, table_.rows_[row_][places_[i]]);
      return batch.rows == 0 ? std::optional<ValueBatch>{} : std::optional<ValueBatch>(std::move(batch));
    }

   private:
    /// Of numbers a missing cell is NULL; a text is what is written, and NULL when that is nothing.
    void add(ValueColumn& column, ValueType type, const std::string& cell) const {
      const bool null = type == ValueType::text ? cell.empty() : table_.missing().contains(cell);
      column.nulls.push_back(null ? 1 : 0);
      if (type == ValueType::text) column.texts.push_back(cell);
      if (type == ValueType::integer) column.integers.push_back(null ? 0 : std::atoll(cell.c_str()));
      if (type == ValueType::wide_integer) column.wide_integers.push_back(null ? 0 : wide(cell));
      if (type == ValueType::real) column.reals.push_back(null ? 0 : std::atof(cell.c_str()));
    }

    static Int128 wide(const std::string& digits) {
      Int128 value = 0;
      for (const char digit : digits)
        if (digit != '-') value = value * 10 + (digit - '0');
      return digits.front() == '-' ? -value : value;
    }

    const MemoryTable& table_;
    std::vector<std::size_t> places_;
    Progress& progress_;
    std::size_t row_ = 0;
  };

  static std::vector<Column> columns_of(const std::vector<std::string>& names, const std::vector<StoredType>& types) {
    std::vector<Column> columns;
    for (std::size_t i = 0; i < names.size(); ++i)
      columns.push_back({names[i], types.empty() ? StoredType::text : types[i]});
    return columns;
  }

  [[nodiscard]] bool passes(const std::vector<std::string>& row, const Grouping& grouping) const {
    return std::all_of(grouping.filters.begin(), grouping.filters.end(), [&](const Grouping::Filter& filter) {
      const std::string& cell = row[filter.column];
      return !missing().contains(cell) && std::count(filter.texts.begin(), filter.texts.end(), cell) > 0;
    });
  }

  static std::vector<std::string> kept(const std::vector<std::string>& row, const Rewrite& rewrite) {
    std::vector<std::string> result;
    for (std::size_t column = 0; column < row.size(); ++column) {
      if (std::count(rewrite.dropped.begin(), rewrite.dropped.end(), column) == 0) result.push_back(row[column]);
    }
    return result;
  }

  [[nodiscard]] Dictionary dictionary(const Rows& rows, std::size_t column) const {
    std::set<std::string> values;
    std::set<std::string> absent;
    for (const auto& row : rows) (missing().contains(row[column]) ? absent : values).insert(row[column]);
    Dictionary result;
    if (!absent.empty()) values.insert(*absent.begin());
    result.values.assign(values.begin(), values.end());
    if (!absent.empty()) {
      result.missing = static_cast<std::uint32_t>(std::distance(values.begin(), values.find(*absent.begin())));
    }
    return result;
  }

  static Dictionary letters(const Rows& rows, std::size_t column) {
    std::set<std::string> values;
    for (const auto& row : rows) values.insert(row[column]);
    Dictionary result;
    result.values.assign(values.begin(), values.end());
    return result;
  }

  [[nodiscard]] std::uint32_t code(const Dictionary& values, const std::string& cell) const {
    if (values.missing && missing().contains(cell)) return *values.missing;
    return static_cast<std::uint32_t>(std::lower_bound(values.values.begin(), values.values.end(), cell) -
                                      values.values.begin());
  }

  Rows rows_;     // without blanks around the cells
  Rows written_;  // with them
  std::size_t batch_rows_;
};

}  // namespace gauze::table
