#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "gauze/table/dictionary.h"
#include "gauze/table/rewrite.h"

namespace gauze::anonymize {

/// Finds the tuple that a row belongs to, from the texts of its cells.
/// Thread safety: const members may be called concurrently. The tuples must outlive it.
class TupleLookup {
 public:
  explicit TupleLookup(const table::TupleCounts& tuples);

  static constexpr std::uint32_t kNone = UINT32_MAX;
  /// For each row the place of its tuple; kNone where there is none. The first columns of the batch are those of the tuples.
  [[nodiscard]] std::vector<std::uint32_t> find(const table::RowBatch& batch) const;

 private:
  /// The texts of a column and their codes, in an open table.
  class Texts {
   public:
    explicit Texts(const table::Dictionary& dictionary);
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
    std::vector<Entry> entries_;
    std::size_t mask_ = 0;
  };
  [[nodiscard]] std::uint64_t add_to_key(std::uint64_t key, std::size_t column, std::uint32_t code) const;
  [[nodiscard]] std::uint32_t find(std::uint64_t key, std::span<const std::vector<std::uint32_t>> codes,
                                   std::size_t row) const;

  const table::TupleCounts& tuples_;
  std::vector<Texts> texts_;           // of each column
  std::vector<std::uint64_t> radix_;   // of each column, when all combinations fit 64 bits
  bool packed_ = false;                // a key then is the tuple itself, else only a hash of it
  std::vector<std::uint64_t> keys_;    // by bucket
  std::vector<std::uint32_t> places_;  // by bucket
};

}  // namespace gauze::anonymize
