#include <algorithm>

#include "gauze/cli/core/commands.h"
#include "gauze/cli/flags/table_flags.h"
#include "gauze/cli/tables/hierarchy_flags.h"
#include "gauze/engines/open_source.h"
#include "gauze/schema/hierarchies/coverage.h"
#include "gauze/schema/hierarchies/hierarchy_file.h"

namespace gauze::cli {
namespace {

using namespace schema;  // the vocabulary of this file

table::Dictionary dictionary_of(std::vector<std::string> values) {
  std::sort(values.begin(), values.end());
  table::Dictionary dictionary;
  dictionary.values = std::move(values);
  return dictionary;
}

struct Built {
  Hierarchy hierarchy;
  bool made_from_data = false;
  std::size_t uncovered = 0;  // values of the column that it leaves out
  std::size_t values = 0;     // of the column
};

/// Groups and given orders list their ground values, so that nothing in the file depends on the table; the values of the
/// other kinds are those of the column.
Result<Built> build(const HierarchySpec& spec, const std::string& column, const table::Dictionary& values) {
  const auto listed = listed_values(spec);
  GAUZE_TRY(Hierarchy hierarchy, materialise(spec, column, listed ? dictionary_of(*listed) : values));
  GAUZE_TRY(const Coverage covered, coverage(spec, column, values));
  return Built{.hierarchy = std::move(hierarchy),
               .made_from_data = !listed.has_value(),
               .uncovered = covered.missing_codes.size(),
               .values = values.values.size()};
}

Json to_json(const Built& built, const HierarchySpec& spec, const std::string& column, const std::string& output) {
  Json levels = Json::array();
  for (int level = 0; level < built.hierarchy.levels(); ++level) levels.push(built.hierarchy.value_count(level));
  return Json::object({{"column", column},
                       {"kind", kind_name(spec)},
                       {"file", output},
                       {"height", built.hierarchy.height()},
                       {"values_by_level", std::move(levels)},
                       {"made_from_data", built.made_from_data},
                       {"uncovered", built.uncovered}});
}

std::string counts_text(const Hierarchy& hierarchy) {
  std::string text;
  for (int level = 0; level < hierarchy.levels(); ++level)
    text += fmt::format("{}{}", level == 0 ? "" : ", ", hierarchy.value_count(level));
  return text;
}

Result<int> run_build(Invocation& invocation) {
  GAUZE_TRY(const std::string file, invocation.text("file"));
  GAUZE_TRY(const std::string column, invocation.text("column"));
  GAUZE_TRY(const std::string output, invocation.text("output"));
  if (output == "-" && invocation.json())
    return make_error(ErrorCode::usage, "--json and -o - would both write to the standard output");
  GAUZE_TRY(const HierarchySpec spec, hierarchy_rule_of(invocation));
  GAUZE_TRY(const table::ReadOptions options, read_options(invocation));
  GAUZE_TRY(const engines::OpenedSource opened, engines::open_source(file, options));
  GAUZE_TRY(const table::TupleCounts found, count_values(*opened.source, column, invocation.progress()));
  invocation.end_progress();
  GAUZE_TRY(const Built built, build(spec, column, found.dictionaries.front()));

  if (output == "-") {
    invocation.out().write(format_hierarchy(built.hierarchy, built.made_from_data));
  } else {
    GAUZE_TRY_VOID(write_hierarchy_file(output, built.hierarchy, built.made_from_data));
  }
  if (built.uncovered > 0)
    invocation.warn(
        {"values_not_covered",
         fmt::format("{} of the {} values of the column {} not covered: 'gauze hierarchy check' lists them",
                     built.uncovered, built.values, built.uncovered == 1 ? "is" : "are")});
  if (invocation.json()) {
    invocation.print_json(to_json(built, spec, column, output));
  } else if (output != "-") {
    invocation.out().print("{}: levels 0 to {} with {} values; {}\n", output, built.hierarchy.height(),
                           counts_text(built.hierarchy),
                           built.made_from_data ? "made from data, and marked so" : "made from the rule alone");
  }
  return 0;
}

}  // namespace

void register_hierarchy_build_command(Registry& registry) {
  std::vector<Flag> flags = {
      {.name = "column", .placeholder = "COL", .help = "the column of the table", .required = true}};
  for (const auto& more : {hierarchy_rule_flags(), table_flags()})
    flags.insert(flags.end(), more.begin(), more.end());
  flags.push_back({.name = "output",
                   .short_name = 'o',
                   .placeholder = "OUT",
                   .help = "write the hierarchy to OUT, replacing what is there; - for stdout",
                   .required = true,
                   .is_file = true,
                   .makes = Makes::file,
                   .or_stdout = true});
  registry.add(
      {.name = "hierarchy build",
       .group = "Tables",
       .summary = "Write how the values of a column become coarser",
       .description =
           "Makes a hierarchy for a column and writes it as a file in the style of ARX: no header, one line a value, "
           "from fine to coarse. Look through it, change it, and give it to `gauze anonymize --hierarchy`.\n\n"
           "Without a rule, one is composed from what the column holds: rounder and rounder intervals for numbers, "
           "month, year and decade for dates, masks for codes.\n\n"
           "The values in the file are those of the table, so its first line says that it was made from data: it is for "
           "the owner's own eyes, and a differentially private release refuses it. Groups and an order with --values "
           "list their values themselves, and their files are not marked.\n\n"
           "With --json: column, kind, file, height, values_by_level, made_from_data, uncovered.",
       .examples =
           {{"gauze hierarchy build people.csv --column age -o age.csv", "from what the column holds"},
            {"gauze hierarchy build people.csv --column zip --steps 1,3 -o zip.csv", "hide digits from the right"},
            {"gauze hierarchy build people.csv --column age --from 0 --to 120 --width 5 --then 10,40 -o age.csv",
             "intervals of 5, 10 and 40 years"},
            {"gauze hierarchy build people.csv --column school --group low=9th,10th --group high=BSc,MSc -o -",
             "groups, on stdout"}},
       .positionals = {table_positional()},
       .flags = std::move(flags),
       .run = run_build});
}

}  // namespace gauze::cli
