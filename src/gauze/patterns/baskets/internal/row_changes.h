#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/patterns/baskets/basket_release.h"

namespace gauze::patterns::internal {

/// A stretch of the original that is written differently; one that is added has no length.
struct Change {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
  std::string_view operation;  ///< as in the marks file
  Item item = 0;
  std::size_t row = 0;
};

/// Where decoys stand in rows that are not in order: as if drawn, but the same for the same file. A reader, who does not
/// have the original, cannot tell such a place from that of a real item.
class DecoyPlaces {
 public:
  explicit DecoyPlaces(std::string_view original);
  [[nodiscard]] std::uint64_t draw(std::size_t row, std::string_view name) const;

 private:
  std::uint64_t key_ = 0;
};

/// The changes of one row, in the order of the file; edits: at most one an item.
[[nodiscard]] Result<std::vector<Change>> row_changes(const BasketFile& file, std::size_t row,
                                                      std::span<const Edit> edits, MarkStyle style,
                                                      const DecoyPlaces& places);

}  // namespace gauze::patterns::internal
