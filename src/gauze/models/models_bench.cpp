// Training on distinct tuples with the weight of each outcome: few coarse tuples, as a generalised release has them, and
// 30,000 fine ones of the shape of UCI Adult (age, education, relationship, hours-per-week).
#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

#include "gauze/models/boosted_trees.h"
#include "gauze/models/logistic_regression.h"
#include "gauze/models/performance.h"

namespace gauze::models {
namespace {

Examples random_examples(const std::vector<std::uint32_t>& cardinalities, std::size_t tuples) {
  std::mt19937_64 random(1);
  Examples examples{.cardinalities = cardinalities, .codes = {}, .positive = {}, .negative = {}};
  examples.codes.resize(cardinalities.size());
  for (std::size_t i = 0; i < tuples; ++i) {
    double score = -1;
    for (std::size_t f = 0; f < cardinalities.size(); ++f) {
      const auto code = static_cast<std::uint32_t>(random() % cardinalities[f]);
      examples.codes[f].push_back(code);
      score += std::sin(static_cast<double>(code * (f + 1)));
    }
    const auto weight = static_cast<double>(1 + random() % 20);
    examples.positive.push_back(std::round(weight / (1 + std::exp(-score))));
    examples.negative.push_back(weight - examples.positive.back());
  }
  return examples;
}

const std::vector<std::uint32_t> kCoarse = {5, 4, 3, 3};
const std::vector<std::uint32_t> kFine = {73, 16, 6, 94};

template <class Model>
void train(benchmark::State& state, const std::vector<std::uint32_t>& cardinalities) {
  const Examples examples = random_examples(cardinalities, static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(Model::train(examples).value());
  state.SetItemsProcessed(state.iterations());
}
void train_logistic(benchmark::State& state, const std::vector<std::uint32_t>& cardinalities) {
  train<LogisticRegression>(state, cardinalities);
}
void train_trees(benchmark::State& state, const std::vector<std::uint32_t>& cardinalities) {
  train<BoostedTrees>(state, cardinalities);
}
BENCHMARK_CAPTURE(train_logistic, coarse, kCoarse)->Name("logistic regression, 15 columns, tuples")->Arg(300);
BENCHMARK_CAPTURE(train_logistic, fine, kFine)->Name("logistic regression, 189 columns, tuples")->Arg(30'000);
BENCHMARK_CAPTURE(train_trees, coarse, kCoarse)->Name("boosted trees, 15 values, tuples")->Arg(300);
BENCHMARK_CAPTURE(train_trees, fine, kFine)->Name("boosted trees, 189 values, tuples")->Arg(30'000);

template <class Model>
void predict(benchmark::State& state) {
  const Examples examples = random_examples(kFine, 30'000);
  const Model model = Model::train(examples).value();
  for (auto _ : state) {
    const std::vector<double> probabilities = model.probabilities(examples.codes);
    benchmark::DoNotOptimize(measure(probabilities, examples.positive, examples.negative));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(examples.size()));
}
BENCHMARK(predict<LogisticRegression>)->Name("logistic regression, predicted and measured tuples");
BENCHMARK(predict<BoostedTrees>)->Name("boosted trees, predicted and measured tuples");

}  // namespace
}  // namespace gauze::models
