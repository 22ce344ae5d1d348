#include "gauze/patterns/baskets/basket_release.h"

#include <algorithm>
#include <map>

#include "gauze/base/utf8.h"
#include "gauze/files/sha256.h"
#include "gauze/patterns/baskets/internal/basket_parser.h"
#include "gauze/patterns/baskets/internal/marks_file.h"
#include "gauze/patterns/baskets/internal/row_changes.h"
#include "gauze/patterns/baskets/internal/row_places.h"
#include "gauze/patterns/baskets/internal/text_encoding.h"

namespace gauze::patterns {
namespace {

using internal::Change;

/// How the text of a file is read, once it is decoded.
BasketReading reading_of_text(BasketReading reading) {
  reading.encoding = "utf-8";
  return reading;
}

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
  GAUZE_TRY(const BasketFile ordered, BasketFile::parse(release.bytes, reading_of_text(file.reading())));
  const internal::RowPlaces places = internal::random_places(ordered.database().rows());
  release.bytes = internal::moved(ordered, places);
  const auto shuffled = BasketFile::parse(release.bytes, reading_of_text(file.reading()));
  if (!shuffled || shuffled->database().rows() != places.size() ||
      internal::moved_back(*shuffled, places) != ordered.bytes())
    return make_error(ErrorCode::internal, "the shuffled file does not read back as it was meant");
  internal::append_places(release.marks, places);
  return {};
}

/// The key of this very release.
Result<internal::Marks> key_of(std::string_view released, std::string_view marks) {
  GAUZE_TRY(internal::Marks key, internal::parse_marks(marks));
  if (sha256_hex(released) != key.released)
    return make_error(
        ErrorCode::bad_data,
        "the marks are not those of this file: it is not the release they were written with, byte for byte");
  return key;
}

/// The order of the original again, as the places in the marks say; takes these out. All in UTF-8.
Result<std::string> unshuffled(const std::string& text, internal::Marks& key, const BasketReading& reading) {
  GAUZE_TRY(const std::optional<internal::RowPlaces> places, internal::take_places(key.lines));
  if (!places) return text;
  GAUZE_TRY(const BasketFile file, BasketFile::parse(text, reading));
  if (file.format() == BasketFormat::long_table || file.database().rows() != places->size())
    return make_error(ErrorCode::bad_data, "the marks are not those of this file: they place {} transactions",
                      places->size());
  return internal::moved_back(file, *places);
}

/// The original, if the marks give it back where the release is read like this.
Result<std::string> undone(std::string_view released, internal::Marks key, const BasketReading& reading) {
  GAUZE_TRY(internal::DecodedText decoded, internal::decode_text(std::string(released), reading.encoding));
  GAUZE_TRY(const std::string ordered, unshuffled(decoded.text, key, reading_of_text(reading)));
  GAUZE_TRY(decoded.text, internal::undo_marks(ordered, key.lines, reading_of_text(reading)));
  GAUZE_TRY(std::string original, internal::encode_text(decoded));
  if (sha256_hex(original) != key.original)
    return make_error(ErrorCode::bad_data, "the marks are damaged: what they give back is not the original");
  return original;
}

}  // namespace

Result<BasketRelease> write_release(const BasketFile& file, std::span<const Edit> edits, MarkStyle style,
                                    RowOrder order) {
  if (!file.has_bytes())
    return make_error(ErrorCode::unsupported,
                      "these transactions come from a table that cannot be written with marks; convert it to CSV");
  if (!file.encodes_back())
    return make_error(
        ErrorCode::unsupported,
        "the encoding of these transactions writes a letter in two ways, so that the original would not "
        "come back byte for byte; convert them to UTF-8");
  if (file.format() == BasketFormat::matrix && style == MarkStyle::anonymous)
    return invalid_parameter("a matrix has anchored marks alone: its columns say which item is meant");
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
    GAUZE_TRY(const BasketFile closed, BasketFile::parse(release.bytes + '\n', reading_of_text(file.reading())));
    close_last_line(file, release, closed);
  }
  if (shuffles) GAUZE_TRY_VOID(shuffle(file, release));
  GAUZE_TRY(release.bytes, file.encoded(std::move(release.bytes)));
  GAUZE_TRY(const std::string original, file.encoded(file.bytes()));
  internal::append_checks(release.marks, release.bytes, original);
  return release;
}

Result<std::string> restore(std::string_view released, std::string_view marks, const BasketReading& reading) {
  GAUZE_TRY(const internal::Marks key, key_of(released, marks));
  auto original = undone(released, key, reading);
  if (original) return original;
  // It is the release, so that something else is wrong: most likely how it is read.
  for (const auto& [format, word] : kBasketFormatWords) {
    BasketReading other;
    other.format = format;
    other.delimiter = reading.delimiter;
    other.encoding = reading.encoding;
    auto right = undone(released, key, other);
    if (!right) continue;
    if (!reading.format && !reading.transaction && !reading.item) return right;
    return invalid_parameter("the release is a {} file, but was read as {}", word,
                             word_of(kBasketFormatWords, reading.format.value_or(BasketFormat::long_table)));
  }
  return make_error(
      original.error().code,
      "{}; or the release is read in another way than the original was: by another format, delimiter or "
      "encoding",
      original.error().message);
}

Result<std::string> in_original_order(std::string_view released, std::string_view marks,
                                      const BasketReading& reading) {
  GAUZE_TRY(internal::Marks key, key_of(released, marks));
  GAUZE_TRY(internal::DecodedText decoded, internal::decode_text(std::string(released), reading.encoding));
  GAUZE_TRY(decoded.text, unshuffled(decoded.text, key, reading_of_text(reading)));
  return internal::encode_text(decoded);
}

bool reads_back_by_itself(std::string_view released, const BasketReading& reading) {
  const auto found_out = internal::decode_text(std::string(released), std::nullopt);
  const auto told = internal::decode_text(std::string(released), reading.encoding);
  if (!found_out || !told || found_out->text != told->text) return false;
  const std::string_view text = found_out->text;
  const bool has_columns = reading.transaction || reading.item;
  if (!reading.format && !has_columns && !reading.delimiter) return true;
  const BasketFormat format = reading.format.value_or(BasketFormat::long_table);
  if (find_basket_format(text, std::nullopt) != format) return false;
  if (format == BasketFormat::dat) return true;
  if (format == BasketFormat::csv) return reading.delimiter.value_or(',') == ',';
  // Delimiter and columns follow from the header alone.
  std::size_t begin = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  while (begin < text.size() && text[begin] == '#') begin = std::min(text.find('\n', begin), text.size() - 1) + 1;
  const std::string_view header = text.substr(begin, text.find('\n', begin) - begin);
  const auto found = BasketFile::parse(std::string(header), format);
  if (!found || (reading.delimiter && found->delimiter() != *reading.delimiter)) return false;
  return (!reading.transaction || found->reading().transaction == reading.transaction) &&
         (!reading.item || found->reading().item == reading.item);
}

}  // namespace gauze::patterns
