// Without privacy, logistic regression by the engine of `learn` is the one of `models`: gradients, sums and encoding on one side,
// Newton's method on grouped tuples on the other.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "gauze/learn/job/training_job.h"
#include "gauze/learn/score/scored_rows.h"
#include "gauze/models/logistic_regression.h"

namespace gauze {
namespace {

constexpr std::array<std::uint32_t, 3> kValues = {2, 3, 4};

schema::Policy categories(std::uint64_t rows) {
  schema::LearnPolicy policy;
  policy.rows = rows;
  for (std::size_t i = 0; i < kValues.size(); ++i) {
    schema::LearnFeature feature{.name = fmt::format("f{}", i), .kind = schema::LearnFeature::Kind::values};
    for (std::uint32_t v = 0; v < kValues[i]; ++v) feature.values.push_back(fmt::format("v{}", v));
    policy.features.push_back(std::move(feature));
  }
  policy.target = {.column = "y", .classes = {{"no", {"no"}}, {"yes", {"yes"}}}};
  schema::Policy whole;
  whole.learn = std::move(policy);
  return whole;
}

TEST(PlainLogisticRegression, IsThatOfTheRoomModels) {
  constexpr std::size_t kRows = 3'000;
  const schema::Policy policy = categories(kRows);
  learn::LearningRows rows(*policy.learn, learn::InputEncoding::expanded, table::DecimalSign::point, {});
  models::Examples examples{
      .cardinalities = {kValues.begin(), kValues.end()}, .codes = {{}, {}, {}}, .positive = {}, .negative = {}};
  SeededRandom random(7);
  for (std::size_t row = 0; row < kRows; ++row) {
    std::array<std::uint32_t, 3> codes{};
    double z = -0.4;
    for (std::size_t i = 0; i < codes.size(); ++i) {
      codes[i] = static_cast<std::uint32_t>(random.below(kValues[i]));
      z += std::sin(static_cast<double>(codes[i] * (i + 1) + i));
      examples.codes[i].push_back(codes[i]);
    }
    const bool yes = static_cast<double>(random.below(1'000'000)) / 1e6 < 1 / (1 + std::exp(-z));
    examples.positive.push_back(yes ? 1 : 0);
    examples.negative.push_back(yes ? 0 : 1);
    std::array<std::string, 3> cells;
    for (std::size_t i = 0; i < codes.size(); ++i) cells[i] = fmt::format("v{}", codes[i]);
    const std::array<std::string_view, 4> views = {cells[0], cells[1], cells[2], yes ? "yes" : "no"};
    rows.add(views);
  }
  rows.finish();

  learn::TrainingOptions options;
  options.kind = learn::ModelKind::logistic;
  options.unprotected = true;
  options.sampling = learn::SamplingKind::full;
  options.schedule = learn::ScheduleKind::constant;
  options.steps = 2'000;
  const auto plan = learn::TrainingPlan::make(options, *policy.learn);
  ASSERT_TRUE(plan) << plan.error().message;
  learn::SecureStreams streams;
  Progress progress;
  const learn::StateSink nowhere = [](const learn::TrainingState&, std::uint64_t) { return Result<void>(); };
  const auto trained = learn::train_model(*plan, policy, rows, streams, {.until = plan->steps}, nowhere, progress);
  ASSERT_TRUE(trained) << trained.error().message;
  auto predictor = learn::RowPredictor::make(trained->file);
  ASSERT_TRUE(predictor) << predictor.error().message;

  const auto exact = models::LogisticRegression::train(examples, {.l2 = 1e-6});
  ASSERT_TRUE(exact) << exact.error().message;
  const std::vector<double> expected = exact->probabilities(examples);
  std::vector<learn::Answer> answers;
  std::vector<float> scores;
  for (std::uint32_t row = 0; row < kRows; ++row) {
    predictor->answer(rows.codes(row), 1, answers, scores);
    ASSERT_NEAR(scores[1], expected[row], 1e-3) << "row " << row;
  }
  // the sameness says something: the answers differ
  const auto [least, most] = std::minmax_element(expected.begin(), expected.end());
  EXPECT_LT(*least, 0.2);
  EXPECT_GT(*most, 0.7);
}

}  // namespace
}  // namespace gauze
