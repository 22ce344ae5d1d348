#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gauze/patterns/baskets/basket_file.h"
#include "gauze/patterns/baskets/internal/marks_file.h"

namespace gauze::patterns::internal {

/// The place of each row, from 0.
using RowPlaces = std::vector<std::size_t>;

/// A uniformly random order of so many rows, by the secure generator.
[[nodiscard]] RowPlaces random_places(std::size_t rows);

/// The bytes of a file of lines in which row r stands where row places[r] stood. What is no transaction (a header,
/// comments, line ends) stays where it was.
[[nodiscard]] std::string moved(const BasketFile& file, std::span<const std::size_t> places);
/// Undoes it: in the result row r is what stood at places[r].
[[nodiscard]] std::string moved_back(const BasketFile& file, std::span<const std::size_t> places);

/// The lines of a marks file that say where rows went; append_places() writes them.
void append_places(std::string& marks, const RowPlaces& places);
/// Takes them out of the lines; nothing when the rows were not moved. `bad_data` when they are no order of all rows.
[[nodiscard]] Result<std::optional<RowPlaces>> take_places(std::vector<MarkLine>& lines);

}  // namespace gauze::patterns::internal
