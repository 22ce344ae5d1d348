// Any bytes are rows of CSV and of JSON lines: nothing fails but a quote that is never closed, a record more is a row more,
// and where blocks end makes no difference.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/engines/internal/flat_json.h"
#include "gauze/table/csv_reader.h"

namespace {

using namespace gauze;

struct Read {
  std::vector<std::vector<std::string>> rows;
  bool open_quote = false;
  friend bool operator==(const Read&, const Read&) = default;
};

Read read(std::string_view text, const table::CsvDialect& dialect, std::size_t block) {
  TextSource source(text);
  table::CsvReader reader(source, dialect, "input", table::TotalRules{.line_end = '\n', .longest_record = 60}, block);
  Read result;
  std::vector<std::string_view> cells;
  for (;;) {
    const auto more = reader.next(cells);
    if (!more) {
      if (reader.fault() != table::CsvFault::open_quote) std::abort();
      result.open_quote = true;
      return result;
    }
    if (!*more) return result;
    if (reader.is_oversized() != cells.empty()) std::abort();
    result.rows.emplace_back(cells.begin(), cells.end());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  const table::CsvDialect dialect{.delimiter = data[0] % 2 == 0 ? ',' : ' ', .quote = data[0] % 3 == 0 ? '\0' : '"'};
  const Read whole = read(text, dialect, std::size_t{1} << 16);
  if (whole != read(text, dialect, 1 + data[0] % 32)) std::abort();
  if (!whole.open_quote) {
    const Read more = read(std::string(text) + "\none,more\n", dialect, std::size_t{1} << 16);
    if (more.rows.size() != whole.rows.size() + 1) std::abort();
  }
  engines::FlatJsonParser parser;
  std::size_t told = 0;
  static_cast<void>(parser.parse(text, [&](const engines::FlatJsonMember& member) {
    told += member.key.size() + member.cell().size();
    if (told > 16 * size + 16) std::abort();
  }));
  return 0;
}
