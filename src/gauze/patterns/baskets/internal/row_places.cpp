#include "gauze/patterns/baskets/internal/row_places.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "gauze/random/secure_random.h"

namespace gauze::patterns::internal {
namespace {

constexpr std::string_view kPlace = "place";

/// Slot by slot the line of the row that the function names.
template <class SourceOf>
std::string arranged(const BasketFile& file, const SourceOf& source_of) {
  std::string bytes;
  bytes.reserve(file.bytes().size());
  std::size_t copied = 0;
  for (std::size_t slot = 0; slot < file.database().rows(); ++slot) {
    const auto [begin, end] = file.line(slot);
    bytes.append(file.bytes(), copied, begin - copied);
    const auto [from, to] = file.line(source_of(slot));
    bytes.append(file.bytes(), from, to - from);
    copied = end;
  }
  return bytes.append(file.bytes(), copied, file.bytes().size() - copied);
}

}  // namespace

RowPlaces random_places(std::size_t rows) {
  RowPlaces places(rows);
  std::iota(places.begin(), places.end(), std::size_t{0});
  SecureRandom& random = SecureRandom::of_thread();
  for (std::size_t left = rows; left > 1; --left) std::swap(places[left - 1], places[random.below(left)]);
  return places;
}

std::string moved(const BasketFile& file, std::span<const std::size_t> places) {
  RowPlaces row_at(places.size());
  for (std::size_t row = 0; row < places.size(); ++row) row_at[places[row]] = row;
  return arranged(file, [&](std::size_t slot) { return row_at[slot]; });
}

std::string moved_back(const BasketFile& file, std::span<const std::size_t> places) {
  return arranged(file, [&](std::size_t slot) { return places[slot]; });
}

void append_places(std::string& marks, const RowPlaces& places) {
  for (std::size_t row = 0; row < places.size(); ++row)
    append_mark(marks, {row + 1, places[row] + 1, "", std::string(kPlace), ""});
}

Result<std::optional<RowPlaces>> take_places(std::vector<MarkLine>& lines) {
  const auto first = std::stable_partition(lines.begin(), lines.end(),
                                           [](const MarkLine& line) { return line.operation != kPlace; });
  const std::vector<MarkLine> found(std::make_move_iterator(first), std::make_move_iterator(lines.end()));
  lines.erase(first, lines.end());
  if (found.empty()) return std::nullopt;
  RowPlaces places(found.size());
  std::vector<bool> taken(found.size(), false);
  for (std::size_t row = 0; row < found.size(); ++row) {
    const MarkLine& line = found[row];
    const bool fits = line.row == row + 1 && line.position >= 1 && line.position <= found.size() &&
                      !taken[line.position - 1] && line.item.empty() && line.text.empty();
    if (!fits)
      return make_error(ErrorCode::bad_data,
                        "the marks are damaged: their places are no order of the transactions, at transaction {}",
                        row + 1);
    places[row] = line.position - 1;
    taken[places[row]] = true;
  }
  return places;
}

}  // namespace gauze::patterns::internal
