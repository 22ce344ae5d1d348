// Hiding five patterns in public data with every algorithm: processor time, and as counters what it costs: changes, and
// other frequent itemsets lost at 1, 1.05, 1.1 and 1.25 times the threshold, in the mean over twelve random selections.
#include <benchmark/benchmark.h>

#include "gauze/patterns/audit/hiding_metrics.h"
#include "gauze/patterns/baskets/basket_file.h"
#include "gauze/patterns/testing/random_selection.h"
#include "gauze/table/testing/shared_data.h"

namespace gauze::patterns {
namespace {

constexpr std::size_t kSelections = 12;

void hide_patterns(benchmark::State& state, const char* name, HidingAlgorithm algorithm) {
  const auto path = table::shared_data(std::string("baskets/") + name);
  if (!path) {
    state.SkipWithError("the baskets are not here");
    return;
  }
  const auto file = BasketFile::read(path->string(), std::nullopt);
  const Database& database = file->database();
  HidingOptions options;
  options.mark_style = MarkStyle::anchored;  // as in the literature
  options.algorithm = algorithm;
  options.level = HidingLevel::h1;
  options.min_support = Rational(5, 1000);
  options.min_count = min_count_for(options.min_support, database.rows());
  const std::vector<SensitiveList> lists = random_selections(database, options.min_count, kSelections);
  Progress progress;
  for (auto _ : state)
    for (const SensitiveList& list : lists) benchmark::DoNotOptimize(hide(database, list, options, progress));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kSelections));
  constexpr std::array<const char*, 4> kNames = {"lost", "lost 1.05x", "lost 1.1x", "lost 1.25x"};
  for (const SensitiveList& list : lists) {
    const auto result = hide(database, list, options, progress);
    std::vector<Itemset> sets;
    for (const SensitivePattern& one : list.patterns) sets.push_back(one.items);
    const auto metrics =
        measure_hiding(database, result->released, sets, options.min_count, options.min_support, progress);
    state.counters["changes"] += static_cast<double>(result->edits.size()) / kSelections;
    for (std::size_t i = 0; i < kNames.size(); ++i)
      state.counters[kNames[i]] += static_cast<double>(metrics->bands[i].ideal.part.value()) / kSelections;
  }
}

[[maybe_unused]] const bool registered = [] {
  for (const char* file : {"retail.dat", "T10I4D100K.dat"})
    for (const auto& [algorithm, name] : kAlgorithmWords) {
      if (algorithm == HidingAlgorithm::exact) continue;  // minutes
      benchmark::RegisterBenchmark((std::string("hide patterns, ") + file + " 0.5 %, " + std::string(name)).c_str(),
                                   hide_patterns, file, algorithm)
          ->Unit(benchmark::kMillisecond);
    }
  return true;
}();

}  // namespace
}  // namespace gauze::patterns
