#include "gauze/learn/score/figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gauze/learn/job/score_job.h"
#include "gauze/learn/learn_testing.h"
#include "gauze/learn/model/model_kinds.h"
#include "gauze/learn/model/model_shape.h"
#include "gauze/learn/step/training_run.h"
#include "gauze/random/seeded_random.h"

namespace gauze::learn {
namespace figures_test {

/// A logistic model with random weights `times` as large as usual.
ModelFile random_model(schema::LearnPolicy policy, float times, LossKind loss = LossKind::softmax) {
  const RowEncoder encoder(policy.features, InputEncoding::expanded, table::DecimalSign::point, {});
  const auto layers =
      model_layers(ModelKind::logistic, {}, encoder.inputs_of_features(), policy.target.classes.size());
  GAUZE_CHECK(layers.has_value());
  const auto network = Network<float>::make(*layers, encoder.inputs());
  GAUZE_CHECK(network.has_value());
  SeededStreams streams(3);
  ModelDescription description;
  description.kind = "logistic";
  description.loss = loss;
  description.policy = std::move(policy);
  auto weights = initial_weights(*network, InitialWeights::scaled, streams);
  for (float& weight : weights) weight *= times;
  return ModelFile::of_network(description, *network, weights);
}

/// Rows of a table x, z, colour, y, id with few different values, so that scores tie.
void add_rows(ScoredRows& rows, int count, SeededRandom& random) {
  for (int i = 0; i < count; ++i) {
    const std::string x = std::to_string(static_cast<int>(random.below(3)) - 1);
    const std::string z = std::to_string(static_cast<int>(random.below(3)) - 1);
    const std::string id = std::to_string(i);
    std::vector<std::string_view> cells;
    for (const std::string& name : rows.columns()) {
      if (name == "x") cells.push_back(x);
      if (name == "z") cells.push_back(z);
      if (name == "colour") cells.push_back(random.below(2) == 0 ? "red" : "blue");
      if (name == "y") cells.push_back(random.below(2) == 0 ? "yes" : "no");
      if (name == "id") cells.push_back(id);
    }
    rows.add(cells);
  }
}

TEST(Figures, OfAConfusionAreThoseOfTheirDefinitions) {
  // truths a: 6 of which 4 are found, b: 3 of which 2, c: 1 of which none; nobody is called c
  const Confusion confusion = {{4, 2, 0}, {1, 2, 0}, {1, 0, 0}};
  const Figures found = figures_of(confusion, true);
  EXPECT_DOUBLE_EQ(*found.accuracy, 6.0 / 10);
  EXPECT_DOUBLE_EQ(*found.balanced_accuracy, (4.0 / 6 + 2.0 / 3 + 0) / 3);
  const double f1_a = 2 * 4.0 / (6 + 6);
  const double f1_b = 2 * 2.0 / (3 + 4);
  EXPECT_DOUBLE_EQ(*found.f1_macro, (f1_a + f1_b + 0) / 3);
  EXPECT_DOUBLE_EQ(*found.f1_weighted, 0.6 * f1_a + 0.3 * f1_b);
  EXPECT_DOUBLE_EQ(*found.mae, (2 + 1 + 2) / 10.0);
  EXPECT_FALSE(figures_of(confusion, false).mae);
  EXPECT_EQ(majority_of(confusion).label, 0U);
  EXPECT_DOUBLE_EQ(*majority_of(confusion).accuracy, 0.6);
  EXPECT_FALSE(figures_of({{0, 0}, {0, 0}}, true).accuracy);
  EXPECT_FALSE(majority_of({{0, 0}, {0, 0}}).label);
}

TEST(Figures, AreaUnderTheCurveCountsPairsAndTiesAsHalves) {
  const ModelFile model = random_model(separable_policy(100), 1);
  auto rows = ScoredRows::make(model, model.description.policy, "", true).value();
  SeededRandom random(4);
  add_rows(rows, 60, random);
  rows.finish();
  double pairs = 0;
  double above = 0;
  double loss = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    loss -= std::log(rows.scores[2 * i + rows.truths[i]]) / 60;
    for (std::size_t j = 0; j < rows.size(); ++j) {
      if (rows.truths[i] != 1 || rows.truths[j] != 0) continue;
      ++pairs;
      const float a = rows.scores[2 * i + 1];
      const float b = rows.scores[2 * j + 1];
      above += a > b ? 1 : a == b ? 0.5 : 0;
    }
  }
  const FigureEstimates found = bootstrap_figures(rows, {}, 50, random, Progress()).value();
  EXPECT_NEAR(found.auc->mean, above / pairs, 1e-12);
  EXPECT_NEAR(found.log_loss->mean, loss, 1e-6);
  EXPECT_LE(found.auc->low, found.auc->mean);
  EXPECT_GE(found.auc->high, found.auc->mean);
}

TEST(Figures, OfWeightsThatOverflowAreFinite) {
  for (const LossKind loss : {LossKind::softmax, LossKind::hinge}) {
    for (const float times : {1e10F, 1e20F, 1e38F}) {
      const ModelFile model = random_model(separable_policy(100), times, loss);
      auto rows = ScoredRows::make(model, model.description.policy, "", true).value();
      SeededRandom random(5);
      add_rows(rows, 40, random);
      rows.finish();
      for (const float score : rows.scores)
        EXPECT_TRUE(std::isfinite(score)) << word_of(kLossWords, loss) << ' ' << times;
      const FigureEstimates found = bootstrap_figures(rows, {}, 20, random, Progress()).value();
      Progress stopped;
      stopped.request_stop();
      EXPECT_EQ(bootstrap_figures(rows, {}, 20, random, stopped).error().code, ErrorCode::interrupted);
      EXPECT_TRUE(std::isfinite(found.auc->mean)) << word_of(kLossWords, loss) << ' ' << times;
      EXPECT_TRUE(std::isfinite(found.accuracy->mean));
    }
  }
}

/// With so large an epsilon the noise is 0 but for a chance below e^-999.
const ScoreRequest kWithoutNoise = {.epsilon = Rational(1000)};

double distance(const Confusion& a, const Confusion& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j) sum += std::abs(a[i][j] - b[i][j]);
  return sum;
}

TEST(PaidScore, NobodyMovesItsCountsByMoreThanIsPaidFor) {
  schema::LearnPolicy policy = separable_policy(100);
  policy.unit = schema::LearnUnit{.id = "id", .max_rows = 3};
  const ModelFile model = random_model(policy, 1);
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    // the same ten people, with and without one who has as many rows as count, or more
    Confusion counts[2];
    for (const int more : {0, 1}) {
      auto rows = ScoredRows::make(model, policy, "", false).value();
      SeededRandom random(seed);
      add_rows(rows, 10, random);
      if (more == 1)
        for (std::uint64_t i = 0; i < 1 + seed % 7; ++i) {
          std::vector<std::string_view> cells;
          for (const std::string& name : rows.columns())
            cells.push_back(name == "id" ? "somebody" : name == "y" ? (i % 2 == 0 ? "yes" : "no") : "1");
          rows.add(cells);
        }
      rows.finish();
      counts[more] = simulate_paid_score(rows, policy, kWithoutNoise, random)->confusion;
    }
    EXPECT_LE(distance(counts[0], counts[1]), 3);
    EXPECT_EQ(distance(counts[0], counts[1]), std::min<std::uint64_t>(1 + seed % 7, 3));
  }
}

TEST(PaidScore, ItsNoiseHasTheScaleOfWhatAUnitMoves) {
  // n = 4 x 5'000 draws: the mean size of discrete Laplace noise of scale s is 1 / sinh(1/s); its own deviation is below 1.1 s, so
  // that 5 deviations (false alarms 6e-7) are 4 %: half, or twice, the noise is found in every run.
  for (const bool replaces : {false, true}) {
    schema::LearnPolicy policy = separable_policy(100);
    policy.unit = schema::LearnUnit{.id = "id", .max_rows = 3};
    policy.neighbours = replaces ? Neighbours::replace_one : Neighbours::add_remove;
    const ModelFile model = random_model(policy, 1);
    auto rows = ScoredRows::make(model, policy, "", false).value();
    rows.finish();
    SeededRandom random(6);
    double size = 0;
    for (int i = 0; i < 5'000; ++i) {
      const auto score = simulate_paid_score(rows, policy, {.epsilon = Rational(1)}, random);
      for (const auto& row : score->confusion)
        for (const double cell : row) size += std::abs(cell) / 20'000;
    }
    const double scale = replaces ? 6 : 3;
    EXPECT_NEAR(size, 1 / std::sinh(1 / scale), 0.04 * scale);
  }
}

}  // namespace figures_test
}  // namespace gauze::learn
