#include "gauze/query/check/schema_draft.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "gauze/base/ascii.h"
#include "gauze/base/joined.h"
#include "gauze/engines/open_source.h"
#include "gauze/files/yaml_reader.h"
#include "gauze/schema/database/value_text.h"

namespace gauze::query {
namespace {

using schema::DeclaredType;
using table::ColumnType;
using table::StoredType;

/// Of a column whose cells are text.
DeclaredType type_of_cells(ColumnType type) {
  switch (type) {
    case ColumnType::integer:
      return DeclaredType::integer;
    case ColumnType::number:
      return DeclaredType::real;
    case ColumnType::date:
      return DeclaredType::date;
    case ColumnType::boolean:
      return DeclaredType::boolean;
    case ColumnType::text:
      return DeclaredType::text;
  }
  return DeclaredType::text;
}

DeclaredType type_of_stored(StoredType type) {
  switch (type) {
    case StoredType::integer:
    case StoredType::wide_integer:
      return DeclaredType::integer;
    case StoredType::decimal:
    case StoredType::real:
      return DeclaredType::real;
    case StoredType::boolean:
      return DeclaredType::boolean;
    case StoredType::date:
      return DeclaredType::date;
    case StoredType::timestamp:
      return DeclaredType::timestamp;
    case StoredType::text:
    case StoredType::time:
    case StoredType::other:
      return DeclaredType::text;
  }
  return DeclaredType::text;
}

/// Whether a line of names has one that is a number or a date: then it is a row.
bool looks_like_a_row(const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [](const std::string& name) {
    return schema::parse_value(name, DeclaredType::real, 0) || schema::parse_instant(name);
  });
}

/// Whether all names are those that a file without names gets.
bool are_made_up(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] != fmt::format("column{}", i + 1)) return false;
  return true;
}

std::string list_of(const std::vector<std::string>& texts) {
  std::vector<std::string> scalars;
  for (const std::string& text : texts) scalars.push_back(yaml_scalar(text));
  return '[' + joined(scalars) + ']';
}

/// What queries would not take for granted of a CSV file.
void describe_input(const engines::OpenedSource& opened, const table::ReadOptions& options, DraftTable& table) {
  const std::vector<std::string>& names = opened.source->columns();
  const bool has_header = options.header.value_or(options.names.empty() && !are_made_up(names));
  // Without a line of names nothing else tells how it is divided.
  if (opened.form.delimiter != "," || !has_header)
    table.input.emplace_back("delimiter", yaml_scalar(opened.form.delimiter));
  if (options.quote) table.input.emplace_back("quote", options.quote->empty() ? "none" : yaml_scalar(*options.quote));
  if (!has_header) table.input.emplace_back("header", "false");
  if (!has_header || !options.names.empty()) table.input.emplace_back("names", list_of(names));
  if (!options.null_tokens.empty()) table.input.emplace_back("null", list_of(options.null_tokens));
  using table::Encoding;
  const Encoding encoding = opened.form.encoding;
  if (encoding == Encoding::utf16le || encoding == Encoding::utf16be)
    table.input.emplace_back("encoding", "utf-16");
  else if (encoding == Encoding::gb18030)
    table.input.emplace_back("encoding", "gb18030");
  else if (encoding == Encoding::latin1)
    table.input.emplace_back("encoding", "latin-1");
  if (opened.form.decimal == table::DecimalSign::comma) table.input.emplace_back("decimal", "\",\"");
}

/// What the steward may add to a column of this type.
std::string_view open_choices(DeclaredType type) {
  switch (type) {
    case DeclaredType::integer:
      return "bounds: [LOWEST, HIGHEST], or values: [...]";
    case DeclaredType::real:
    case DeclaredType::decimal:
      return "bounds: [LOWEST, HIGHEST]; money is better {type: decimal, scale: DIGITS}";
    case DeclaredType::date:
    case DeclaredType::timestamp:
      return "bounds: [FIRST, LAST]";
    case DeclaredType::boolean:
      return "nothing to fill in";
    case DeclaredType::text:
      return "values: [...], other: TEXT";
  }
  return {};
}

std::string table_text(const DraftTable& table, bool is_alone, const std::vector<std::string>& shared) {
  std::string text = fmt::format("  {}:\n    source: {}\n", yaml_scalar(table.name), yaml_scalar(table.source));
  if (!table.input.empty()) {
    std::vector<std::string> parts;
    for (const auto& [key, value] : table.input) parts.push_back(key + ": " + value);
    text += fmt::format("    input: {{{}}}\n", joined(parts));
  }
  if (!is_alone) {
    const auto known = std::find_if(shared.begin(), shared.end(), [&](const std::string& name) {
      return std::any_of(table.columns.begin(), table.columns.end(),
                         [&](const DraftColumn& column) { return column.name == name; });
    });
    const std::string guess = known == shared.end() ? "COLUMN" : yaml_scalar(*known);
    text += fmt::format(
        "    # unit: {{column: {0}}}    # the unit's key; or a path: {{column: {0}, table: TABLE, key: COLUMN}}\n"
        "    # public: true    # instead of unit, if nothing in it is private; with key: [COLUMN] where that is unique\n",
        guess);
  }
  text += "    columns:\n";
  for (const DraftColumn& column : table.columns) {
    const std::string line =
        fmt::format("{}: {{type: {}}}", yaml_scalar(column.name), word_of(schema::kDeclaredTypeWords, column.type));
    text += fmt::format("      {}    # {}\n", line, open_choices(column.type));
  }
  return text;
}

/// The names of columns that several tables have, with these tables.
std::map<std::string, std::vector<std::string>> shared_columns(const std::vector<DraftTable>& tables) {
  std::map<std::string, std::vector<std::string>> places;
  for (const DraftTable& table : tables)
    for (const DraftColumn& column : table.columns) places[column.name].push_back(table.name);
  std::erase_if(places, [](const auto& place) { return place.second.size() < 2; });
  return places;
}

}  // namespace

std::string table_name_of(const std::string& file) {
  std::string name = file;
  const bool is_uri = file.find("://") != std::string::npos;
  if (const auto table = file.rfind("table="); is_uri && table != std::string::npos)
    name = file.substr(table + 6, file.find('&', table) - table - 6);
  else
    name = std::filesystem::path(file).filename().string();
  name = is_uri ? name.substr(name.rfind('.') + 1) : name.substr(0, name.find('.', 1));
  for (char& c : name)
    if (static_cast<unsigned char>(c) < 0x80 && std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  while (name.ends_with('_')) name.pop_back();
  name.erase(0, name.find_first_not_of('_'));
  if (name.empty()) return "data";
  return is_digit(name.front()) ? "t_" + name : name;
}

Result<DraftTable> draft_table(const std::string& file, const table::ReadOptions& options, Progress& progress,
                               const engines::EngineOptions& engine) {
  if (file == "-") return invalid_parameter("a schema names the files of its tables: the standard input has no name");
  GAUZE_TRY(const engines::OpenedSource opened, engines::open_source(file, options, engine));
  table::Source& source = *opened.source;
  DraftTable draft{.name = table_name_of(file), .source = file};
  const bool is_csv = opened.format == table::FileFormat::csv;
  if (is_csv && options.names.empty() && options.header.value_or(true) && looks_like_a_row(source.columns()))
    return asking_for("names",
                      invalid_parameter("{}: the first line has a number or a date among its names, as a row would; "
                                        "give the names, or say that there is no line of names",
                                        file));
  if (is_csv) describe_input(opened, options, draft);
  std::vector<std::size_t> texts;
  for (std::size_t i = 0; i < source.schema().size(); ++i) {
    const table::Source::Column& column = source.schema()[i];
    draft.columns.push_back({.name = column.name, .type = type_of_stored(column.type)});
    if (column.type == StoredType::text) texts.push_back(i);
  }
  if (opened.format == table::FileFormat::parquet || texts.empty()) return draft;
  GAUZE_TRY(const auto summaries, source.summarise(texts, 0, progress));
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (summaries[i].missing == 0 || summaries[i].distinct > 0)
      draft.columns[texts[i]].type = type_of_cells(summaries[i].type);
  return draft;
}

void give_different_names(std::vector<DraftTable>& tables) {
  std::set<std::string> taken;
  for (DraftTable& table : tables) {
    const std::string name = table.name;
    for (int number = 2; !taken.insert(table.name).second; ++number) table.name = fmt::format("{}_{}", name, number);
  }
}

std::string draft_schema(const std::vector<DraftTable>& tables) {
  const bool is_alone = tables.size() == 1;
  const auto shared = shared_columns(tables);
  std::string text =
      "# A first schema, from names and types alone: nothing in it was read from the values of the data.\n"
      "# Fill in what is open from public knowledge, not from the data, and leave out columns that nobody may ask about.\n"
      "# docs/formats/schema.md says what everything means; `gauze schema check` compares the result with the data.\n"
      "version: 1\n";
  if (is_alone) {
    text +=
        "# One row is the unit here: right only if nobody has two rows. Otherwise name the column that holds the person's key,\n"
        "# give the table unit: {column: COLUMN}, and say how much of an answer one person can touch:\n"
        "# unit: {name: one PERSON, table: TABLE, key: COLUMN}\n"
        "# limits: {groups: GROUPS, rows: ROWS}\n"
        "unit: row\n";
  } else {
    text += "unit:      # whom the guarantee protects: {name: one PERSON, table: TABLE, key: COLUMN}\n";
    for (const auto& [column, places] : shared)
      text += fmt::format("#   {} is a column of {}: is it the unit's key, or a path to it?\n", yaml_scalar(column),
                          enumerated(places));
    text +=
        "limits:    # of an answer, what one unit can touch: {groups: GROUPS, rows: ROWS}, rows being those in each group\n";
  }
  text +=
      "# provenance: {bounds: public, values: public, limits: public}    # if they are public knowledge; values must be\n"
      "tables:\n";
  std::vector<std::string> names;
  // The column that most tables have comes first: it is the likeliest way to the unit.
  for (const auto& [column, places] : shared) names.push_back(column);
  std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return shared.at(a).size() > shared.at(b).size();
  });
  for (const DraftTable& table : tables) text += table_text(table, is_alone, names);
  return text;
}

}  // namespace gauze::query
