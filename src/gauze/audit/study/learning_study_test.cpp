#include "gauze/audit/study/learning_study.h"

#include <gtest/gtest.h>

#include "gauze/learn/rows/learning_rows.h"
#include "gauze/random/seeded_random.h"

namespace gauze::audit {
namespace {

schema::Policy small_policy() {
  schema::Policy policy;
  policy.learn.emplace();
  policy.learn->rows = 400;
  policy.learn->features = {{.name = "x", .low = 0, .high = 100},
                            {.name = "z", .low = 0, .high = 100},
                            {.name = "c", .kind = schema::LearnFeature::Kind::values, .values = {"a", "b"}}};
  policy.learn->target = {.column = "y", .classes = {{"no", {"no"}}, {"yes", {"yes"}}}};
  policy.learn->sensitive = {"x"};
  policy.learn->entropies = schema::LearnEntropies{.given = {{"x", 4}}, .rho = {}};
  return policy;
}

/// x decides, with a fifth of the labels turned at random: there is something to learn by heart.
learn::LearningRows small_rows(const schema::Policy& policy, learn::InputEncoding encoding) {
  SeededRandom random(3);
  learn::LearningRows rows(*policy.learn, encoding, table::DecimalSign::point, {});
  for (int i = 0; i < 400; ++i) {
    const std::uint64_t x = random.below(101);
    const std::string first = std::to_string(x);
    const std::string second = std::to_string(random.below(101));
    const bool turned = random.below(5) == 0;
    const std::vector<std::string_view> cells = {first, second, random.below(2) == 0 ? "a" : "b",
                                                 (x > 60) != turned ? "yes" : "no"};
    rows.add(cells);
  }
  rows.finish();
  return rows;
}

StudyRequest small_request() {
  StudyRequest request;
  request.models = {learn::ModelKind::mlp};
  request.methods = {StudyMethod::none, StudyMethod::dpsgd, StudyMethod::shaped, StudyMethod::apba_frozen,
                     StudyMethod::apba_uniform};
  request.epsilons = {Rational(3, 10), Rational(8)};
  request.seeds = 3;
  request.attacks = {AttackKind::trained, AttackKind::loss};
  request.training.shape.hidden = {32};
  request.training.steps = 300;
  request.training.batch = 64;
  request.published.shape.hidden = {8};
  request.published.epochs = 3;
  return request;
}

TEST(LearningStudy, ComparesMethodsWithTheMajorityAndAttacksThem) {
  const schema::Policy policy = small_policy();
  const auto expanded = small_rows(policy, learn::InputEncoding::expanded);
  const auto positions = small_rows(policy, learn::InputEncoding::positions);
  Progress progress;
  const auto study = study_learning(policy, expanded, positions, small_request(), progress);
  ASSERT_TRUE(study) << study.error().message;
  ASSERT_EQ(study->results.size(), 9u);  // one without a budget, four with two epsilons
  EXPECT_GT(study->majority->mean, 0.5);
  const StudyResult& none = study->results[0];
  EXPECT_FALSE(none.epsilon || none.claimed || none.proved);
  EXPECT_GT(none.accuracy->mean, study->majority->mean);
  EXPECT_GT(none.strongest_attack()->auc->mean, 0.5);
  ASSERT_EQ(none.attacks.size(), 2u);
  EXPECT_LE(none.attacks[0].auc->mean, none.strongest_attack()->auc->mean);
  ASSERT_EQ(none.attacks[1].rates.size(), 2u);
  EXPECT_FALSE(none.attacks[1].rates[1]);  // one in a thousand of 80 others
  EXPECT_EQ(study->results[2].epsilon, Rational(8));
  EXPECT_GT(study->results[2].accuracy->mean, study->majority->mean);
  EXPECT_DOUBLE_EQ(*study->results[2].proved, 8);
  EXPECT_FALSE(study->results[5].proved);  // apba-frozen: the entropies are read from the rows
  EXPECT_TRUE(study->results[7].proved);   // apba-uniform
  EXPECT_GT(*study->results[7].proved, *study->results[7].claimed);
}

TEST(LearningStudy, IsTheSameForTheSameSeed) {
  const schema::Policy policy = small_policy();
  const auto expanded = small_rows(policy, learn::InputEncoding::expanded);
  StudyRequest request = small_request();
  request.methods = {StudyMethod::dpsgd};
  request.epsilons = {Rational(1)};
  Progress progress;
  const auto first = study_learning(policy, expanded, expanded, request, progress);
  const auto again = study_learning(policy, expanded, expanded, request, progress);
  EXPECT_EQ(first->to_json().dump(), again->to_json().dump());
  request.first_seed = 77;
  EXPECT_NE(first->to_json().dump(), study_learning(policy, expanded, expanded, request, progress)->to_json().dump());
}

TEST(LearningStudy, TakesTheModelsOfOtherSeedsForShadows) {
  const schema::Policy policy = small_policy();
  const auto expanded = small_rows(policy, learn::InputEncoding::expanded);
  StudyRequest request = small_request();
  request.methods = {StudyMethod::none};
  request.attacks = {AttackKind::loss, AttackKind::lira, AttackKind::lira_offline, AttackKind::rmia};
  request.seeds = 8;
  Progress progress;
  const auto study = study_learning(policy, expanded, expanded, request, progress);
  ASSERT_TRUE(study) << study.error().message;
  const auto& attacks = study->results[0].attacks;
  ASSERT_EQ(attacks.size(), 4u);
  EXPECT_GT(attacks[1].auc->mean, attacks[0].auc->mean);  // a fifth of the labels are learnt by heart
  EXPECT_GT(attacks[3].auc->mean, 0.55);
  request.seeds = 2;
  EXPECT_FALSE(study_learning(policy, expanded, expanded, request, progress));
}

TEST(LearningStudy, RefusesWhatItCannotCompare) {
  const schema::Policy policy = small_policy();
  const auto expanded = small_rows(policy, learn::InputEncoding::expanded);
  Progress progress;
  StudyRequest request = small_request();
  request.epsilons.clear();
  EXPECT_FALSE(study_learning(policy, expanded, expanded, request, progress));
  request = small_request();
  request.training_share = Rational(9, 10);
  EXPECT_FALSE(study_learning(policy, expanded, expanded, request, progress));
}

}  // namespace
}  // namespace gauze::audit
