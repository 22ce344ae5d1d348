#include "gauze/table/csv_dialect.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_set>

#include "gauze/base/utf8.h"
#include "gauze/table/column_type.h"

namespace gauze::table {
namespace {

constexpr std::size_t kMaxRecords = 1000;
constexpr std::array<char, 5> kDelimiters = {'\t', ';', ',', '|', ' '};

using Records = std::vector<std::vector<std::string>>;

/// The first records as a dialect cuts them, without blanks around the cells.
struct Sample {
  Records records;
  bool sound = true;          ///< no quote stands where none can stand
  bool stray_quotes = false;  ///< some quote is a letter of a cell
};

Sample read_sample(std::string_view beginning, bool whole, const CsvDialect& dialect) {
  Sample sample;
  TextSource source(beginning);
  CsvReader reader(source, dialect, "", std::min<std::size_t>(beginning.size() + 1, 1U << 16));
  std::vector<std::string_view> cells;
  bool cut = !whole;
  while (sample.records.size() < kMaxRecords) {
    const auto more = reader.next(cells);
    if (!more) {
      sample.sound = !whole && reader.fault() == CsvFault::open_quote;
      break;
    }
    if (!*more) break;
    auto& record = sample.records.emplace_back();
    for (const auto cell : cells) record.emplace_back(trimmed(cell));
    if (sample.records.size() == kMaxRecords) cut = false;
  }
  sample.stray_quotes = reader.traits().stray_quotes;
  if (cut && sample.records.size() > 1) sample.records.pop_back();  // the beginning may end inside it
  return sample;
}

/// How well a delimiter cuts the records.
struct Candidate {
  CsvDialect dialect;
  Sample sample;
  std::size_t cells = 1;  ///< that most records have
  std::size_t agree = 0;  ///< how many have so many
  [[nodiscard]] bool all_agree() const { return agree == sample.records.size(); }
};

Candidate try_dialect(std::string_view beginning, bool whole, const CsvDialect& dialect) {
  Candidate candidate{.dialect = dialect, .sample = read_sample(beginning, whole, dialect)};
  std::map<std::size_t, std::size_t> sizes;
  for (const auto& record : candidate.sample.records) ++sizes[record.size()];
  for (const auto& [cells, records] : sizes) {
    if (records >= candidate.agree) candidate.cells = cells, candidate.agree = records;
  }
  return candidate;
}

/// Whether every comma inside the cells is that of a decimal number: 1,5.
bool commas_are_decimal(const Candidate& candidate) {
  bool any = false;
  for (const auto& record : candidate.sample.records) {
    for (std::string cell : record) {
      const auto comma = cell.find(',');
      if (comma == std::string::npos) continue;
      cell[comma] = '.';
      if (infer_type(cell) != ColumnType::number) return false;
      any = true;
    }
  }
  return any;
}

/// A space separates in tables of codes (three cells and more) or beside numbers; two words alone are one cell.
bool space_may_separate(const Candidate& candidate) {
  if (!candidate.all_agree()) return false;
  if (candidate.cells != 2) return candidate.cells > 2;
  for (std::size_t column = 0; column < 2; ++column) {
    TypeDetector detector;
    for (const auto& record : candidate.sample.records) detector.see(record[column]);
    if (detector.type() == ColumnType::integer || detector.type() == ColumnType::number) return true;
  }
  return false;
}

bool better(const Candidate& a, const Candidate& b) {
  if (a.sample.sound != b.sample.sound) return a.sample.sound;
  if (a.all_agree() != b.all_agree()) return a.all_agree();
  if (a.all_agree() && a.dialect.delimiter == ';' && b.dialect.delimiter == ',' && commas_are_decimal(a)) return true;
  if (a.all_agree() && b.dialect.delimiter == ';' && a.dialect.delimiter == ',' && commas_are_decimal(b))
    return false;
  if (!a.all_agree() && a.agree != b.agree) return a.agree > b.agree;
  return a.cells > b.cells;
}

/// Whether a delimiter is one that separates, rather than a letter that happens to occur.
bool separates(const Candidate& candidate) {
  if (candidate.sample.records.empty()) return false;
  if (candidate.dialect.delimiter == ' ') return space_may_separate(candidate);
  if (candidate.cells < 2 && candidate.sample.records.front().size() < 2) return false;
  if (candidate.sample.records.front().size() > 1) return true;
  return candidate.agree * 10 >= candidate.sample.records.size() * 9;
}

std::optional<Candidate> best_delimiter(std::string_view beginning, bool whole, char quote,
                                        std::optional<char> given) {
  if (given) return try_dialect(beginning, whole, {*given, quote});
  std::optional<Candidate> best;
  for (const char delimiter : kDelimiters) {
    if (delimiter == ' ' && best) break;
    Candidate candidate = try_dialect(beginning, whole, {delimiter, quote});
    if (separates(candidate) && (!best || better(candidate, *best))) best = std::move(candidate);
  }
  return best ? std::move(best) : try_dialect(beginning, whole, {'\0', quote});
}

/// Whether single quotes quote cells: they stand where quotes stand only, and there is a pair of them for each line
/// but the first.
bool single_quotes_fit(const Candidate& single, std::string_view beginning) {
  const std::size_t records = single.sample.records.size();
  if (!single.sample.sound || single.sample.stray_quotes || !single.all_agree() || records < 2) return false;
  return static_cast<std::size_t>(std::count(beginning.begin(), beginning.end(), '\'')) >= 2 * (records - 1);
}

Candidate choose_dialect(std::string_view beginning, bool whole, const SniffOptions& options) {
  const auto with_quote = [&](char quote) { return *best_delimiter(beginning, whole, quote, options.delimiter); };
  if (options.quote) return with_quote(*options.quote);
  Candidate usual = with_quote('"');
  const bool quotes_occur = beginning.find('"') != std::string_view::npos;
  if (!quotes_occur && beginning.find('\'') != std::string_view::npos) {
    if (Candidate single = with_quote('\''); single_quotes_fit(single, beginning)) return single;
  }
  return usual;
}

/// What the first cell of a column says: positive for a name, negative for data, 0 nothing.
int vote(const Records& records, std::size_t column, const MissingTokens& tokens, DecimalSign decimal) {
  const std::string& first = records.front()[column];
  TypeDetector below(decimal);
  bool any = false;
  for (std::size_t row = 1; row < records.size(); ++row) {
    const std::string& cell = records[row][column];
    if (cell == first) return -1;
    if (tokens.contains(cell)) continue;
    below.see(cell);
    any = true;
  }
  const ColumnType own = infer_type(first, decimal);
  const ColumnType type = below.type();
  if (!any || type == ColumnType::text) return 0;
  const auto numeric = [](ColumnType t) { return t == ColumnType::integer || t == ColumnType::number; };
  if (own == type || (numeric(own) && numeric(type))) return -1;
  return own == ColumnType::text ? 1 : 0;
}

bool has_header(const Records& records, std::size_t cells, const MissingTokens& tokens, DecimalSign decimal) {
  if (records.size() < 2) return true;
  const auto& first = records.front();
  // A name may have been forgotten, but nobody calls a column "?".
  const auto is_missing = [&](const auto& cell) { return !cell.empty() && tokens.contains(cell); };
  if (std::any_of(first.begin(), first.end(), is_missing)) return false;
  const std::unordered_set<std::string_view> different(first.begin(), first.end());
  Records same_size;
  for (const auto& record : records) {
    if (record.size() == first.size()) same_size.push_back(record);
  }
  int names = 0;
  int data = 0;
  for (std::size_t column = 0; column < std::min(cells, first.size()); ++column) {
    if (first[column].empty()) continue;
    const int said = vote(same_size, column, tokens, decimal);
    names += said > 0 ? 1 : 0;
    data += said < 0 ? 1 : 0;
  }
  if (names == 0 && data == 0) return different.size() == first.size();
  return names > data;
}

}  // namespace

Result<char> parse_mark(std::string_view text, std::string_view what) {
  if (text == "\\t" || text == "tab") return '\t';
  const bool usable = text.size() == 1 && static_cast<unsigned char>(text.front()) < 0x80 &&
                      text.find_first_of("\n\r") == std::string_view::npos && text.front() != '\0';
  if (!usable)
    return invalid_parameter("{} must be one ASCII character other than a line end, but is '{}'", what, text);
  return text.front();
}

namespace {

DecimalSign find_decimal(const Candidate& chosen) {
  DecimalEvidence evidence;
  for (const auto& record : chosen.sample.records)
    for (const std::string& cell : record) evidence.see(cell);
  return evidence.sign(chosen.dialect.delimiter == ';' ? DecimalSign::comma : DecimalSign::point);
}

}  // namespace

Result<SniffedCsv> sniff_csv(std::string_view beginning, bool whole, const SniffOptions& options,
                             const MissingTokens& tokens, const std::string& name) {
  const Candidate chosen = choose_dialect(beginning, whole, options);
  const auto& records = chosen.sample.records;
  if (records.empty()) {
    // Either there is nothing, or the very first record is unsound: reading it says how.
    TextSource source(beginning);
    CsvReader reader(source, chosen.dialect, name);
    std::vector<std::string_view> cells;
    GAUZE_TRY(const bool any, reader.next(cells));
    GAUZE_CHECK(!any);
    return make_error(ErrorCode::bad_data, "{}: the file is empty: there is neither a header nor a row in it", name);
  }
  SniffedCsv result{.dialect = chosen.dialect, .first_record = records.front()};
  result.decimal = options.decimal ? *options.decimal : find_decimal(chosen);
  result.header = options.header.value_or(has_header(records, chosen.cells, tokens, result.decimal));
  return result;
}

}  // namespace gauze::table
