#include "gauze/patterns/baskets/item_names.h"

#include "gauze/table/csv_text.h"

namespace gauze::patterns {

std::string names_text(const Database& database, std::span<const Item> set, BasketFormat format) {
  std::string text;
  for (const Item item : set) {
    const std::string& name = database.names[item];
    if (!text.empty()) text += format == BasketFormat::dat ? " " : ", ";
    if (format == BasketFormat::dat)
      text += name;
    else
      table::append_csv_cell(text, name, ',');
  }
  return text;
}

Json names_json(const Database& database, std::span<const Item> set) {
  Json names = Json::array();
  for (const Item item : set) names.push(database.names[item]);
  return names;
}

}  // namespace gauze::patterns
