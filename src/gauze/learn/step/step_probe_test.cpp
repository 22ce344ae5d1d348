#include "gauze/learn/step/step_probe.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gauze/learn/learn_testing.h"
#include "gauze/learn/step/training_run.h"

namespace gauze::learn {
namespace step_probe_test {

/// Keeps what it sees.
class Watching final : public StepProbe {
 public:
  explicit Watching(std::size_t places = 0, std::size_t coordinates = 0)
      : places_(places), coordinates_(coordinates) {}
  [[nodiscard]] std::size_t places() const override { return places_; }
  [[nodiscard]] std::size_t coordinates() const override { return coordinates_; }
  void begin(std::span<const float> weights) override { first.assign(weights.begin(), weights.end()); }
  void see(const StepSum& sum) override {
    planted.emplace_back(sum.planted.begin(), sum.planted.end());
    rows.emplace_back(sum.rows.begin(), sum.rows.end());
    noisy.emplace_back(sum.noisy.begin(), sum.noisy.end());
    if (adds_to_first) sum.noisy.front() += std::uint64_t{1} << 40U;
  }
  std::vector<float> first;
  std::vector<std::vector<std::uint32_t>> planted;
  std::vector<std::vector<std::uint64_t>> rows;
  std::vector<std::vector<std::uint64_t>> noisy;
  bool adds_to_first = false;

 private:
  std::size_t places_;
  std::size_t coordinates_;
};

TrainingPlan plan_of(const schema::LearnPolicy& policy, std::uint64_t batch, std::uint64_t steps) {
  TrainingOptions options;
  options.sigma = 1;
  options.delta = Rational(1, 1'000'000);
  options.batch = batch;
  options.steps = steps;
  options.optimiser = OptimiserKind::sgd;
  auto plan = TrainingPlan::make(options, policy);
  GAUZE_CHECK(plan.has_value());
  return *std::move(plan);
}

std::vector<float> trained(const TrainingPlan& plan, const schema::LearnPolicy& policy, const LearningRows& rows,
                           StepProbe* probe, std::uint64_t seed = 3) {
  SeededStreams streams(seed);
  Progress progress;
  const StateSink nowhere = [](const TrainingState&, std::uint64_t) { return Result<void>(); };
  const auto state = simulate_training(plan, policy, rows, streams, {.probe = probe}, nowhere, progress);
  GAUZE_CHECK(state.has_value());
  return state->weights;
}

TEST(StepProbe, ThatOnlyWatchesChangesNothing) {
  SeededRandom random(1);
  const schema::LearnPolicy policy = separable_policy(1'000);
  const LearningRows rows = separable_rows(policy, 1'000, random);
  const TrainingPlan plan = plan_of(policy, 100, 10);
  Watching probe;
  EXPECT_EQ(trained(plan, policy, rows, &probe), trained(plan, policy, rows, nullptr));
  EXPECT_EQ(probe.noisy.size(), 10U);
  EXPECT_EQ(probe.first.size(), plan.weights);
  // of rows a hundred in each step: their clipped sum is none of the noisy one
  EXPECT_NE(probe.rows[0], probe.noisy[0]);
}

TEST(StepProbe, WhatItAddsCounts) {
  SeededRandom random(1);
  const schema::LearnPolicy policy = separable_policy(100);
  const LearningRows rows = separable_rows(policy, 100, random);
  const TrainingPlan plan = plan_of(policy, 100, 1);
  Watching probe;
  probe.adds_to_first = true;
  const std::vector<float> with = trained(plan, policy, rows, &probe);
  const std::vector<float> without = trained(plan, policy, rows, nullptr);
  // 16 clips, divided by a hundred rows, times a rate of 0.5
  EXPECT_NEAR(without[0] - with[0], 16 * 0.5 / 100, 1e-6);
  EXPECT_TRUE(std::equal(with.begin() + 1, with.end(), without.begin() + 1));
}

// 200 places, 100 of 1,000 in each of 50 steps: 1,000 hits, deviation 30; the bounds are 6 of it.
TEST(StepProbe, ItsPlacesAreSampledAsRowsAreAndItsCoordinatesNoisedAsWeightsAre) {
  SeededRandom random(1);
  const schema::LearnPolicy policy = separable_policy(1'000);
  const LearningRows rows = separable_rows(policy, 1'000, random);
  const TrainingPlan plan = plan_of(policy, 100, 50);
  Watching probe(200, 1'000);
  trained(plan, policy, rows, &probe);
  std::size_t hits = 0;
  double squares = 0;
  for (std::size_t step = 0; step < 50; ++step) {
    hits += probe.planted[step].size();
    for (const std::uint32_t place : probe.planted[step]) EXPECT_LT(place, 200U);
    ASSERT_EQ(probe.noisy[step].size(), plan.weights + 1'000);
    for (std::size_t i = plan.weights; i < probe.noisy[step].size(); ++i) {
      EXPECT_EQ(probe.rows[step][i], 0U);
      const double clips =
          std::ldexp(static_cast<double>(static_cast<std::int64_t>(probe.noisy[step][i])), -kUnitBits);
      squares += clips * clips;
    }
  }
  EXPECT_NEAR(static_cast<double>(hits), 1'000, 180);
  EXPECT_NEAR(squares / 50'000, 1, 0.04);
}

TEST(StepProbe, FixedSizesGiveThePlacesOfTheProbeFirst) {
  SeededRandom random(1);
  schema::LearnPolicy policy = separable_policy(100);
  policy.neighbours = Neighbours::replace_one;
  const LearningRows rows = separable_rows(policy, 100, random);
  const TrainingPlan plan = plan_of(policy, 20, 30);
  Watching probe(100);
  trained(plan, policy, rows, &probe);
  for (std::size_t step = 0; step < 30; ++step) {
    EXPECT_EQ(probe.planted[step].size(), 20U) << "no place is left for a row";
    EXPECT_EQ(probe.rows[step], std::vector<std::uint64_t>(plan.weights));
  }
}

TEST(RepeatedTraining, IsTheRunThatTrainingMakes) {
  SeededRandom random(1);
  const schema::LearnPolicy policy = separable_policy(1'000);
  const LearningRows rows = separable_rows(policy, 1'000, random);
  const TrainingPlan plan = plan_of(policy, 100, 10);
  auto repeated = RepeatedTraining::make(plan, policy, rows, {});
  ASSERT_TRUE(repeated) << repeated.error().message;
  const Progress progress;
  for (const std::uint64_t seed : {3U, 4U, 3U}) {
    SeededStreams streams(seed);
    const auto state = repeated->run(streams, progress);
    ASSERT_TRUE(state);
    EXPECT_EQ(state->weights, trained(plan, policy, rows, nullptr, seed));
    EXPECT_EQ(state->step, 10U);
  }
  Progress stopping;
  stopping.request_stop();
  SeededStreams streams(3);
  EXPECT_EQ(repeated->run(streams, stopping).error().code, ErrorCode::interrupted);
}

}  // namespace step_probe_test
}  // namespace gauze::learn
