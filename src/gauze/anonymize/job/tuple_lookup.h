#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/table/dictionary.h"
#include "gauze/table/missing_tokens.h"
#include "gauze/table/rewrite.h"

namespace gauze::anonymize {

/// Finds the tuple that a row belongs to, from the texts of its cells.
/// Thread safety: const members may be called concurrently. The tuples must outlive it.
class TupleLookup {
 public:
  TupleLookup(const table::TupleCounts& tuples, const table::MissingTokens& tokens);

  static constexpr std::uint32_t kNone = table::Rewrite::kNoTuple;
  /// For each row the place of its tuple; kNone where there is none. The first columns of the batch are those of the tuples.
  [[nodiscard]] std::vector<std::uint32_t> find(const table::RowBatch& batch) const;
  /// The same from the texts of these columns.
  [[nodiscard]] std::vector<std::uint32_t> find(std::span<const std::span<const std::string_view>> texts) const;

 private:
  /// The texts of a column and their codes, in an open table.
  class Texts {
   public:
    Texts(const table::Dictionary& dictionary, const std::vector<std::string>& tokens);
    [[nodiscard]] std::uint32_t code(std::string_view text) const {
      const Print wanted = print(text);
      for (std::size_t bucket = wanted.hash() & mask_; entries_[bucket].code != kNone;
           bucket = (bucket + 1) & mask_) {
        const Entry& entry = entries_[bucket];
        // Up to 16 letters the two ends are all there is.
        if (entry.print == wanted && (text.size() <= 16 || entry.text == text)) return entry.code;
      }
      return kNone;
    }

   private:
    struct Print {
      std::uint64_t begin = 0;
      std::uint64_t end = 0;
      std::size_t size = 0;
      bool operator==(const Print&) const = default;
      [[nodiscard]] std::uint64_t hash() const;
    };
    struct Entry {
      Print print;
      std::string_view text;
      std::uint32_t code = kNone;
    };
    static Print print(std::string_view text);
    void add(std::string_view text, std::uint32_t code);
    std::vector<Entry> entries_;
    std::size_t mask_ = 0;
  };
  [[nodiscard]] std::uint64_t add_to_key(std::uint64_t key, std::size_t column, std::uint32_t code) const;
  /// `code_of(column, row)`: the code of a cell, or kNone.
  template <class CodeOf>
  [[nodiscard]] std::vector<std::uint32_t> find_rows(std::size_t rows, CodeOf code_of) const;
  [[nodiscard]] std::uint32_t find(std::uint64_t key, std::span<const std::vector<std::uint32_t>> codes,
                                   std::size_t row) const;

  const table::TupleCounts& tuples_;
  std::vector<std::string> tokens_;    // what means "missing"
  std::vector<Texts> texts_;           // of each column
  std::vector<std::uint64_t> radix_;   // of each column, when all combinations fit 64 bits
  bool packed_ = false;                // a key then is the tuple itself, else only a hash of it
  std::vector<std::uint64_t> keys_;    // by bucket
  std::vector<std::uint32_t> places_;  // by bucket
};

}  // namespace gauze::anonymize
