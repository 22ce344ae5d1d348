#include "gauze/patterns/baskets/basket_release.h"

#include <algorithm>
#include <map>

#include "gauze/patterns/baskets/internal/basket_parser.h"
#include "gauze/patterns/baskets/internal/marks_file.h"
#include "gauze/patterns/baskets/internal/row_changes.h"

namespace gauze::patterns {
namespace {

using internal::Change;
using internal::MarkLine;

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

}  // namespace

Result<BasketRelease> write_release(const BasketFile& file, std::span<const Edit> edits, MarkStyle style) {
  if (!file.has_bytes())
    return make_error(ErrorCode::unsupported,
                      "these transactions come from a table that cannot be written with marks; convert it to CSV");
  if (file.format() == BasketFormat::matrix && style == MarkStyle::anonymous)
    return invalid_parameter("a matrix has no anonymous marks: its columns say which item is meant");
  const bool is_long = file.format() == BasketFormat::long_table;
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
  if (!is_long && ends_in_open_line(file.bytes()) && !ends_in_open_line(release.bytes)) {
    release.bytes += '\n';
    internal::append_mark(release.marks, {file.database().rows(), 0, "", "end", ""});
  }
  return release;
}

Result<std::string> restore(std::string_view released, std::string_view marks, const BasketReading& reading) {
  GAUZE_TRY(const std::vector<MarkLine> lines, internal::parse_marks(marks));
  const bool is_long = reading.format ? *reading.format == BasketFormat::long_table
                                      : reading.transaction || reading.item ||
                                            find_basket_format(released) == BasketFormat::long_table;
  std::optional<BasketFile> file;
  if (!is_long) {  // in a long table places are those in the file
    GAUZE_TRY(BasketFile parsed, BasketFile::parse(std::string(released), reading));
    file.emplace(std::move(parsed));
  }
  std::string original;
  std::size_t copied = 0;
  for (const MarkLine& one : lines) {
    if (file && one.row > file->database().rows())
      return make_error(ErrorCode::bad_data, "the marks are not those of this file: it has no transaction {}",
                        one.row);
    const std::size_t line_begin = file ? file->line(one.row - 1).first : 0;
    const bool inside = one.position <= released.size() && line_begin <= released.size() - one.position;
    const std::size_t place = inside ? line_begin + one.position : 0;
    const auto there = inside ? internal::released_text(one, released.substr(place)) : std::nullopt;
    if (!there || place < copied || released.substr(place, there->size()) != *there)
      return make_error(ErrorCode::bad_data, "the marks are not those of this file: transaction {} differs", one.row);
    original.append(released.substr(copied, place - copied));
    original += internal::original_text(one);
    copied = place + there->size();
  }
  original.append(released.substr(copied));
  return original;
}

}  // namespace gauze::patterns
