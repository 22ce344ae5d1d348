// A whole evaluation on one core: five columns, 480 classes, eleven epsilons, all measures and models. Growth: rows.
#include <benchmark/benchmark.h>

#include "gauze/assess/evaluation/evaluation.h"
#include "gauze/base/parallel.h"
#include "gauze/table/testing/memory_table.h"

namespace gauze::assess {
namespace {

constexpr const char* kPolicy = R"(
version: 1
columns:
  a: {role: quasi, values: [a0, a1, a2, a3, a4, a5, a6]}
  b: {role: quasi, values: [b0, b1, b2]}
  c: {role: quasi, values: [c0, c1, c2, c3, c4]}
  g: {role: protected}
  y: {role: target, values: ["0", "1"], positive: "1"}
privacy: {k: 5}
release: {mode: grid, levels: {a: 0, b: 0, c: 0}}
provenance: {hierarchies: public}
)";

table::MemoryTable people(std::int64_t rows) {
  SeededRandom random(1);
  table::MemoryTable::Rows list;
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::uint64_t a = random.below(7);
    const std::uint64_t b = random.below(3);
    const std::uint64_t c = random.below(5);
    list.push_back({"a" + std::to_string(a), "b" + std::to_string(b), "c" + std::to_string(c),
                    random.below(5) == 0 ? "few" : "many", random.below(20) < a + b + c ? "1" : "0"});
  }
  return {{"a", "b", "c", "g", "y"}, std::move(list)};
}

void sweep(benchmark::State& state) {
  set_thread_count(1);
  table::MemoryTable table = people(state.range(0));
  EvaluationSetting setting;
  setting.policy = *schema::parse_policy(kPolicy);
  setting.take_roles_from_policy();
  setting.epsilons = EvaluationSetting::published_epsilons();
  setting.repetitions = 10;
  for (auto _ : state) {
    Progress progress;
    benchmark::DoNotOptimize(Evaluation::run(table, setting, true, progress));
  }
  state.SetItemsProcessed(state.iterations() * 11 * setting.repetitions);
}
BENCHMARK(sweep)
    ->Name("evaluation, simulated releases")
    ->Arg(3'000)
    ->Arg(30'000)
    ->Arg(300'000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gauze::assess
