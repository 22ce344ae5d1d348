#include "gauze/schema/cleaning/cleaned_source.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "gauze/base/utf8.h"
#include "gauze/schema/cleaning/tuple_mapping.h"
#include "gauze/table/column_type.h"

namespace gauze::schema {
namespace {

using table::Cells;
using table::Dictionary;
using table::Grouping;
using table::TupleCounts;
using table::ValueBatch;
using table::ValueColumn;
using table::ValueType;

/// Cells of a column by their letters: blanks around a text stay where nothing is changed.
std::string clean_letters(const CellCleaning& cleaning, const table::MissingTokens& tokens, const std::string& text) {
  const std::string_view bare = trimmed(text);
  if (tokens.contains(bare)) return text;
  const std::string_view cleaned = cleaning.clean(bare);
  return cleaned == bare ? text : std::string(cleaned);
}

/// What became of a column in the table below, by its key.
MappedColumn clean_key(const Dictionary& values, const Grouping::Key& key, const CellCleaning* cleaning,
                       const table::MissingTokens& tokens) {
  if (cleaning == nullptr) return unchanged(values);
  MappedColumn mapped = map_values(
      values,
      [&](const std::string& text) -> std::string {
        if (key.as_written) return clean_letters(*cleaning, tokens, text);
        std::string cleaned(cleaning->clean(text));
        if (!key.recoding || cleaned.empty()) return cleaned;
        cleaned = trimmed(table::recode(*key.recoding, cleaned));
        return tokens.contains(cleaned) ? std::string() : cleaned;
      },
      key.as_written);
  if (cleaning->makes_other() && !key.recoding) find_outside(mapped.dictionary);
  return mapped;
}

/// Rows on their way, with cells of cleaned columns as they become.
class CleanedRows : public table::RowStream {
 public:
  CleanedRows(std::vector<Column> columns, std::unique_ptr<RowStream> raw,
              std::vector<std::shared_ptr<const CellCleaning>> cleanings, const table::MissingTokens& tokens)
      : RowStream(std::move(columns)),
        raw_(std::move(raw)),
        cleanings_(std::move(cleanings)),
        known_(cleanings_.size()),
        tokens_(tokens) {}

  [[nodiscard]] Result<std::optional<ValueBatch>> next() override {
    GAUZE_TRY(std::optional<ValueBatch> batch, raw_->next());
    if (!batch) return batch;
    auto made = std::make_shared<std::deque<std::string>>();
    for (std::size_t i = 0; i < cleanings_.size(); ++i) {
      if (!cleanings_[i]) continue;
      to_text(batch->columns[i], raw_->columns()[i].type, batch->rows, *made);
      clean(i, batch->columns[i]);
    }
    // Texts look at the cleanings, at what was read and at what was made of numbers.
    batch->memory = std::make_shared<Memory>(Memory{std::move(batch->memory), std::move(made), cleanings_});
    return batch;
  }

 private:
  struct Memory {
    std::shared_ptr<const void> read;
    std::shared_ptr<const void> made;
    std::vector<std::shared_ptr<const CellCleaning>> cleanings;
  };
  static constexpr std::size_t kMostKnown = 100'000;

  static void to_text(ValueColumn& column, ValueType type, std::size_t rows, std::deque<std::string>& made) {
    if (type == ValueType::text) return;
    column.texts.assign(rows, {});
    for (std::size_t row = 0; row < rows; ++row) {
      std::string text;
      table::append_value(text, column, type, row);
      if (!text.empty()) column.texts[row] = made.emplace_back(std::move(text));
    }
    column.integers.clear();
    column.wide_integers.clear();
    column.reals.clear();
  }

  void clean(std::size_t place, ValueColumn& column) {
    for (std::size_t row = 0; row < column.texts.size(); ++row) {
      const std::string_view bare = trimmed(column.texts[row]);
      if (tokens_.contains(bare)) continue;
      const std::string_view cleaned = known(place, bare);
      if (cleaned == bare) continue;
      column.texts[row] = cleaned;
      if (!cleaned.empty()) continue;
      column.nulls.resize(column.texts.size(), 0);
      column.nulls[row] = 1;
    }
  }

  /// Most columns have few different texts, and reading a number takes longer than finding one.
  std::string_view known(std::size_t place, std::string_view text) {
    Known& known = known_[place];
    if (const auto found = known.find(std::string(text)); found != known.end())
      return found->second ? *found->second : text;
    const std::string_view cleaned = cleanings_[place]->clean(text);
    if (known.size() < kMostKnown)
      known.emplace(std::string(text), cleaned == text ? std::optional<std::string_view>() : cleaned);
    return cleaned;
  }

  using Known = std::unordered_map<std::string, std::optional<std::string_view>>;  // nothing: it stays
  std::unique_ptr<RowStream> raw_;
  std::vector<std::shared_ptr<const CellCleaning>> cleanings_;
  std::vector<Known> known_;
  const table::MissingTokens& tokens_;
};

}  // namespace

std::shared_ptr<const CellCleaning> cleaning_of(const PolicyColumn& column, table::DecimalSign decimal,
                                                bool keeps_texts) {
  if (!column.is_cleaned()) return nullptr;
  CellCleaning::Rules rules{
      .same = column.same, .valid = column.valid, .order = {}, .decimal = decimal, .keeps_texts = keeps_texts};
  if (column.hierarchy)
    if (const auto* dates = std::get_if<DatesSpec>(&*column.hierarchy)) rules.order = dates->order;
  return std::make_shared<const CellCleaning>(std::move(rules));
}

CleanedSource::CleanedSource(table::Source& raw, std::vector<Column> columns, Cleanings cleanings,
                             std::optional<table::DecimalSign> decimal)
    : Source(std::move(columns), raw.missing().all()),
      raw_(raw),
      cleanings_(std::make_shared<const Cleanings>(std::move(cleanings))),
      decimal_(decimal) {}

Result<std::unique_ptr<CleanedSource>> CleanedSource::make(table::Source& raw, const Policy& policy,
                                                           const Options& options) {
  Cleanings cleanings(raw.columns().size());
  std::vector<Column> columns = raw.schema();
  for (const PolicyColumn& column : policy.columns) {
    if (!column.is_cleaned()) continue;
    const auto found = std::find(raw.columns().begin(), raw.columns().end(), column.name);
    // A finished table may lack what its policy drops; whether it has what is needed, others say.
    if (found == raw.columns().end() && options.finished) continue;
    GAUZE_TRY(const std::size_t place, raw.column(column.name));
    const table::DecimalSign decimal = raw.schema()[place].type == table::StoredType::text
                                           ? options.decimal.value_or(raw.decimal(place))
                                           : table::DecimalSign::point;
    cleanings[place] = cleaning_of(column, decimal, options.finished);
    columns[place].type = table::StoredType::text;
  }
  return std::unique_ptr<CleanedSource>(
      new CleanedSource(raw, std::move(columns), std::move(cleanings), options.decimal));
}

table::DecimalSign CleanedSource::decimal(std::size_t column) const {
  if (raw_.schema()[column].type != table::StoredType::text) return table::DecimalSign::point;
  return decimal_.value_or(raw_.decimal(column));
}

Result<TupleCounts> CleanedSource::group(const Grouping& grouping, Progress& progress) {
  for (const auto& key : grouping.keys) GAUZE_TRY_VOID(check_columns(std::span(&key.column, 1)));
  for (const auto& filter : grouping.filters) GAUZE_TRY_VOID(check_columns(std::span(&filter.column, 1)));
  Grouping below;
  for (const Grouping::Key& key : grouping.keys) {
    below.keys.push_back(key);
    if (is_cleaned(key.column)) below.keys.back().recoding.reset();
  }
  for (const Grouping::Filter& filter : grouping.filters) {
    below.filters.push_back(filter);
    if (!is_cleaned(filter.column)) continue;
    GAUZE_TRY(below.filters.back().texts, spellings_of(filter, progress));
  }
  GAUZE_TRY(const TupleCounts tuples, raw_.group(below, progress));
  std::vector<MappedColumn> mapped;
  for (std::size_t i = 0; i < grouping.keys.size(); ++i) {
    const Grouping::Key& key = grouping.keys[i];
    mapped.push_back(clean_key(tuples.dictionaries[i], key, cleanings_->at(key.column).get(), missing()));
    mapped.back().dictionary.decimal = decimal(key.column);
  }
  return map_tuples(tuples, std::move(mapped));
}

Result<std::vector<std::string>> CleanedSource::spellings_of(const Grouping::Filter& filter, Progress& progress) {
  GAUZE_TRY(const TupleCounts found, raw_.group(std::span(&filter.column, 1), progress));
  const Dictionary& values = found.dictionaries[0];
  const CellCleaning& cleaning = *cleanings_->at(filter.column);
  std::vector<std::string> spellings;
  for (std::uint32_t code = 0; code < values.values.size(); ++code) {
    if (code == values.missing) continue;
    const std::string_view cleaned = cleaning.clean(values.values[code]);
    if (!cleaned.empty() && std::find(filter.texts.begin(), filter.texts.end(), cleaned) != filter.texts.end())
      spellings.push_back(values.values[code]);
  }
  return spellings;
}

Result<std::unique_ptr<table::RowStream>> CleanedSource::scan(std::span<const std::size_t> columns, Cells cells,
                                                              Progress& progress) {
  GAUZE_TRY_VOID(check_columns(columns));
  GAUZE_TRY(std::unique_ptr<table::RowStream> raw, raw_.scan(columns, cells, progress));
  if (std::none_of(columns.begin(), columns.end(), [&](std::size_t column) { return is_cleaned(column); }))
    return raw;
  std::vector<table::RowStream::Column> made = raw->columns();
  Cleanings cleanings;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    cleanings.push_back(cleanings_->at(columns[i]));
    if (cleanings.back()) made[i].type = ValueType::text;
  }
  return std::make_unique<CleanedRows>(std::move(made), std::move(raw), std::move(cleanings), missing());
}

Result<std::vector<table::ColumnSummary>> CleanedSource::summarise(std::span<const std::size_t> columns,
                                                                   std::size_t max_values, Progress& progress) {
  GAUZE_TRY_VOID(check_columns(columns));
  GAUZE_TRY(std::vector<table::ColumnSummary> summaries, raw_.summarise(columns, max_values, progress));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!is_cleaned(columns[i])) continue;
    GAUZE_TRY(TupleCounts found, group(columns.subspan(i, 1), progress));
    Dictionary& values = found.dictionaries[0];
    table::ColumnSummary& summary = summaries[i];
    summary = {};
    summary.type = table::infer_type(values);
    summary.counts.assign(values.values.size(), 0);
    for (std::size_t tuple = 0; tuple < found.size(); ++tuple)
      summary.counts[found.codes[0][tuple]] += found.counts[tuple];
    summary.distinct = values.values.size() - (values.missing ? 1 : 0);
    if (values.missing) summary.missing = summary.counts[*values.missing];
    if (summary.distinct > max_values)
      summary.counts.clear();
    else
      summary.dictionary = std::move(values);
  }
  return summaries;
}

Result<std::uint64_t> CleanedSource::changed_rows(std::size_t column, Progress& progress) {
  if (!is_cleaned(column)) return std::uint64_t{0};
  GAUZE_TRY(const TupleCounts found, raw_.group(std::span(&column, 1), progress));
  const Dictionary& values = found.dictionaries[0];
  std::uint64_t rows = 0;
  for (std::size_t tuple = 0; tuple < found.size(); ++tuple) {
    const std::uint32_t code = found.codes[0][tuple];
    if (code != values.missing && cleanings_->at(column)->clean(values.values[code]) != values.values[code])
      rows += found.counts[tuple];
  }
  return rows;
}

}  // namespace gauze::schema
