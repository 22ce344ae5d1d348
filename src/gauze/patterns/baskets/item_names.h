#pragma once

#include <span>
#include <string>

#include "gauze/files/json.h"
#include "gauze/patterns/baskets/basket_file.h"

namespace gauze::patterns {

/// The names of a set as the file would write them: separated by blanks, or by commas with quotes where needed.
[[nodiscard]] std::string names_text(const Database& database, std::span<const Item> set, BasketFormat format);
[[nodiscard]] Json names_json(const Database& database, std::span<const Item> set);

}  // namespace gauze::patterns
