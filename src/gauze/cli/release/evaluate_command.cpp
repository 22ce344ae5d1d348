#include <algorithm>
#include <filesystem>

#include "gauze/assess/evaluation/evaluation.h"
#include "gauze/base/cpu_time.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/output_places.h"
#include "gauze/cli/flags/publishing.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/flags/table_flags.h"
#include "gauze/cli/release/evaluation_flags.h"
#include "gauze/cli/release/evaluation_text.h"
#include "gauze/cli/tables/policy_flags.h"
#include "gauze/engines/open_source.h"
#include "gauze/files/atomic_file.h"
#include "gauze/label/label_file.h"
#include "gauze/report/report.h"
#include "gauze/schema/policy/policy_writer.h"

namespace gauze::cli {
namespace {

using assess::Evaluation;

/// The report and its label, which says INTERNAL.
Result<void> write_report(Invocation& invocation, const std::string& path, const Json& document,
                          const Evaluation& evaluation) {
  PrivacyLabel label = evaluation.label();
  return publish_bytes(invocation, path, render_report(document.dump()), label);
}

Result<Evaluation> evaluate(Invocation& invocation, assess::EvaluationSetting setting, const std::string& file,
                            bool with_sweep) {
  GAUZE_TRY_VOID(setting.check());
  invocation.warn_all(setting.policy.warnings);
  GAUZE_TRY_VOID(check_output_places(invocation, files_of(setting.policy)));
  GAUZE_TRY(const engines::OpenedSource opened, engines::open_source(file, setting.policy.input));
  GAUZE_TRY(Evaluation evaluation,
            Evaluation::run(*opened.source, std::move(setting), with_sweep, invocation.progress()));
  invocation.warn_all(evaluation.data().warnings);
  return evaluation;
}

Result<int> finish(Invocation& invocation, const Evaluation& evaluation, const std::string& file, double started,
                   const std::string& text) {
  Json document = evaluation.to_json(std::filesystem::path(file).filename().string());
  document.set("seconds", cpu_seconds() - started);
  if (const auto report = invocation.optional_text("report"))
    GAUZE_TRY_VOID(write_report(invocation, *report, document, evaluation));
  invocation.end_progress();
  const bool infeasible = evaluation.requirements() && !evaluation.requirements()->epsilon;
  if (invocation.json()) {
    if (infeasible) {
      for (const auto& [key, value] : *document.members())
        if (key != "warnings") invocation.attach_to_error(key, value);
      return make_error(ErrorCode::infeasible, "{}", evaluation.requirements()->text());
    }
    invocation.print_json(document);
    return 0;
  }
  invocation.out().print(
      "{}\n\n", invocation.out_style().red("INTERNAL: compares with the raw data, not private at any epsilon"));
  invocation.out().write(text);
  if (const auto report = invocation.optional_text("report")) invocation.note(fmt::format("wrote {}", *report));
  return infeasible ? exit_status(ErrorCode::infeasible) : 0;
}

/// Rising, each once; empty unless they are given.
Result<std::vector<std::uint64_t>> ks_of(const Invocation& invocation) {
  std::vector<std::uint64_t> ks;
  if (!invocation.has("ks")) return ks;
  GAUZE_TRY(const std::vector<Rational> given, invocation.rationals("ks"));
  for (const Rational& k : given) {
    if (!k.is_integer() || k < 1 || k > Rational(INT32_MAX))
      return invalid_parameter("--ks takes whole numbers of at least 1, but one is {}", k.to_decimal());
    ks.push_back(static_cast<std::uint64_t>(k.to_double()));
  }
  std::sort(ks.begin(), ks.end());
  ks.erase(std::unique(ks.begin(), ks.end()), ks.end());
  return ks;
}

Result<int> run_evaluate(Invocation& invocation) {
  const double started = cpu_seconds();
  GAUZE_TRY(const std::string file, invocation.text("file"));
  GAUZE_TRY(assess::EvaluationSetting setting, evaluation_setting(invocation));
  if (setting.as_published) setting.epsilons = assess::EvaluationSetting::published_epsilons();
  if (invocation.has("epsilons")) {
    GAUZE_TRY(setting.epsilons, invocation.rationals("epsilons"));
    std::sort(setting.epsilons.begin(), setting.epsilons.end());
  }
  GAUZE_TRY(setting.ks, ks_of(invocation));
  if (const auto scenario = invocation.optional_text("scenario")) {
    if (invocation.has("weights"))
      return make_error(ErrorCode::usage,
                        "--scenario sets the weights: leave --weights out, or set them without a scenario");
    GAUZE_TRY(setting.scenario, assess::find_scenario(*scenario));
    setting.weights = setting.scenario->weights;
  } else {
    GAUZE_TRY(const std::string weights, invocation.text("weights"));
    GAUZE_TRY(setting.weights, parse_weights(weights));
  }
  setting.counts_only = invocation.has("counts-only");
  for (const std::string& text : invocation.texts("require")) {
    GAUZE_TRY(assess::Requirement requirement, assess::Requirement::parse(text));
    setting.requirements.push_back(std::move(requirement));
  }
  if (invocation.has("certainty") && setting.requirements.empty())
    return make_error(ErrorCode::usage, "--certainty goes with --require");
  GAUZE_TRY(setting.certainty, invocation.rational("certainty"));
  schema::Policy written = setting.policy;
  GAUZE_TRY(const Evaluation evaluation, evaluate(invocation, std::move(setting), file, true));
  if (const auto path = invocation.optional_text("write-policy")) {
    written.provenance.epsilon = Provenance::data;  // chosen with this evaluation at hand
    GAUZE_TRY_VOID(schema::write_policy_file(*path, written));
  }
  return finish(invocation, evaluation, file, started, sweep_text(evaluation, invocation.out_style()));
}

Result<int> run_compare(Invocation& invocation) {
  const double started = cpu_seconds();
  GAUZE_TRY(const std::string file, invocation.text("file"));
  GAUZE_TRY(assess::EvaluationSetting setting, evaluation_setting(invocation));
  GAUZE_TRY(const Rational epsilon, invocation.rational("epsilon"));
  setting.epsilons = {epsilon};
  GAUZE_TRY(const Evaluation evaluation, evaluate(invocation, std::move(setting), file, false));
  return finish(invocation, evaluation, file, started, comparison_text(evaluation, invocation.out_style()));
}

Flag report_flag() {
  return {.name = "report",
          .placeholder = "OUT.html",
          .help = "write a self-contained report to look at in a browser",
          .is_file = true,
          .makes = Makes::labelled_file};
}

}  // namespace

void register_evaluate_command(Registry& registry) {
  std::vector<Flag> flags = {
      {.name = "epsilons",
       .placeholder = "LIST",
       .help =
           "privacy losses to try, separated by commas; default: eleven, found on the data (as published: 0.1 to 10)"},
      {.name = "ks",
       .placeholder = "LIST",
       .help =
           "sizes of classes to try, each with every epsilon, separated by commas; default: the policy's k alone"},
      {.name = "scenario",
       .placeholder = "NAME",
       .help =
           "weights of the thesis for a kind of use, with what it advises there; finance and medical: epsilons above what "
           "their profile allows are never recommended",
       .choices = {"finance", "medical", "research", "social", "business"}},
      {.name = "weights",
       .placeholder = "P/U/F",
       .help = "weights of privacy, utility and fairness in the score",
       .default_text = "0.4/0.3/0.3"},
      {.name = "require",
       .placeholder = "FIGURE<=N",
       .help =
           "what every release must meet, such as tvd<=0.05, accuracy>=0.78, eod.sex<=0.05: finds the smallest epsilon",
       .repeatable = true},
      {.name = "certainty",
       .placeholder = "SHARE",
       .help = "share of releases that must meet the requirements, shown with 95 % confidence",
       .default_text = "0.9"},
      {.name = "counts-only", .help = "measure counts alone: no models, no fairness"},
      report_flag(),
      {.name = "write-policy",
       .placeholder = "FILE",
       .help = "write the policy, saying that epsilon was chosen on this data",
       .is_file = true,
       .makes = Makes::file}};
  for (Flag& flag : evaluation_flags()) flags.push_back(std::move(flag));
  registry.add(
      {.name = "evaluate",
       .group = "Releases",
       .summary = "Find out what a release would cost whom, before making it",
       .description =
           "Simulates the release that a policy describes many times at every epsilon, and measures privacy, utility and "
           "fairness with their spread: how far the counts are off, what a model learns from the release, how groups "
           "fare. It recommends an epsilon, or says that none is clearly best. Without --epsilons it tries eleven, from where "
           "utility is nearly gone to where it no longer grows.\n\n"
           "With --require it answers what a steward asks: the smallest epsilon from which on every larger one meets all "
           "requirements in at least --certainty of the releases (lower bound of Clopper and Pearson, one-sided, 95 %: 0.95 "
           "takes 59 repetitions). Figures go by their names in the JSON; `accuracy` is that of the logistic model, `eod.COL` "
           "the equalised odds difference of a column. Where none does, it says which requirement cannot be met and how "
           "close it comes (exit 3).\n\n"
           "--ks tries several sizes of classes with every epsilon: scores, wins and the recommendation are over all pairs, and "
           "--require looks for the smallest epsilon, then for the largest k. --scenario weighs the scores as the thesis does for a "
           "kind of use, and holds what it advises there against this sweep; `gauze help epsilon` says what an epsilon means.\n\n"
           "Every figure compares with the raw data: the output is INTERNAL at any epsilon. An interval holds the middle "
           "95 % of the repetitions. --as-published runs the method and the scores of the published thesis.\n\n"
           "With --json: the document described in docs/formats/evaluation.md.",
       .examples = {{"gauze evaluate people.csv --policy people.yaml --report report.html",
                     "the whole sweep, as a report"},
                    {"gauze evaluate people.csv --policy people.yaml --epsilons 0.5,1,2 --repetitions 200 --json",
                     "three epsilons, for programs"},
                    {"gauze evaluate people.csv --policy people.yaml --require 'tvd<=0.1' --require 'accuracy>=0.75'",
                     "the smallest epsilon that is good enough"},
                    {"gauze evaluate people.csv --policy people.yaml --ks 2,5,10 --scenario medical",
                     "which k and epsilon, where privacy counts most"},
                    {"gauze evaluate people.csv --policy people.yaml --as-published", "the published method"}},
       .positionals = {table_positional()},
       .flags = std::move(flags),
       .run = run_evaluate});
  std::vector<Flag> compare_flags = {
      {.name = "epsilon", .placeholder = "E", .help = "privacy loss of the methods with noise", .default_text = "1"},
      report_flag()};
  for (Flag& flag : evaluation_flags()) compare_flags.push_back(std::move(flag));
  registry.add(
      {.name = "compare",
       .group = "Releases",
       .summary = "k-anonymity, differential privacy and both, side by side",
       .description =
           "Measures three ways to protect the same table at the same levels: generalisation with suppression of "
           "small classes, noise alone, and both. Models trained on each are tested on untouched rows, beside "
           "the majority class and the unprotected table.\n\n"
           "The output is INTERNAL: it compares with the raw data.",
       .examples = {{"gauze compare people.csv --policy people.yaml --epsilon 1 --repetitions 100",
                     "side by side, with intervals"}},
       .positionals = {table_positional()},
       .flags = std::move(compare_flags),
       .run = run_compare});
}

}  // namespace gauze::cli
