#include "gauze/audit/training/canary_audit.h"
#include "gauze/audit/training/extreme_pair.h"
#include "gauze/audit/training/pair_audit.h"
#include "gauze/cli/audit/claim_flags.h"
#include "gauze/cli/audit/recipe_flags.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/flags/table_flags.h"
#include "gauze/cli/learn/learn_flags.h"
#include "gauze/engines/open_source.h"
#include "gauze/learn/job/training_job.h"

namespace gauze::cli {
namespace {

using audit::Recipe;

constexpr std::int64_t kFewestPairs = 100;
constexpr std::int64_t kMostPairs = 10'000'000;

/// 1: one run with canaries; else pairs, so many runs a side.
Result<std::uint64_t> runs_of_training(const Invocation& invocation) {
  GAUZE_TRY(const std::int64_t runs, invocation.integer("runs", 1, kMostPairs));
  if (runs > 1 && runs < kFewestPairs)
    return invalid_parameter(
        "--runs must be 1, for canaries in one run, or at least {}, for two tables that are trained "
        "on so many times each, but is {}",
        kFewestPairs, runs);
  return static_cast<std::uint64_t>(runs);
}

/// A recipe that claims something.
Result<Recipe> claiming_recipe(const Invocation& invocation, const schema::Policy& policy) {
  GAUZE_TRY(Recipe recipe, recipe_of(invocation, policy));
  if (!recipe.claim().epsilon)
    return invalid_parameter("--epsilon inf trains without privacy and claims nothing: there is nothing to audit");
  return recipe;
}

Result<int> audit_one_run(Invocation& invocation) {
  for (const char* needed : {"file", "policy"})
    if (!invocation.has(needed))
      return make_error(ErrorCode::usage,
                        "one run plants canaries into a table: give FILE and --policy, or --runs 10000 for an audit "
                        "that needs no table");
  GAUZE_TRY(const std::string file, invocation.text("file"));
  GAUZE_TRY(const schema::Policy policy, learn_policy(invocation));
  GAUZE_TRY(const Recipe recipe, claiming_recipe(invocation, policy));
  audit::CanaryRequest request;
  GAUZE_TRY(request.kind, invocation.value("canary", audit::kCanaryWords));
  GAUZE_TRY(const std::int64_t canaries, invocation.integer("canaries", 1));
  request.canaries = static_cast<std::size_t>(canaries);
  GAUZE_TRY(request.levels, levels_of(invocation));
  if (invocation.has("claimed-epsilon") || invocation.has("claimed-delta")) {
    GAUZE_TRY(request.claimed, claim_of(invocation, recipe.claim()));
  }
  GAUZE_TRY(const auto seed, audit_seed(invocation));
  request.random = audit::AuditRandom(seed);
  GAUZE_TRY_VOID(audit::check_canaries(recipe, request));
  GAUZE_TRY(const auto source,
            engines::open_declared_source(file, learn::training_columns(*policy.learn), policy.input));
  const audit::ReadRows read = [&](learn::LearningRows& rows) {
    return source->read(rows, invocation.progress(), ByteWitness());
  };
  GAUZE_TRY(const audit::CanaryAudit found,
            audit::audit_canaries(recipe, policy, read, request, invocation.progress()));
  invocation.warn_all(found.warnings);
  return deliver_claim(invocation, found.audit,
                       {{"canaries", Json::object({{"kind", word_of(audit::kCanaryWords, request.kind)},
                                                   {"count", static_cast<std::uint64_t>(request.canaries)},
                                                   {"guesses", found.guesses},
                                                   {"correct", found.correct}})}});
}

Result<int> audit_pairs(Invocation& invocation, std::uint64_t runs) {
  for (const char* other : {"canary", "canaries"})
    if (invocation.has(other)) return make_error(ErrorCode::usage, "--{} goes with one run: leave --runs out", other);
  schema::Policy policy = audit::policy_of_pairs();
  if (invocation.has("policy")) {
    GAUZE_TRY(policy, learn_policy(invocation));
  }
  GAUZE_TRY(const Recipe recipe, claiming_recipe(invocation, policy));
  audit::TrainingPairRequest request{.runs = runs};
  GAUZE_TRY(request.claimed, claim_of(invocation, recipe.claim()));
  GAUZE_TRY(request.levels, levels_of(invocation));
  GAUZE_TRY(const auto seed, audit_seed(invocation));
  request.random = audit::AuditRandom(seed);
  if (invocation.has("file"))
    invocation.warn(
        {.code = "file_unused", .message = "pairs train on two tables of their own: the table is not read"});
  GAUZE_TRY(const audit::TrainingPairAudit found,
            audit::audit_training_pair(recipe, policy, request, invocation.progress()));
  invocation.warn_all(found.warnings);
  invocation.note(found.pair);
  return deliver_claim(invocation, found.audit, {{"pair", found.pair}});
}

Result<int> run_audit_train(Invocation& invocation) {
  GAUZE_TRY(const std::uint64_t runs, runs_of_training(invocation));
  return runs == 1 ? audit_one_run(invocation) : audit_pairs(invocation, runs);
}

}  // namespace

void register_audit_train_command(Registry& registry) {
  Positional file = table_positional();
  file.optional = true;
  std::vector<Flag> flags = {
      learn_policy_flag(false),
      {.name = "canary",
       .placeholder = "KIND",
       .help = "what is planted: a coordinate of the gradients each, or random rows",
       .default_text = "gradient",
       .choices = all_words(audit::kCanaryWords)},
      {.name = "canaries", .placeholder = "M", .help = "how many are planted into the run", .default_text = "1000"},
      {.name = "runs",
       .placeholder = "R",
       .help = "1: canaries in one run; from 100: two tables, trained on R times each",
       .default_text = "1"}};
  const auto add = [&](std::vector<Flag> more) {
    for (Flag& flag : more) flags.push_back(std::move(flag));
  };
  add(recipe_flags());
  add(claim_flags());
  add({audit_seed_flag(), audit_report_flag()});
  add(table_flags());
  registry.add(
      {.name = "audit train",
       .group = "Attacks and audits",
       .summary = "Hold the claim of training against what a run lets out",
       .description =
           "One run (the default) trains on FILE as `gauze train` does, with canaries among the rows, each in by its own fair coin, "
           "and guesses from what the run lets out which of them were in. Gradient canaries test sampling, noise and accounting "
           "together; input canaries see the model alone, as an outsider would. Such a bound is weak: it finds gross faults.\n\n"
           "With --runs from 100 on, two tables of almost nothing are trained on again and again: one with an extreme record, whose "
           "gradient lies far above the clip, and one without (replace-one: another record in its place). That is the sharpest test "
           "of the engine, clip and norm included, and needs no FILE; take --sampling full, few steps and a delta of 0.01. "
           "Exit status 3 when the bound, at the false-alarm rate, lies above the claim.",
       .examples =
           {{"gauze audit train people.csv --policy people.yaml --model mlp --epsilon 1 --delta 1e-6",
             "a thousand canaries in one run"},
            {"gauze audit train --model logistic --sigma 1 --delta 0.01 --sampling full --rows 100 --batch 100 --steps 1 --runs "
             "200000",
             "one step of the engine, as sharply as can be"}},
       .positionals = {std::move(file)},
       .flags = std::move(flags),
       .run = run_audit_train});
}

}  // namespace gauze::cli
