#include "gauze/anonymize/job/anonymization_json.h"
#include "gauze/anonymize/job/anonymized_table.h"
#include "gauze/base/cpu_time.h"
#include "gauze/base/joined.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/output_places.h"
#include "gauze/cli/flags/publishing.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/flags/table_flags.h"
#include "gauze/cli/tables/policy_flags.h"
#include "gauze/cli/tables/risk_text.h"
#include "gauze/cli/tables/undecided_text.h"
#include "gauze/engines/open_source.h"
#include "gauze/label/printable_text.h"
#include "gauze/publish/labelled_table.h"
#include "gauze/schema/policy/criterion_text.h"
#include "gauze/schema/policy/policy_writer.h"

namespace gauze::cli {
namespace {

using namespace anonymize;  // the vocabulary of this file
using namespace schema;

Result<SuppressedRows> suppressed_rows_of(const Invocation& invocation) {
  if (!invocation.has("drop-suppressed")) return invocation.value("suppressed", kSuppressedRowsWords);
  if (invocation.has("suppressed"))
    return make_error(ErrorCode::usage, "--drop-suppressed is a name for --suppressed drop: give one of them");
  return SuppressedRows::drop;
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

Result<std::unique_ptr<table::Source>> open_population(const std::string& uri, const table::ReadOptions& options) {
  GAUZE_TRY(engines::OpenedSource opened, engines::open_source(uri, options));
  return std::move(opened.source);
}

Result<AnonymizedTable> anonymized(Invocation& invocation, const engines::OpenedSource& opened, const Policy& policy,
                                   const AnonymizedTable::Options& options) {
  auto made =
      AnonymizedTable::make(*opened.source, opened.form, open_population, policy, options, invocation.progress());
  invocation.warn_all(made ? made->warnings() : made.error().warnings);
  if (made) return std::move(*made);
  if (!made.error().undecided.empty()) return refuse_undecided(invocation, made.error().undecided);
  return tl::unexpected<Error>(made.error());
}

Result<void> write_policy(const Invocation& invocation, const Policy& policy, const engines::OpenedSource& opened) {
  const auto path = invocation.optional_text("write-policy");
  if (!path) return {};
  const bool is_csv = opened.format == table::FileFormat::csv;
  return write_policy_file(
      *path, completed_policy(policy, *opened.source, is_csv ? std::optional(opened.form) : std::nullopt));
}

Result<int> run_anonymize(Invocation& invocation) {
  GAUZE_TRY(const std::string file, invocation.text("file"));
  GAUZE_TRY(const std::string output, invocation.text("output"));
  GAUZE_TRY(const Policy policy, policy_of(invocation));
  GAUZE_TRY_VOID(check_null_tokens(policy.input));
  if (output == "-" && invocation.json())
    return make_error(ErrorCode::usage, "--json and -o - would both write to the standard output");
  GAUZE_TRY_VOID(require_criterion(invocation));
  AnonymizedTable::Options options{.keep_order = invocation.has("keep-order"),
                                   .spreadsheet_safe = invocation.has("spreadsheet-safe"),
                                   .encoding = invocation.optional_text("output-encoding"),
                                   .to_parquet = output.ends_with(".parquet")};
  GAUZE_TRY(options.suppressed, suppressed_rows_of(invocation));
  invocation.warn_all(policy.warnings);
  GAUZE_TRY_VOID(check_output_places(invocation, files_of(policy)));
  GAUZE_TRY(publish::Publication publication, begin_publication(invocation, false));

  const double started = cpu_seconds();
  GAUZE_TRY(const engines::OpenedSource opened, engines::open_source(file, policy.input));
  const double opening = cpu_seconds() - started;
  GAUZE_TRY(const AnonymizedTable made, anonymized(invocation, opened, policy, options));
  if (!made.new_key_file().empty())
    invocation.note(
        fmt::format("made the key {}: keep it safe, whoever has it can undo the pseudonyms", made.new_key_file()));
  GAUZE_TRY_VOID(write_policy(invocation, policy, opened));
  GAUZE_TRY(publish::LabelledOutput written, open_output(invocation, output));
  GAUZE_TRY_VOID(publish::write_table(made.source(), made.rewrite(), made.form(), written, invocation.progress()));
  GAUZE_TRY(const std::vector<Warning> found, made.check_written());
  PrivacyLabel label = made.label();
  GAUZE_TRY_VOID(finish(invocation, publication, label, {&written, 1}));
  AnonymizedTable::Times times = made.times();
  times.read += opening;
  const double writing = cpu_seconds() - started - times.read - times.search - times.assess;
  invocation.end_progress();
  invocation.warn_all(found);

  if (invocation.json()) {
    Json object = to_json(made.records(), policy, made.result());
    object.set(
        "seconds",
        Json::object({{"read", times.read}, {"search", times.search}, {"assess", times.assess}, {"write", writing}}));
    object.set("label", label.to_json());
    invocation.print_json(object);
  } else if (output != "-") {
    print_result(invocation, made.records(), policy, made.result());
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
