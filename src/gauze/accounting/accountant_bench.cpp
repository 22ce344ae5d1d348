#include <benchmark/benchmark.h>

#include "gauze/accounting/accountant.h"

namespace gauze {
namespace {

/// The peers' usual example: rate 0.01, sigma 1, delta 1e-5.
void account(benchmark::State& state, Accountant::Method method) {
  const auto accountant = Accountant::make({{.kind = PrivacyEvent::Kind::gaussian,
                                             .sigma = 1,
                                             .count = static_cast<double>(state.range(0)),
                                             .sampling = PrivacyEvent::Sampling::poisson,
                                             .rate = 0.01}})
                              .value();
  for (auto _ : state) benchmark::DoNotOptimize(accountant.epsilon(1e-5, method, 1e-4));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(account, pld, Accountant::Method::pld)
    ->Name("pld accounting, steps")
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(account, rdp, Accountant::Method::rdp)
    ->Name("rdp accounting, steps")
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gauze
