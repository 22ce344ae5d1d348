#include "gauze/anonymize/job/row_recoding.h"

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
        lookup_(records.tuples),
        width_(records.quasi_columns.size() + records.sensitive_columns.size()),
        shares_(recoding.splits) {
    for (const std::size_t column : options_.pseudonymous) names_.push_back(table.columns()[column]);
  }

  void operator()(const table::RowBatch& batch, table::RewrittenBatch& result) {
    std::vector<std::uint32_t> codes(width_);
    for (std::size_t row = 0; row < batch.rows; ++row) {
      const std::uint32_t output = class_of(batch, row, codes);
      const bool suppressed = output == Recoding::kSuppressed;
      result.keep[row] = suppressed && options_.drop_suppressed ? 0 : 1;
      for (std::size_t quasi = 0; quasi < records_.quasi_columns.size(); ++quasi) {
        auto& cell = result.cells[quasi][row];
        if (suppressed) {
          cell = kSuppressedText;
          continue;
        }
        const CellValue& value = recoding_.values[quasi][recoding_.classes[output].cells[quasi]];
        // A ground value stays as it was written, but all ways to write "missing" become one: they are one class.
        if (value.rows > 1 || value.height > 0) {
          cell = value.text;
        } else if (batch.cells[quasi][row].missing) {
          const table::Dictionary& dictionary = records_.tuples.dictionaries[quasi];
          cell = dictionary.values[*dictionary.missing];
        }
      }
      for (std::size_t i = 0; i < names_.size(); ++i) {
        const table::RowBatch::Cell& cell = batch.cells[width_ + i][row];
        if (cell.missing) continue;
        result.storage.push_back(options_.pseudonyms->of(names_[i], cell.text));
        result.cells[records_.quasi_columns.size() + i][row] = result.storage.back();
      }
    }
  }

 private:
  std::uint32_t class_of(const table::RowBatch& batch, std::size_t row, std::vector<std::uint32_t>& codes) {
    for (std::size_t column = 0; column < width_; ++column) {
      const auto code = lookup_.code(column, batch.cells[column][row]);
      if (!code) return Recoding::kSuppressed;
      codes[column] = *code;
    }
    const auto tuple = lookup_.find(codes);
    if (!tuple) return Recoding::kSuppressed;
    if (shares_.empty()) return recoding_.class_of[*tuple];
    // Rows come in order: the first ones of a tuple take its first share.
    for (Recoding::Share& share : shares_[*tuple]) {
      if (share.records == 0) continue;
      --share.records;
      return share.output_class;
    }
    return Recoding::kSuppressed;
  }

  const TableRecords& records_;
  const Recoding& recoding_;
  RowRecodingOptions options_;
  TupleLookup lookup_;
  std::size_t width_;
  std::vector<std::vector<Recoding::Share>> shares_;  // what is left of each
  std::vector<std::string> names_;
};

}  // namespace

table::Rewrite make_rewrite(const table::Source& table, const TableRecords& records, const Recoding& recoding,
                            RowRecodingOptions options) {
  table::Rewrite rewrite;
  rewrite.inputs = records.quasi_columns;
  rewrite.inputs.insert(rewrite.inputs.end(), records.sensitive_columns.begin(), records.sensitive_columns.end());
  rewrite.inputs.insert(rewrite.inputs.end(), options.pseudonymous.begin(), options.pseudonymous.end());
  rewrite.outputs = records.quasi_columns;
  rewrite.outputs.insert(rewrite.outputs.end(), options.pseudonymous.begin(), options.pseudonymous.end());
  rewrite.dropped = options.dropped;
  rewrite.in_order = !recoding.splits.empty();
  auto recoder = std::make_shared<RowRecoder>(table, records, recoding, std::move(options));
  rewrite.rewrite = [recoder](const table::RowBatch& batch, table::RewrittenBatch& result) {
    (*recoder)(batch, result);
  };
  return rewrite;
}

}  // namespace gauze::anonymize
