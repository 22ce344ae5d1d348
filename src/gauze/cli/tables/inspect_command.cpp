#include <algorithm>
#include <filesystem>

#include "gauze/anonymize/inspect/draft_policy.h"
#include "gauze/anonymize/inspect/inspection.h"
#include "gauze/anonymize/job/anonymization_json.h"
#include "gauze/anonymize/job/anonymized_table.h"
#include "gauze/base/joined.h"
#include "gauze/base/utf8.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/terminal_width.h"
#include "gauze/cli/flags/table_flags.h"
#include "gauze/engines/open_source.h"
#include "gauze/files/atomic_file.h"
#include "gauze/label/printable_text.h"
#include "gauze/report/report.h"
#include "gauze/schema/policy/criterion_text.h"
#include "gauze/schema/policy/policy_writer.h"

namespace gauze::cli {
namespace {

using namespace anonymize;  // the vocabulary of this file
using namespace schema;

constexpr std::size_t kMostColumns = 200;
constexpr std::size_t kMostSpellings = 20;  // groups that are printed
constexpr std::size_t kMostOfGroup = 5;

std::string printable_list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + printable(name);
  return text;
}

std::string share_text(double share) { return fmt::format("{:.1f} %", 100 * share); }

/// A value as it is in the table, not longer than a glance takes.
std::string shown_value(const std::string& value) {
  constexpr int kWidest = 24;
  std::string text = printable(value);
  if (terminal_width(text) <= kWidest) return text;
  while (terminal_width(text) > kWidest - 3) {
    do {
      text.pop_back();
    } while (!text.empty() && find_invalid_utf8(text).has_value());
  }
  return text + "...";
}

void print_values(Invocation& invocation, const Inspection& found, int width) {
  OutputWriter& out = invocation.out();
  out.print("\n{}\n", invocation.out_style().bold("values"));
  for (std::size_t i = 0; i < std::min(found.columns.size(), kMostColumns); ++i) {
    const auto& column = found.columns[i];
    const bool ordered = column.type != table::ColumnType::text && column.type != table::ColumnType::boolean;
    std::string text;
    if (ordered && column.figures.least)
      text = fmt::format("{} to {}", shown_value(*column.figures.least), shown_value(*column.figures.largest));
    std::string commonest;
    for (const auto& one : column.figures.commonest)
      commonest += fmt::format("{}{} ({})", commonest.empty() ? "" : ", ", shown_value(one.value), one.rows);
    if (!commonest.empty()) text += (text.empty() ? "commonest: " : "; commonest: ") + commonest;
    if (text.empty()) text = column.distinct == 0 ? "none" : "none is common";
    out.print("  {}  {}\n", padded(printable(column.name), width), text);
    if (column.odd)
      out.print("  {}  {}; missing? {}\n", padded("", width), printable(column.odd->to_text()),
                printable(column.odd->null_tokens("--null ")));
  }
  for (const auto& pair : found.twins)
    out.print("  {} and {} determine each other: together they tell no more than one of them\n", printable(pair.one),
              printable(pair.other));
}

void print(Invocation& invocation, const Inspection& found, std::uint64_t k) {
  OutputWriter& out = invocation.out();
  const Style style = invocation.out_style();
  int width = 6;
  for (const auto& column : found.columns)
    width = std::max(width, std::min(terminal_width(printable(column.name)), 28));
  out.print("{} rows, {} columns\n\n", found.rows, found.columns.size());
  const bool risks = std::any_of(found.columns.begin(), found.columns.end(),
                                 [](const Inspection::Column& column) { return column.risk.has_value(); });
  const auto risk_text = [&](const Inspection::Column& column) {
    if (!risks) return std::string();
    return fmt::format(" {:>5}", column.risk ? fmt::format("{:.2f}", *column.risk) : std::string("-"));
  };
  out.print("{}\n", style.bold(fmt::format("{}  {:<8} {:>9} {:>8} {:>11} {:>10}{}  {:<11} {}",
                                           padded("column", width), "type", "distinct", "missing", "distinction",
                                           "separation", risks ? "   r*a" : "", "role", "why")));
  for (std::size_t i = 0; i < std::min(found.columns.size(), kMostColumns); ++i) {
    const auto& column = found.columns[i];
    out.print("{}  {:<8} {:>9} {:>8} {:>11} {:>10}{}  {:<11} {}\n", padded(printable(column.name), width),
              table::to_string(column.type), column.distinct, column.missing, share_text(column.figures.distinction),
              column.figures.separation ? share_text(*column.figures.separation) : "-", risk_text(column),
              word_of(kRoleWords, column.role), column.reason);
  }
  if (found.columns.size() > kMostColumns)
    out.print("... {} more columns; --json lists them all\n", found.columns.size() - kMostColumns);
  if (risks)
    out.print(
        "\nr*a: relevance x availability, relative to the columns compared: the least telling of them has 0, which "
        "does not mean that it is harmless\n");
  print_values(invocation, found, width);
  for (std::size_t size = 3; size <= 5; ++size) {
    int shown = 0;
    for (const auto& one : found.combinations) {
      if (one.columns.size() != size || shown == 3) continue;
      if (shown++ == 0) out.print("\n{}\n", style.bold(fmt::format("{} columns together", size)));
      out.print("  {}: {}, {} in classes below {}; {}\n", printable_list(one.columns),
                counted(one.uniques, "unique row"), one.below_k, k,
                one.reaches_k ? fmt::format("k = {} costs a loss of {:.3f}", k, one.loss)
                              : fmt::format("k = {} leaves nothing of them", k));
    }
  }
  if (!found.ties.empty()) out.print("\n{}\n", style.bold("tied to protected groups"));
  for (const auto& tie : found.ties)
    out.print("  {} and {} (Cramer's V {:.2f}): generalising by it would treat groups unequally\n",
              printable(tie.column), printable(tie.protected_group), tie.cramers_v);
}

/// Spellings that look alike, and values that lie far outside: what `same` and `valid` of a policy are for.
void print_cleaning(Invocation& invocation, const Inspection& found) {
  OutputWriter& out = invocation.out();
  if (found.spellings.empty() && found.outliers.empty()) return;
  out.print("\n{}\n", invocation.out_style().bold("to be cleaned?"));
  std::size_t shown = 0;
  for (const auto& group : found.spellings) {
    if (shown++ == kMostSpellings) {
      out.print("  ... {} more; --json lists them all\n", found.spellings.size() - kMostSpellings);
      break;
    }
    std::string values;
    for (std::size_t i = 0; i < std::min(group.values.size(), kMostOfGroup); ++i)
      values +=
          fmt::format("{}'{}' ({})", i == 0 ? "" : ", ", shown_value(group.values[i].value), group.values[i].rows);
    if (group.values.size() > kMostOfGroup) values += fmt::format(" and {} more", group.values.size() - kMostOfGroup);
    out.print("  {}: {} look alike\n", printable(group.column), values);
  }
  for (const auto& one : found.outliers) {
    const bool impossible = one.why == Outliers::Why::impossible;
    const std::string extent = one.low == one.high ? one.low : fmt::format("{} to {}", one.low, one.high);
    out.print("  {}: {} in {}: {}\n", printable(one.column), extent, counted(one.rows, "row"),
              impossible      ? (one.is_date ? "days that have not come yet" : "no age that people reach")
              : one.rows == 1 ? "far from all others"
                              : "far from most others");
  }
  out.print("  a policy's `same` and `valid` clean them; --write-policy drafts one to review\n");
}

/// A draft for the owner to review.
Result<void> write_draft(Invocation& invocation, const Inspection& found, const InspectionRequest& request,
                         const engines::OpenedSource& opened) {
  const auto path = invocation.optional_text("write-policy");
  if (!path) return {};
  const bool is_csv = opened.format == table::FileFormat::csv;
  const Policy draft = completed_policy(draft_policy(found, request), *opened.source,
                                        is_csv ? std::optional(opened.form) : std::nullopt);
  GAUZE_TRY_VOID(write_policy_file(*path, draft));
  invocation.note(fmt::format(
      "wrote {}: a draft made from the data, and marked so; review roles, spellings and bounds before you use it",
      *path));
  return {};
}

/// With --report: the same figures as a page, INTERNAL like all of them.
Result<void> write_report(Invocation& invocation, const Inspection& found, const InspectionRequest& request) {
  const auto path = invocation.optional_text("report");
  if (!path) return {};
  GAUZE_TRY(const std::string file, invocation.text("file"));
  Json document = to_json(found);
  document.set("kind", "inspection")
      .set("file", file == "-" ? "standard input" : std::filesystem::path(file).filename().string())
      .set("target", request.target ? Json(*request.target) : Json())
      .set("k", request.k);
  GAUZE_TRY_VOID(write_file(*path, render_report(document.dump())));
  invocation.note(fmt::format("wrote {}: INTERNAL, it was made from the raw data", *path));
  return {};
}

/// How the file was read, so that a wrong guess is seen.
void print_form(Invocation& invocation, const engines::OpenedSource& opened) {
  if (opened.format != table::FileFormat::csv) return;
  const std::string& delimiter = opened.form.delimiter;
  std::string missing;
  for (const std::string& token : opened.source->missing().all())
    missing +=
        fmt::format("{}{}", missing.empty() ? "" : ", ", token.empty() ? "nothing" : printable("'" + token + "'"));
  invocation.out().print("\n{} delimiter {}, encoding {}, decimal {}, lines end with {}; missing: {}\n",
                         invocation.out_style().bold("read as"), delimiter == "\t" ? "tab" : "'" + delimiter + "'",
                         table::to_string(opened.form.encoding),
                         opened.form.decimal == table::DecimalSign::point ? "point" : "comma",
                         opened.form.crlf ? "CR LF" : "LF", missing);
}

Result<int> run_inspect(Invocation& invocation) {
  GAUZE_TRY(const std::string file, invocation.text("file"));
  GAUZE_TRY(const table::ReadOptions options, read_options(invocation));
  InspectionRequest request;
  request.target = invocation.optional_text("target");
  if (invocation.has("columns")) {
    GAUZE_TRY(request.columns, invocation.list("columns"));
  }
  request.sensitive = invocation.texts("sensitive");
  request.protected_groups = invocation.texts("protected");
  for (const std::string& text : invocation.texts("availability")) {
    GAUZE_TRY(const Availability given, parse_availability(text));
    request.availability[given.column] = given.level;
  }
  GAUZE_TRY(const std::int64_t k, invocation.integer("k", 1, INT32_MAX));
  request.k = static_cast<std::uint64_t>(k);
  request.null_tokens = options.null_tokens;
  GAUZE_TRY(const engines::OpenedSource opened, engines::open_source(file, options));
  GAUZE_TRY(const Inspection found, inspect(*opened.source, request, invocation.progress()));
  invocation.end_progress();
  GAUZE_TRY_VOID(write_draft(invocation, found, request, opened));
  GAUZE_TRY_VOID(write_report(invocation, found, request));
  if (invocation.json()) {
    invocation.print_json(to_json(found));
    return 0;
  }
  print(invocation, found, request.k);
  print_cleaning(invocation, found);
  print_form(invocation, opened);
  return 0;
}

}  // namespace

void register_inspect_command(Registry& registry) {
  std::vector<Flag> flags = {
      {.name = "target", .placeholder = "COL", .help = "what the table is used to predict; gives columns a risk"},
      {.name = "columns",
       .placeholder = "A,B,...",
       .help = "candidates for quasi-identifiers, over which risks are scaled; default: the suggested ones"},
      {.name = "sensitive", .placeholder = "COL", .help = "a column nobody should learn", .repeatable = true},
      {.name = "protected",
       .placeholder = "COL",
       .help = "a group that must not be treated worse; default: columns named sex, gender, race or ethnicity",
       .repeatable = true},
      {.name = "availability",
       .placeholder = "COL=1..5",
       .help = "how easily outsiders learn a column, 5 most easily; default by its name",
       .repeatable = true},
      {.name = "k",
       .placeholder = "K",
       .help = "class size that combinations of columns are tried for",
       .default_text = "5"}};
  flags.push_back(
      {.name = "write-policy",
       .placeholder = "FILE",
       .help = "write a draft of a policy: roles, spellings and bounds as found, marked as made from the data",
       .is_file = true,
       .makes = Makes::file});
  flags.push_back({.name = "report",
                   .placeholder = "OUT.html",
                   .help = "the figures as a page: relevance and risk, combinations, ties; INTERNAL",
                   .is_file = true,
                   .makes = Makes::file});
  for (Flag& flag : table_flags()) flags.push_back(std::move(flag));
  registry.add(
      {.name = "inspect",
       .group = "Tables",
       .summary = "Find out which columns identify people",
       .description =
           "Describes every column of a table and suggests what it is: an identifier, a quasi-identifier, sensitive, or "
           "none of these, with the reason. Confirm the suggestions: they come from names and cells alone. Distinction is the "
           "share of different values, separation the share of pairs of rows that a column tells apart.\n\n"
           "With --target, relevance x availability (r*a, `risk` with --json) is the mutual information of a column with the "
           "target, scaled to 0 .. 1 over the candidates, times how easily outsiders learn it (1 to 5): it compares "
           "candidates, and the least telling one has 0. Combinations of 3, 4 and 5 columns show how many "
           "rows are unique on them.\n\n"
           "What may need cleaning is listed with its rows: spellings that look alike (case, width, blanks, punctuation, a letter "
           "in long words, words for male and female, yes and no), numbers more than three interquartile ranges from the "
           "quartiles, ages and days that cannot be. Nothing is changed: --write-policy drafts a policy whose `same` and "
           "`valid` would, for you to review.\n\n"
           "Everything printed comes from the raw data: it is for the owner's own eyes.\n\n"
           "With --json: rows, columns, combinations, ties, twins, spellings, outliers.",
       .examples = {{"gauze inspect people.csv", "types, missing values, suggested roles"},
                    {"gauze inspect people.csv --target income --availability education=5", "with risks"},
                    {"gauze inspect people.csv --target income --report columns.html", "the same as a page"},
                    {"gauze inspect people.csv --write-policy draft.yaml", "a policy to begin with"}},
       .positionals = {table_positional()},
       .flags = std::move(flags),
       .run = run_inspect});
}

}  // namespace gauze::cli
