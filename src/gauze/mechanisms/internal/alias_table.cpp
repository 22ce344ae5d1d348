#include "gauze/mechanisms/internal/alias_table.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "gauze/base/error.h"

namespace gauze::internal {

AliasTable::AliasTable(std::span<const std::uint64_t> weights) {
  GAUZE_CHECK(!weights.empty());
  GAUZE_CHECK(std::accumulate(weights.begin(), weights.end(), std::uint64_t{0}) == std::uint64_t{1} << kTotalBits);
  const int column_bits = std::max(1, static_cast<int>(std::bit_width(weights.size() - 1)));
  const std::size_t columns = std::size_t{1} << column_bits;
  const std::uint64_t capacity = std::uint64_t{1} << (kTotalBits - column_bits);
  column_shift_ = 64 - column_bits;
  height_mask_ = capacity - 1;
  columns_.resize(columns);

  std::vector<std::uint64_t> rest(columns, 0);
  std::copy(weights.begin(), weights.end(), rest.begin());
  std::vector<std::uint32_t> small, large;
  for (std::uint32_t i = 0; i < columns; ++i) (rest[i] < capacity ? small : large).push_back(i);
  while (!small.empty()) {
    const std::uint32_t poor = small.back();
    small.pop_back();
    // Total weight equals total capacity: while a column is short, another one has more than it can hold.
    GAUZE_CHECK(!large.empty());
    const std::uint32_t rich = large.back();
    columns_[poor] = {.cut = rest[poor], .own = poor, .alias = rich};
    rest[rich] -= capacity - rest[poor];
    if (rest[rich] < capacity) {
      large.pop_back();
      small.push_back(rich);
    }
  }
  for (const std::uint32_t full : large) columns_[full] = {.cut = capacity, .own = full, .alias = full};
}

}  // namespace gauze::internal
