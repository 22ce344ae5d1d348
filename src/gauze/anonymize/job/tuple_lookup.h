#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gauze/table/dictionary.h"
#include "gauze/table/rewrite.h"

namespace gauze::anonymize {

/// Finds the tuple that a row belongs to, from the texts of its cells.
/// Thread safety: const members may be called concurrently. The tuples must outlive it.
class TupleLookup {
 public:
  explicit TupleLookup(const table::TupleCounts& tuples);

  [[nodiscard]] std::optional<std::uint32_t> code(std::size_t column, const table::RowBatch::Cell& cell) const;
  /// The place of the tuple with these codes, if there is one.
  [[nodiscard]] std::optional<std::uint32_t> find(std::span<const std::uint32_t> codes) const;

 private:
  [[nodiscard]] std::uint64_t key(std::span<const std::uint32_t> codes) const;

  const table::TupleCounts& tuples_;
  std::vector<std::unordered_map<std::string_view, std::uint32_t>> codes_;
  std::vector<std::uint64_t> radix_;   // of each column, when all combinations fit 64 bits
  bool packed_ = false;                // a key then is the tuple itself, else only a hash of it
  std::vector<std::uint64_t> keys_;    // by bucket
  std::vector<std::uint32_t> places_;  // by bucket
};

}  // namespace gauze::anonymize
