#include "gauze/patterns/baskets/basket_release.h"

#include <algorithm>
#include <map>

#include "gauze/files/sha256.h"
#include "gauze/patterns/baskets/internal/basket_parser.h"
#include "gauze/patterns/baskets/internal/marks_file.h"
#include "gauze/patterns/baskets/internal/row_changes.h"
#include "gauze/patterns/baskets/internal/row_places.h"

namespace gauze::patterns {
namespace {

using internal::Change;

/// By row; of several edits of one item the last.
std::map<std::size_t, std::vector<Edit>> grouped(std::span<const Edit> edits) {
  std::map<std::size_t, std::vector<Edit>> by_row;
  for (const Edit& edit : edits) {
    std::vector<Edit>& list = by_row[edit.row];
    const auto same = std::find_if(list.begin(), list.end(), [&](const Edit& one) { return one.item == edit.item; });
    if (same == list.end())
      list.push_back(edit);
    else
      *same = edit;
  }
  return by_row;
}

/// Whether the text ends in a line that has no end: one that is there only because of its bytes.
bool ends_in_open_line(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return !text.empty() && text.back() != '\n';
}

/// Gives the last line an end: one without would no longer be a transaction when it is empty, or run into the next one.
void close_last_line(const BasketFile& file, BasketRelease& release, const BasketFile& closed) {
  const std::size_t rows = file.database().rows();
  internal::append_mark(release.marks,
                        {rows, closed.bytes().size() - 1 - closed.line(rows - 1).first, "", "end", ""});
  release.bytes = closed.bytes();
}

/// Puts the lines of the release into a random order, and their places into the marks.
Result<void> shuffle(const BasketFile& file, BasketRelease& release) {
  GAUZE_TRY(const BasketFile ordered, BasketFile::parse(release.bytes, file.reading()));
  const internal::RowPlaces places = internal::random_places(ordered.database().rows());
  release.bytes = internal::moved(ordered, places);
  const auto shuffled = BasketFile::parse(release.bytes, file.reading());
  if (!shuffled || shuffled->database().rows() != places.size() ||
      internal::moved_back(*shuffled, places) != ordered.bytes())
    return make_error(ErrorCode::internal, "the shuffled file does not read back as it was meant");
  internal::append_places(release.marks, places);
  return {};
}

/// The order of the original again, as the places in the marks say; takes these out.
Result<std::string> unshuffled(std::string_view released, internal::Marks& key, const BasketReading& reading) {
  if (sha256_hex(released) != key.released)
    return make_error(
        ErrorCode::bad_data,
        "the marks are not those of this file: it is not the release they were written with, byte for byte");
  GAUZE_TRY(const std::optional<internal::RowPlaces> places, internal::take_places(key.lines));
  if (!places) return std::string(released);
  GAUZE_TRY(const BasketFile file, BasketFile::parse(std::string(released), reading));
  if (file.format() == BasketFormat::long_table || file.database().rows() != places->size())
    return make_error(ErrorCode::bad_data, "the marks are not those of this file: they place {} transactions",
                      places->size());
  return internal::moved_back(file, *places);
}

}  // namespace

Result<BasketRelease> write_release(const BasketFile& file, std::span<const Edit> edits, MarkStyle style,
                                    RowOrder order) {
  if (!file.has_bytes())
    return make_error(ErrorCode::unsupported,
                      "these transactions come from a table that cannot be written with marks; convert it to CSV");
  if (file.format() == BasketFormat::matrix && style == MarkStyle::anonymous)
    return invalid_parameter("a matrix has no anonymous marks: its columns say which item is meant");
  const bool is_long = file.format() == BasketFormat::long_table;
  const bool shuffles = order == RowOrder::shuffled && file.database().rows() > 0;
  if (is_long && shuffles)
    return invalid_parameter(
        "a long table cannot be shuffled: its column of transactions says which is which in any order");
  const bool has_decoys =
      std::any_of(edits.begin(), edits.end(), [](const Edit& edit) { return edit.operation == Operation::decoy; });
  const internal::DecoyPlaces places(has_decoys ? std::string_view(file.bytes()) : std::string_view());
  std::vector<Change> changes;
  for (const auto& [row, list] : grouped(edits)) {
    GAUZE_TRY(std::vector<Change> some, internal::row_changes(file, row, list, style, places));
    std::move(some.begin(), some.end(), std::back_inserter(changes));
  }
  if (is_long)  // the lines of a transaction may lie among those of others
    std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
      return a.begin != b.begin ? a.begin < b.begin : (a.begin == a.end) > (b.begin == b.end);
    });
  BasketRelease release;
  release.marks = std::string(internal::marks_header());
  std::size_t copied = 0;
  std::size_t line_begin = 0;         // in the release
  std::size_t row = ~std::size_t{0};  // whose line that is
  for (const Change& change : changes) {
    if (!is_long && change.row != row) {
      row = change.row;
      const std::size_t begin = file.line(row).first;
      release.bytes.append(file.bytes(), copied, begin - copied);
      copied = begin;
      line_begin = release.bytes.size();
    }
    GAUZE_CHECK(change.begin >= copied);
    release.bytes.append(file.bytes(), copied, change.begin - copied);
    const bool added = change.operation == "decoy";
    internal::append_mark(release.marks,
                          {change.row + 1, release.bytes.size() - line_begin, file.database().names[change.item],
                           std::string(change.operation),
                           added ? change.text : file.bytes().substr(change.begin, change.end - change.begin)});
    release.bytes += change.text;
    copied = change.end;
  }
  release.bytes.append(file.bytes(), copied, file.bytes().size() - copied);
  // A last line that lost all its items and has no line end would be no transaction any more.
  if (!is_long && ends_in_open_line(file.bytes()) && (shuffles || !ends_in_open_line(release.bytes))) {
    GAUZE_TRY(const BasketFile closed, BasketFile::parse(release.bytes + '\n', file.reading()));
    close_last_line(file, release, closed);
  }
  if (shuffles) GAUZE_TRY_VOID(shuffle(file, release));
  internal::append_checks(release.marks, release.bytes, file.bytes());
  return release;
}

Result<std::string> restore(std::string_view released, std::string_view marks, const BasketReading& reading) {
  GAUZE_TRY(internal::Marks key, internal::parse_marks(marks));
  GAUZE_TRY(const std::string ordered, unshuffled(released, key, reading));
  GAUZE_TRY(std::string original, internal::undo_marks(ordered, key.lines, reading));
  if (sha256_hex(original) != key.original)
    return make_error(ErrorCode::bad_data, "the marks are damaged: what they give back is not the original");
  return original;
}

Result<std::string> in_original_order(std::string_view released, std::string_view marks,
                                      const BasketReading& reading) {
  GAUZE_TRY(internal::Marks key, internal::parse_marks(marks));
  return unshuffled(released, key, reading);
}

bool reads_back_by_itself(std::string_view released, const BasketReading& reading) {
  const bool has_columns = reading.transaction || reading.item;
  if (!reading.format && !has_columns) return true;
  const BasketFormat format = reading.format.value_or(BasketFormat::long_table);
  if (find_basket_format(released) != format) return false;
  if (format != BasketFormat::long_table) return true;
  // The columns follow from the header alone.
  std::size_t begin = released.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  while (begin < released.size() && released[begin] == '#')
    begin = std::min(released.find('\n', begin), released.size() - 1) + 1;
  const std::string_view header = released.substr(begin, released.find('\n', begin) - begin);
  const auto found = BasketFile::parse(std::string(header), std::nullopt);
  if (!found) return false;
  return (!reading.transaction || found->reading().transaction == reading.transaction) &&
         (!reading.item || found->reading().item == reading.item);
}

}  // namespace gauze::patterns
