#include "gauze/learn/step/training_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "gauze/learn/job/training_job.h"
#include "gauze/learn/learn_testing.h"
#include "gauze/mechanisms/testing/distribution_checks.h"
#include "gauze/statistics/kolmogorov_smirnov.h"

namespace gauze::learn {
namespace {

const StateSink kNowhere = [](const TrainingState&, std::uint64_t) { return Result<void>(); };

TrainingOptions small_options() {
  TrainingOptions options;
  options.kind = ModelKind::logistic;
  options.epsilon = 1;
  options.delta = Rational(1, 1'000'000);
  options.steps = 60;
  options.batch = 64;
  return options;
}

TrainingState simulated(const TrainingPlan& plan, const schema::LearnPolicy& policy, const LearningRows& rows,
                        std::uint64_t seed, const RunRequest& request = {}) {
  SeededStreams streams(seed);
  Progress progress;
  const auto state = simulate_training(plan, policy, rows, streams, request, kNowhere, progress);
  GAUZE_CHECK(state.has_value());
  return *state;
}

double accuracy_of(const TrainingPlan& plan, const LearningRows& rows, const TrainingState& state) {
  const auto network = Network<float>::make(plan.layers, plan.inputs);
  const auto packed = network->make_packed();
  network->pack(state.weights, *packed);
  const auto pass = network->make_pass(1);
  std::size_t right = 0;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    rows.encoder().encode(rows.codes(row), network->inputs_of(*pass, 1));
    network->forward(*packed, *pass, 1, nullptr);
    const auto outputs = network->outputs_of(*pass, 1);
    right += static_cast<std::size_t>(outputs[1] > outputs[0]) == rows.target(row).label;
  }
  return static_cast<double>(right) / static_cast<double>(rows.rows());
}

TEST(TrainingRun, LearnsWhatIsSeparableAtEpsilonOne) {
  SeededRandom random(1);
  const schema::LearnPolicy policy = separable_policy(4'000);
  const LearningRows rows = separable_rows(policy, 4'000, random);
  for (const ModelKind kind : {ModelKind::logistic, ModelKind::svm, ModelKind::mlp}) {
    TrainingOptions options = small_options();
    options.kind = kind;
    options.shape.hidden = {16};
    options.steps = 200;
    const auto plan = TrainingPlan::make(options, policy);
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_GT(accuracy_of(*plan, rows, simulated(*plan, policy, rows, 2)), 0.9) << static_cast<int>(kind);
  }
}

TEST(TrainingRun, WithTinyNoiseAndAWideClipIsPlainGradientDescent) {
  SeededRandom random(1);
  const schema::LearnPolicy policy = separable_policy(1'000);
  const LearningRows rows = separable_rows(policy, 1'000, random);
  TrainingOptions options = small_options();
  options.optimiser = OptimiserKind::sgd;
  options.schedule = ScheduleKind::constant;
  TrainingOptions plain = options;
  plain.epsilon.reset();
  plain.delta.reset();
  plain.unprotected = true;
  options.epsilon.reset();
  options.sigma = Rational(1, 50);
  options.clip = 2;  // no gradient is that long
  const auto plan = TrainingPlan::make(options, policy);
  ASSERT_TRUE(plan) << plan.error().message;
  const auto unprotected = TrainingPlan::make(plain, policy);
  ASSERT_TRUE(unprotected) << unprotected.error().message;
  const TrainingState a = simulated(*plan, policy, rows, 5);
  const TrainingState b = simulated(*unprotected, policy, rows, 5);
  // the noise of a step is 0.04 / 64 on each weight, times a rate of 0.5, over 60 steps: 0.0024
  for (std::size_t i = 0; i < a.weights.size(); ++i) EXPECT_NEAR(a.weights[i], b.weights[i], 0.02);
}

TEST(TrainingRun, DividesByThePublicNumberAndNotByWhoWasThere) {
  // the same sums over a table with and without most of its rows would differ if the size of a sample came in: with a learning rate
  // and one step from zero weights, weights are the noisy sum over rate N
  const schema::LearnPolicy policy = separable_policy(1'000);
  LearningRows nobody(policy, InputEncoding::expanded, table::DecimalSign::point, {});
  nobody.finish();
  TrainingOptions options = small_options();
  options.optimiser = OptimiserKind::sgd;
  options.schedule = ScheduleKind::constant;
  options.learning_rate = 1;
  options.steps = 1;
  options.epsilon.reset();
  options.sigma = 2;
  const auto plan = TrainingPlan::make(options, policy);
  ASSERT_TRUE(plan);
  // 600 runs of 12 weights: the deviation within 6 of its own: 5 %
  double squares = 0;
  const int runs = 600;
  for (int seed = 0; seed < runs; ++seed)
    for (const float weight : simulated(*plan, policy, nobody, static_cast<std::uint64_t>(seed)).weights)
      squares += static_cast<double>(weight) * weight;
  const double expected = 2.0 / 64;
  const double draws = runs * static_cast<double>(plan->weights);
  EXPECT_NEAR(std::sqrt(squares / draws) / expected, 1, 6 / std::sqrt(2 * draws));
}

TEST(TrainingRun, TwoRunsDiffer) {
  const schema::LearnPolicy policy = separable_policy(100);
  SeededRandom random(1);
  const LearningRows rows = separable_rows(policy, 100, random);
  TrainingOptions options = small_options();
  options.batch = 10;
  options.steps = 2;
  const auto plan = TrainingPlan::make(options, policy);
  ASSERT_TRUE(plan);
  SecureStreams streams;
  Progress progress;
  const auto a = train(*plan, policy, rows, streams, {}, kNowhere, progress);
  const auto b = train(*plan, policy, rows, streams, {}, kNowhere, progress);
  ASSERT_TRUE(a && b);
  EXPECT_NE(a->weights, b->weights);
}

TEST(TrainingRun, TakesTablesOfNobodyOfOneAndOfNothingUseful) {
  const schema::LearnPolicy policy = separable_policy(100);
  for (const std::size_t count : {0, 1, 5}) {
    LearningRows rows(policy, InputEncoding::expanded, table::DecimalSign::point, {});
    for (std::size_t i = 0; i < count; ++i) {
      const std::vector<std::string_view> cells = {"inf", "nan", "green", count == 5 ? "perhaps" : "yes"};
      rows.add(cells);
    }
    rows.finish();
    for (const ModelKind kind : {ModelKind::logistic, ModelKind::mlp, ModelKind::lstm}) {
      TrainingOptions options = small_options();
      options.kind = kind;
      options.shape.width = 4;
      options.shape.hidden = {4};
      options.batch = 20;
      options.steps = 5;
      const auto plan = TrainingPlan::make(options, policy);
      ASSERT_TRUE(plan) << plan.error().message;
      for (const float weight : simulated(*plan, policy, rows, 3).weights) EXPECT_TRUE(std::isfinite(weight));
    }
  }
}

TEST(TrainingRun, AdaptiveClipsReachTheirQuantileAndStayWithinTheirLimits) {
  SeededRandom random(1);
  const schema::LearnPolicy policy = separable_policy(3'000);
  const LearningRows rows = separable_rows(policy, 3'000, random);
  TrainingOptions options = small_options();
  options.adaptive = AdaptiveClip{.quantile = Rational(1, 2)};
  options.learning_rate = Rational(1, 1'000'000);  // norms stay what they are at first
  options.batch = 300;
  options.steps = 300;
  options.epsilon = 8;
  options.clip = 16;
  const auto plan = TrainingPlan::make(options, policy);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_GT(plan->sigma_gradient, plan->sigma);
  const TrainingState state = simulated(*plan, policy, rows, 4);
  // at zero weights the gradient of a row is (1/2, -1/2) x (inputs, 1): its norm is sqrt((x^2 + z^2 + 2) / 2), median about 1.15
  EXPECT_NEAR(state.clip, 1.15, 0.12);
  TrainingOptions wrong = options;
  wrong.rows = 100'000;  // N declared far too large: the share within the clip looks like 1/2 + nothing
  wrong.steps = 2'000;
  wrong.batch = 1'000;
  const auto far = TrainingPlan::make(wrong, policy);
  ASSERT_TRUE(far);
  const double clip = simulated(*far, policy, rows, 4).clip;
  EXPECT_GE(clip, 16 * 0x1p-20);
  EXPECT_LE(clip, 16 * 0x1p20);
}

TEST(TrainingRun, ShapedNoiseIsTheNoiseTimesTheScale) {
  schema::LearnPolicy policy = separable_policy(1'000);
  policy.sensitive = {"x", "colour"};
  policy.entropies = schema::LearnEntropies{.given = {{"x", 2}, {"colour", Rational(1, 2)}}, .rho = {}};
  LearningRows nobody(policy, InputEncoding::expanded, table::DecimalSign::point, {});
  nobody.finish();
  TrainingOptions options = small_options();
  options.method = MethodKind::shaped;
  options.optimiser = OptimiserKind::sgd;
  options.schedule = ScheduleKind::constant;
  options.learning_rate = 1;
  options.steps = 1;
  options.epsilon.reset();
  options.sigma = 2;
  const auto plan = TrainingPlan::make(options, policy);
  ASSERT_TRUE(plan) << plan.error().message;
  std::vector<double> squares(plan->weights);
  const int runs = 3'000;
  for (int seed = 0; seed < runs; ++seed) {
    const auto weights = simulated(*plan, policy, nobody, static_cast<std::uint64_t>(seed)).weights;
    for (std::size_t i = 0; i < weights.size(); ++i) squares[i] += static_cast<double>(weights[i]) * weights[i];
  }
  // inputs: x, z, red, blue, other, for each of two outputs, then two biases; x has 2 - exp(-1.5), all others 1
  const double scale = 2 - std::exp(-1.5);
  for (std::size_t i = 0; i < squares.size(); ++i) {
    const double expected = 2.0 / 64 * (i == 0 || i == 5 ? scale : 1.0);
    EXPECT_NEAR(std::sqrt(squares[i] / runs) / expected, 1, 6 / std::sqrt(2.0 * runs)) << i;
  }
}

TEST(TrainingRun, HandsOverCheckpointsFromWhichItGoesOnAsIfNeverInterrupted) {
  SeededRandom random(1);
  const schema::LearnPolicy policy = separable_policy(300);
  const LearningRows rows = separable_rows(policy, 300, random);
  TrainingOptions options = small_options();
  options.batch = 30;
  options.steps = 10;
  options.optimiser = OptimiserKind::adam;
  options.learning_rate = Rational(1, 10);
  options.average = Rational(9, 10);
  const auto plan = TrainingPlan::make(options, policy);
  ASSERT_TRUE(plan);
  std::vector<TrainingState> states;
  std::vector<std::uint64_t> steps;
  SeededStreams streams(9);
  Progress progress;
  const auto whole = simulate_training(
      *plan, policy, rows, streams, {.from = {}, .until = {}, .every = 4, .included = {}},
      [&](const TrainingState& state, std::uint64_t count) {
        states.push_back(state);
        steps.push_back(count);
        return Result<void>();
      },
      progress);
  ASSERT_TRUE(whole);
  EXPECT_EQ(steps, (std::vector<std::uint64_t>{4, 4, 2}));
  // streams of later steps do not depend on earlier ones: with a seed the rest is the same bits
  const TrainingState resumed =
      simulated(*plan, policy, rows, 9, {.from = states[0], .until = {}, .every = 0, .included = {}});
  EXPECT_EQ(resumed.weights, whole->weights);
  EXPECT_EQ(resumed.average, whole->average);
  EXPECT_EQ(resumed.model(0.9), whole->model(0.9));
}

TEST(TrainingRun, StopsWhenAskedAndFailsWithItsSink) {
  const schema::LearnPolicy policy = separable_policy(100);
  LearningRows rows(policy, InputEncoding::expanded, table::DecimalSign::point, {});
  rows.finish();
  TrainingOptions options = small_options();
  options.batch = 10;
  const auto plan = TrainingPlan::make(options, policy);
  ASSERT_TRUE(plan);
  SeededStreams streams(1);
  Progress stopped;
  stopped.request_stop();
  const auto ended = simulate_training(*plan, policy, rows, streams, {}, kNowhere, stopped);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::interrupted);
  Progress progress;
  const StateSink refuses = [](const TrainingState&, std::uint64_t) -> Result<void> {
    return make_error(ErrorCode::budget_exhausted, "no steps are left");
  };
  const auto refused = simulate_training(*plan, policy, rows, streams, {}, refuses, progress);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::budget_exhausted);
}

// 40,000 coins at 0.3: alarms once in 10^6, a share 1.2 % off is caught in 99 % of runs.
TEST(TrainingUnits, AreKeptByACoinOfTheirOwn) {
  SecureStreams streams;
  const auto kept = training_units(40'000, Rational(3, 10), streams);
  const double out = static_cast<double>(std::count(kept.begin(), kept.end(), 0));
  EXPECT_NEAR(out / 40'000, 0.3, 4.9 * std::sqrt(0.21 / 40'000));
}

TEST(Entropies, AreThoseOfTheCountsAndOfNothingWithoutMass) {
  EXPECT_DOUBLE_EQ(entropy_of(std::vector<std::int64_t>{5, 5, -3}), std::log(2.0));
  EXPECT_EQ(entropy_of(std::vector<std::int64_t>{-1, 0}), 0);
  const schema::LearnFeature number{.name = "x", .low = 0, .high = 16};
  const RowEncoder encoder({number}, InputEncoding::expanded, table::DecimalSign::point, {});
  EXPECT_EQ(histogram_cells(number), 17u);
  for (int bin = 0; bin < 16; ++bin)
    EXPECT_EQ(histogram_cell(number, encoder.code(0, fmt::format("{}", bin + 0.5))), static_cast<std::size_t>(bin));
  EXPECT_EQ(histogram_cell(number, encoder.code(0, "16")), 15u);
  EXPECT_EQ(histogram_cell(number, encoder.code(0, "")), 16u);
}

TEST(Entropies, OfNoisyHistogramsMoveByOneCellAColumnForEveryRow) {
  schema::LearnPolicy policy = separable_policy(500);
  policy.sensitive = {"x", "colour"};
  policy.entropies = schema::LearnEntropies{.given = {}, .rho = Rational(1'000)};
  TrainingOptions options = small_options();
  options.method = MethodKind::shaped;
  options.epsilon.reset();
  options.sigma = 2;
  const auto plan = TrainingPlan::make(options, policy);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_NEAR(plan->histograms->sensitivity, std::sqrt(2.0), 1e-9);
  EXPECT_GE(plan->histograms->sensitivity, std::sqrt(2.0));
  SeededRandom random(1);
  const LearningRows rows = separable_rows(policy, 2'000, random);
  SeededStreams streams(1);
  const auto entropies = entropies_for(*plan, policy, rows, {}, streams);
  ASSERT_TRUE(entropies);
  EXPECT_NEAR((*entropies)[0], std::log(16.0), 0.05);
  EXPECT_NEAR((*entropies)[1], std::log(2.0), 0.01);
  const auto of_nobody = entropies_for(*plan, policy, rows, std::vector<std::uint8_t>(2'000), streams);
  ASSERT_TRUE(of_nobody);
}

}  // namespace
}  // namespace gauze::learn
