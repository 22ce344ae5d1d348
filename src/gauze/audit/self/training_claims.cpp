#include "gauze/audit/self/internal/claim_lists.h"
#include "gauze/audit/training/extreme_pair.h"
#include "gauze/audit/training/holdout_audit.h"
#include "gauze/audit/training/pair_audit.h"

namespace gauze::audit::internal {
namespace {

// Tables of almost nothing, where a few steps show most: at a delta of 0.01 half a million runs come near the exact epsilon.

constexpr std::uint64_t kQuickTrainings = 30'000;   ///< of a linear model, a side
constexpr std::uint64_t kSlowTrainings = 2'000;     ///< of models whose steps take longer
constexpr std::uint64_t kHoldoutTrainings = 2'500;  ///< each with a plan of its own
constexpr std::uint64_t kDeclared = 20;

learn::TrainingOptions small_training(learn::ModelKind kind, std::uint64_t steps) {
  learn::TrainingOptions options;
  options.kind = kind;
  options.shape.hidden = {8};
  options.shape.width = 8;
  options.sigma = 1;
  options.delta = Rational(1, 100);
  options.rows = kDeclared;
  options.batch = kDeclared;
  options.steps = steps;
  return options;
}

Result<ClaimAudit> audit_recipe(const Recipe& recipe, const schema::Policy& policy, const Claim& claim,
                                std::uint64_t runs, const SelfAuditRequest& request, Progress& progress) {
  GAUZE_TRY(TrainingPairAudit found,
            audit_training_pair(
                recipe, policy,
                {.claimed = claim, .levels = request.levels, .runs = request.runs(runs), .random = request.random},
                progress));
  return std::move(found.audit);
}

SelfClaim plan_claim(std::string name, learn::TrainingOptions options, std::uint64_t runs,
                     schema::Policy policy = policy_of_pairs()) {
  return {"train, " + std::move(name),
          {"train"},
          [=](const SelfAuditRequest& request, Progress& progress) -> Result<ClaimAudit> {
            GAUZE_TRY(learn::TrainingPlan plan, learn::TrainingPlan::make(options, *policy.learn));
            const Recipe recipe(std::move(plan));
            return audit_recipe(recipe, policy, recipe.claim(), runs, request, progress);
          }};
}

/// What is proved of the published method with uniform budgets.
SelfClaim published_claim(std::string name, learn::Reading reading) {
  return {"train, " + std::move(name),
          {"train"},
          [reading](const SelfAuditRequest& request, Progress& progress) -> Result<ClaimAudit> {
            const schema::Policy policy = policy_of_pairs();
            learn::PublishedOptions options;
            options.kind = learn::ModelKind::logistic;
            options.reading = reading;
            options.allocation = learn::Allocation::uniform;
            options.epsilon_2 = 2;
            options.delta = Rational(1, 100);
            options.rows = kDeclared;
            options.batch = kDeclared;
            options.epochs = 1;
            GAUZE_TRY(learn::PublishedPlan plan, learn::PublishedPlan::make(options, *policy.learn));
            const Recipe recipe(std::move(plan));
            const Claim claim{.epsilon = recipe.proved(), .delta = options.delta.to_double_up()};
            return audit_recipe(recipe, policy, claim, kSlowTrainings, request, progress);
          }};
}

Result<ClaimAudit> audit_holdout(const SelfAuditRequest& request, Progress& progress) {
  const schema::Policy policy = policy_of_pairs();
  learn::TrainingOptions options = small_training(learn::ModelKind::logistic, 1);
  options.holdout = Rational(1, 2);
  options.holdout_epsilon = Rational(2);
  GAUZE_TRY(const learn::TrainingPlan plan, learn::TrainingPlan::make(options, *policy.learn));
  return audit_training_holdout(plan, policy, draws_of_training(plan, policy, request.random),
                                {.claimed = Recipe(plan).claim(),
                                 .levels = request.levels,
                                 .runs = request.runs(kHoldoutTrainings),
                                 .random = request.random},
                                progress);
}

/// A person with more rows than count.
schema::Policy policy_of_persons() {
  schema::Policy policy = policy_of_pairs();
  policy.learn->unit = {.id = "id", .max_rows = 2};
  return policy;
}

/// Shaped noise whose entropies are measured, at a price.
schema::Policy policy_of_histograms() {
  schema::Policy policy = policy_of_pairs();
  policy.learn->entropies = {.rho = Rational(1, 10)};
  return policy;
}

}  // namespace

std::vector<SelfClaim> training_claims() {
  using learn::ModelKind;
  const learn::TrainingOptions one_step = small_training(ModelKind::logistic, 1);
  learn::TrainingOptions sampled = small_training(ModelKind::logistic, 2);
  sampled.sigma = Rational(1, 2);
  sampled.batch = 4;
  learn::TrainingOptions replacing = sampled;
  replacing.neighbours = Neighbours::replace_one;
  replacing.sigma = 1;
  learn::TrainingOptions adaptive = small_training(ModelKind::logistic, 2);
  adaptive.adaptive.emplace();
  learn::TrainingOptions shaped = one_step;
  shaped.method = learn::MethodKind::shaped;
  return {plan_claim("logistic", one_step, kQuickTrainings),
          plan_claim("logistic, several steps", small_training(ModelKind::logistic, 3), kQuickTrainings / 3),
          plan_claim("logistic, poisson", sampled, kQuickTrainings / 2),
          plan_claim("logistic, fixed-size", replacing, kQuickTrainings / 2),
          plan_claim("logistic, persons", one_step, kQuickTrainings / 2, policy_of_persons()),
          plan_claim("logistic, adaptive clip", adaptive, kQuickTrainings / 3),
          plan_claim("logistic, shaped", shaped, kQuickTrainings / 2),
          plan_claim("logistic, shaped by histograms", shaped, kSlowTrainings, policy_of_histograms()),
          plan_claim("svm", small_training(ModelKind::svm, 1), kQuickTrainings / 2),
          plan_claim("mlp", small_training(ModelKind::mlp, 1), 5 * kSlowTrainings),
          plan_claim("cnn", small_training(ModelKind::cnn, 1), kSlowTrainings),
          plan_claim("lstm", small_training(ModelKind::lstm, 1), kSlowTrainings),
          plan_claim("transformer", small_training(ModelKind::transformer, 1), kSlowTrainings),
          published_claim("as published, frozen", learn::Reading::frozen),
          published_claim("as published, private", learn::Reading::private_),
          {"train, hold-out", {"train"}, audit_holdout}};
}

}  // namespace gauze::audit::internal
