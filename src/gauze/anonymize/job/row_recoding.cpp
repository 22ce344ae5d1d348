#include "gauze/anonymize/job/row_recoding.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "gauze/anonymize/job/tuple_lookup.h"

namespace gauze::anonymize {

namespace {

class RowRecoder {
 public:
  RowRecoder(const table::Source& table, const TableRecords& records, const Recoding& recoding,
             RowRecodingOptions options)
      : records_(records),
        recoding_(recoding),
        options_(std::move(options)),
        lookup_(records.tuples, table.missing()),
        width_(records.quasi_columns.size() + records.sensitive_columns.size()),
        shares_(recoding.splits) {
    for (const std::size_t column : options_.pseudonymous) names_.push_back(table.columns()[column]);
    for (const std::size_t column : outputs())
      blanks_.push_back(std::find(options_.stars.blanked.begin(), options_.stars.blanked.end(), column) !=
                        options_.stars.blanked.end());
    for (const Recoding::Class& one : recoding.classes)
      blank_class_.push_back(options_.stars.blank_classes && is_all_stars(recoding, one));
    for (std::size_t quasi = 0; quasi < records.quasi_columns.size(); ++quasi) texts_.push_back(texts_of(quasi));
  }

  [[nodiscard]] std::vector<std::size_t> inputs() const {
    std::vector<std::size_t> columns = records_.quasi_columns;
    columns.insert(columns.end(), records_.sensitive_columns.begin(), records_.sensitive_columns.end());
    columns.insert(columns.end(), options_.pseudonymous.begin(), options_.pseudonymous.end());
    return columns;
  }
  /// Quasi-identifiers, pseudonyms, then the other columns that become `*`.
  [[nodiscard]] std::vector<std::size_t> outputs() const {
    std::vector<std::size_t> columns = records_.quasi_columns;
    columns.insert(columns.end(), options_.pseudonymous.begin(), options_.pseudonymous.end());
    for (const std::size_t column : options_.stars.blanked)
      if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
    return columns;
  }

  [[nodiscard]] std::vector<std::uint32_t> tuples_of(std::span<const std::span<const std::string_view>> texts) const {
    std::vector<std::uint32_t> tuples = lookup_.find(texts);
    const auto strangers = std::count(tuples.begin(), tuples.end(), TupleLookup::kNone);
    if (strangers > 0 && options_.strangers)
      options_.strangers->fetch_add(static_cast<std::uint64_t>(strangers), std::memory_order_relaxed);
    return tuples;
  }

  void operator()(const table::RowBatch& batch, table::RewrittenBatch& result) {
    const std::vector<std::uint32_t> classes = classes_of(batch, result);
    for (std::size_t i = 0; i < result.cells.size(); ++i) {
      const bool quasi = i < records_.quasi_columns.size();
      if (!quasi && blanks_[i] == 0) continue;
      auto& cells = result.cells[i];
      for (std::size_t row = 0; row < batch.rows; ++row) {
        const std::uint32_t output = classes[row];
        const std::string_view text = output == kStars ? kSuppressedText : quasi ? texts_[i][output] : kAsWritten;
        if (text.data() != nullptr)
          cells[row].emplace(text);
        else if (quasi && batch.cells[i][row].missing)
          cells[row].emplace(missing_text(i));
      }
    }
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const std::size_t place = records_.quasi_columns.size() + i;
      for (std::size_t row = 0; row < batch.rows; ++row) {
        const table::RowBatch::Cell& cell = batch.cells[width_ + i][row];
        if (result.keep[row] == 0 || cell.missing || result.cells[place][row]) continue;
        result.storage.push_back(options_.pseudonyms->of(names_[i], cell.text));
        result.cells[place][row] = result.storage.back();
      }
    }
  }

 private:
  static constexpr std::uint32_t kStars = Recoding::kSuppressed;  // of a row whose cells become `*`

  static constexpr std::string_view kAsWritten = {};  // not the empty text: a cell that stays
  /// The texts of a quasi-identifier by class; a ground value stays as it was written.
  using Texts = std::vector<std::string_view>;

  [[nodiscard]] Texts texts_of(std::size_t quasi) const {
    Texts texts;
    texts.reserve(recoding_.classes.size());
    for (const Recoding::Class& one : recoding_.classes) {
      const CellValue& value = recoding_.values[quasi][one.cells[quasi]];
      texts.push_back(value.rows > 1 || value.height > 0 ? std::string_view(value.text) : kAsWritten);
    }
    return texts;
  }

  /// All ways to write "missing" become one: they are one class.
  [[nodiscard]] std::string_view missing_text(std::size_t quasi) const {
    const table::Dictionary& dictionary = records_.tuples.dictionaries[quasi];
    return dictionary.values[*dictionary.missing];
  }

  /// The class of each row, or kStars; says which rows stay. A row that was not there when the records were read does not.
  std::vector<std::uint32_t> classes_of(const table::RowBatch& batch, table::RewrittenBatch& result) {
    std::vector<std::uint32_t> classes = lookup_.find(batch);
    for (std::size_t row = 0; row < batch.rows; ++row) {
      const std::optional<std::uint32_t> output = class_of(classes[row]);
      if (!output && options_.strangers) options_.strangers->fetch_add(1, std::memory_order_relaxed);
      const bool suppressed = output == Recoding::kSuppressed;
      result.keep[row] = !output || (suppressed && options_.suppressed == SuppressedRows::drop) ? 0 : 1;
      classes[row] = !output || suppressed || blank_class_[*output] != 0 ? kStars : *output;
    }
    return classes;
  }

  std::optional<std::uint32_t> class_of(std::uint32_t tuple) {
    if (tuple == TupleLookup::kNone) return std::nullopt;
    if (shares_.empty()) return recoding_.class_of[tuple];
    // Rows come in order: the first ones of a tuple take its first share.
    for (Recoding::Share& share : shares_[tuple]) {
      if (share.records == 0) continue;
      --share.records;
      return share.output_class;
    }
    return std::nullopt;
  }

  const TableRecords& records_;
  const Recoding& recoding_;
  RowRecodingOptions options_;
  TupleLookup lookup_;
  std::size_t width_;
  std::vector<std::vector<Recoding::Share>> shares_;  // what is left of each
  std::vector<std::string> names_;
  std::vector<std::uint8_t> blanks_;       // by output
  std::vector<std::uint8_t> blank_class_;  // by class of the recoding
  std::vector<Texts> texts_;               // of each quasi-identifier
};

}  // namespace

table::Rewrite make_rewrite(const table::Source& table, const TableRecords& records, const Recoding& recoding,
                            RowRecodingOptions options) {
  table::Rewrite rewrite;
  const bool by_tuples = options.pseudonymous.empty() && recoding.splits.empty();
  rewrite.dropped = options.dropped;
  rewrite.in_order = !recoding.splits.empty();
  auto recoder = std::make_shared<RowRecoder>(table, records, recoding, std::move(options));
  rewrite.inputs = recoder->inputs();
  rewrite.outputs = recoder->outputs();
  rewrite.rewrite = [recoder](const table::RowBatch& batch, table::RewrittenBatch& result) {
    (*recoder)(batch, result);
  };
  if (by_tuples) {
    rewrite.known = {.columns = rewrite.inputs,
                     .tuples = &records.tuples,
                     .rewrite = rewrite.rewrite,
                     .find = [recoder](std::span<const std::span<const std::string_view>> texts) {
                       return recoder->tuples_of(texts);
                     }};
  }
  return rewrite;
}

}  // namespace gauze::anonymize
