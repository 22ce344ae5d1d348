#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/output_places.h"
#include "gauze/cli/core/text_table.h"
#include "gauze/cli/flags/publishing.h"
#include "gauze/cli/flags/seeding.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/flags/table_flags.h"
#include "gauze/cli/learn/learn_flags.h"
#include "gauze/cli/learn/learn_text.h"
#include "gauze/engines/open_source.h"
#include "gauze/learn/job/score_job.h"
#include "gauze/learn/rows/read_rows.h"

namespace gauze::cli {
namespace {

using learn::ModelFile;
using learn::ModelScore;
using learn::ScoredRows;
using learn::ScoreRequest;

/// Unit, neighbours and groups of --policy, else those kept with the model; how the table is written, too.
struct ScoreTerms {
  schema::LearnPolicy policy;
  table::ReadOptions input;
  std::string text;
};

Result<ScoreTerms> terms_of(const Invocation& invocation, const ModelFile& model) {
  ScoreTerms terms;
  terms.policy = model.description.policy;
  terms.input.null_tokens = model.description.null_tokens;
  if (invocation.has("policy")) {
    GAUZE_TRY(const schema::Policy policy, learn_policy(invocation));
    terms.policy.unit = policy.learn->unit;
    terms.policy.neighbours = policy.learn->neighbours;
    terms.policy.groups = policy.learn->groups;
    terms.input = policy.input;
    terms.text = policy.text;
  } else {
    GAUZE_TRY(terms.input, read_options(invocation, std::move(terms.input)));
  }
  return terms;
}

Result<ScoreRequest> request_of(const Invocation& invocation) {
  ScoreRequest request;
  GAUZE_TRY(request.epsilon, invocation.optional_rational("epsilon"));
  if (request.epsilon.has_value() == invocation.has("internal"))
    return make_error(ErrorCode::usage,
                      "give --internal for exact figures that stay here, or --epsilon for paid ones");
  if (request.epsilon && !(*request.epsilon > Rational())) return invalid_parameter("--epsilon must be above 0");
  request.by = invocation.optional_text("by").value_or("");
  GAUZE_TRY(const std::int64_t least, invocation.integer("min-group", 0));
  request.min_group = static_cast<std::uint64_t>(least);
  return request;
}

void print_figures(Invocation& invocation, const ModelScore& score) {
  TextTable table;
  table.add({"", "figure", "95 %"});
  const auto add = [&](const char* name, const std::optional<Estimate>& estimate) {
    if (!estimate) return;
    table.add({name, fmt::format("{:.4f}", estimate->mean),
               fmt::format("{:.4f} to {:.4f}", estimate->low, estimate->high)});
  };
  add("accuracy", score.figures.accuracy);
  if (score.majority.accuracy)
    table.add({fmt::format("  always '{}'", score.classes[*score.majority.label]),
               fmt::format("{:.4f}", *score.majority.accuracy), ""});
  add("balanced accuracy", score.figures.balanced_accuracy);
  add("F1, weighted", score.figures.f1_weighted);
  add("F1, macro", score.figures.f1_macro);
  add("log loss", score.figures.log_loss);
  add("AUC", score.figures.auc);
  add("mean absolute error", score.figures.mae);
  add("root mean square error", score.figures.rmse);
  invocation.out().write(table.text(invocation.out_style()));
  if (score.groups.empty()) return;
  TextTable groups;
  groups.add({"group", "rows", "accuracy", "95 %", "balanced", "F1, macro"});
  for (const ModelScore::Group& group : score.groups) {
    const auto figure = [&](const std::optional<Estimate>& estimate) {
      return estimate ? fmt::format("{:.4f}", estimate->mean) : std::string("-");
    };
    const learn::FigureEstimates own = group.figures.value_or(learn::FigureEstimates{});
    groups.add({group.name, fmt::format("{:.0f}", group.size), figure(own.accuracy),
                own.accuracy ? fmt::format("{:.4f} to {:.4f}", own.accuracy->low, own.accuracy->high) : "too few",
                figure(own.balanced_accuracy), figure(own.f1_macro)});
  }
  invocation.out().print("\n");
  invocation.out().write(groups.text(invocation.out_style()));
}

Result<int> show(Invocation& invocation, const ModelScore& score, publish::Publication& publication,
                 PrivacyLabel label) {
  Json object = score.to_json();
  std::vector<publish::LabelledOutput> outputs;
  const auto output = invocation.optional_text("output");
  if (output) {
    GAUZE_TRY(publish::LabelledOutput written, open_output(invocation, *output));
    GAUZE_TRY_VOID(written.write(object.dump(2) + "\n"));
    outputs.push_back(std::move(written));
  }
  GAUZE_TRY_VOID(finish(invocation, publication, label, outputs));
  invocation.end_progress();
  if (output) invocation.note(wrote_with_label(*output));
  if (score.internal)
    invocation.warn(Warning::of_privacy("internal", "INTERNAL: exact figures of private rows, not to be published"));
  if (invocation.json()) {
    object.set("ledger", publication.to_json()).set("label", label.to_json());
    invocation.print_json(std::move(object));
  } else if (!output || *output != "-") {
    print_figures(invocation, score);
  }
  return 0;
}

Result<int> run_score(Invocation& invocation) {
  GAUZE_TRY(const std::string model_path, invocation.text("model"));
  GAUZE_TRY(const std::string file, invocation.text("file"));
  GAUZE_TRY(ModelFile model, ModelFile::read(model_path));
  GAUZE_TRY(const ScoreTerms terms, terms_of(invocation, model));
  model.description.null_tokens = terms.input.null_tokens;
  model.description.decimal = terms.input.decimal.value_or(model.description.decimal);
  GAUZE_TRY(const ScoreRequest request, request_of(invocation));
  GAUZE_TRY(ScoredRows rows, ScoredRows::make(model, terms.policy, request.by, !request.epsilon));
  if (!request.epsilon) {
    for (const char* flag : {"ledger", "dataset", "analyst", "purpose", "request", "seed"})
      if (invocation.has(flag))
        return make_error(ErrorCode::usage, "--internal takes no --{}: nothing is released", flag);
    GAUZE_TRY(publish::Publication publication, begin_publication(invocation, false));
    GAUZE_TRY(const engines::OpenedSource opened, engines::open_source(file, terms.input));
    GAUZE_TRY_VOID(learn::read_rows(*opened.source, rows.columns(), rows, invocation.progress()));
    rows.finish();
    GAUZE_TRY(const ModelScore score, learn::internal_score(rows, request, invocation.progress()));
    return show(invocation, score, publication, learn::score_label(model, terms.policy, request));
  }
  if (model.description.policy.target.numeric)
    return invalid_parameter(
        "a numeric target has no paid figures: errors have no bounded price here; take --internal");
  GAUZE_TRY(RandomChoice random, RandomChoice::make(invocation));
  GAUZE_TRY(publish::Publication publication,
            begin_publication(invocation, random.is_seeded(), "score " + file, terms.text + model.to_bytes()));
  std::vector<table::DeclaredColumn> columns;
  for (const std::string& name : rows.columns()) columns.push_back({.name = name, .unreadable = ""});
  GAUZE_TRY(const auto source, engines::open_declared_source(file, columns, terms.input));
  GAUZE_TRY(const bool granted, reserve(invocation, publication, learn::score_cost(*request.epsilon, terms.policy)));
  if (!granted) return 0;  // this request was answered before
  GAUZE_TRY_VOID(source->read(rows, invocation.progress(), publication.witness_of_input()));
  rows.finish();
  GAUZE_TRY(const ModelScore score,
            random.draw([&](SecureRandom& secure) { return learn::paid_score(rows, terms.policy, request, secure); },
                        [&](SeededRandom& seeded) {
                          return learn::simulate_paid_score(rows, terms.policy, request, seeded);
                        }));
  if (!terms.text.empty()) publication.bind_policy(terms.text);
  return show(invocation, score, publication, learn::score_label(model, terms.policy, request, source->assumption()));
}

}  // namespace

void register_score_command(Registry& registry) {
  std::vector<Flag> flags = {
      {.name = "internal", .help = "exact figures with bootstrap intervals, for your own eyes"}};
  const auto add = [&](std::vector<Flag> more) {
    for (Flag& flag : more) flags.push_back(std::move(flag));
  };
  add({epsilon_flag(),
       learn_policy_flag(false),
       {.name = "by", .placeholder = "COL", .help = "figures for each value of a column of the policy's groups, too"},
       {.name = "min-group",
        .placeholder = "K",
        .help = "groups with fewer rows have no figures",
        .default_text = "20"},
       output_flag()});
  add(account_flags());
  add(table_flags());
  add({seed_flag(), insecure_seed_flag()});
  registry.add({
      .name = "score",
      .group = "Models",
      .summary = "Measure a model on a table, for yourself or with paid noise",
      .description =
          "Accuracy and its relatives beside the commonest class, and for each protected group. With --internal the "
          "figures are exact and stay with you; with --epsilon they are made of noisy counts and may be published.",
      .examples = {{"gauze score income.gmodel test.csv --internal --by sex",
                    "exact figures, and those of each group"},
                   {"gauze score income.gmodel test.csv --epsilon 0.5 --ledger budget --dataset test",
                    "figures that may be published"}},
      .positionals = {{.name = "model", .help = "a model file", .is_file = true}, table_positional()},
      .flags = std::move(flags),
      .run = run_score,
  });
}

}  // namespace gauze::cli
