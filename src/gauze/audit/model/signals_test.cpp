#include "gauze/audit/model/signals.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gauze/audit/model/recipe.h"
#include "gauze/learn/learn_testing.h"
#include "gauze/learn/score/scored_rows.h"
#include "gauze/random/seeded_random.h"

namespace gauze::audit {
namespace signals_test {

TEST(Signals, AreThoseOfTheProbabilities) {
  schema::Policy policy;
  policy.learn = learn::separable_policy(200);
  SeededRandom random(1);
  const learn::LearningRows rows = learn::separable_rows(*policy.learn, 200, random);
  auto plan = learn::TrainingPlan::make(
      {.kind = learn::ModelKind::mlp, .unprotected = true, .steps = 50, .batch = 64}, *policy.learn);
  ASSERT_TRUE(plan) << plan.error().message;
  const auto model = Recipe(*plan).train(policy, rows, 3, Progress());
  ASSERT_TRUE(model);
  const std::vector<std::uint32_t> units = {5, 0, 199};
  const auto signals = signals_of(*model, rows, units);
  ASSERT_TRUE(signals);
  auto predictor = learn::RowPredictor::make(*model);
  std::vector<learn::Answer> answers;
  std::vector<float> probabilities;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const std::uint32_t row = rows.rows_of(units[i]).front();
    predictor->answer(rows.codes(row), 1, answers, probabilities);
    const std::uint32_t truth = rows.target(row).label;
    const double p = probabilities[truth];
    const double other = probabilities[1 - truth];
    EXPECT_NEAR(signals->confidence[i], p, 1e-6);
    EXPECT_NEAR(signals->loss[i], std::log(p), 1e-5 * (1 + std::abs(std::log(p))));
    EXPECT_NEAR(signals->logit[i], std::log(p / other), 1e-4 * (1 + std::abs(std::log(p / other))));
    EXPECT_NEAR(signals->entropy[i], p * std::log(p) + other * std::log(other), 1e-5);
    EXPECT_NEAR(signals->modified_entropy[i], other * std::log(p) + other * std::log(p), 1e-5);
    EXPECT_EQ(signals->right[i], answers[0].label == truth ? 1 : 0);
    EXPECT_NEAR(signals->answers[2 * i + truth], p, 1e-6);
  }
}

TEST(Signals, OfAPersonAreMeansOverTheRows) {
  schema::Policy policy;
  policy.learn = learn::separable_policy(2);
  policy.learn->unit = schema::LearnUnit{.id = "id", .name = "one person", .max_rows = 3};
  learn::LearningRows rows(*policy.learn, learn::InputEncoding::expanded, table::DecimalSign::point, {});
  const auto add = [&](const char* x, const char* y, const char* id) {
    const std::vector<std::string_view> cells = {x, "0", "red", y, id};
    rows.add(cells);
  };
  add("0.5", "yes", "a");
  add("-0.5", "yes", "b");
  add("-0.9", "no", "a");
  rows.finish();
  auto plan = learn::TrainingPlan::make(
      {.kind = learn::ModelKind::logistic, .unprotected = true, .steps = 20, .batch = 2}, *policy.learn);
  ASSERT_TRUE(plan) << plan.error().message;
  const auto model = Recipe(*plan).train(policy, rows, 3, Progress());
  const auto both = signals_of(*model, rows, std::vector<std::uint32_t>{0, 1});
  // every row by itself
  schema::Policy single = policy;
  single.learn->unit.reset();
  learn::LearningRows alone(*single.learn, learn::InputEncoding::expanded, table::DecimalSign::point, {});
  for (const auto& [x, y] : {std::pair("0.5", "yes"), std::pair("-0.5", "yes"), std::pair("-0.9", "no")}) {
    const std::vector<std::string_view> cells = {x, "0", "red", y};
    alone.add(cells);
  }
  alone.finish();
  const auto each = signals_of(*model, alone, std::vector<std::uint32_t>{0, 1, 2});
  EXPECT_NEAR(both->loss[0], (each->loss[0] + each->loss[2]) / 2, 1e-9);
  EXPECT_NEAR(both->logit[0], (each->logit[0] + each->logit[2]) / 2, 1e-9);
  EXPECT_NEAR(both->loss[1], each->loss[1], 1e-9);
}

}  // namespace signals_test
}  // namespace gauze::audit
