// The searches on Adult: nine quasi-identifiers, k = 5, metric loss, on one core. Growth: the rows times 10 and 100.
#include <benchmark/benchmark.h>

#include <map>

#include "gauze/anonymize/search/local_search.h"
#include "gauze/anonymize/search/mondrian.h"
#include "gauze/anonymize/search/optimal_search.h"
#include "gauze/anonymize/testing/adult_records.h"
#include "gauze/base/parallel.h"

namespace gauze::anonymize {
namespace {

using namespace schema;  // the vocabulary of this file

const Records* adult(int factor) {
  static std::map<int, std::optional<Records>> made;
  if (!made.contains(factor)) made[factor] = testing::adult_records(factor);
  return made[factor] ? &*made[factor] : nullptr;
}

template <class Search>
void run(benchmark::State& state, int factor, Search search) {
  set_thread_count(1);
  const Records* records = adult(factor);
  if (records == nullptr) {
    state.SkipWithError("the Adult data is not here");
    return;
  }
  Criteria criteria;
  criteria.k = 5;
  const CriteriaSet set = *CriteriaSet::make(criteria, *records);
  for (auto _ : state) search(*records, set);
  state.SetItemsProcessed(state.iterations());
  state.counters["tuples"] = static_cast<double>(records->size());
}

void optimal(benchmark::State& state, std::uint64_t percent) {
  run(state, static_cast<int>(state.range(0)), [&](const Records& records, const CriteriaSet& set) {
    Progress progress;
    benchmark::DoNotOptimize(find_optimal_node(
        records, set, {.metric = Metric::loss, .suppression_limit = records.total * percent / 100, .time_limit = {}},
        progress));
  });
}
BENCHMARK_CAPTURE(optimal, none, 0)
    ->Name("optimal search, no suppression, rows x")
    ->Arg(1)
    ->Arg(10)
    ->Arg(100)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(optimal, two, 2)
    ->Name("optimal search, 2 %, rows x")
    ->Arg(1)
    ->Arg(10)
    ->Arg(100)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(optimal, five, 5)
    ->Name("optimal search, 5 %, rows x")
    ->Arg(1)
    ->Arg(10)
    ->Arg(100)
    ->Unit(benchmark::kMillisecond);

// With closeness of a sensitive column of 14 values.
void closeness(benchmark::State& state) {
  set_thread_count(1);
  static const std::optional<Records> records = testing::adult_records(1, {"occupation"});
  if (!records) {
    state.SkipWithError("the Adult data is not here");
    return;
  }
  Criteria criteria;
  criteria.k = 5;
  criteria.t_closeness = {{"occupation", Distance::equal, Rational(3, 10)}};
  const CriteriaSet set = *CriteriaSet::make(criteria, *records);
  const auto percent = static_cast<std::uint64_t>(state.range(0));
  for (auto _ : state) {
    Progress progress;
    benchmark::DoNotOptimize(find_optimal_node(
        *records, set,
        {.metric = Metric::loss, .suppression_limit = records->total * percent / 100, .time_limit = {}}, progress));
  }
}
BENCHMARK(closeness)->Name("optimal search, t = 0.3, %")->Arg(5)->Arg(20)->Unit(benchmark::kMillisecond);

void local(benchmark::State& state) {
  run(state, static_cast<int>(state.range(0)), [&](const Records& records, const CriteriaSet& set) {
    Progress progress;
    benchmark::DoNotOptimize(recode_locally(records, set, {}, progress));
  });
}
BENCHMARK(local)->Name("local recoding, rows x")->Arg(1)->Arg(10)->Unit(benchmark::kMillisecond);

void mondrian(benchmark::State& state) {
  run(state, static_cast<int>(state.range(0)), [&](const Records& records, const CriteriaSet& set) {
    Progress progress;
    benchmark::DoNotOptimize(cut_by_mondrian(records, set, false, progress));
  });
}
BENCHMARK(mondrian)->Name("mondrian, rows x")->Arg(1)->Arg(10)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gauze::anonymize
