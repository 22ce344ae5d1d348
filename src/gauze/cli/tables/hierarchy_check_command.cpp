#include <algorithm>
#include <filesystem>
#include <set>

#include "gauze/base/joined.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/flags/table_flags.h"
#include "gauze/cli/tables/hierarchy_flags.h"
#include "gauze/engines/open_source.h"
#include "gauze/label/printable_text.h"
#include "gauze/schema/cleaning/cleaned_source.h"
#include "gauze/schema/hierarchies/coverage.h"
#include "gauze/schema/policy/policy.h"

namespace gauze::cli {
namespace {

using namespace schema;  // the vocabulary of this file

/// How a hierarchy and a column fit together.
struct Finding {
  std::string column = {};
  std::string kind = {};                                // "csv", "intervals", ...
  std::size_t values = 0;                               // different values of the column
  std::vector<std::string> missing = {};                // values of the column that are not covered
  std::uint64_t missing_rows = 0;                       // rows that have one
  std::optional<std::vector<std::string>> unused = {};  // values it lists that do not occur, where it lists any
};

/// Fills in what is missing, from the codes of the column's dictionary.
void note_missing(const table::TupleCounts& found, const std::vector<std::uint32_t>& codes, Finding& finding) {
  const table::Dictionary& values = found.dictionaries.front();
  finding.values = values.values.size();
  for (const std::uint32_t code : codes) finding.missing.push_back(values.values[code]);
  const std::set<std::uint32_t> missing(codes.begin(), codes.end());
  for (std::size_t tuple = 0; tuple < found.size(); ++tuple)
    if (missing.contains(found.codes.front()[tuple])) finding.missing_rows += found.counts[tuple];
}

std::vector<std::string> unused_of(const std::vector<std::string>& listed, const table::Dictionary& values,
                                   const std::optional<std::string>& row_of_missing) {
  std::vector<std::string> unused;
  for (const std::string& value : listed)
    if (value != row_of_missing && !std::binary_search(values.values.begin(), values.values.end(), value))
      unused.push_back(value);
  return unused;
}

std::vector<std::string> ground_values(const Hierarchy& hierarchy) {
  std::vector<std::string> values;
  for (std::uint32_t row = 0; row < hierarchy.size(); ++row) values.push_back(hierarchy.text(0, row));
  return values;
}

/// A list of values. "Missing" needs no row, nor what lies outside the bounds of the column: they get one of their own.
Finding check_list(const Hierarchy& hierarchy, const std::string& column, const table::TupleCounts& found) {
  const table::Dictionary& values = found.dictionaries.front();
  Finding finding{.column = column, .kind = "csv"};
  std::vector<std::uint32_t> codes = coverage(hierarchy, values).missing_codes;
  std::erase_if(codes, [&](std::uint32_t code) { return code == values.missing || code == values.outside; });
  note_missing(found, codes, finding);
  std::optional<std::string> row_of_missing;
  if (const auto row = find_missing(hierarchy, values)) row_of_missing = hierarchy.text(0, *row);
  finding.unused = unused_of(ground_values(hierarchy), values, row_of_missing);
  return finding;
}

Result<Finding> check_rule(const HierarchySpec& spec, const std::string& column, const table::TupleCounts& found) {
  Finding finding{.column = column, .kind = std::string(kind_name(spec))};
  GAUZE_TRY(const Coverage covered, coverage(spec, column, found.dictionaries.front()));
  note_missing(found, covered.missing_codes, finding);
  if (const auto listed = listed_values(spec)) finding.unused = unused_of(*listed, found.dictionaries.front(), {});
  return finding;
}

Result<Finding> check_column(Invocation& invocation, table::Source& table, const PolicyColumn& column) {
  GAUZE_TRY(const table::TupleCounts found, count_values(table, column.name, invocation.progress()));
  if (const auto* csv = std::get_if<CsvSpec>(&*column.hierarchy)) {
    GAUZE_TRY(const HierarchyFile file, read_hierarchy_file(csv->path, column.name, csv->delimiter));
    return check_list(file.hierarchy, column.name, found);
  }
  return check_rule(*column.hierarchy, column.name, found);
}

/// Every hierarchy of the policy. The only positional is the table then.
Result<std::vector<Finding>> check_policy(Invocation& invocation, const std::string& path) {
  if (invocation.has("file") || invocation.has("column") || invocation.has("hierarchy-delimiter"))
    return make_error(ErrorCode::usage,
                      "with --policy give the table alone: the policy names hierarchies and columns");
  GAUZE_TRY(const std::string file, invocation.text("hierarchy"));
  GAUZE_TRY(const Policy policy, read_policy_file(path));
  GAUZE_TRY_VOID(check_has_columns(policy));
  GAUZE_TRY(const table::ReadOptions options, read_options(invocation, policy.input));
  GAUZE_TRY(const engines::OpenedSource opened, engines::open_source(file, options));
  GAUZE_TRY(const auto cleaned, schema::CleanedSource::make(*opened.source, policy));
  std::vector<Finding> findings;
  for (const PolicyColumn& column : policy.columns) {
    if (!column.hierarchy) continue;
    GAUZE_TRY(findings.emplace_back(), check_column(invocation, *cleaned, column));
  }
  if (findings.empty())
    invocation.note("the policy gives no hierarchy: all are composed from the data, and cover it");
  return findings;
}

Result<std::vector<Finding>> check_file(Invocation& invocation) {
  GAUZE_TRY(const std::string path, invocation.text("hierarchy"));
  if (!invocation.has("file") || !invocation.has("column"))
    return make_error(ErrorCode::usage, "give the hierarchy, the table and --column, or the table and --policy");
  GAUZE_TRY(const std::string file, invocation.text("file"));
  GAUZE_TRY(const std::string column, invocation.text("column"));
  if (path == "-" && file == "-")
    return make_error(ErrorCode::usage, "only one of hierarchy and table can come from the standard input");
  GAUZE_TRY(const HierarchyFile hierarchy, load_hierarchy(invocation, path, column));
  GAUZE_TRY(const table::ReadOptions options, read_options(invocation));
  GAUZE_TRY(const engines::OpenedSource opened, engines::open_source(file, options));
  GAUZE_TRY(const table::TupleCounts found, count_values(*opened.source, column, invocation.progress()));
  return std::vector{check_list(hierarchy.hierarchy, column, found)};
}

Json first_of(const std::vector<std::string>& values, std::size_t limit) {
  Json list = Json::array();
  for (std::size_t i = 0; i < std::min(values.size(), limit); ++i) list.push(values[i]);
  return list;
}

Json to_json(const Finding& finding, std::size_t limit) {
  return Json::object({{"covered", finding.missing.empty()},
                       {"column", finding.column},
                       {"kind", finding.kind},
                       {"values", finding.values},
                       {"missing", first_of(finding.missing, limit)},
                       {"missing_total", finding.missing.size()},
                       {"missing_rows", finding.missing_rows},
                       {"unused", finding.unused ? first_of(*finding.unused, limit) : Json()},
                       {"unused_total", finding.unused ? Json(finding.unused->size()) : Json()},
                       {"internal", true}});
}

Json to_json(const std::vector<Finding>& findings, std::size_t limit) {
  Json columns = Json::array();
  std::size_t missing = 0;
  for (const Finding& finding : findings) {
    columns.push(to_json(finding, limit));
    missing += finding.missing.size();
  }
  return Json::object(
      {{"covered", missing == 0}, {"missing_total", missing}, {"columns", std::move(columns)}, {"internal", true}});
}

void print_values(OutputWriter& out, const std::vector<std::string>& values, std::size_t limit) {
  for (std::size_t i = 0; i < std::min(values.size(), limit); ++i)
    out.print("  {}\n", values[i].empty() ? "(empty)" : printable(values[i]));
  if (values.size() > limit) out.print("  ... {} more; --limit shows them\n", values.size() - limit);
}

void print(Invocation& invocation, const Finding& finding, std::size_t limit) {
  OutputWriter& out = invocation.out();
  const Style style = invocation.out_style();
  const std::string column = printable(finding.column);
  if (finding.missing.empty()) {
    out.print("{} {}: {}\n", style.bold("covered "), column,
              finding.values == 1 ? "the only value of the column"
                                  : fmt::format("all {} values of the column", finding.values));
  } else {
    out.print("{} {}: {} of the {} values of the column, on {}, {} not covered\n", style.red("MISSING "), column,
              finding.missing.size(), finding.values, counted(finding.missing_rows, "row"),
              finding.missing.size() == 1 ? "is" : "are");
    print_values(out, finding.missing, limit);
  }
  if (finding.unused && !finding.unused->empty()) {
    out.print("{} {}: {} of the hierarchy {} in the column\n", style.bold("unused  "), column,
              counted(finding.unused->size(), "value"),
              finding.unused->size() == 1 ? "does not occur" : "do not occur");
    print_values(out, *finding.unused, std::min<std::size_t>(limit, 5));
  }
}

Result<int> run_hierarchy_check(Invocation& invocation) {
  GAUZE_TRY(const std::int64_t limit, invocation.integer("limit", 0));
  const auto policy = invocation.optional_text("policy");
  GAUZE_TRY(const std::vector<Finding> findings, policy ? check_policy(invocation, *policy) : check_file(invocation));
  invocation.end_progress();
  const auto most = static_cast<std::size_t>(limit);
  if (invocation.json()) {
    invocation.print_json(policy ? to_json(findings, most) : to_json(findings.front(), most));
  } else {
    for (const Finding& finding : findings) print(invocation, finding, most);
    invocation.note("these are values of the data: for the owner's own eyes");
  }
  const bool covered =
      std::all_of(findings.begin(), findings.end(), [](const Finding& finding) { return finding.missing.empty(); });
  return covered ? 0 : exit_status(ErrorCode::infeasible);
}

}  // namespace

void register_hierarchy_check_command(Registry& registry) {
  std::vector<Flag> flags = {
      {.name = "column", .placeholder = "COL", .help = "the column of the table"},
      {.name = "policy", .placeholder = "FILE", .help = "check every hierarchy of a policy instead", .is_file = true},
      {.name = "limit", .placeholder = "N", .help = "how many values are listed, at most", .default_text = "20"},
      hierarchy_delimiter_flag()};
  for (Flag& flag : table_flags()) flags.push_back(std::move(flag));
  registry.add(
      {.name = "hierarchy check",
       .group = "Tables",
       .summary = "List the values of a column that a hierarchy does not cover",
       .description =
           "Holds a hierarchy against the column of a table: which values have no line in it, and which of its lines "
           "never occur. Values match as texts: 39.0 is not 39. With --policy the only argument is the table, and every "
           "hierarchy of the policy is checked.\n\n"
           "Ends with 0 when every value is covered, with 3 when not. It lists values of the data: for the owner's own "
           "eyes.\n\n"
           "With --json: covered, missing, missing_total, missing_rows, unused, unused_total, column, kind, values; with "
           "--policy covered, missing_total and the same keys for each of columns.",
       .examples = {{"gauze hierarchy check age.csv people.csv --column age", "does it cover the column?"},
                    {"gauze hierarchy check people.csv --policy people.yaml --json", "all hierarchies of a policy"}},
       .positionals = {{.name = "hierarchy", .help = "a hierarchy file; with --policy the table", .is_file = true},
                       {.name = "file", .help = "the table; not with --policy", .optional = true, .is_file = true}},
       .flags = std::move(flags),
       .run = run_hierarchy_check});
}

}  // namespace gauze::cli
