#include "gauze/audit/model/model_attack.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "gauze/base/parallel.h"
#include "gauze/files/scratch_folder.h"
#include "gauze/random/seeded_random.h"

namespace gauze::audit {
namespace model_attack_test {

constexpr std::size_t kRows = 240;
constexpr int kClasses = 10;

schema::Policy random_policy() {
  schema::Policy policy;
  policy.learn.emplace();
  policy.learn->rows = kRows / 2;
  for (int i = 0; i < 8; ++i)
    policy.learn->features.push_back({.name = fmt::format("x{}", i), .low = 0, .high = 1'000});
  policy.learn->target.column = "y";
  for (int i = 0; i < kClasses; ++i)
    policy.learn->target.classes.push_back({fmt::format("{}", i), {fmt::format("{}", i)}});
  policy.learn->groups = {{.column = "sex", .values = {"f", "m"}}};
  return policy;
}

/// Labels that nothing decides: all that can be learnt is by heart.
AttackedTable random_table(const schema::Policy& policy,
                           learn::InputEncoding encoding = learn::InputEncoding::expanded) {
  SeededRandom random(21);
  AttackedTable table(*policy.learn, encoding, table::DecimalSign::point, {});
  for (std::size_t i = 0; i < kRows; ++i) {
    std::vector<std::string> texts;
    for (int k = 0; k < 8; ++k) texts.push_back(std::to_string(random.below(1'001)));
    texts.push_back(std::to_string(random.below(kClasses)));
    texts.emplace_back(random.below(2) == 0 ? "f" : "m");
    const std::vector<std::string_view> cells(texts.begin(), texts.end());
    table.add(cells);
  }
  table.finish();
  return table;
}

Recipe recipe_of(const schema::Policy& policy, learn::TrainingOptions options) {
  auto plan = learn::TrainingPlan::make(std::move(options), *policy.learn);
  if (!plan) ADD_FAILURE() << plan.error().message;
  return Recipe(std::move(plan).value());
}

Recipe overfitting(const schema::Policy& policy) {
  return recipe_of(policy, {.kind = learn::ModelKind::mlp,
                            .shape = {.hidden = {64}},
                            .unprotected = true,
                            .steps = 250,
                            .batch = 60,
                            .learning_rate = Rational(1, 5)});
}

ModelAttackRequest small_request() {
  ModelAttackRequest request;
  for (const auto& [attack, word] : kAttackWords) request.attacks.push_back(attack);
  request.shadows = 32;
  request.targets = 4;
  request.false_rates = {Rational(1, 20)};
  return request;
}

const AttackResult& result_of(const ModelAttack& attack, AttackKind kind) {
  for (const AttackResult& one : attack.attacks)
    if (one.attack == kind) return one;
  ADD_FAILURE();
  return attack.attacks.front();
}

TEST(ModelAttack, FindsWhoWasLearntByHeart) {
  const schema::Policy policy = random_policy();
  const AttackedTable table = random_table(policy);
  const Recipe recipe = overfitting(policy);
  Progress progress;
  const auto attack = attack_model(policy, {&recipe, &table}, {}, small_request(), progress);
  ASSERT_TRUE(attack) << attack.error().message;
  EXPECT_GT(result_of(*attack, AttackKind::loss).auc->mean, 0.9);
  EXPECT_GT(result_of(*attack, AttackKind::lira).auc->mean, 0.9);
  EXPECT_GT(result_of(*attack, AttackKind::rmia).auc->mean, 0.9);
  EXPECT_GT(result_of(*attack, AttackKind::gap).auc->mean, 0.65);
  EXPECT_GT(result_of(*attack, AttackKind::lira).rates[0].tpr->mean,
            result_of(*attack, AttackKind::loss).rates[0].tpr->mean);
  EXPECT_GT(attack->train_accuracy->mean, 0.95);
  EXPECT_NEAR(attack->test_accuracy->mean, 0.1, 0.08);
  EXPECT_GT(*result_of(*attack, AttackKind::lira).epsilon_lower, 0.5);
  EXPECT_FALSE(attack->holds) << "nothing is claimed";
  const AttackResult& lira = result_of(*attack, AttackKind::lira);
  ASSERT_EQ(lira.exposed.size(), 10u);
  EXPECT_GE(lira.exposed[0].score, lira.exposed[9].score);
  for (const Exposed& one : lira.exposed) EXPECT_TRUE(one.row >= 1 && one.row <= kRows);
  ASSERT_EQ(lira.by_group.size(), 2u) << "nobody is of another group";
  EXPECT_NEAR(static_cast<double>(lira.by_group[0].members + lira.by_group[1].members), kRows / 2.0, 30);
  EXPECT_EQ(lira.by_class.size(), kClasses);
}

TEST(ModelAttack, FindsAFalseClaimAndNothingInNoise) {
  const schema::Policy policy = random_policy();
  const AttackedTable table = random_table(policy);
  ModelAttackRequest request = small_request();
  request.attacks = {AttackKind::loss, AttackKind::lira};
  request.targets = 1;
  request.claimed = Claim{.epsilon = 0.1, .delta = 0};
  Progress progress;
  const Recipe recipe = overfitting(policy);
  const auto broken = attack_model(policy, {&recipe, &table}, {}, request, progress);
  ASSERT_TRUE(broken) << broken.error().message;
  EXPECT_EQ(broken->holds, false);

  const Recipe noise = recipe_of(policy, {.kind = learn::ModelKind::mlp,
                                          .shape = {.hidden = {16}},
                                          .epsilon = Rational(1, 10),
                                          .delta = Rational(1, 100'000),
                                          .steps = 20,
                                          .batch = 60});
  request.claimed.reset();
  request.targets = 4;
  const auto held = attack_model(policy, {&noise, &table}, {}, request, progress);
  ASSERT_TRUE(held) << held.error().message;
  EXPECT_EQ(held->holds, true);
  for (const AttackResult& one : held->attacks) {
    // four targets of 120 and 120: a deviation of at most 0.037 each, 0.019 of the mean; six of them
    EXPECT_NEAR(one.auc->mean, 0.5, 0.112);
    EXPECT_EQ(*one.epsilon_lower, 0);
    EXPECT_LT(*one.delta1, 1e-5);
    EXPECT_GT(*one.claimed_at_delta1, 0.1) << "the claim at a smaller delta is a larger epsilon";
  }
  EXPECT_NEAR(*held->advantage_bound, std::tanh(0.05), 1e-4);
}

TEST(ModelAttack, IsTheSameOnOneThreadAndOnTwo) {
  const schema::Policy policy = random_policy();
  const AttackedTable table = random_table(policy);
  const Recipe recipe = recipe_of(policy, {.kind = learn::ModelKind::logistic,
                                           .epsilon = Rational(2),
                                           .delta = Rational(1, 1'000),
                                           .steps = 30,
                                           .batch = 60});
  ModelAttackRequest request = small_request();
  request.shadows = 8;
  const auto open = recipe.unprotected(*policy.learn);
  ASSERT_TRUE(open && *open);
  const AttackSubject unprotected{.recipe = &**open, .table = &table};
  std::vector<std::string> documents;
  for (const int threads : {1, 2}) {
    set_thread_count(threads);
    Progress progress;
    const auto attack = attack_model(policy, {&recipe, &table}, unprotected, request, progress);
    ASSERT_TRUE(attack) << attack.error().message;
    ASSERT_TRUE(attack->unprotected);
    documents.push_back(attack->to_json().dump());
  }
  set_thread_count(0);
  EXPECT_EQ(documents[0], documents[1]);
}

TEST(ModelAttack, GoesOnWithKeptShadowsAndNotWithThoseOfOthers) {
  const schema::Policy policy = random_policy();
  const AttackedTable table = random_table(policy);
  const Recipe recipe =
      recipe_of(policy, {.kind = learn::ModelKind::logistic, .unprotected = true, .steps = 30, .batch = 60});
  auto folder = ScratchFolder::make();
  ASSERT_TRUE(folder);
  ModelAttackRequest request = small_request();
  request.shadows = 6;
  request.targets = 2;
  Progress progress;
  const auto fresh = attack_model(policy, {&recipe, &table}, {}, request, progress);
  request.keep = (folder->path() / "kept").string();
  request.shadows = 4;
  ASSERT_TRUE(attack_model(policy, {&recipe, &table}, {}, request, progress));
  const auto first = std::filesystem::path(request.keep) / "shadow-0001.shadow";
  ASSERT_TRUE(std::filesystem::exists(first));
  const auto made = std::filesystem::last_write_time(first);
  request.shadows = 6;
  const auto continued = attack_model(policy, {&recipe, &table}, {}, request, progress);
  ASSERT_TRUE(continued) << continued.error().message;
  EXPECT_EQ(std::filesystem::last_write_time(first), made) << "not trained again";
  EXPECT_EQ(continued->to_json().dump(), fresh->to_json().dump());
  request.identity = "another";
  EXPECT_EQ(attack_model(policy, {&recipe, &table}, {}, request, progress).error().code,
            ErrorCode::invalid_parameter);
  request.identity.clear();
  std::filesystem::resize_file(first, 100);
  EXPECT_FALSE(attack_model(policy, {&recipe, &table}, {}, request, progress));
}

TEST(ModelAttack, LeavesPlacesEmptyUnderReplaceOne) {
  const schema::Policy policy = random_policy();
  const AttackedTable table = random_table(policy, learn::InputEncoding::positions);
  auto plan = learn::PublishedPlan::make(
      {.kind = learn::ModelKind::mlp, .shape = {.hidden = {8}}, .epochs = 2, .rows = kRows}, *policy.learn);
  ASSERT_TRUE(plan) << plan.error().message;
  const Recipe recipe(*plan);
  ModelAttackRequest request = small_request();
  request.attacks = {AttackKind::loss};
  request.shadows = request.targets = 2;
  Progress progress;
  const auto attack = attack_model(policy, {&recipe, &table}, {}, request, progress);
  ASSERT_TRUE(attack) << attack.error().message;
  EXPECT_EQ(attack->method, "apba-frozen");
  EXPECT_FALSE(attack->holds) << "one delta alone is known, and it is too large to alarm";
  ASSERT_EQ(attack->warnings.size(), 1u);
  EXPECT_EQ(attack->warnings[0].code, "cannot_alarm");
  EXPECT_EQ(check_declared(recipe, kRows + 1).error().parameter, "rows");
}

TEST(ModelAttack, RefusesWhatCannotBe) {
  ModelAttackRequest request = small_request();
  request.targets = 33;
  EXPECT_FALSE(request.check());
  request = small_request();
  request.shadows = request.targets = 2;
  EXPECT_FALSE(request.check()) << "lira needs two beside the target";
  request.attacks = {AttackKind::rmia};
  EXPECT_TRUE(request.check());
  request.shadows = request.targets = 1;
  EXPECT_FALSE(request.check());
  request.attacks = {AttackKind::loss};
  EXPECT_TRUE(request.check());
  request.attacks.clear();
  EXPECT_FALSE(request.check());
}

TEST(ModelAttack, TellsWhenTheDeclaredNumberDoesNotFit) {
  const schema::Policy policy = random_policy();
  const Recipe recipe = overfitting(policy);  // declares 120
  EXPECT_TRUE(check_declared(recipe, 240)->empty());
  EXPECT_TRUE(check_declared(recipe, 300)->empty());
  EXPECT_EQ(check_declared(recipe, 1'000)->front().code, "declared_rows");
  EXPECT_EQ(check_declared(recipe, 100)->front().code, "declared_rows");
}

TEST(ModelAttack, EndsWhenItIsAskedTo) {
  const schema::Policy policy = random_policy();
  const AttackedTable table = random_table(policy);
  const Recipe recipe = overfitting(policy);
  Progress progress;
  progress.request_stop();
  EXPECT_EQ(attack_model(policy, {&recipe, &table}, {}, small_request(), progress).error().code,
            ErrorCode::interrupted);
}

}  // namespace model_attack_test
}  // namespace gauze::audit
