#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "gauze/table/dictionary.h"
#include "gauze/table/missing_tokens.h"
#include "gauze/table/string_interner.h"

namespace gauze::table {

/// Turns a stream of tuples of texts, as an engine returns them, into dictionaries and codes.
///
/// Engines group raw texts, because trimming every cell of a large table costs more than grouping it. Blanks are
/// trimmed and missing tokens unified here, once a distinct text, and tuples that become equal are merged.
class TupleEncoder {
 public:
  TupleEncoder(std::size_t columns, const MissingTokens& tokens);

  /// The texts of this column stay as they are written: blanks count, and none of them means missing.
  void keep_letters(std::size_t column) { letters_[column] = 1; }

  [[nodiscard]] std::uint32_t intern(std::size_t column, std::string_view raw) {
    return interners_[column].intern(raw);
  }
  /// The columns of the next tuples, to be filled with what intern() returned, and their counts.
  [[nodiscard]] std::vector<std::uint32_t>& codes(std::size_t column) { return codes_[column]; }
  [[nodiscard]] std::vector<std::uint64_t>& counts() { return counts_; }

  /// Dictionaries in byte order, tuples in lexicographic order of codes, each once. Ends the encoder's life.
  [[nodiscard]] TupleCounts finish();

 private:
  const MissingTokens& tokens_;
  std::vector<StringInterner> interners_;
  std::vector<std::vector<std::uint32_t>> codes_;
  std::vector<std::uint64_t> counts_;
  std::vector<std::uint8_t> letters_;  // by column: 1 where they stay
};

/// The dictionary of some raw texts, and the code that each of them has in it.
struct EncodedTexts {
  Dictionary dictionary;
  std::vector<std::uint32_t> code_of;  ///< by the number of the raw text
};
[[nodiscard]] EncodedTexts encode_texts(const StringInterner& raw, const MissingTokens& tokens);
/// The same by the letters: blanks count, and none of the texts means missing.
[[nodiscard]] EncodedTexts encode_letters(const StringInterner& raw);

}  // namespace gauze::table
