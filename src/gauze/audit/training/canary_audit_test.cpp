#include "gauze/audit/training/canary_audit.h"

#include <gtest/gtest.h>

#include "gauze/audit/training/extreme_pair.h"
#include "gauze/base/parallel.h"

namespace gauze::audit {
namespace canary_audit_test {

using learn::TrainingOptions;

schema::Policy policy_of_people(bool numeric = false) {
  schema::Policy policy;
  policy.learn.emplace();
  policy.learn->features = {{.name = "age", .low = 0, .high = 100, .indicator = true},
                            {.name = "town", .kind = schema::LearnFeature::Kind::values, .values = {"Kiel", "Oslo"}}};
  policy.learn->target = numeric
                             ? schema::LearnTarget{.column = "income", .numeric = true, .low = 0, .high = 10}
                             : schema::LearnTarget{.column = "happy", .classes = {{"no", {"no"}}, {"yes", {"yes"}}}};
  return policy;
}

/// So many rows of a table.
ReadRows people(std::size_t count, bool numeric = false) {
  return [=](learn::LearningRows& rows) -> Result<void> {
    for (std::size_t i = 0; i < count; ++i) {
      const std::string age = fmt::format("{}", i % 90);
      const std::string_view target = numeric ? (i % 3 == 0 ? "2" : "8") : (i % 90 > 40 ? "yes" : "no");
      rows.add(std::vector<std::string_view>{age, i % 2 == 0 ? "Kiel" : "Oslo", target});
    }
    return {};
  };
}

TrainingOptions training(const Rational& sigma, std::uint64_t batch, std::uint64_t steps) {
  TrainingOptions options;
  options.sigma = sigma;
  options.delta = Rational(1, 100'000);
  options.rows = 1'000;
  options.batch = batch;
  options.steps = steps;
  return options;
}

Recipe recipe_of(const TrainingOptions& options, const schema::Policy& policy = policy_of_people()) {
  auto plan = learn::TrainingPlan::make(options, *policy.learn);
  EXPECT_TRUE(plan) << plan.error().message;
  return Recipe(*std::move(plan));
}

CanaryAudit audit(const Recipe& recipe, const CanaryRequest& request, std::size_t rows = 500,
                  const schema::Policy& policy = policy_of_people()) {
  Progress silent;
  auto found = audit_canaries(recipe, policy, people(rows, policy.learn->target.numeric), request, silent);
  EXPECT_TRUE(found) << found.error().message;
  return *std::move(found);
}

TEST(Canaries, ACorrectEngineIsNeverCalledBroken) {
  TrainingOptions replacing = training(1, 100, 20);
  replacing.neighbours = Neighbours::replace_one;
  TrainingOptions adaptive = training(1, 100, 20);
  adaptive.adaptive.emplace();
  for (const TrainingOptions& options :
       {training(1, 100, 20), training(Rational(1, 2), 1'000, 1), replacing, adaptive}) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const CanaryAudit found = audit(recipe_of(options), {.canaries = 1'000, .random = AuditRandom(seed)});
      EXPECT_EQ(found.audit.holds, true) << found.audit.in_words();
      EXPECT_LE(found.audit.epsilon_lower, found.audit.claimed_at_delta1);
      EXPECT_TRUE(found.warnings.empty());
    }
  }
}

// In one step with everybody a score is C or 0 under noise of half of C: with a threshold between them 84 % of the guesses are right.
TEST(Canaries, GuessesAreAsGoodAsTheNoiseAllows) {
  const CanaryAudit found =
      audit(recipe_of(training(Rational(1, 2), 1'000, 1)), {.canaries = 20'000, .random = AuditRandom(1)});
  EXPECT_GT(found.audit.epsilon_lower, 3);
  EXPECT_GT(found.correct, found.guesses * 9 / 10);
  EXPECT_LT(found.audit.delta, 1e-5) << "a bound from one run is taken where it can show something";
  EXPECT_GT(found.audit.claimed_at_delta1, found.audit.claimed.epsilon);
  EXPECT_LT(found.audit.alarm_delta1, found.audit.delta);
  EXPECT_LT(found.audit.alarm_lower, found.audit.epsilon_lower);
  EXPECT_GT(found.audit.reach, found.audit.epsilon_lower);
}

TEST(Canaries, MissingNoiseIsFoundInOneRun) {
  const EngineFault no_noise{.in_sum = [](const learn::StepSum& sum) {
    for (std::size_t i = 0; i < sum.noisy.size(); ++i) sum.noisy[i] = sum.rows[i];
  }};
  const Recipe recipe = recipe_of(training(4, 1'000, 1));
  EXPECT_EQ(audit(recipe, {.canaries = 2'000, .random = AuditRandom(1)}).audit.holds, true);
  const CanaryAudit found = audit(recipe, {.canaries = 2'000, .random = AuditRandom(1), .fault = no_noise});
  EXPECT_EQ(found.audit.holds, false) << found.audit.in_words();
  EXPECT_EQ(found.correct, found.guesses);
}

// A rate of 1 in place of 0.01, in 200 steps: what is charged for few steps is paid in all.
TEST(Canaries, SamplingThatTakesEverybodyIsFoundInOneRun) {
  const Recipe recipe = recipe_of(training(1, 10, 200));
  EXPECT_EQ(audit(recipe, {.canaries = 1'000, .random = AuditRandom(1)}).audit.holds, true);
  learn::TrainingPlan altered = *recipe.plan();
  altered.sampling = learn::SamplingKind::full;
  const CanaryAudit found = audit(Recipe(altered), {.canaries = 1'000, .random = AuditRandom(1)});
  EXPECT_EQ(found.audit.holds, false) << found.audit.in_words();
}

TEST(Canaries, ASeedRepeatsEveryFigureOnOneThreadAndOnTwo) {
  for (const CanaryKind kind : {CanaryKind::gradient, CanaryKind::input}) {
    std::vector<std::string> figures;
    for (const int threads : {1, 2}) {
      set_thread_count(threads);
      const CanaryRequest request{.kind = kind, .canaries = 200, .random = AuditRandom(7)};
      figures.push_back(audit(recipe_of(training(1, 100, 10)), request).audit.to_json().dump());
    }
    set_thread_count(0);
    EXPECT_EQ(figures[0], figures[1]);
  }
}

TEST(Canaries, RandomRowsThatAModelLearnsByHeartAreFoundFromItsAnswersAlone) {
  // a wide net, hardly any noise, and little but canaries to learn
  TrainingOptions options = training(Rational(1, 100), 200, 400);
  options.kind = learn::ModelKind::mlp;
  options.shape.hidden = {64};
  options.rows = 200;
  options.clip = 4;
  schema::Policy policy = policy_of_people();
  for (int i = 0; i < 30; ++i)
    policy.learn->features.push_back({.name = fmt::format("x{}", i), .low = -1, .high = 1});
  Progress silent;
  const ReadRows nobody = [](learn::LearningRows&) { return Result<void>(); };
  const auto found = audit_canaries(recipe_of(options, policy), policy, nobody,
                                    {.kind = CanaryKind::input, .canaries = 400, .random = AuditRandom(1)}, silent);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_GT(found->audit.epsilon_lower, 1) << found->audit.in_words();
  EXPECT_EQ(found->audit.holds, true);
}

TEST(Canaries, RandomRowsAreFoundInModelsOfANumberAndOfPersonsToo) {
  const schema::Policy number = policy_of_people(true);
  TrainingOptions options = training(1, 100, 10);
  options.kind = learn::ModelKind::mlp;
  EXPECT_EQ(audit(recipe_of(options, number), {.kind = CanaryKind::input, .random = AuditRandom(1)}, 500, number)
                .audit.holds,
            true);
  schema::Policy persons = policy_of_people();
  persons.learn->unit = {.id = "id", .max_rows = 2};
  Progress silent;
  const ReadRows nobody = [](learn::LearningRows&) { return Result<void>(); };
  for (const Neighbours neighbours : {Neighbours::add_remove, Neighbours::replace_one}) {
    TrainingOptions of_persons = training(1, 100, 10);
    of_persons.neighbours = neighbours;
    const auto found = audit_canaries(recipe_of(of_persons, persons), persons, nobody,
                                      {.kind = CanaryKind::input, .random = AuditRandom(1)}, silent);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->audit.holds, true);
  }
}

TEST(Canaries, WhereOnlyOneDeltaIsKnownNothingIsDecided) {
  const Recipe recipe = recipe_of(training(1, 100, 10));
  const CanaryAudit stated = audit(recipe, {.claimed = Claim{1, 1e-5}, .random = AuditRandom(1)});
  EXPECT_FALSE(stated.audit.holds.has_value());
  EXPECT_EQ(stated.audit.delta, 1e-5);
  ASSERT_EQ(stated.warnings.size(), 1U);
  EXPECT_EQ(stated.warnings[0].code, "cannot_alarm");
  EXPECT_EQ(audit(recipe, {.claimed = Claim{1, 1e-9}, .random = AuditRandom(1)}).audit.holds, true);

  const schema::Policy policy = policy_of_people();
  learn::PublishedOptions options;
  options.kind = learn::ModelKind::logistic;
  options.rows = 1'000;
  options.epochs = 1;
  options.reading = learn::Reading::private_;
  auto plan = learn::PublishedPlan::make(options, *policy.learn);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_FALSE(audit(Recipe(*std::move(plan)), {.random = AuditRandom(1)}).audit.holds.has_value());
}

TEST(Canaries, RefusesWhatCannotBe) {
  Progress silent;
  const auto refused = [&](const TrainingOptions& options, std::size_t canaries) {
    const Recipe recipe = recipe_of(options);
    const auto found = audit_canaries(recipe, policy_of_people(), people(10), {.canaries = canaries}, silent);
    return !found && found.error().code == ErrorCode::invalid_parameter;
  };
  TrainingOptions replacing = training(1, 100, 10);
  replacing.neighbours = Neighbours::replace_one;
  EXPECT_TRUE(refused(replacing, 1'001));
  EXPECT_FALSE(refused(replacing, 1'000));
  EXPECT_TRUE(refused(training(1, 100, 10), 1));
}

}  // namespace canary_audit_test
}  // namespace gauze::audit
