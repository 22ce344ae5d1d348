// Whole training steps, with and without privacy, by model, batch, rows, width, positions and threads, and parts of them.
#include <benchmark/benchmark.h>
#include <cblas.h>

#include <cmath>

#include "gauze/base/parallel.h"
#include "gauze/learn/step/training_run.h"

namespace gauze::learn {
namespace {

/// Numbers and five classes; 140 of them as in the table of peers.
schema::LearnPolicy numbers_policy(std::size_t numbers, std::uint64_t rows) {
  schema::LearnPolicy policy;
  policy.rows = rows;
  for (std::size_t i = 0; i < numbers; ++i)
    policy.features.push_back({.name = fmt::format("x{}", i), .low = -1, .high = 1});
  policy.target.column = "y";
  for (const char* name : {"a", "b", "c", "d", "e"}) policy.target.classes.push_back({name, {name}});
  return policy;
}

const LearningRows& rows_of(const schema::LearnPolicy& policy, std::size_t count) {
  static std::map<std::pair<std::size_t, std::size_t>, LearningRows> made;
  const std::size_t numbers = policy.features.size();
  const auto found = made.find({numbers, count});
  if (found != made.end()) return found->second;
  SeededRandom random(1);
  LearningRows rows(policy, InputEncoding::expanded, table::DecimalSign::point, {});
  std::vector<std::string> texts(numbers + 1);
  std::vector<std::string_view> cells(numbers + 1);
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t i = 0; i < numbers; ++i)
      texts[i] = fmt::format("{}", static_cast<double>(random.below(2'001)) / 1'000 - 1);
    texts[numbers] = std::string(1, static_cast<char>('a' + random.below(5)));
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = texts[i];
    rows.add(cells);
  }
  rows.finish();
  return made.emplace(std::pair(numbers, count), std::move(rows)).first->second;
}

/// What is trained; the shapes of the table of peers unless a field says otherwise.
struct Work {
  ModelKind kind = ModelKind::mlp;
  std::uint64_t batch = 64;
  std::size_t numbers = 140;
  std::size_t rows = 35'000;
  ModelShape shape = {};
  bool is_private = true;
  int threads = 1;
};

Work mlp(std::uint64_t batch) { return {.batch = batch}; }
Work cnn(std::uint64_t batch) { return {.kind = ModelKind::cnn, .batch = batch, .shape = {.reshape = {{140, 1}}}}; }
Work lstm(std::uint64_t batch) { return {.kind = ModelKind::lstm, .batch = batch, .shape = {.reshape = {{14, 10}}}}; }
Work transformer(std::uint64_t batch) {
  return {.kind = ModelKind::transformer, .batch = batch, .shape = {.reshape = {{14, 10}}}};
}

void train_steps(benchmark::State& state, Work work) {
  const std::uint64_t steps = work.batch > 1'000 ? 10 : 50;
  set_thread_count(static_cast<std::size_t>(work.threads));
  const schema::LearnPolicy policy = numbers_policy(work.numbers, work.rows);
  TrainingOptions options;
  options.kind = work.kind;
  options.shape = work.shape;
  options.batch = work.batch;
  options.steps = steps;
  if (work.is_private) {
    options.sigma = 1;
    options.delta = Rational(1, 100'000'000);
  } else {
    options.unprotected = true;
  }
  const auto plan = TrainingPlan::make(options, policy);
  GAUZE_CHECK(plan.has_value());
  const LearningRows& rows = rows_of(policy, work.rows);
  SecureStreams streams;
  const StateSink nowhere = [](const TrainingState&, std::uint64_t) { return Result<void>(); };
  for (auto _ : state) {
    Progress progress;
    const auto trained = train(*plan, policy, rows, streams, {}, nowhere, progress);
    GAUZE_CHECK(trained.has_value());
    benchmark::DoNotOptimize(trained->weights.data());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(steps) * state.iterations());
  set_thread_count(0);
}

Work unprotected(Work work) {
  work.is_private = false;
  return work;
}

#define GAUZE_TRAIN(NAME, WORK)                                       \
  BENCHMARK_CAPTURE(train_steps, private, WORK)->Name("train " NAME); \
  BENCHMARK_CAPTURE(train_steps, plain, unprotected(WORK))->Name("plain without privacy/train " NAME)
GAUZE_TRAIN("mlp, batch 64", mlp(64));
GAUZE_TRAIN("mlp, batch 512", mlp(512));
GAUZE_TRAIN("mlp, batch 4096", mlp(4'096));
GAUZE_TRAIN("cnn, batch 64", cnn(64));
GAUZE_TRAIN("cnn, batch 512", cnn(512));
GAUZE_TRAIN("lstm, batch 64", lstm(64));
GAUZE_TRAIN("lstm, batch 512", lstm(512));
GAUZE_TRAIN("transformer, batch 64", transformer(64));
GAUZE_TRAIN("transformer, batch 512", transformer(512));
#undef GAUZE_TRAIN

// growth
BENCHMARK_CAPTURE(train_steps, wide, {.shape = {.hidden = {512, 256}}})->Name("train mlp 512-256, batch 64");
BENCHMARK_CAPTURE(train_steps, wider, {.shape = {.hidden = {2'048, 1'024}}})->Name("train mlp 2048-1024, batch 64");
BENCHMARK_CAPTURE(train_steps, rows35, {.batch = 512, .numbers = 40})->Name("train mlp of 40, batch 512, rows/35000");
BENCHMARK_CAPTURE(train_steps, rows350, {.batch = 512, .numbers = 40, .rows = 350'000})
    ->Name("train mlp of 40, batch 512, rows/350000");
BENCHMARK_CAPTURE(train_steps, rows1000, {.batch = 512, .numbers = 40, .rows = 1'000'000})
    ->Name("train mlp of 40, batch 512, rows/1000000");
BENCHMARK_CAPTURE(train_steps, short,
                  {.kind = ModelKind::lstm, .numbers = 560, .rows = 5'000, .shape = {.reshape = {{14, 40}}}})
    ->Name("train lstm of 560, positions/14");
BENCHMARK_CAPTURE(train_steps, long,
                  {.kind = ModelKind::lstm, .numbers = 560, .rows = 5'000, .shape = {.reshape = {{56, 10}}}})
    ->Name("train lstm of 560, positions/56");

// by the clock: only an idle machine has two cores
BENCHMARK_CAPTURE(train_steps, two, {.batch = 512, .threads = 2})
    ->Name("train mlp, batch 512, two threads")
    ->UseRealTime();
BENCHMARK_CAPTURE(train_steps, one, {.batch = 512})
    ->Name("plain one thread/train mlp, batch 512, two threads")
    ->UseRealTime();

/// The six products of a step of the perceptron by OpenBLAS in float: without clipping, nothing would take less.
void products_only(benchmark::State& state, int rows) {
  openblas_set_num_threads(1);
  constexpr std::array<int, 4> kWidths = {140, 128, 64, 5};
  std::vector<float> a(static_cast<std::size_t>(rows) * 140, 1), b(140 * 140, 1), c(a.size() + b.size());
  const auto multiply = [&](int m, int n, int k) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a.data(), k, b.data(), n, 0, c.data(), n);
  };
  for (auto _ : state) {
    for (std::size_t i = 0; i + 1 < kWidths.size(); ++i) {
      multiply(rows, kWidths[i + 1], kWidths[i]);
      if (i > 0) multiply(rows, kWidths[i], kWidths[i + 1]);
      cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, kWidths[i + 1], kWidths[i], rows, 1, a.data(),
                  kWidths[i + 1], a.data(), kWidths[i], 0, c.data(), kWidths[i]);
    }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations());
  state.SetLabel("products alone");
}
BENCHMARK_CAPTURE(products_only, of64, 64)->Name("limit/train mlp, batch 64");
BENCHMARK_CAPTURE(products_only, of512, 512)->Name("limit/train mlp, batch 512");
BENCHMARK_CAPTURE(products_only, of4096, 4096)->Name("limit/train mlp, batch 4096");

void sample_units(benchmark::State& state) {
  const auto units = static_cast<std::uint64_t>(state.range(0));
  const UnitSampler sampler({.kind = SamplingKind::poisson, .batch = 512, .declared = units});
  std::vector<std::uint32_t> sampled;
  for (auto _ : state) {
    sampler.sample(units, SecureRandom::of_thread(), sampled);
    benchmark::DoNotOptimize(sampled.data());
  }
}
BENCHMARK(sample_units)->Name("sample units of a step")->Arg(35'000)->Arg(350'000)->Arg(1'000'000);

constexpr std::size_t kWeights = 26'629;  // of the perceptron

void draw_noise(benchmark::State& state) {
  const auto law = RoundedGaussianLaw::make(Rational(kSensitivityUnits));
  std::vector<std::int64_t> noise(kWeights);
  for (auto _ : state) {
    law->sample(SecureRandom::of_thread(), noise);
    benchmark::DoNotOptimize(noise.data());
  }
}
BENCHMARK(draw_noise)->Name("draw the noise of a step");

/// One word a weight from the cipher.
void fill_words(benchmark::State& state) {
  std::vector<std::uint64_t> words(kWeights);
  for (auto _ : state) {
    SecureRandom::of_thread().fill(words);
    benchmark::DoNotOptimize(words.data());
  }
  state.SetLabel("one word a weight");
}
BENCHMARK(fill_words)->Name("limit/draw the noise of a step");

}  // namespace
}  // namespace gauze::learn
