#include <numeric>

#include "gauze/anonymize/inspect/column_roles.h"
#include "gauze/anonymize/job/anonymization.h"
#include "gauze/anonymize/job/anonymization_json.h"
#include "gauze/anonymize/job/anonymization_label.h"
#include "gauze/anonymize/job/formula_cells.h"
#include "gauze/anonymize/job/row_recoding.h"
#include "gauze/base/cpu_time.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/output_places.h"
#include "gauze/cli/flags/publishing.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/flags/table_flags.h"
#include "gauze/cli/tables/formula_warning.h"
#include "gauze/cli/tables/labelled_table.h"
#include "gauze/cli/tables/policy_flags.h"
#include "gauze/cli/tables/risk_text.h"
#include "gauze/engines/open_source.h"
#include "gauze/random/secure_random.h"
#include "gauze/schema/policy/criterion_text.h"
#include "gauze/schema/policy/policy_writer.h"

namespace gauze::cli {
namespace {

using namespace anonymize;  // the vocabulary of this file
using namespace schema;

/// Of processor time.
struct Seconds {
  double read = 0;
  double search = 0;
  double assess = 0;  // metrics and risks
  double write = 0;
};

Result<RowRecodingOptions> recoding_options(Invocation& invocation, const table::Source& table,
                                            const Policy& policy) {
  RowRecodingOptions options;
  options.drop_suppressed = invocation.has("drop-suppressed");
  std::string key_file;
  for (const PolicyColumn& column : policy.columns) {
    if (!column.has(Role::identifier)) continue;
    GAUZE_TRY(const std::size_t place, table.column(column.name));
    if (column.action == IdentifierAction::drop) {
      options.dropped.push_back(place);
      continue;
    }
    if (column.key_file.empty())
      return invalid_parameter("the pseudonyms of {} need a key file: give `key` in the policy, or --key",
                               column.name);
    if (!key_file.empty() && key_file != column.key_file)
      return invalid_parameter("all pseudonyms of a table must have the same key file");
    key_file = column.key_file;
    options.pseudonymous.push_back(place);
  }
  if (!key_file.empty()) {
    GAUZE_TRY(Pseudonyms pseudonyms, Pseudonyms::open(key_file));
    if (pseudonyms.key_is_new())
      invocation.note(fmt::format("made the key {}: keep it safe, whoever has it can undo the pseudonyms", key_file));
    options.pseudonyms = std::move(pseudonyms);
  }
  return options;
}

std::string percent(double share) { return fmt::format("{:.3g} %", 100 * share); }

std::string search_text(const Policy& policy, const Anonymization& result) {
  std::string text(word_of(kSearchWords, policy.search.kind));
  if (policy.search.kind == SearchKind::mondrian) return text + (policy.search.relaxed ? ", relaxed" : ", strict");
  text += fmt::format(", {} of {} combinations of levels checked", result.nodes_checked, result.nodes_total);
  if (policy.search.kind == SearchKind::local) return text;
  return text + (result.optimal ? ", proved best"
                                : fmt::format("; stopped: the best may be as low as {:.6g}", result.lower_bound));
}

void print_result(Invocation& invocation, const TableRecords& table, const Policy& policy,
                  const Anonymization& result) {
  OutputWriter& out = invocation.out();
  const ReidentificationRisk& before = result.input_risk;
  const ReidentificationRisk& after = result.output_risk;
  auto line = [&](std::string_view name, const std::string& text) {
    out.print("{} {}\n", invocation.out_style().bold(fmt::format("{:<12}", name)), text);
  };
  line("rows", fmt::format("{} ({} different on the quasi-identifiers)", table.records.total, before.classes));
  line("search", search_text(policy, result));
  line(word_of(kMetricWords, policy.search.metric), fmt::format("{:.10g}", result.value));
  if (result.levels) {
    std::string levels;
    for (std::size_t i = 0; i < table.records.quasi.size(); ++i)
      levels += fmt::format("{}{} {}/{}", i == 0 ? "" : ", ", table.records.quasi[i].name,
                            static_cast<int>((*result.levels)[i]), table.records.quasi[i].hierarchy->height());
    line("levels", levels);
  }
  line("classes", classes_text(after));
  line("suppressed", fmt::format("{} ({})", counted(result.recoding.suppressed, "row"),
                                 percent(static_cast<double>(result.recoding.suppressed) /
                                         static_cast<double>(table.records.total))));
  line("highest risk",
       fmt::format("{} (was {})", percent(after.prosecutor.highest), percent(before.prosecutor.highest)));
  line("mean risk", fmt::format("{} (was {})", percent(after.prosecutor.mean), percent(before.prosecutor.mean)));
  line("unique rows", fmt::format("{} (were {})", after.uniques, before.uniques));
}

/// Without any criterion nothing would be done to the table: most likely one was forgotten.
Result<void> require_criterion(const Invocation& invocation) {
  for (const char* flag :
       {"policy", "k", "l-diversity", "t-closeness", "delta-disclosure", "beta-likeness", "k-map", "delta-presence"})
    if (invocation.has(flag)) return {};
  return make_error(ErrorCode::usage, "say what must hold for the output: --k 5, a policy, or another criterion");
}

/// Columns nobody decided about stay as they are. A name among them would undo everything.
void warn_of_identifiers(Invocation& invocation, const table::Source& table, const Policy& policy) {
  for (const std::string& name : table.columns())
    if (policy.find(name) == nullptr && names_an_identifier(name))
      invocation.warn(Warning::of_privacy(
          "identifier_kept",
          fmt::format(
              "the column '{}' stays as it is, and its name speaks of an identifier: --drop or --pseudonym it",
              name)));
}

/// Names of columns cannot be written with an apostrophe: they would be other names.
Result<void> check_names_are_text(const table::Source& table, const RowRecodingOptions& writing, bool asked) {
  const auto names = asked ? formula_names(table, writing.dropped) : std::vector<std::string>();
  if (names.empty()) return {};
  return invalid_parameter("a spreadsheet would run the name of the column '{}': rename it, for example with --names",
                           names.front());
}

/// The columns that may have cells which a spreadsheet would run. CSV goes by as text, and all are looked at on the way; for
/// Parquet looking costs more than a pass over the table that finds out where it is needed.
Result<std::vector<std::size_t>> watched_columns(table::Source& table, const std::string& output,
                                                 Progress& progress) {
  if (output.ends_with(".parquet")) return formula_columns(table, progress);
  std::vector<std::size_t> all(table.columns().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

Result<std::unique_ptr<table::Source>> open_population(const std::string& uri, const table::ReadOptions& options) {
  GAUZE_TRY(engines::OpenedSource opened, engines::open_source(uri, options));
  return std::move(opened.source);
}

Result<int> run_anonymize(Invocation& invocation) {
  GAUZE_TRY(const std::string file, invocation.text("file"));
  GAUZE_TRY(const std::string output, invocation.text("output"));
  GAUZE_TRY(const Policy policy, policy_of(invocation));
  if (output == "-" && invocation.json())
    return make_error(ErrorCode::usage, "--json and -o - would both write to the standard output");
  GAUZE_TRY_VOID(require_criterion(invocation));
  invocation.warn_all(policy.warnings);
  GAUZE_TRY_VOID(check_output_places(invocation, files_of(policy)));
  if (policy.privacy.k == 1)
    invocation.warn(
        Warning::of_privacy("k_is_one", "k = 1 asks nothing of the size of classes: a row may stay unique"));

  Seconds seconds;
  const double started = cpu_seconds();
  GAUZE_TRY(const engines::OpenedSource opened, engines::open_source(file, policy.input));
  warn_of_identifiers(invocation, *opened.source, policy);
  GAUZE_TRY(const TableRecords records, read_records(*opened.source, open_population, policy, invocation.progress()));
  const double read = cpu_seconds();
  seconds.read = read - started;
  GAUZE_TRY(const Anonymization result, anonymize::anonymize(records, policy, invocation.progress()));
  const double searched = cpu_seconds();
  seconds.search = result.search_seconds;
  seconds.assess = searched - read - seconds.search;
  if (result.recoding.suppressed == records.records.total)
    invocation.warn({"all_suppressed", "all rows are suppressed: the output says nothing"});

  // A key is made only for a table that will be written.
  GAUZE_TRY(RowRecodingOptions writing, recoding_options(invocation, *opened.source, policy));
  if (const auto path = invocation.optional_text("write-policy")) {
    Policy written = policy;
    written.provenance = {};  // chosen with this data at hand
    GAUZE_TRY_VOID(write_policy_file(*path, written));
  }
  const bool spreadsheet_safe = invocation.has("spreadsheet-safe");
  GAUZE_TRY_VOID(check_names_are_text(*opened.source, writing, spreadsheet_safe));
  const bool keep_order = invocation.has("keep-order");
  PrivacyLabel label =
      make_label(records, policy, result, {.drop_suppressed = writing.drop_suppressed, .keep_order = keep_order});
  if (spreadsheet_safe)
    label.parameters.set("spreadsheet_safe", "cells that a spreadsheet would run begin with an apostrophe");
  FormulaCells formulas(*opened.source);
  GAUZE_TRY(const std::vector<std::size_t> watched, watched_columns(*opened.source, output, invocation.progress()));
  table::Rewrite rewrite = formulas.watch(make_rewrite(*opened.source, records, result.recoding, std::move(writing)),
                                          watched, spreadsheet_safe);
  if (keep_order)
    invocation.warn(Warning::of_privacy(
        "order_kept",
        "--keep-order: the order of the rows links the output to the table it was made from, and to other outputs"));
  else
    rewrite.shuffle = [](std::uint64_t n) { return SecureRandom::of_thread().below(n); };
  GAUZE_TRY(publish::Publication publication, begin_publication(invocation, false));
  GAUZE_TRY(publish::LabelledOutput written, open_output(output));
  GAUZE_TRY_VOID(write_table(*opened.source, rewrite, opened.delimiter, written, invocation.progress()));
  GAUZE_TRY_VOID(finish(invocation, publication, label, {&written, 1}));
  seconds.write = cpu_seconds() - searched;
  invocation.end_progress();
  if (!spreadsheet_safe) warn_of_formulas(invocation, *opened.source, formulas.found());

  if (invocation.json()) {
    Json object = to_json(records, policy, result);
    object.set("seconds", Json::object({{"read", seconds.read},
                                        {"search", seconds.search},
                                        {"assess", seconds.assess},
                                        {"write", seconds.write}}));
    object.set("label", label.to_json());
    invocation.print_json(object);
  } else if (output != "-") {
    print_result(invocation, records, policy, result);
    invocation.note(wrote_with_label(output));
  } else if (!invocation.quiet()) {
    invocation.err().write(label.to_text(invocation.columns()));
  }
  return 0;
}

}  // namespace

void register_anonymize_command(Registry& registry) {
  Flag output = output_flag();
  output.required = true;
  std::vector<Flag> flags = {
      {.name = "policy", .placeholder = "FILE", .help = "everything below in one reviewable file", .is_file = true}};
  for (const auto& more : {column_flags(), criteria_flags(), search_flags()})
    flags.insert(flags.end(), more.begin(), more.end());
  flags.push_back({.name = "drop-suppressed", .help = "leave suppressed rows out instead of writing `*`"});
  flags.push_back({.name = "spreadsheet-safe",
                   .help = "write an apostrophe before cells that a spreadsheet would run (=, +, -, @ before text)"});
  flags.push_back({.name = "keep-order", .help = "write rows in the order of the input, which links them to it"});
  flags.push_back({.name = "write-policy",
                   .placeholder = "FILE",
                   .help = "write the policy that equals these flags",
                   .is_file = true,
                   .makes = Makes::file});
  flags.push_back(std::move(output));
  for (Flag& flag : table_flags()) flags.push_back(std::move(flag));
  registry.add(
      {.name = "anonymize",
       .group = "Tables",
       .summary = "Generalise a table until no row stands out",
       .description =
           "Makes the quasi-identifiers of a table coarser, as little as possible, until every row looks like at least "
           "k - 1 others and every further criterion holds; a share of the rows may be suppressed instead. Rows "
           "are written in a random order (--keep-order: in theirs), other columns stay as they are.\n\n"
           "The search `optimal` proves that no other choice of levels has a smaller value of the metric. `local` gives "
           "different levels to different rows and loses far less; `mondrian` cuts ranges.\n\n"
           "What it prints compares with the raw data: it is for the owner's own eyes. The written file and its label "
           "are what may leave.\n\n"
           "With --json: levels, metric, all_metrics, classes, suppressed, smallest_class, largest_class, risk, "
           "input_risk, nodes, optimal, lower_bound, seconds, label, warnings.",
       .examples =
           {{"gauze anonymize people.csv --quasi age,zip,sex --k 5 --suppression 0.05 -o safe.csv",
             "hierarchies are made from the columns' types"},
            {"gauze anonymize people.csv --policy people.yaml -o safe.parquet", "everything from a policy"},
            {"gauze anonymize people.csv --quasi age,zip --k 5 --l-diversity illness:distinct:3 --search local -o safe.csv",
             "levels by record, and three different illnesses in every class"}},
       .positionals = {table_positional()},
       .flags = std::move(flags),
       .run = run_anonymize});
}

}  // namespace gauze::cli
