#include <algorithm>
#include <numeric>

#include "gauze/anonymize/inspect/undecided_columns.h"
#include "gauze/anonymize/job/anonymization.h"
#include "gauze/anonymize/job/anonymization_json.h"
#include "gauze/anonymize/job/anonymization_label.h"
#include "gauze/anonymize/job/formula_cells.h"
#include "gauze/anonymize/job/row_recoding.h"
#include "gauze/base/cpu_time.h"
#include "gauze/base/joined.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/output_places.h"
#include "gauze/cli/flags/publishing.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/flags/table_flags.h"
#include "gauze/cli/tables/formula_warning.h"
#include "gauze/cli/tables/labelled_table.h"
#include "gauze/cli/tables/policy_flags.h"
#include "gauze/cli/tables/risk_text.h"
#include "gauze/cli/tables/undecided_text.h"
#include "gauze/engines/open_source.h"
#include "gauze/label/printable_text.h"
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

Result<SuppressedRows> suppressed_rows_of(const Invocation& invocation) {
  if (!invocation.has("drop-suppressed")) return invocation.value("suppressed", kSuppressedRowsWords);
  if (invocation.has("suppressed"))
    return make_error(ErrorCode::usage, "--drop-suppressed is a name for --suppressed drop: give one of them");
  return SuppressedRows::drop;
}

Result<RowRecodingOptions> recoding_options(Invocation& invocation, table::Source& table, const Policy& policy,
                                            const Recoding& recoding, SuppressedRows suppressed) {
  RowRecodingOptions options;
  options.suppressed = suppressed;
  std::string key_file;
  for (const PolicyColumn& column : policy.columns) {
    if (!column.has(Role::identifier) || column.action == IdentifierAction::keep) continue;
    GAUZE_TRY(const std::size_t place, table.column(column.name));
    if (column.action == IdentifierAction::drop) {
      options.dropped.push_back(place);
      continue;
    }
    if (column.key_file.empty())
      return invalid_parameter("the pseudonyms of {} need a key file: give `key` in the policy", column.name);
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
  GAUZE_TRY(options.stars, star_rows(table, policy, recoding, suppressed, options.dropped, options.pseudonymous,
                                     invocation.progress()));
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
  for (const std::string& name : result.lost) line("lost", printable(name) + ": nothing of it is left");
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

/// Columns nobody decided about stay as they are: one that tells who a row is would undo everything. One that was decided
/// to stay is told of.
Result<void> check_undecided(Invocation& invocation, table::Source& table, const Policy& policy) {
  for (const PolicyColumn& column : policy.columns) GAUZE_TRY_VOID(table.column(column.name));
  std::vector<std::size_t> stay;
  for (std::size_t place = 0; place < table.columns().size(); ++place) {
    const PolicyColumn* const column = policy.find(table.columns()[place]);
    if (column == nullptr || column->action == IdentifierAction::keep) stay.push_back(place);
  }
  GAUZE_TRY(UndecidedColumns found, find_undecided(table, stay, invocation.progress()));
  std::vector<UndecidedColumn>& undecided = found.identifiers;
  for (const UndecidedColumn& column : undecided)
    if (policy.find(column.name) != nullptr)
      invocation.warn(Warning::of_privacy(
          "identifier_kept", fmt::format("'{}' looks like an identifier ({}) and stays as it is, as you decided",
                                         column.name, column.reason)));
  std::erase_if(undecided, [&](const UndecidedColumn& column) { return policy.find(column.name) != nullptr; });
  if (!undecided.empty()) return refuse_undecided(invocation, undecided);
  std::erase_if(found.quasi, [&](const UndecidedColumn& column) { return policy.find(column.name) != nullptr; });
  warn_of_unnamed(invocation, found.quasi);
  return {};
}

/// Names of columns cannot be written with an apostrophe: they would be other names.
Result<void> check_names_are_text(const table::Source& table, const RowRecodingOptions& writing, bool asked) {
  const auto names = asked ? formula_names(table, writing.dropped) : std::vector<std::string>();
  if (names.empty()) return {};
  return invalid_parameter("a spreadsheet would run the name of the column '{}': rename it, for example with --names",
                           names.front());
}

/// The form of the input, in the encoding that is asked for. A text that the encoding cannot hold: UTF-8. Cells that stay as
/// they were fit the encoding they came in; what is new are the values of classes.
Result<table::TextForm> output_form(Invocation& invocation, const table::TextForm& input, const table::Source& table,
                                    const Recoding& recoding) {
  table::TextForm form = input;
  const auto asked = invocation.optional_text("output-encoding");
  if (asked) {
    GAUZE_TRY(form.encoding, table::parse_encoding(*asked, table::byte_order_mark(input.encoding)));
  }
  // Asked for is another encoding than that of the cells: any of them may not fit, which only writing finds out.
  std::vector<std::string_view> texts;
  for (const std::string& name : table.columns()) texts.push_back(name);
  for (const auto& values : recoding.values)
    for (const CellValue& value : values) texts.push_back(value.text);
  const bool fits = std::all_of(texts.begin(), texts.end(), [&](std::string_view text) {
    return table::encode(text, form.encoding).has_value();
  });
  if (fits) return form;
  if (asked)
    return invalid_parameter(
        "the output has letters that the encoding {} does not have: leave --output-encoding away",
        table::to_string(form.encoding));
  invocation.warn(
      {"output_encoding", fmt::format("the values of classes have letters that the input's encoding {} does not "
                                      "have: the output is UTF-8",
                                      table::to_string(form.encoding))});
  form.encoding = table::Encoding::utf8;
  return form;
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

/// What the label tells of how rows were written.
WrittenRows written_rows(const table::Source& table, const TableRecords& records, const RowRecodingOptions& writing,
                         bool keep_order) {
  WrittenRows written{.suppressed = writing.suppressed, .keep_order = keep_order};
  const auto among = [](const std::vector<std::size_t>& list, std::size_t place) {
    return std::find(list.begin(), list.end(), place) != list.end();
  };
  for (std::size_t place = 0; place < table.columns().size(); ++place) {
    if (among(writing.dropped, place) || among(records.quasi_columns, place)) continue;
    auto& names = among(writing.pseudonymous, place) ? written.columns_pseudonymous : written.columns_unchanged;
    names.push_back(table.columns()[place]);
  }
  return written;
}

Result<std::unique_ptr<table::Source>> open_population(const std::string& uri, const table::ReadOptions& options) {
  GAUZE_TRY(engines::OpenedSource opened, engines::open_source(uri, options));
  return std::move(opened.source);
}

Result<int> run_anonymize(Invocation& invocation) {
  GAUZE_TRY(const std::string file, invocation.text("file"));
  GAUZE_TRY(const std::string output, invocation.text("output"));
  GAUZE_TRY(const Policy policy, policy_of(invocation));
  GAUZE_TRY_VOID(check_null_tokens(policy.input));
  if (output == "-" && invocation.json())
    return make_error(ErrorCode::usage, "--json and -o - would both write to the standard output");
  GAUZE_TRY_VOID(require_criterion(invocation));
  GAUZE_TRY(const SuppressedRows suppressed, suppressed_rows_of(invocation));
  invocation.warn_all(policy.warnings);
  GAUZE_TRY_VOID(check_output_places(invocation, files_of(policy)));
  if (policy.privacy.k == 1)
    invocation.warn(
        Warning::of_privacy("k_is_one", "k = 1 asks nothing of the size of classes: a row may stay unique"));

  Seconds seconds;
  const double started = cpu_seconds();
  GAUZE_TRY(const engines::OpenedSource opened, engines::open_source(file, policy.input));
  GAUZE_TRY_VOID(check_undecided(invocation, *opened.source, policy));
  GAUZE_TRY(const TableRecords records, read_records(*opened.source, open_population, policy, invocation.progress()));
  const double read = cpu_seconds();
  seconds.read = read - started;
  GAUZE_TRY(const Anonymization result, anonymize::anonymize(records, policy, suppressed, invocation.progress()));
  const double searched = cpu_seconds();
  seconds.search = result.search_seconds;
  seconds.assess = searched - read - seconds.search;
  if (result.recoding.suppressed == records.records.total)
    invocation.warn({"all_suppressed", "all rows are suppressed: the output says nothing"});
  if (suppressed == SuppressedRows::keep && result.recoding.suppressed > 0)
    invocation.warn(Warning::of_privacy(
        "suppressed_rows_kept",
        "--suppressed keep: in suppressed rows only the quasi-identifiers are `*`; the other columns tell about the few "
        "people who fit no class"));

  // A key is made only for a table that will be written.
  GAUZE_TRY(RowRecodingOptions writing,
            recoding_options(invocation, *opened.source, policy, result.recoding, suppressed));
  if (const auto path = invocation.optional_text("write-policy")) {
    Policy written = policy;
    written.provenance = {};                        // chosen with this data at hand
    if (opened.format == table::FileFormat::csv) {  // as it was found, so that nothing has to be found out again
      written.input.delimiter = opened.form.delimiter;
      written.input.encoding = table::to_string(opened.form.encoding);
      written.input.decimal = opened.form.decimal;
    }
    for (const std::string& name : opened.source->columns())
      if (written.find(name) == nullptr) written.columns.push_back({.name = name, .action = IdentifierAction::keep});
    GAUZE_TRY_VOID(write_policy_file(*path, written));
  }
  GAUZE_TRY(const table::TextForm form, output_form(invocation, opened.form, *opened.source, result.recoding));
  const bool spreadsheet_safe = invocation.has("spreadsheet-safe");
  GAUZE_TRY_VOID(check_names_are_text(*opened.source, writing, spreadsheet_safe));
  const bool keep_order = invocation.has("keep-order");
  WrittenRows rows_written = written_rows(*opened.source, records, writing, keep_order);
  rows_written.decimal = opened.form.decimal;
  rows_written.null_tokens = policy.input.null_tokens;
  PrivacyLabel label = make_label(records, policy, result, rows_written);
  if (spreadsheet_safe)
    label.parameters.set("spreadsheet_safe", "cells that a spreadsheet would run begin with an apostrophe");
  const auto strangers = std::make_shared<std::atomic<std::uint64_t>>(0);
  writing.strangers = strangers;
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
  GAUZE_TRY_VOID(write_table(*opened.source, rewrite, form, written, invocation.progress()));
  if (strangers->load() > 0)
    return make_error(ErrorCode::io, "{} changed while it was being read: nothing was written",
                      invocation.text("file").value_or("the table"));
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
  flags.push_back(
      {.name = "suppressed",
       .placeholder = "HOW",
       .help = "rows that fit no class: `*` in all but insensitive columns (with fewer than k such rows in all), "
               "left out, or `*` in the quasi-identifiers alone",
       .default_text = "blank",
       .choices = all_words(kSuppressedRowsWords)});
  flags.push_back({.name = "drop-suppressed", .help = "the same as --suppressed drop"});
  flags.push_back({.name = "spreadsheet-safe",
                   .help = "write an apostrophe before cells that a spreadsheet would run (=, +, -, @ before text)"});
  flags.push_back({.name = "keep-order", .help = "write rows in the order of the input, which links them to it"});
  flags.push_back({.name = "output-encoding",
                   .placeholder = "NAME",
                   .help = "how a CSV output is encoded; that of the input unless given",
                   .choices = {"utf-8", "utf-16", "gb18030", "latin-1"}});
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
           "are written in a random order (--keep-order: in theirs), other columns stay as they are. A column that nothing "
           "decides about and that looks like an identifier is refused: --drop, --pseudonym or --keep it, or let the policy "
           "say.\n\n"
           "The search `optimal` proves that no other choice of levels has a smaller value of the metric. `local` gives "
           "different levels to different rows and loses far less; `mondrian` cuts ranges.\n\n"
           "What it prints compares with the raw data: it is for the owner's own eyes. The written file and its label "
           "are what may leave.\n\n"
           "With --json: levels, metric, all_metrics, lost, classes, suppressed, smallest_class, largest_class, risk, "
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
