#include <algorithm>
#include <filesystem>

#include "gauze/anonymize/inspect/undecided_columns.h"
#include "gauze/anonymize/inspect/undecided_text.h"
#include "gauze/anonymize/job/anonymization_json.h"
#include "gauze/anonymize/job/anonymization_label.h"
#include "gauze/anonymize/job/formula_cells.h"
#include "gauze/anonymize/job/verification.h"
#include "gauze/base/joined.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/flags/table_flags.h"
#include "gauze/cli/tables/policy_flags.h"
#include "gauze/cli/tables/risk_text.h"
#include "gauze/cli/tables/undecided_text.h"
#include "gauze/engines/open_source.h"
#include "gauze/label/label_file.h"
#include "gauze/schema/cleaning/cleaned_source.h"

namespace gauze::cli {
namespace {

using namespace anonymize;  // the vocabulary of this file
using namespace schema;

/// What the label beside the file tells, if there is one and it is that of the file.
std::optional<LabelledRelease> find_label(Invocation& invocation, const std::string& file) {
  std::error_code ignored;
  const std::filesystem::path path = label_path_for(file);
  if (file == "-" || !std::filesystem::exists(path, ignored)) return std::nullopt;
  const auto label = read_label_file(path);
  if (!label || !check_against_file(*label, file)) {
    invocation.warn(Warning::of_privacy(
        "label_of_other_file", fmt::format("{} is not the label of this file: it is not used", path.string())));
    return std::nullopt;
  }
  return anonymize::read_label(*label);
}

/// What is not said otherwise is read as the table was that the file was made from.
table::ReadOptions reading_of(const Policy& policy, const std::optional<LabelledRelease>& label) {
  table::ReadOptions options = policy.input;
  if (label && !options.decimal) options.decimal = label->decimal;
  if (label && options.null_tokens.empty()) options.null_tokens = label->null_tokens;
  return options;
}

Result<VerificationRequest> read_request(Invocation& invocation, const Policy& policy,
                                         const std::optional<LabelledRelease>& label) {
  VerificationRequest request;
  request.quasi = policy.names_with(Role::quasi);
  if (request.quasi.empty() && label) {
    request.quasi = label->quasi;
    invocation.note("the quasi-identifiers are those of the label");
  }
  request.sensitive = policy.names_with(Role::sensitive);
  request.criteria = policy.privacy;
  request.k_is_asked = invocation.has("k") || invocation.has("policy");
  for (const PolicyColumn& column : policy.columns)
    if (column.has(Role::sensitive) && column.hierarchy)
      request.hierarchies.emplace_back(column.name, *column.hierarchy);
  return request;
}

std::string compared_with(const Verification& found, const std::optional<LabelledRelease>& label) {
  if (label && label->suppressed_dropped) return "all rows of this file; suppressed ones were dropped from it";
  return found.suppressed > 0 ? "the rows of this file in which it is visible" : "all rows of this file";
}

std::string rows_text(const Verification& found) {
  const auto& star = found.suppressed_class;
  std::string text = std::to_string(found.rows);
  if (star.rows > 0) text += fmt::format(", {} with nothing but * in the quasi-identifiers: a class", star.rows);
  if (star.blank > 0) text += fmt::format(", {} with nothing but * at all: in no class", star.blank);
  return text;
}

std::string k_text(const Verification& found) {
  if (found.k > 1)
    return fmt::format("{}: every row looks like at least {} other{}", found.k, found.k - 1, found.k == 2 ? "" : "s");
  return fmt::format("1: {} look{} like no other", counted(found.alone, "row"), found.alone == 1 ? "s" : "");
}

void print(Invocation& invocation, const Verification& found, const std::string& comparison) {
  OutputWriter& out = invocation.out();
  const Style style = invocation.out_style();
  auto line = [&](std::string_view name, const std::string& text) {
    out.print("{} {}\n", style.bold(fmt::format("{:<12}", name)), text);
  };
  line("rows", rows_text(found));
  if (found.risk.classes == 0) {
    line("k", "no row is left that could be alone");
  } else {
    line("k", k_text(found));
    line("classes", classes_text(found.risk));
    line("risk", fmt::format("highest {:.4g} %, mean {:.4g} %, {:.4g} % of the rows above {} %, {}",
                             100 * found.risk.prosecutor.highest, 100 * found.risk.prosecutor.mean,
                             100 * found.risk.prosecutor.at_risk, (found.risk.threshold * Rational(100)).to_decimal(),
                             counted(found.risk.uniques, "unique row")));
  }
  for (const auto& one : found.sensitive) {
    std::string text = fmt::format("l {} distinct, {:.6g} entropy; t {:.6g} equal, {:.6g} ordered", one.l_distinct,
                                   one.l_entropy, one.t_equal, one.t_ordered);
    if (one.t_hierarchical) text += fmt::format(", {:.6g} hierarchical", *one.t_hierarchical);
    text += fmt::format("; delta {:.6g}, beta {:.6g}", one.delta_disclosure, one.beta_likeness);
    line(one.column, text);
  }
  if (!found.sensitive.empty()) line("compared", "with " + comparison);
  for (const auto& one : found.requirements)
    out.print("{} {}{}\n", one.holds ? style.bold("holds       ") : style.red("FAILS       "), one.text,
              one.holds
                  ? std::string()
                  : fmt::format(": {} with {} {} not satisfy it", counted(one.failing_classes, "class", "classes"),
                                counted(one.failing_records, "row"), one.failing_classes == 1 ? "does" : "do"));
}

/// Columns of the file that nothing decides about: those that look like identifiers speak against it.
Result<UndecidedColumns> undecided_columns(Invocation& invocation, table::Source& table,
                                           const VerificationRequest& request, const Policy& policy,
                                           const std::optional<LabelledRelease>& label) {
  std::vector<std::string> decided = request.quasi;
  for (const PolicyColumn& column : policy.columns) {
    decided.push_back(column.name);
    // A name that is no column is a slip: it would keep nothing.
    if (invocation.has("keep")) GAUZE_TRY_VOID(table.column(column.name));
  }
  if (label) decided.insert(decided.end(), label->pseudonymous.begin(), label->pseudonymous.end());
  std::vector<std::size_t> open;
  for (std::size_t place = 0; place < table.columns().size(); ++place)
    if (std::find(decided.begin(), decided.end(), table.columns()[place]) == decided.end()) open.push_back(place);
  GAUZE_TRY(UndecidedColumns undecided, find_undecided(table, open, invocation.progress()));
  std::vector<std::size_t> pseudonymous;
  for (std::size_t place = 0; place < table.columns().size(); ++place) {
    const std::string& name = table.columns()[place];
    const PolicyColumn* const column = policy.find(name);
    const bool by_label =
        label && std::find(label->pseudonymous.begin(), label->pseudonymous.end(), name) != label->pseudonymous.end();
    if (by_label || (column != nullptr && column->action == IdentifierAction::pseudonym))
      pseudonymous.push_back(place);
  }
  GAUZE_TRY(const std::vector<UndecidedColumn> raw,
            find_without_pseudonyms(table, pseudonymous, invocation.progress()));
  undecided.identifiers.insert(undecided.identifiers.end(), raw.begin(), raw.end());
  return undecided;
}

/// What the file has against its policy: columns that are dropped by it, and columns it does not know.
Result<void> check_columns(const table::Source& table, const Policy& policy) {
  std::vector<std::string> dropped;
  std::vector<std::string> unknown;
  for (const std::string& name : table.columns()) {
    const PolicyColumn* const column = policy.find(name);
    if (column == nullptr) unknown.push_back("'" + name + "'");
    if (column != nullptr && column->has(Role::identifier) && column->action == IdentifierAction::drop)
      dropped.push_back("'" + name + "'");
  }
  if (!dropped.empty())
    return make_error(ErrorCode::not_private, "the policy drops {}, and the file still has {}", joined(dropped, ", "),
                      dropped.size() == 1 ? "it" : "them");
  if (!unknown.empty())
    return make_error(ErrorCode::not_private, "the policy says nothing of {}: give {} a role there",
                      joined(unknown, ", "), unknown.size() == 1 ? "it" : "them");
  return {};
}

/// The figures stand, and something about the columns speaks against the file: people read both, and programs find the
/// figures beside the error.
Result<int> refuse(Invocation& invocation, const Json& figures, tl::unexpected<Error> why) {
  if (!invocation.json()) {
    invocation.out().print("{} {}\n", invocation.out_style().red("FAILS       "), why.value().message);
    return exit_status(why.value().code);
  }
  for (const auto& [key, value] : *figures.members()) invocation.attach_to_error(key, value);
  invocation.attach_to_error("satisfied", false);
  return why;
}

/// The columns of a file that the policy's `same` and `valid` change, and in how many rows.
Result<std::vector<std::string>> uncleaned_columns(Invocation& invocation, schema::CleanedSource& table) {
  std::vector<std::string> parts;
  for (std::size_t place = 0; place < table.columns().size(); ++place) {
    GAUZE_TRY(const std::uint64_t rows, table.changed_rows(place, invocation.progress()));
    if (rows > 0) parts.push_back(fmt::format("'{}' in {}", table.columns()[place], counted(rows, "row")));
  }
  return parts;
}

/// What people read is the file as it stands, and its figures are those. But two spellings of one illness tell the same: what is asked for
/// must hold of the cleaned table, too.
Result<void> check_as_cleaned(Invocation& invocation, schema::CleanedSource& cleaned,
                              const VerificationRequest& request, const std::vector<std::string>& uncleaned) {
  if (uncleaned.empty()) return {};
  const std::string what = fmt::format("`same` and `valid` of the policy would change the file (the column{} {})",
                                       uncleaned.size() == 1 ? "" : "s", joined(uncleaned, ", "));
  const auto found = verify(cleaned, request, invocation.progress());
  if (!found || !found->satisfied())
    return make_error(
        ErrorCode::not_private,
        "{}, and as the policy reads it, it does not satisfy what is asked for; let `gauze anonymize` write it",
        what);
  invocation.warn(Warning::of_privacy("not_cleaned", what + "; the figures are those of the file as it stands"));
  return {};
}

Result<int> run_check(Invocation& invocation) {
  GAUZE_TRY(const std::string file, invocation.text("file"));
  GAUZE_TRY(const Policy policy, policy_of(invocation));
  GAUZE_TRY_VOID(check_null_tokens(policy.input));
  const std::optional<LabelledRelease> label = find_label(invocation, file);
  GAUZE_TRY(const VerificationRequest request, read_request(invocation, policy, label));
  GAUZE_TRY(const engines::OpenedSource opened, engines::open_source(file, reading_of(policy, label)));
  GAUZE_TRY(const auto cleaned, schema::CleanedSource::make(*opened.source, policy, {.finished = true}));
  GAUZE_TRY(const Verification found, verify(*opened.source, request, invocation.progress()));
  GAUZE_TRY(const UndecidedColumns undecided, undecided_columns(invocation, *opened.source, request, policy, label));
  GAUZE_TRY(const std::vector<std::size_t> formulas, formula_columns(*opened.source, invocation.progress()));
  GAUZE_TRY(const std::vector<std::string> uncleaned, uncleaned_columns(invocation, *cleaned));
  invocation.end_progress();
  if (!formulas.empty()) invocation.warn(formula_warning(*opened.source, formulas));
  if (!undecided.quasi.empty()) invocation.warn(unnamed_quasi_identifiers(undecided.quasi));
  const std::string comparison = compared_with(found, label);
  const Json figures = to_json(found, comparison);
  const bool by_policy = invocation.has("policy");
  if (!invocation.json()) print(invocation, found, comparison);
  if (by_policy) {
    if (auto fits = check_columns(*opened.source, policy); !fits)
      return refuse(invocation, figures, tl::unexpected(std::move(fits).error()));
  }
  if (!undecided.identifiers.empty())
    return refuse(invocation, figures, refuse_undecided(invocation, undecided.identifiers));
  if (found.satisfied()) {
    if (auto holds = check_as_cleaned(invocation, *cleaned, request, uncleaned); !holds)
      return refuse(invocation, figures, tl::unexpected(std::move(holds).error()));
  }
  if (invocation.json()) invocation.print_json(figures);
  return found.satisfied() ? 0 : exit_status(ErrorCode::infeasible);
}

}  // namespace

void register_check_command(Registry& registry) {
  std::vector<Flag> flags = {
      {.name = "policy", .placeholder = "FILE", .help = "take columns and criteria from a policy", .is_file = true}};
  for (const auto& more : {column_flags(), criteria_flags(), table_flags()})
    flags.insert(flags.end(), more.begin(), more.end());
  registry.add(
      {.name = "check",
       .group = "Tables",
       .summary = "Say what a finished file satisfies",
       .description =
           "Looks at a file as it is and says which k, l and t it satisfies and how likely its rows can be linked to "
           "people. Works on any file, not only on what Gauze wrote.\n\n"
           "Ends with 0 when everything that was asked for holds, with 3 when not. Rows of nothing but `*` are in no class; "
           "all others are, those whose quasi-identifiers are all `*` too. A sensitive cell that is `*` is not visible: a "
           "class is judged by the visible ones. A column that looks like an identifier, and that neither a flag (--keep) nor the "
           "policy decides about, speaks against the file, as does a column that the policy drops or does not know. Columns with cells that a spreadsheet would run (=, +, -, @ before text) are named. For the "
           "owner's own eyes.\n\n"
           "With --json: k, classes, suppressed, suppressed_class, smallest_class, largest_class, sensitive, risk, "
           "risk_unsuppressed, requirements, satisfied, warnings.",
       .examples = {{"gauze check safe.csv --quasi age,zip,sex --k 5", "is it 5-anonymous?"},
                    {"gauze check safe.csv --quasi age,zip --sensitive illness --t-closeness illness:equal:0.2",
                     "what it says about the illness"}},
       .positionals = {table_positional()},
       .flags = std::move(flags),
       .run = run_check});
}

}  // namespace gauze::cli
