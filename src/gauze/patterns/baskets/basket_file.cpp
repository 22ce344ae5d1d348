#include "gauze/patterns/baskets/basket_file.h"

#include <algorithm>

#include "gauze/files/atomic_file.h"
#include "gauze/files/unpacking.h"
#include "gauze/patterns/baskets/internal/basket_parser.h"
#include "gauze/patterns/baskets/internal/text_encoding.h"

namespace gauze::patterns {
namespace {

constexpr std::size_t kMostBytes = std::size_t{8} << 30;

}  // namespace

Result<BasketFile> BasketFile::parse(std::string packed, const BasketReading& reading) {
  GAUZE_TRY(std::string bytes, unpacked_bytes(std::move(packed), "the file", kMostBytes));
  GAUZE_TRY(internal::DecodedText decoded, internal::decode_text(std::move(bytes), reading.encoding));
  BasketFile file;
  file.encoding_ = decoded.encoding;
  file.utf16_mark_ = decoded.byte_order_mark;
  file.encodes_back_ = decoded.encodes_back;
  file.bytes_ = std::move(decoded.text);
  file.reading_.encoding = reading.encoding;
  if (!reading.encoding && decoded.encoding != table::Encoding::utf8)
    file.reading_.encoding = std::string(to_string(decoded.encoding));
  BasketParser parser(file);
  GAUZE_TRY_VOID(parser.run(reading));
  return file;
}

Result<BasketFile> BasketFile::read(const std::string& path, const BasketReading& reading) {
  GAUZE_TRY(std::string bytes, read_file(path, kMostBytes));
  auto file = parse(std::move(bytes), reading);
  if (!file) return make_error(file.error().code, "{}: {}", path, file.error().message);
  return file;
}

Result<std::string> BasketFile::encoded(std::string text) const {
  return internal::encode_text({std::move(text), encoding_, utf16_mark_});
}

BasketFile BasketFile::without_bytes(Database database, const BasketNotes& notes) {
  BasketFile file;
  file.database_ = std::move(database);
  file.notes_ = notes;
  file.reading_.format = BasketFormat::long_table;
  file.has_bytes_ = false;
  return file;
}

std::size_t BasketFile::end_of_line(std::size_t begin) const {
  std::size_t end = std::min(bytes_.find('\n', begin), bytes_.size());
  if (end > begin && bytes_[end - 1] == '\r') --end;
  return end;
}

std::pair<std::size_t, std::size_t> BasketFile::line(std::size_t row) const {
  GAUZE_CHECK(has_bytes_);
  const std::size_t begin = lines_[format() == BasketFormat::long_table ? line_starts_[row] : row];
  return {begin, end_of_line(begin)};
}

std::vector<BasketCell> BasketFile::cells(std::size_t row) const {
  GAUZE_CHECK(has_bytes_);
  const bool is_long = format() == BasketFormat::long_table;
  const bool is_matrix = format() == BasketFormat::matrix;
  const std::size_t first = is_long ? line_starts_[row] : row;
  const std::size_t last = is_long ? line_starts_[row + 1] : row + 1;
  std::vector<BasketCell> result;
  for (std::size_t line = first; line < last; ++line) {
    const std::size_t begin = lines_[line];
    const std::size_t end = end_of_line(begin);
    internal::CellReader reader(bytes_, begin, end, cell_rules(format(), delimiter_));
    for (std::size_t column = 0; reader.next() == internal::CellReader::Step::cell; ++column) {
      if (is_long && column != item_column_) continue;
      std::string_view name = reader.name();
      BasketCell cell{reader.begin(), reader.end(), begin, end, BasketCell::Kind::none, ""};
      if (is_matrix) {
        if (column >= database_.names.size()) break;  // a blank line
        cell.kind = name == "1"   ? BasketCell::Kind::item
                    : name == "?" ? BasketCell::Kind::mark
                                  : BasketCell::Kind::none;
        if (name.empty()) continue;
        cell.name = database_.names[column];
      } else {
        cell.kind = internal::kind_of(name, reader.quoted());
        if (cell.kind == BasketCell::Kind::none && !is_long) continue;
        cell.name = std::string(name);
      }
      result.push_back(std::move(cell));
    }
  }
  return result;
}

}  // namespace gauze::patterns
