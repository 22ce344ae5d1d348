#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gauze::internal {

/// Chooses an index with probability weight / 2^62, exactly, from one random word: Walker's alias method in integers.
/// The weights must add up to 2^62. Two bits of the word are left over for the caller.
class AliasTable {
 public:
  static constexpr int kTotalBits = 62;

  AliasTable() = default;
  explicit AliasTable(std::span<const std::uint64_t> weights);

  struct Draw {
    std::uint32_t index;
    bool first_spare_bit;
    bool second_spare_bit;
  };
  [[nodiscard]] Draw choose(std::uint64_t word) const {
    const Column& column = columns_[word >> column_shift_];
    const std::uint64_t height = word >> 2 & height_mask_;
    return {height < column.cut ? column.own : column.alias, (word & 1) != 0, (word & 2) != 0};
  }

 private:
  struct Column {
    std::uint64_t cut = 0;  // heights below it belong to `own`, the rest to `alias`
    std::uint32_t own = 0;
    std::uint32_t alias = 0;
  };
  std::vector<Column> columns_;
  int column_shift_ = 63;
  std::uint64_t height_mask_ = 0;
};

}  // namespace gauze::internal
