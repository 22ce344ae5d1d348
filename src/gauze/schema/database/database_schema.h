#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/rational.h"
#include "gauze/base/words.h"
#include "gauze/label/label.h"
#include "gauze/table/read_options.h"

namespace gauze::schema {

/// What the values of a column are. Integers have 64 bits, decimals at most 18 digits of which `scale` lie behind the point,
/// timestamps are in UTC.
enum class DeclaredType { integer, decimal, real, boolean, date, timestamp, text };
inline constexpr Words<DeclaredType, 7> kDeclaredTypeWords = {{{DeclaredType::integer, "integer"},
                                                               {DeclaredType::decimal, "decimal"},
                                                               {DeclaredType::real, "real"},
                                                               {DeclaredType::boolean, "boolean"},
                                                               {DeclaredType::date, "date"},
                                                               {DeclaredType::timestamp, "timestamp"},
                                                               {DeclaredType::text, "text"}}};
[[nodiscard]] bool is_number(DeclaredType type);

/// Both ends belong to it. Dates are days, timestamps microseconds, since the beginning of 1970.
struct ValueRange {
  Rational low = 0;
  Rational high = 0;
  friend bool operator==(const ValueRange&, const ValueRange&) = default;
};

/// A column of a private or public table as queries see it. Nothing in it is read from the data.
struct ColumnSchema {
  std::string name = {};
  DeclaredType type = DeclaredType::text;
  int scale = 0;                            ///< of a decimal: digits behind the point
  std::optional<ValueRange> bounds = {};    ///< values beyond are taken to the bound
  std::vector<std::string> values = {};     ///< the public domain, written as their type is; empty: none is given
  std::optional<std::string> other = {};    ///< what a text outside `values` becomes; none: NULL
  bool nullable = true;                     ///< false: rows without a value are left out
  std::optional<ValueRange> per_unit = {};  ///< SUM is clipped to it per unit and group
  std::vector<Rational> bins = {};          ///< edges, rising; empty: none are given
  friend bool operator==(const ColumnSchema&, const ColumnSchema&) = default;
};

/// How a row of a private table finds its unit: its own column holds the unit's key, or the key of a row of another table,
/// whose unit is then this row's.
struct UnitPath {
  std::string column = {};
  std::string table = {};  ///< empty: the column holds the unit's key itself
  std::string key = {};    ///< of that table
  friend bool operator==(const UnitPath&, const UnitPath&) = default;
};

struct TableSchema {
  std::string name = {};
  std::string source = {};  ///< a file or a pattern for files as this process can open it, or a URI
  table::ReadOptions input = {};
  bool is_public = false;
  std::vector<std::string> key = {};  ///< of a public table; empty: none is declared
  std::optional<UnitPath> unit = {};  ///< of a private table, unless the unit is a row
  std::vector<ColumnSchema> columns = {};

  [[nodiscard]] const ColumnSchema* find(std::string_view column) const;
};

/// Whom the guarantee protects: a row of the one private table, or all rows that lead to one key.
struct PrivacyUnit {
  bool is_row = false;
  std::string name = {};   ///< "one customer"; "one row"
  std::string table = {};  ///< of the units, empty for rows
  std::string key = {};
  friend bool operator==(const PrivacyUnit&, const PrivacyUnit&) = default;
};

/// What one unit can touch of an answer.
struct ContributionLimits {
  std::uint64_t groups = 1;
  std::uint64_t rows = 1;  ///< in each group
  friend bool operator==(const ContributionLimits&, const ContributionLimits&) = default;
};

/// Where choices came from. `values` from the data are refused; bounds and limits from it go into labels.
struct SchemaProvenance {
  Provenance bounds = Provenance::data;
  Provenance values = Provenance::data;
  Provenance limits = Provenance::data;
  friend bool operator==(const SchemaProvenance&, const SchemaProvenance&) = default;
};

/// What a data steward says about several tables before anybody may query them: whom the guarantee protects, and what is
/// public.
///
/// Sources are as this process can open them: those of a file are joined with its folder when it is read.
struct DatabaseSchema {
  static constexpr std::uint64_t kLargestLimit = 1'000'000;
  static constexpr std::size_t kMostValues = 1'000'000;

  PrivacyUnit unit = {};
  ContributionLimits limits = {};  ///< 1 and 1 for rows
  std::uint64_t min_group = 1;
  std::vector<TableSchema> tables = {};  ///< in the order of the file, no name twice
  SchemaProvenance provenance = {};
  std::string text = {};  ///< the bytes it was read from; no part of what it says

  [[nodiscard]] const TableSchema* find(std::string_view table) const;
};

/// Reads the YAML of version 1. Strict: unknown and duplicate keys, wrong types and words, empty ranges, paths that end nowhere
/// or go in circles, a private table without a path, are `invalid_parameter` with "name:line: "; listed values that are not
/// said to be public are `not_private`. Total: any bytes give a schema or an error. Reads no other file.
[[nodiscard]] Result<DatabaseSchema> parse_database_schema(std::string_view text, std::string_view name = "schema",
                                                           const std::filesystem::path& folder = {});
[[nodiscard]] Result<DatabaseSchema> read_database_schema(const std::filesystem::path& path);

}  // namespace gauze::schema
