// Columns one by one, but in as few scans as memory allows: a table may have thousands of columns.
#include <algorithm>
#include <numeric>
#include <utility>

#include "gauze/base/parallel.h"
#include "gauze/engines/internal/sql_source.h"
#include "gauze/engines/query_watch.h"
#include "gauze/table/column_type.h"
#include "gauze/table/string_interner.h"
#include "gauze/table/tuple_encoder.h"

namespace gauze::engines {
namespace {

constexpr std::size_t kSummedBatches = 8;
constexpr std::size_t kSummedCells = std::size_t{1} << 22;  // a table may be wide
constexpr std::size_t kCountedAtOnce = 16;

/// One column while its cells go by.
class ColumnScan {
 public:
  explicit ColumnScan(table::DecimalSign decimal) : decimal_(decimal), type_(decimal) {}

  void see(const std::vector<std::string_view>& cells, std::size_t max_kept, const table::MissingTokens& tokens) {
    for (const std::string_view cell : cells) {
      if (too_many_) {
        see_one(cell, tokens);
        continue;
      }
      const std::uint32_t number = values_.intern(cell);
      if (number == counts_.size()) counts_.push_back(0);
      ++counts_[number];
      if (counts_.size() > max_kept) give_up(tokens);
    }
  }

  [[nodiscard]] std::size_t kept_values() const { return counts_.size(); }
  [[nodiscard]] bool too_many() const { return too_many_; }

  [[nodiscard]] table::ColumnSummary finish(std::size_t max_values, const table::MissingTokens& tokens) {
    table::ColumnSummary summary;
    if (too_many_) {
      summary.type = type_.type();
      summary.missing = missing_;
      return summary;  // the number of values is found by the engine
    }
    auto encoded = table::encode_texts(values_, tokens);
    encoded.dictionary.decimal = decimal_;
    summary.counts.resize(encoded.dictionary.values.size());
    for (std::size_t i = 0; i < counts_.size(); ++i) summary.counts[encoded.code_of[i]] += counts_[i];
    if (encoded.dictionary.missing) summary.missing = summary.counts[*encoded.dictionary.missing];
    summary.distinct = encoded.dictionary.values.size() - (encoded.dictionary.missing ? 1 : 0);
    summary.type = table::infer_type(encoded.dictionary);
    if (summary.distinct <= max_values) {
      summary.dictionary = std::move(encoded.dictionary);
    } else {
      summary.counts = {};
    }
    return summary;
  }

 private:
  void see_one(std::string_view cell, const table::MissingTokens& tokens) {
    if (tokens.contains(cell)) {
      ++missing_;
    } else {
      type_.see(cell);
    }
  }

  /// There are too many values to be kept.
  void give_up(const table::MissingTokens& tokens) {
    for (std::uint32_t i = 0; i < counts_.size(); ++i) {
      if (tokens.contains(values_.text(i))) {
        missing_ += counts_[i];
      } else {
        type_.see(values_.text(i));
      }
    }
    too_many_ = true;
    values_ = {};
    counts_ = {};
  }

  table::DecimalSign decimal_;
  table::StringInterner values_;
  std::vector<std::uint64_t> counts_;
  bool too_many_ = false;
  table::TypeDetector type_;
  std::uint64_t missing_ = 0;
};

}  // namespace

Result<std::vector<std::size_t>> SqlSource::scan_columns(std::span<const std::size_t> columns,
                                                         std::span<const std::size_t> places, std::size_t max_values,
                                                         std::vector<table::ColumnSummary>& summaries,
                                                         std::vector<std::size_t>& uncounted, Progress& progress) {
  std::vector<std::size_t> selected;
  for (const std::size_t place : places) selected.push_back(columns[place]);
  std::vector<ColumnScan> scans;
  for (const std::size_t column : selected) scans.emplace_back(decimal(column));
  std::vector<bool> waits(places.size(), false);
  // A column keeps more values than are returned, to be counted: a further scan for their number alone costs more.
  // Columns for which there is no room wait for the next scan.
  const std::size_t max_kept = std::max(max_values + missing().all().size(), values_in_memory_ / 20);
  progress.begin("reading", relation_.rows);
  GAUZE_TRY(const auto stream, scan(selected, table::Cells::text, progress));
  for (bool more = true; more;) {
    std::vector<table::ValueBatch> batches;
    std::uint64_t done = 0;
    while (batches.size() < kSummedBatches && done * selected.size() < kSummedCells) {
      GAUZE_TRY(auto batch, stream->next());
      more = batch.has_value();
      if (!more) break;
      done += batch->rows;
      batches.push_back(std::move(*batch));
    }
    parallel_for(places.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        for (const auto& batch : batches) {
          if (!waits[i]) scans[i].see(batch.columns[i].texts, max_kept, missing());
        }
      }
    });
    std::size_t kept = 0;
    for (const auto& scan : scans) kept += scan.kept_values();
    while (kept > std::max(values_in_memory_, max_kept + 1)) {
      const auto largest = std::max_element(
          scans.begin(), scans.end(), [](const auto& a, const auto& b) { return a.kept_values() < b.kept_values(); });
      kept -= largest->kept_values();
      const auto place = static_cast<std::size_t>(largest - scans.begin());
      waits[place] = true;
      *largest = ColumnScan(decimal(selected[place]));
    }
    progress.advance(done);
    GAUZE_TRY_VOID(progress.check());
  }
  std::vector<std::size_t> later;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (waits[i]) {
      later.push_back(places[i]);
    } else {
      if (scans[i].too_many()) uncounted.push_back(places[i]);
      summaries[places[i]] = scans[i].finish(max_values, missing());
    }
  }
  return later;
}

Result<void> SqlSource::count_distinct(std::span<const std::size_t> columns, std::span<const std::size_t> places,
                                       std::vector<table::ColumnSummary>& summaries, Progress& progress) {
  const SqlDialect& dialect = session_->dialect();
  std::string tokens;
  for (const auto& token : missing().all()) tokens += (tokens.empty() ? "" : ", ") + dialect.text(token);
  std::string counts;
  std::string texts;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const char* const comma = i == 0 ? "" : ", ";
    fmt::format_to(std::back_inserter(counts), "{}count(DISTINCT CASE WHEN t{} IN ({}) THEN NULL ELSE t{} END)",
                   comma, i, tokens, i);
    fmt::format_to(std::back_inserter(texts), "{}{} AS t{}", comma, dialect.trimmed(text(columns[places[i]])), i);
  }
  progress.begin("counting", relation_.rows);
  const QueryWatch watch(*session_, progress, relation_.rows);
  GAUZE_TRY(
      const auto stream,
      session_->run(fmt::format("SELECT {} FROM (SELECT {} FROM {}) AS t", counts, texts, relation_.from), doing()));
  GAUZE_TRY(const auto batch, stream->next());
  GAUZE_CHECK(batch && batch->rows == 1);
  for (std::size_t i = 0; i < places.size(); ++i)
    summaries[places[i]].distinct = static_cast<std::uint64_t>(batch->columns[i].integers.front());
  return {};
}

Result<std::vector<table::ColumnSummary>> SqlSource::summarise(std::span<const std::size_t> columns,
                                                               std::size_t max_values, Progress& progress) {
  GAUZE_TRY_VOID(check_columns(columns));
  GAUZE_TRY_VOID(progress.check());
  std::vector<table::ColumnSummary> result(columns.size());
  std::vector<std::size_t> places(columns.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::vector<std::size_t> uncounted;
  while (!places.empty()) {
    GAUZE_TRY(places, scan_columns(columns, places, max_values, result, uncounted, progress));
  }
  for (std::size_t i = 0; i < uncounted.size(); i += kCountedAtOnce) {
    const auto some = std::span(uncounted).subspan(i, std::min(kCountedAtOnce, uncounted.size() - i));
    GAUZE_TRY_VOID(count_distinct(columns, some, result, progress));
  }
  return result;
}

}  // namespace gauze::engines
