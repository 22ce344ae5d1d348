// Any bytes have an encoding or none, a dialect or an error; what a dialect reads, written anew, reads back the same.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/table/csv_dialect.h"
#include "gauze/table/csv_text.h"
#include "gauze/table/encoding.h"

namespace {

using namespace gauze::table;
using Records = std::vector<std::vector<std::string>>;

std::string decoded(std::string_view bytes, Encoding encoding, bool& good) {
  gauze::TextSource source(bytes);
  const auto decoder = decode(source, encoding, "x");
  if (!decoder) std::abort();
  std::string text;
  char block[64];
  for (;;) {
    const auto got = (*decoder)->read(block);
    good = got.has_value();
    if (!got || *got == 0) return text;
    text.append(block, *got);
  }
}

/// All records, or what came before an error.
Records read(std::string_view text, const CsvDialect& dialect, bool& good) {
  gauze::TextSource source(text);
  CsvReader reader(source, dialect, "x");
  Records records;
  std::vector<std::string_view> cells;
  for (;;) {
    const auto more = reader.next(cells);
    good = more.has_value();
    if (!more || !*more) return records;
    records.emplace_back(cells.begin(), cells.end());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto encoding = sniff_encoding(bytes);
  if (!encoding) return 0;
  bool good = false;
  const std::string text = decoded(bytes, *encoding, good);
  if (!good) return 0;
  for (const bool whole : {true, false}) {
    const auto sniffed = sniff_csv(text, whole, {}, MissingTokens{}, "x");
    if (!sniffed) continue;
    if (sniffed->first_record.empty()) std::abort();
    const Records records = read(text, sniffed->dialect, good);
    if (!good) continue;
    std::string again;
    for (const auto& record : records) append_csv_line(again, record, ',');
    if (read(again, {',', '"'}, good) != records || !good) std::abort();
  }
  return 0;
}
