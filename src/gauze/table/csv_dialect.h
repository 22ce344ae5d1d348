#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/table/csv_reader.h"
#include "gauze/table/decimal_sign.h"
#include "gauze/table/missing_tokens.h"

namespace gauze::table {

/// What is known beforehand; the rest is found out.
struct SniffOptions {
  std::optional<char> delimiter = {};
  std::optional<char> quote = {};  ///< '\0': nothing is quoted
  std::optional<bool> header = {};
  std::optional<DecimalSign> decimal = {};
};

/// A delimiter or quote as people write it: one ASCII character, `tab` or `\t`. `what` is its name in messages.
[[nodiscard]] Result<char> parse_mark(std::string_view text, std::string_view what);

/// How a CSV file is to be read.
struct SniffedCsv {
  CsvDialect dialect = {};
  bool header = true;
  DecimalSign decimal = DecimalSign::point;
  std::vector<std::string> first_record = {};  ///< without blanks around its cells; the names, if there is a header
};

/// Finds out how a CSV text is written, from its beginning: at most 1000 records of it are looked at, and the answer
/// depends on nothing else. `whole` says that the text does not go on.
///
/// Delimiter : of comma, semicolon, tab, bar and space the one that cuts the records into equally many cells, at least
///             two. Of several: semicolon when the commas are decimal commas, else more cells before fewer, then in
///             the order tab, semicolon, comma, bar. A space only when nothing else will do. If the records do not agree, the one the
///             first record has, so that reading refuses the odd line instead of taking lines for single cells.
/// Quote     : ", or ' if no " occurs and a whole column is quoted with it. Quotes that do not fit are never taken for
///             letters: lines of a cell whose quote was lost would become rows of their own. Reading refuses them.
/// Header    : a first line is data when it holds a token for "missing", or when more of its cells look like data than
///             like names: a cell is data if it occurs again in its column, or is a number or date as its column is; it
///             is a name if it is text above numbers or dates. If nothing shows (all text), the line is a header,
///             unless the same cell stands in it twice.
/// Decimal   : the sign that more numbers show; where all of them may be read either way (1,234), the comma beside a semicolon.
///
/// Fails with `bad_data` when there is no record.
[[nodiscard]] Result<SniffedCsv> sniff_csv(std::string_view beginning, bool whole, const SniffOptions& options,
                                           const MissingTokens& tokens, const std::string& name);

}  // namespace gauze::table
