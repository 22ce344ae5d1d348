#include "gauze/engines/internal/declared_csv.h"

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>

#include "gauze/base/did_you_mean.h"
#include "gauze/base/utf8.h"
#include "gauze/table/csv_dialect.h"

namespace gauze::engines {
namespace {

using table::CsvReader;
using table::DeclaredColumn;

constexpr std::size_t kLongestHeader = std::size_t{1} << 20;

/// The cells of a line of names, or nothing when a quote stays open in it.
std::optional<std::vector<std::string>> cells_of(const std::string& line, const table::CsvDialect& dialect) {
  TextSource source(line);
  CsvReader reader(source, dialect, "", table::TotalRules{});
  std::vector<std::string_view> cells;
  const auto found = reader.next(cells);
  if (!found || !*found) return std::nullopt;
  std::vector<std::string> names;
  for (const std::string_view cell : cells) names.emplace_back(trimmed(cell));
  return names;
}

/// The place of each declared column among the names.
Result<std::vector<std::size_t>> places_in(const std::vector<std::string>& names,
                                           const std::vector<DeclaredColumn>& columns, const std::string& file) {
  std::vector<std::size_t> places;
  for (const DeclaredColumn& column : columns) {
    const auto found = std::find(names.begin(), names.end(), column.name);
    if (found == names.end())
      return make_error(ErrorCode::unknown_column, "{} has no column '{}'{}", file, column.name,
                        did_you_mean(column.name, names));
    places.push_back(static_cast<std::size_t>(found - names.begin()));
  }
  // Also where nobody asks for them: which of the two is meant, each reader of the file decides for itself.
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names)
    if (!name.empty() && !seen.insert(name).second)
      return make_error(ErrorCode::bad_data, "{} has two columns '{}'; give names to all columns", file, name);
  return places;
}

/// "column3" is the third column of a file without names.
std::optional<std::size_t> place_of_number(std::string_view name) {
  constexpr std::string_view kPrefix = "column";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  if (name.empty() || name.size() > 6 || name[0] == '0') return std::nullopt;
  std::size_t number = 0;
  for (const char c : name) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + static_cast<std::size_t>(c - '0');
  }
  return number - 1;
}

Result<char> quote_of(const table::ReadOptions& options) {
  if (!options.quote) return '"';
  if (options.quote->empty()) return '\0';
  return table::parse_mark(*options.quote, "quote");
}

}  // namespace

Result<DeclaredCsv> DeclaredCsv::open(InputFile file, const std::vector<DeclaredColumn>& columns,
                                      const table::ReadOptions& options) {
  DeclaredCsv csv(std::move(file));
  GAUZE_TRY(csv.dialect_.quote, quote_of(options));
  if (options.delimiter) {
    GAUZE_TRY(csv.dialect_.delimiter, table::parse_mark(*options.delimiter, "delimiter"));
    if (csv.dialect_.delimiter == csv.dialect_.quote)
      return invalid_parameter("delimiter and quote must differ, but both are '{}'", *options.delimiter);
  }
  csv.header_ = options.header.value_or(options.names.empty());
  if (csv.header_) {
    GAUZE_TRY_VOID(csv.find_in_header(columns, options));
    return csv;
  }
  if (!options.delimiter)
    return asking_for(
        "delimiter",
        invalid_parameter(
            "{} has no line of names, so only its rows could tell what separates its cells: name the delimiter, "
            "as `input: {{delimiter: \",\"}}` in the policy does",
            csv.file_.name()));
  GAUZE_TRY_VOID(csv.find_in_names(columns, options.names));
  return csv;
}

Result<void> DeclaredCsv::find_in_names(const std::vector<DeclaredColumn>& columns,
                                        const std::vector<std::string>& names) {
  if (!names.empty()) {
    rules_.blank_lines_are_rows = names.size() == 1;
    GAUZE_TRY(places_, places_in(names, columns, "the list of names"));
    return {};
  }
  for (const DeclaredColumn& column : columns) {
    const auto place = place_of_number(column.name);
    if (!place)
      return make_error(ErrorCode::unknown_column,
                        "{} has no line of names, and '{}' is no number of a column, such as column1: give the names",
                        file_.name(), column.name);
    places_.push_back(*place);
  }
  return {};
}

Result<std::string> DeclaredCsv::read_header() {
  GAUZE_TRY(std::string line, file_.first_line(kLongestHeader));
  if (line.empty()) return make_error(ErrorCode::bad_data, "{}: the file is empty", file_.name());
  if (line.ends_with('\r')) rules_.line_end = '\r';
  while (line.ends_with('\n') || line.ends_with('\r')) line.pop_back();
  return line;
}

Result<void> DeclaredCsv::find_in_header(const std::vector<DeclaredColumn>& columns,
                                         const table::ReadOptions& options) {
  GAUZE_TRY(const std::string line, read_header());
  if (find_invalid_utf8(line))
    return asking_for(
        "encoding",
        make_error(ErrorCode::bad_data,
                   "{}: the line of names is not {}; name the encoding, as `input: {{encoding: ...}}` in the policy "
                   "does",
                   file_.name(), options.encoding.value_or("UTF-8")));
  const std::string candidates = options.delimiter ? std::string(1, dialect_.delimiter) : ",;\t| ";
  std::optional<Error> refusal;
  std::size_t most = 0;
  for (const char candidate : candidates) {
    if (candidate == dialect_.quote) continue;
    table::CsvDialect dialect{.delimiter = candidate, .quote = dialect_.quote};
    const auto cells = cells_of(line, dialect);
    if (!cells) continue;
    if (!options.names.empty()) {
      if (cells->size() != options.names.size()) continue;
      dialect_ = dialect;
      return find_in_names(columns, options.names);
    }
    auto places = places_in(*cells, columns, file_.name());
    if (places) {
      rules_.blank_lines_are_rows = cells->size() == 1;
      places_ = std::move(*places);
      dialect_ = dialect;
      return {};
    }
    // The delimiter that divides most is the one people mean: what it lacks is what they want to know.
    if (cells->size() > most) refusal = places.error();
    most = std::max(most, cells->size());
  }
  if (refusal) return tl::unexpected<Error>(*refusal);
  if (!options.names.empty())
    return invalid_parameter("{} names are given, but no delimiter divides the first line of {} into so many cells",
                             options.names.size(), file_.name());
  return make_error(ErrorCode::bad_data, "{}: a quote is opened in the line of names and not closed in it",
                    file_.name());
}

Result<void> DeclaredCsv::read(table::RowSink& rows, const Progress& progress, const ByteWitness& witness) const {
  GAUZE_TRY(const auto source, file_.text(witness));
  CsvReader reader(*source, dialect_, file_.name(), rules_);
  std::vector<std::string_view> record;
  std::vector<std::string_view> cells(places_.size());
  constexpr std::uint64_t kRowsBetweenChecks = 1U << 14;
  bool skip = header_;
  for (std::uint64_t row = 0;; ++row) {
    auto more = reader.next(record);
    if (!more && reader.fault() == table::CsvFault::open_quote)
      return make_error(ErrorCode::bad_data, "{}: a quote is opened and never closed", file_.name());
    if (!more) return tl::unexpected<Error>(std::move(more.error()));
    if (!*more) return {};
    if (skip) {  // blank lines before the line of names are nothing
      skip = !reader.is_oversized() && record.size() == 1 && !reader.is_quoted(0) && trimmed(record.front()).empty();
      continue;
    }
    if (reader.is_oversized()) {
      rows.add_unreadable();
      continue;
    }
    for (std::size_t i = 0; i < cells.size(); ++i)
      cells[i] = places_[i] < record.size() ? record[places_[i]] : std::string_view();
    rows.add(cells);
    if (row % kRowsBetweenChecks == 0) GAUZE_TRY_VOID(progress.check());
  }
}

}  // namespace gauze::engines
