#include "gauze/anonymize/inspect/coded_columns.h"

#include <unordered_map>
#include <utility>

#include "gauze/table/string_interner.h"
#include "gauze/table/tuple_encoder.h"

namespace gauze::anonymize {

bool CodedColumns::fit(std::uint64_t rows, std::size_t columns) {
  constexpr std::uint64_t kMostCells = std::uint64_t{1} << 26;
  return columns > 0 && rows <= kMostCells / columns;
}

Result<CodedColumns> CodedColumns::read(table::Source& table, const std::vector<std::size_t>& columns,
                                        Progress& progress) {
  CodedColumns read;
  read.codes_.resize(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) read.places_.emplace(columns[i], i);
  std::vector<table::StringInterner> interners(columns.size());
  GAUZE_TRY(const std::uint64_t rows, table.row_count());
  progress.begin("comparing columns", rows);
  GAUZE_TRY(const auto stream, table.scan(columns, table::Cells::text, progress));
  for (;;) {
    GAUZE_TRY(const auto batch, stream->next());
    if (!batch) break;
    for (std::size_t i = 0; i < columns.size(); ++i)
      for (const std::string_view text : batch->columns[i].texts) read.codes_[i].push_back(interners[i].intern(text));
    progress.advance(batch->rows);
    GAUZE_TRY_VOID(progress.check());
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    table::EncodedTexts encoded = table::encode_texts(interners[i], table.missing());
    for (std::uint32_t& code : read.codes_[i]) code = encoded.code_of[code];
    read.dictionaries_.push_back(std::move(encoded.dictionary));
  }
  return read;
}

table::TupleCounts CodedColumns::pairs(std::size_t first, std::size_t second) const {
  const std::size_t one = places_.at(first);
  const std::size_t other = places_.at(second);
  std::unordered_map<std::uint64_t, std::uint64_t> counts;
  for (std::size_t row = 0; row < codes_[one].size(); ++row)
    ++counts[std::uint64_t{codes_[one][row]} << 32 | codes_[other][row]];
  table::TupleCounts pairs{
      .dictionaries = {dictionaries_[one], dictionaries_[other]}, .codes = {{}, {}}, .counts = {}};
  for (const auto& [pair, count] : counts) {
    pairs.codes[0].push_back(static_cast<std::uint32_t>(pair >> 32));
    pairs.codes[1].push_back(static_cast<std::uint32_t>(pair));
    pairs.counts.push_back(count);
  }
  return pairs;
}

}  // namespace gauze::anonymize
