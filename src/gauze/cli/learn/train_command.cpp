#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/output_places.h"
#include "gauze/cli/flags/publishing.h"
#include "gauze/cli/flags/seeding.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/flags/table_flags.h"
#include "gauze/cli/learn/checkpoint_flags.h"
#include "gauze/cli/learn/learn_flags.h"
#include "gauze/cli/learn/learn_text.h"
#include "gauze/cli/learn/published_flags.h"
#include "gauze/cli/learn/published_training_command.h"
#include "gauze/engines/open_source.h"
#include "gauze/learn/engine/self_check.h"
#include "gauze/learn/job/plan_fit.h"
#include "gauze/learn/job/training_job.h"
#include "gauze/ledger/ledger.h"

namespace gauze::cli {
namespace {

using learn::TrainedModel;
using learn::TrainingPlan;

Result<TrainingPlan> plan_of(const Invocation& invocation, const schema::Policy& policy) {
  GAUZE_TRY(const std::string kind, invocation.text("model"));
  GAUZE_TRY(learn::TrainingOptions options, training_options(invocation, kind));
  GAUZE_TRY(options.holdout, invocation.optional_rational("holdout"));
  GAUZE_TRY(options.holdout_epsilon, invocation.optional_rational("holdout-epsilon"));
  if (options.unprotected && invocation.has("ledger"))
    return invalid_parameter("--epsilon inf promises nothing that a ledger could be charged for");
  if (policy.learn->target.numeric && options.holdout)
    return invalid_parameter("--holdout needs a target with classes: a numeric error has no bounded price here");
  return TrainingPlan::make(std::move(options), *policy.learn);
}

/// The terms of the dataset that will pay, if one will.
Result<std::optional<Balance>> balance_of(const Invocation& invocation) {
  if (invocation.has("ledger") != invocation.has("dataset"))
    return make_error(ErrorCode::usage, "--ledger and --dataset go together");
  if (!invocation.has("ledger")) return std::optional<Balance>();
  GAUZE_TRY(const std::string path, invocation.text("ledger"));
  GAUZE_TRY(const std::string dataset, invocation.text("dataset"));
  GAUZE_TRY(const Ledger ledger, Ledger::open(path));
  GAUZE_TRY(Balance balance, ledger.balance(dataset));
  return std::optional<Balance>(std::move(balance));
}

Result<PrivacyCost> cost_of(const TrainingPlan& plan, const std::optional<Balance>& balance) {
  if (!balance) return plan.cost();
  return plan.cost(balance->terms->accountant);
}

Result<int> print_plan(Invocation& invocation, const TrainingPlan& plan, const std::optional<Balance>& balance) {
  std::optional<learn::PlanFit> fit;
  if (balance && plan.is_private()) {
    GAUZE_TRY(fit, learn::fit_of(plan, *balance));
  }
  if (!invocation.json()) {
    print_training_plan(invocation, plan, fit);
    return 0;
  }
  Json object = learn::training_json(plan, {});
  object.set("planned", true).set("memory", plan.memory).set("flops", plan.operations);
  if (fit) object.set("fits", fit->to_json());
  object.set("ledger", Json()).set("label", Json());
  invocation.print_json(std::move(object));
  return 0;
}

Result<int> self_check(Invocation& invocation) {
  const std::vector<learn::LayerCheck> checks = learn::check_layers(1);
  const learn::StepCheck step = learn::check_step();
  const bool ok = step.ok() && std::all_of(checks.begin(), checks.end(), [](const auto& one) { return one.ok(); });
  if (invocation.json()) {
    Json layers = Json::array();
    for (const learn::LayerCheck& check : checks)
      layers.push(Json::object({{"layer", check.layer},
                                {"ghost_vs_materialised", check.ghost_vs_materialised},
                                {"finite_difference", check.finite_difference},
                                {"position_invariant", check.position_invariant}}));
    invocation.print_json(Json::object(
        {{"ok", ok}, {"layers", std::move(layers)}, {"noise", step.noise_ok}, {"margin", step.margin_ok}}));
  } else {
    print_self_check(invocation, checks, step);
  }
  return ok ? 0 : 1;
}

Result<int> run_train(Invocation& invocation) {
  if (invocation.has("self-check")) return self_check(invocation);
  if (invocation.has("as-published")) return run_published_training(invocation);
  for (const Flag& flag : published_flags())
    if (invocation.has(flag.name)) return make_error(ErrorCode::usage, "--{} goes with --as-published", flag.name);
  GAUZE_TRY_VOID(check_checkpoint_flags(invocation));
  GAUZE_TRY(const schema::Policy policy, learn_policy(invocation));
  GAUZE_TRY(const TrainingPlan plan, plan_of(invocation, policy));
  invocation.warn_all(policy.warnings);
  invocation.warn_all(plan.warnings);
  GAUZE_TRY(const std::optional<Balance> balance, balance_of(invocation));
  if (invocation.has("plan")) return print_plan(invocation, plan, balance);
  GAUZE_TRY(const std::string file, invocation.text("file"));
  GAUZE_TRY(const std::string output, invocation.text("output"));
  if (output == "-") return make_error(ErrorCode::usage, "a model is a file: -o needs a name, not -");
  GAUZE_TRY(RandomChoice random, RandomChoice::make(invocation));
  GAUZE_TRY(publish::Publication publication,
            begin_publication(invocation, random.is_seeded(), "train " + output, policy.text));
  GAUZE_TRY(const PrivacyCost cost, cost_of(plan, balance));
  TrainingLeg leg(invocation, publication, plan, policy, cost);
  GAUZE_TRY_VOID(leg.take_up());
  GAUZE_TRY(const auto source,
            engines::open_declared_source(file, learn::training_columns(*policy.learn), policy.input));
  leg.assume(source->assumption());
  GAUZE_TRY(const bool granted, leg.pay());
  if (!granted) return 0;  // this request was answered before

  GAUZE_TRY(const learn::LearningRows rows,
            learn::read_training_rows(*source, policy, learn::InputEncoding::expanded, publication.witness_of_input(),
                                      invocation.progress()));
  const Result<TrainedModel> trained = [&]() -> Result<TrainedModel> {
    if (random.is_seeded()) {
      GAUZE_TRY(const std::int64_t seed, invocation.integer("seed", 0));
      learn::SeededStreams streams(static_cast<std::uint64_t>(seed));
      return learn::simulate_model(plan, policy, rows, streams, leg.request(), leg.sink(), invocation.progress());
    }
    learn::SecureStreams streams;
    return learn::train_model(plan, policy, rows, streams, leg.request(), leg.sink(), invocation.progress());
  }();
  if (!trained) return tl::unexpected(leg.explained(trained.error()));
  PrivacyLabel label = learn::training_label(plan, policy, cost, source->assumption());
  GAUZE_TRY(publish::LabelledOutput written, open_output(invocation, output));
  GAUZE_TRY_VOID(written.write(trained->file.to_bytes()));
  GAUZE_TRY_VOID(finish(invocation, publication, label, {&written, 1}));
  invocation.end_progress();
  if (!plan.is_private())
    invocation.warn(
        Warning::of_privacy("unprotected", "trained without noise: the model may tell about single people"));
  if (invocation.json()) {
    Json object = learn::training_json(plan, trained->holdout);
    object.set("ledger", publication.to_json()).set("label", label.to_json());
    invocation.print_json(std::move(object));
  } else {
    print_trained(invocation, plan, *trained, publication);
    invocation.note(wrote_with_label(output));
  }
  return 0;
}

}  // namespace

void register_train_command(Registry& registry) {
  Positional file = table_positional();
  file.optional = true;
  std::vector<Flag> flags = {
      learn_policy_flag(false),
      {.name = "model", .placeholder = "KIND", .help = "what is trained", .choices = all_words(learn::kModelWords)}};
  const auto add = [&](std::vector<Flag> more) {
    for (Flag& flag : more) flags.push_back(std::move(flag));
  };
  add(training_budget_flags());
  add(training_flags());
  add(published_flags());
  add({{.name = "holdout", .placeholder = "H", .help = "share of the rows that are kept apart, to measure the model"},
       {.name = "holdout-epsilon", .placeholder = "E", .help = "what measuring costs them; at most --epsilon"},
       {.name = "plan", .help = "say what it would cost and take; reads no rows, charges nothing"},
       {.name = "self-check", .help = "check gradients, norms, place invariance and noise on made numbers"}});
  Flag output = output_flag();
  output.or_stdout = false;
  add({std::move(output)});
  add(checkpoint_flags());
  add(account_flags());
  add(table_flags());
  add({seed_flag(), insecure_seed_flag()});
  registry.add({
      .name = "train",
      .group = "Models",
      .summary = "Train a model on a table under differential privacy",
      .description =
          "Trains a classifier, or a model of a number, by gradients that are clipped, summed exactly and noised. "
          "Everything about the columns stands in the policy: bounds, values, the number of rows. The price is known "
          "before anything is read (--plan). No loss, no count and no time of the run is told: they would be private.",
      .examples =
          {{"gauze train --plan --policy survey.yaml --model mlp --epsilon 1 --delta 1e-5",
            "what it would cost, without reading anything"},
           {"gauze train people.csv --policy people.yaml --model logistic --epsilon 1 --delta 1e-6 -o income.gmodel",
            "a model file and its label"},
           {"gauze train --self-check", "whether the engine computes what its proofs assume"}},
      .positionals = {std::move(file)},
      .flags = std::move(flags),
      .run = run_train,
  });
}

}  // namespace gauze::cli
