#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"

namespace gauze::patterns::internal {

/// Which columns of a long table hold the transaction and the item.
struct LongColumns {
  std::size_t transaction = 0;
  std::size_t item = 1;
  bool known = false;  ///< both were recognised by their names
};

/// By the names given, else by names that such columns usually have, else the first two that are left.
[[nodiscard]] Result<LongColumns> find_long_columns(const std::vector<std::string>& header,
                                                    const std::optional<std::string>& transaction,
                                                    const std::optional<std::string>& item);

/// What separates the cells of a header line: the first of comma, semicolon, tab and bar that it has outside of quotes; NUL if none.
[[nodiscard]] char long_delimiter(std::string_view header);

}  // namespace gauze::patterns::internal
