#include <filesystem>

#include "gauze/anonymize/job/anonymization_json.h"
#include "gauze/anonymize/job/anonymization_label.h"
#include "gauze/anonymize/job/formula_cells.h"
#include "gauze/anonymize/job/verification.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/flags/table_flags.h"
#include "gauze/cli/tables/formula_warning.h"
#include "gauze/cli/tables/policy_flags.h"
#include "gauze/cli/tables/risk_text.h"
#include "gauze/engines/open_source.h"
#include "gauze/label/label_file.h"

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
  request.stars_are_suppressed = !(label && label->stars_are_a_class);
  return request;
}

std::string compared_with(const Verification& found, const std::optional<LabelledRelease>& label) {
  if (label && label->suppressed_dropped)
    return "the rows of this file; suppressed rows were dropped from it, so figures may differ from those of the run that made it";
  return found.suppressed > 0 ? "all rows of this file, suppressed ones included" : "all rows of this file";
}

std::string k_text(const ReidentificationRisk& risk) {
  if (risk.smallest_class > 1)
    return fmt::format("{}: every row looks like at least {} other{}", risk.smallest_class, risk.smallest_class - 1,
                       risk.smallest_class == 2 ? "" : "s");
  return fmt::format("1: {} look{} like no other", counted(risk.uniques, "row"), risk.uniques == 1 ? "s" : "");
}

void print(Invocation& invocation, const Verification& found, const std::string& comparison) {
  OutputWriter& out = invocation.out();
  const Style style = invocation.out_style();
  auto line = [&](std::string_view name, const std::string& text) {
    out.print("{} {}\n", style.bold(fmt::format("{:<12}", name)), text);
  };
  line("rows", fmt::format("{}, {} of them suppressed", found.rows, found.suppressed));
  if (found.risk.classes == 0) {
    line("k", "no row is left that could be alone");
  } else {
    line("k", k_text(found.risk));
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

Result<int> run_check(Invocation& invocation) {
  GAUZE_TRY(const std::string file, invocation.text("file"));
  GAUZE_TRY(const Policy policy, policy_of(invocation));
  const std::optional<LabelledRelease> label = find_label(invocation, file);
  GAUZE_TRY(const VerificationRequest request, read_request(invocation, policy, label));
  GAUZE_TRY(const engines::OpenedSource opened, engines::open_source(file, policy.input));
  GAUZE_TRY(const Verification found, verify(*opened.source, request, invocation.progress()));
  GAUZE_TRY(const std::vector<std::size_t> formulas, formula_columns(*opened.source, invocation.progress()));
  invocation.end_progress();
  warn_of_formulas(invocation, *opened.source, formulas);
  const std::string comparison = compared_with(found, label);
  if (invocation.json())
    invocation.print_json(to_json(found, comparison));
  else
    print(invocation, found, comparison);
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
           "Ends with 0 when everything that was asked for holds, with 3 when not. Rows whose quasi-identifiers are all "
           "`*` count as suppressed. Columns with cells that a spreadsheet would run (=, +, -, @ before text) are named. For the "
           "owner's own eyes.\n\n"
           "With --json: k, classes, suppressed, smallest_class, largest_class, sensitive, risk, requirements, satisfied, warnings.",
       .examples = {{"gauze check safe.csv --quasi age,zip,sex --k 5", "is it 5-anonymous?"},
                    {"gauze check safe.csv --quasi age,zip --sensitive illness --t-closeness illness:equal:0.2",
                     "what it says about the illness"}},
       .positionals = {table_positional()},
       .flags = std::move(flags),
       .run = run_check});
}

}  // namespace gauze::cli
