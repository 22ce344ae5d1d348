#include <filesystem>

#include "gauze/base/joined.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/flags/owner_output.h"
#include "gauze/cli/flags/table_flags.h"
#include "gauze/cli/query/schema_text.h"
#include "gauze/query/check/schema_draft.h"

namespace gauze::cli {
namespace {

// --- schema check ----------------------------------------------------------------------------------------------------

/// The report is as complete in a refusal as it is without one.
tl::unexpected<Error> misfit_error(Invocation& invocation, const query::SchemaCheck& check) {
  std::vector<std::string> names;
  for (const query::SchemaProblem& problem : check.problems)
    if (problem.makes_infeasible) names.push_back(problem.table + "." + problem.column);
  constexpr std::size_t kMostNames = 5;
  const std::size_t more = names.size() > kMostNames ? names.size() - kMostNames : 0;
  names.resize(names.size() - more);
  if (more > 0) names.push_back(counted(more, "other"));
  const Json report = check.to_json();
  for (const auto& [key, value] : *report.members()) invocation.attach_to_error(key, value);
  invocation.attach_to_error("warnings", to_json(check.warnings));
  return make_error(ErrorCode::infeasible, "the data does not have what the schema declares: {}", enumerated(names));
}

Result<int> run_schema_check(Invocation& invocation) {
  GAUZE_TRY(const std::string path, invocation.text("schema"));
  GAUZE_TRY(const schema::DatabaseSchema schema, schema::read_database_schema(path));
  GAUZE_TRY(const query::SchemaCheck check, query::check_schema(schema, {}, invocation.progress()));
  invocation.end_progress();
  invocation.warn_all(check.warnings);
  if (invocation.json()) {
    if (!check.is_feasible()) return misfit_error(invocation, check);
    invocation.print_json(check.to_json());
    return 0;
  }
  invocation.out().write(schema_check_text(check, schema, invocation.out_style()));
  return check.is_feasible() ? 0 : exit_status(ErrorCode::infeasible);
}

// --- schema draft ----------------------------------------------------------------------------------------------------

/// A file as a schema in that folder names it.
std::string seen_from(const std::string& file, const std::optional<std::string>& output) {
  namespace fs = std::filesystem;
  if (!output || *output == "-" || file.find("://") != std::string::npos) return file;
  std::error_code failed;
  const fs::path from = fs::absolute(fs::path(*output), failed).parent_path().lexically_normal();
  const fs::path to = fs::absolute(fs::path(file), failed).lexically_normal();
  return failed || fs::path(file).is_absolute() ? file : to.lexically_proximate(from).string();
}

Json draft_json(const std::vector<query::DraftTable>& tables, const std::optional<std::string>& output,
                const std::string& text) {
  Json list = Json::array();
  for (const query::DraftTable& table : tables) {
    Json columns = Json::object();
    for (const query::DraftColumn& column : table.columns)
      columns.set(column.name, word_of(schema::kDeclaredTypeWords, column.type));
    list.push(Json::object({{"name", table.name}, {"source", table.source}, {"columns", std::move(columns)}}));
  }
  return Json::object({{"file", output ? Json(*output) : Json()}, {"tables", std::move(list)}, {"schema", text}});
}

Result<int> run_schema_draft(Invocation& invocation) {
  const auto output = invocation.optional_text("output");
  if (output == "-" && invocation.json())
    return make_error(ErrorCode::usage, "--json and -o - would both write to the standard output");
  GAUZE_TRY(const table::ReadOptions options, read_options(invocation));
  std::vector<query::DraftTable> tables;
  for (const std::string& file : invocation.texts("file")) {
    GAUZE_TRY(query::DraftTable table, query::draft_table(file, options, invocation.progress()));
    table.source = seen_from(file, output);
    tables.push_back(std::move(table));
  }
  invocation.end_progress();
  query::give_different_names(tables);
  const std::string text = query::draft_schema(tables);
  if (output || !invocation.json())
    GAUZE_TRY_VOID(write_for_owner(invocation, [&](const publish::ByteSink& write) { return write(text); }));
  if (invocation.json())
    invocation.print_json(draft_json(tables, output, text));
  else if (output && *output != "-")
    invocation.out().print("{}: {} from names and types; fill in what is open\n", *output,
                           counted(tables.size(), "table"));
  return 0;
}

void register_schema_check(Registry& registry) {
  registry.add(
      {.name = "schema check",
       .group = "Questions",
       .summary = "Say how a schema fits its data, for the owner's own eyes",
       .description =
           "Reads every table of a schema and tells: rows, rows that lead to no unit, and for each column the share of cells that "
           "are missing, clamped to the bounds, outside the listed values, or not of the declared type; how many units there are, "
           "how many rows each has in the table where it has most, and what share of rows and groups the limits cut. Groups are "
           "those of the column with listed values that loses most.\n\n"
           "Problems are columns that are not there or of another type, a unit's key or a public key that is not unique, and "
           "keys that lead nowhere. Ends with 3 when a column or a type does not fit: of a CSV file, when not one cell can be "
           "read. All figures are exact ones of the data: for the owner's own eyes, never to be published.\n\n"
           "With --json: tables, units, rows_per_unit, cut, problems, grants, internal; beside error, too.",
       .examples = {{"gauze schema check shop.yaml", "does the schema fit, and what do its limits cost?"},
                    {"gauze schema check shop.yaml --json", "the same for a program"}},
       .positionals = {{.name = "schema", .help = "the schema (docs/formats/schema.md)", .is_file = true}},
       .run = run_schema_check});
}

void register_schema_draft(Registry& registry) {
  std::vector<Flag> flags = {
      {.name = "output",
       .short_name = 'o',
       .placeholder = "S",
       .help = "write the schema to S, replacing what is there; without it, or with -, to stdout",
       .is_file = true,
       .makes = Makes::file,
       .or_stdout = true}};
  for (Flag& flag : table_flags()) flags.push_back(std::move(flag));
  registry.add(
      {.name = "schema draft",
       .group = "Questions",
       .summary = "Write a first schema from the names and types of files",
       .description =
           "Writes YAML with one table a file, its columns and their types. Bounds, listed values, limits and, of several files, "
           "the unit are left open, each as a comment to fill in: they must come from public knowledge, and no number or value "
           "of the data is written. Columns that several files have are named as possible keys. Of one file the result can be "
           "used at once, with a row as the unit; look whether that is right.\n\n"
           "With --json: file, tables (name, source, columns), schema (the text).",
       .examples = {{"gauze schema draft customers.csv orders.csv -o shop.yaml", "a schema to fill in"},
                    {"gauze schema draft 'orders-*.parquet'", "one table of several files, on stdout"}},
       .positionals = {{.name = "file",
                        .help = "a table: CSV, Parquet, JSON lines, or a pattern for files",
                        .repeatable = true,
                        .is_file = true}},
       .flags = std::move(flags),
       .run = run_schema_draft});
}

}  // namespace

void register_schema_commands(Registry& registry) {
  register_schema_draft(registry);
  register_schema_check(registry);
}

}  // namespace gauze::cli
