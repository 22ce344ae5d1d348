#include "gauze/audit/model/model_attack.h"
#include "gauze/base/joined.h"
#include "gauze/cli/audit/attack_text.h"
#include "gauze/cli/audit/claim_flags.h"
#include "gauze/cli/audit/recipe_flags.h"
#include "gauze/cli/audit/score_flags.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/flags/publishing.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/flags/table_flags.h"
#include "gauze/cli/learn/learn_flags.h"
#include "gauze/engines/open_source.h"
#include "gauze/learn/rows/read_rows.h"

namespace gauze::cli {
namespace {

using audit::AttackedTable;
using audit::ModelAttackRequest;
using audit::Recipe;

Result<ModelAttackRequest> attack_request(const Invocation& invocation, const Recipe& recipe) {
  ModelAttackRequest request;
  GAUZE_TRY(request.attacks, attack_kinds(invocation));
  GAUZE_TRY(const std::int64_t shadows, invocation.integer("shadows", 1, 9'999));
  GAUZE_TRY(const std::int64_t targets, invocation.integer("targets", 1, 9'999));
  request.shadows = static_cast<std::size_t>(shadows);
  request.targets = static_cast<std::size_t>(targets);
  GAUZE_TRY(request.false_rates, false_rates(invocation));
  GAUZE_TRY(request.levels, levels_of(invocation));
  if (invocation.has("claimed-epsilon") || invocation.has("claimed-delta")) {
    GAUZE_TRY(request.claimed, claim_of(invocation, recipe.claim()));
  }
  GAUZE_TRY(request.seed, attack_seed(invocation));
  if (const auto folder = invocation.optional_text("keep")) request.keep = *folder;
  // how many shadows there are changes none of them: more of them go on with those that are kept
  Json what = public_parameters(invocation);
  for (const char* name : {"shadows", "targets", "attacks", "fpr", "confidence", "alarm", "claimed-epsilon",
                           "claimed-delta", "threads", "json", "quiet", "color"})
    what.set(name, Json());
  request.identity = what.dump();
  GAUZE_TRY_VOID(request.check());
  return request;
}

Result<AttackedTable> read_attacked(Invocation& invocation, table::Source& source, const schema::Policy& policy,
                                    learn::InputEncoding encoding) {
  AttackedTable table(*policy.learn, encoding, policy.input.decimal.value_or(table::DecimalSign::point),
                      policy.input.null_tokens);
  GAUZE_TRY_VOID(learn::read_rows(source, table.columns(), table, invocation.progress()));
  table.finish();
  return table;
}

Result<int> run_attack_model(Invocation& invocation) {
  GAUZE_TRY(const std::string file, invocation.text("file"));
  GAUZE_TRY(const schema::Policy policy, learn_policy(invocation));
  if (policy.learn->target.numeric)
    return invalid_parameter("attacks are on classifiers: the target of the policy must have classes");
  GAUZE_TRY(const Recipe recipe, recipe_of(invocation, policy));
  GAUZE_TRY(const ModelAttackRequest request, attack_request(invocation, recipe));
  GAUZE_TRY(const std::optional<Recipe> open, recipe.unprotected(*policy.learn));
  GAUZE_TRY(const engines::OpenedSource opened, engines::open_source(file, policy.input));
  GAUZE_TRY(const AttackedTable table, read_attacked(invocation, *opened.source, policy, recipe.encoding()));
  std::optional<AttackedTable> expanded;  // where the model without privacy takes another encoding
  if (open && open->encoding() != recipe.encoding()) {
    GAUZE_TRY(expanded, read_attacked(invocation, *opened.source, policy, open->encoding()));
  }
  const audit::AttackSubject subject{.recipe = &recipe, .table = &table};
  std::optional<audit::AttackSubject> unprotected;
  if (open) unprotected = {.recipe = &*open, .table = expanded ? &*expanded : &table};
  GAUZE_TRY(const audit::ModelAttack attack,
            audit::attack_model(policy, subject, unprotected, request, invocation.progress()));
  invocation.warn_all(attack.warnings);
  return deliver_audit(invocation, "attack", attack.to_json(), attack_text(attack, invocation.out_style()),
                       attack.holds);
}

}  // namespace

void register_attack_model_command(Registry& registry) {
  std::vector<Flag> flags = {
      learn_policy_flag(true),
      {.name = "attacks",
       .placeholder = "A,B",
       .help = "which attacks: " + joined(all_words(audit::kAttackWords), ", "),
       .default_text = "all"},
      {.name = "shadows", .placeholder = "N", .help = "how many models are trained", .default_text = "64"},
      {.name = "targets",
       .placeholder = "N",
       .help = "how many of them are attacked, each with the help of all others",
       .default_text = "4"},
      false_rates_flag(),
      {.name = "keep",
       .placeholder = "DIR",
       .help = "keep the scores of finished models there, and go on with those; INTERNAL"}};
  const auto add = [&](std::vector<Flag> more) {
    for (Flag& flag : more) flags.push_back(std::move(flag));
  };
  add(recipe_flags());
  add(claim_flags());
  add({attack_seed_flag(), audit_report_flag()});
  add(table_flags());
  registry.add({
      .name = "attack model",
      .group = "Attacks and audits",
      .summary = "Attack models of a table as an outsider would",
      .description =
          "Trains many models by one recipe, each row (or person) in each of them by a fair coin, and guesses from what a model says "
          "whether it was trained on a record. INTERNAL: nothing of it is for publication.\n\n"
          "Beside the figures stand the accuracy on members and on others, the most that the claim allows, and the same attacks on models "
          "without privacy, of which as many are trained. Every bound on epsilon is valid because membership was tossed, and divided by "
          "all choices that were made. Exit status 3 when the bound, at the false-alarm rate, lies above the claim.",
      .examples =
          {{"gauze attack model people.csv --policy people.yaml --model mlp --epsilon 1 --delta 1e-6 --shadows 16",
            "what an attacker gets from a model of this table"}},
      .positionals = {table_positional()},
      .flags = std::move(flags),
      .run = run_attack_model,
  });
}

}  // namespace gauze::cli
