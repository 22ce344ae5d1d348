#pragma once

#include <span>
#include <string>

#include "gauze/patterns/baskets/basket_file.h"
#include "gauze/patterns/hiding/hiding_state.h"

namespace gauze::patterns {

/// How a mark is written: with the item it stands for, or without (docs/formats/baskets.md).
enum class MarkStyle { anchored, anonymous };

/// A file with its changes, and the changes by themselves: the owner's key, with which the original comes back.
struct BasketRelease {
  std::string bytes;
  std::string marks;  ///< CSV: row,position,item,operation,text
};

/// Applies changes to the bytes of a file; everything else stays as it was. A matrix has no anonymous marks.
[[nodiscard]] Result<BasketRelease> write_release(const BasketFile& file, std::span<const Edit> edits,
                                                  MarkStyle style);

/// Undoes them, byte for byte. `bad_data` when marks and file do not belong together.
[[nodiscard]] Result<std::string> restore(std::string_view released, std::string_view marks,
                                          std::optional<BasketFormat> format = std::nullopt);

}  // namespace gauze::patterns
