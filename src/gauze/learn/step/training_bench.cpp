// Whole training steps, and their parts: with and without privacy, by batch and by the size of the table.
#include <benchmark/benchmark.h>

#include <cmath>

#include "gauze/base/parallel.h"
#include "gauze/learn/step/training_run.h"

namespace gauze::learn {
namespace {

/// 140 numbers, five classes.
schema::LearnPolicy wide_policy(std::uint64_t rows) {
  schema::LearnPolicy policy;
  policy.rows = rows;
  for (int i = 0; i < 140; ++i) policy.features.push_back({.name = fmt::format("x{}", i), .low = -1, .high = 1});
  policy.target.column = "y";
  for (const char* name : {"a", "b", "c", "d", "e"}) policy.target.classes.push_back({name, {name}});
  return policy;
}

const LearningRows& rows_of(const schema::LearnPolicy& policy, std::size_t count) {
  static std::map<std::size_t, LearningRows> made;
  const auto found = made.find(count);
  if (found != made.end()) return found->second;
  SeededRandom random(1);
  LearningRows rows(policy, InputEncoding::expanded, table::DecimalSign::point, {});
  std::vector<std::string> texts(141);
  std::vector<std::string_view> cells(141);
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t i = 0; i < 140; ++i)
      texts[i] = fmt::format("{}", static_cast<double>(random.below(2'001)) / 1'000 - 1);
    texts[140] = std::string(1, static_cast<char>('a' + random.below(5)));
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = texts[i];
    rows.add(cells);
  }
  rows.finish();
  return made.emplace(count, std::move(rows)).first->second;
}

void train_steps(benchmark::State& state, bool is_private) {
  constexpr std::uint64_t kSteps = 50;
  set_thread_count(1);
  const auto count = static_cast<std::size_t>(state.range(1));
  const schema::LearnPolicy policy = wide_policy(count);
  TrainingOptions options;
  options.kind = ModelKind::mlp;
  options.batch = static_cast<std::uint64_t>(state.range(0));
  options.steps = kSteps;
  if (is_private) {
    options.sigma = 1;
    options.delta = Rational(1, 100'000'000);
  } else {
    options.unprotected = true;
  }
  const auto plan = TrainingPlan::make(options, policy);
  GAUZE_CHECK(plan.has_value());
  const LearningRows& rows = rows_of(policy, count);
  SecureStreams streams;
  const StateSink nowhere = [](const TrainingState&, std::uint64_t) { return Result<void>(); };
  for (auto _ : state) {
    Progress progress;
    const auto trained = train(*plan, policy, rows, streams, {}, nowhere, progress);
    GAUZE_CHECK(trained.has_value());
    benchmark::DoNotOptimize(trained->weights.data());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(kSteps) * state.iterations());
  set_thread_count(0);
}

void train_private(benchmark::State& state) { train_steps(state, true); }
void train_plain(benchmark::State& state) { train_steps(state, false); }
BENCHMARK(train_private)->Args({64, 35'000})->Args({512, 35'000})->Args({4'096, 35'000})->Args({64, 350'000});
BENCHMARK(train_plain)->Args({64, 35'000})->Args({512, 35'000})->Args({4'096, 35'000});

void sample_units(benchmark::State& state) {
  const auto units = static_cast<std::uint64_t>(state.range(0));
  const UnitSampler sampler({.kind = SamplingKind::poisson, .batch = 512, .declared = units});
  std::vector<std::uint32_t> sampled;
  for (auto _ : state) {
    sampler.sample(units, SecureRandom::of_thread(), sampled);
    benchmark::DoNotOptimize(sampled.data());
  }
}
BENCHMARK(sample_units)->Arg(35'000)->Arg(350'000)->Arg(1'000'000);

void draw_noise(benchmark::State& state) {
  const auto law = RoundedGaussianLaw::make(Rational(kSensitivityUnits));
  std::vector<std::int64_t> noise(26'629);
  for (auto _ : state) {
    law->sample(SecureRandom::of_thread(), noise);
    benchmark::DoNotOptimize(noise.data());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(noise.size()) * state.iterations());
}
BENCHMARK(draw_noise);

}  // namespace
}  // namespace gauze::learn
