// What attacks and audits take: figures of scores, shadow attacks, draws and releases that are held against a claim.
#include <benchmark/benchmark.h>

#include <cmath>

#include "gauze/audit/figures/roc.h"
#include "gauze/audit/mechanisms/noise_audit.h"
#include "gauze/audit/releases/release_audit.h"
#include "gauze/audit/scores/score_audit.h"
#include "gauze/audit/scores/shadow_scores.h"
#include "gauze/random/seeded_random.h"

namespace gauze::audit {
namespace {

double share(SeededRandom& random) { return static_cast<double>(random.below(1'000'000'000)) / 1e9; }

struct Scores {
  std::vector<double> members;
  std::vector<double> others;
};

/// So many of either kind; members lie higher.
Scores scores_of(std::size_t count) {
  SeededRandom random(1);
  Scores scores;
  for (std::size_t i = 0; i < count; ++i) {
    scores.members.push_back(share(random) + share(random) + 0.1);
    scores.others.push_back(share(random) + share(random));
  }
  return scores;
}

void area(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  const Scores scores = scores_of(count / 2);
  for (auto _ : state) benchmark::DoNotOptimize(area_under_curve(scores.members, scores.others));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
}
BENCHMARK(area)->Name("AUC of scores")->Arg(100'000)->Arg(10'000'000);

void bound(benchmark::State& state, ScoreOrigin origin) {
  const auto count = static_cast<std::size_t>(state.range(0));
  const Scores scores = scores_of(count / 2);
  const ScoreRequest request{.origin = origin, .claimed = {.epsilon = 1, .delta = 1e-9}};
  for (auto _ : state) benchmark::DoNotOptimize(audit_scores(scores.members, scores.others, request));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
}
BENCHMARK_CAPTURE(bound, one_run, ScoreOrigin::fair_coins)
    ->Name("bound of one run, canaries")
    ->Arg(1'000)
    ->Arg(100'000);
BENCHMARK_CAPTURE(bound, many_runs, ScoreOrigin::independent)->Name("bound of many runs, scores")->Arg(100'000);

void shadows(benchmark::State& state) {
  const auto models = static_cast<std::size_t>(state.range(0));
  ShadowScores logits{.records = 49'519, .models = models};
  SeededRandom random(2);
  for (std::size_t i = 0; i < logits.records * models; ++i) {
    logits.member.push_back(static_cast<std::int8_t>(random.below(2)));
    logits.values.push_back(4 * share(random) + logits.member.back());
  }
  ShadowScores shares = logits;
  for (double& value : shares.values) value = 1 / (1 + std::exp(-value));
  for (auto _ : state) {
    benchmark::DoNotOptimize(lira_scores(logits, 0, ShadowVariance::automatic));
    benchmark::DoNotOptimize(rmia_scores(shares, 0, {}));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(logits.records));
}
BENCHMARK(shadows)->Name("LiRA and RMIA of 49,519 records, models")->Arg(64);

void noise(benchmark::State& state, const char* mechanism, const Rational& delta) {
  NoiseAuditRequest request;
  request.noise.mechanism = mechanism;
  request.noise.epsilon = Rational(1);
  if (delta.sign() > 0) request.noise.delta = delta;
  request.runs = 1'000'000;
  Progress silent;
  for (auto _ : state) GAUZE_CHECK(audit_noise(request, silent).has_value());
  state.SetItemsProcessed(state.iterations() * 2 * static_cast<std::int64_t>(request.runs));
}
BENCHMARK_CAPTURE(noise, laplace, "laplace", Rational(0))
    ->Name("audit of laplace noise, draws")
    ->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(noise, geometric, "geometric", Rational(0))
    ->Name("audit of geometric noise, draws")
    ->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(noise, gaussian, "gaussian", Rational(1, 100))
    ->Name("audit of gaussian noise, draws")
    ->MeasureProcessCPUTime();

/// 144 cells, as many as the Adult preset has: 9 intervals of age, 2 sexes, 8 kinds of work.
constexpr const char* kPolicy = R"(
version: 1
columns:
  age:  {{role: quasi, hierarchy: {{intervals: [[0, 10, 20, 30, 40, 50, 60, 70, 80, 90]]}}}}
  sex:  {{role: quasi, hierarchy: {{groups: [{{f: [F], m: [M]}}]}}}}
  work: {{role: quasi, hierarchy: {{groups: [{{a: [A], b: [B], c: [C], d: [D], e: [E], f: [F], g: [G], h: [H]}}]}}}}
privacy: {{k: 5}}
release: {{levels: {{age: 1, sex: 1, work: 1}}, mode: grid{}}}
provenance: {{quasi: public, hierarchies: public, levels: public, k: public, epsilon: public}}
)";

void releases(benchmark::State& state, const char* more, const Rational& delta) {
  const auto policy = schema::parse_policy(fmt::format(fmt::runtime(kPolicy), more));
  GAUZE_CHECK(policy.has_value());
  const auto plan = release::ReleasePlan::make(*policy, {.epsilon = Rational(1), .delta = delta});
  GAUZE_CHECK(plan.has_value());
  TableRows rows;
  for (int age = 5; age < 90; age += 10)
    for (const char* sex : {"F", "M"})
      for (const char* work : {"A", "B", "C", "D", "E", "F", "G", "H"})
        rows[{fmt::format("{}", age), sex, work}] = static_cast<std::uint64_t>(age);
  auto pairs = make_neighbours(rows, *plan);
  pairs.resize(1);
  ReleaseAuditRequest request{.claimed = claim_of_release(*plan), .runs = 1'000};
  Progress silent;
  for (auto _ : state) GAUZE_CHECK(audit_release(*plan, pairs, request, silent).has_value());
  state.SetItemsProcessed(state.iterations() * 2 * static_cast<std::int64_t>(request.runs));
}
BENCHMARK_CAPTURE(releases, geometric, "", Rational(0))
    ->Name("audit of releases of 144 cells")
    ->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(releases, gaussian, ", noise: gaussian", Rational(1, 100))
    ->Name("audit of releases of 144 cells, gaussian")
    ->MeasureProcessCPUTime();

}  // namespace
}  // namespace gauze::audit
