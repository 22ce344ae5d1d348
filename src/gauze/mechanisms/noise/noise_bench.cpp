#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <vector>

#include "gauze/mechanisms/noise/noise_law.h"
#include "gauze/mechanisms/noise/staircase.h"
#include "gauze/random/secure_random.h"

namespace gauze {
namespace {

template <class Law>
std::unique_ptr<NoiseLaw> make(const Rational& scale) {
  return std::make_unique<Law>(Law::make(scale).value());
}

std::unique_ptr<NoiseLaw> make_staircase(const Rational& scale) {
  return std::make_unique<StaircaseLaw>(StaircaseLaw::make(*scale.floor().to_int64(), 1000, Rational(1)).value());
}

using Maker = std::unique_ptr<NoiseLaw> (*)(const Rational&);

void draw(benchmark::State& state, Maker make_law, const Rational& scale) {
  const auto law = make_law(scale);
  std::vector<std::int64_t> noise(4096);
  SecureRandom random;
  for (auto _ : state) {
    law->sample(random, noise);
    benchmark::DoNotOptimize(noise.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(noise.size()));
}

const Rational kFineGrid = Rational::power_of_two(40) * Rational(3, 2);
BENCHMARK_CAPTURE(draw, laplace, make<DiscreteLaplaceLaw>, kFineGrid)->Name("laplace");
BENCHMARK_CAPTURE(draw, discrete_laplace, make<DiscreteLaplaceLaw>, Rational(10))->Name("discrete laplace");
BENCHMARK_CAPTURE(draw, gaussian, make<RoundedGaussianLaw>, kFineGrid)->Name("gaussian");
BENCHMARK_CAPTURE(draw, discrete_gaussian, make<DiscreteGaussianLaw>, Rational(10))->Name("discrete gaussian");
BENCHMARK_CAPTURE(draw, staircase, make_staircase, kFineGrid)->Name("staircase");

/// What a draw cannot be faster than: the three random words it takes.
void three_words(benchmark::State& state) {
  SecureRandom random;
  std::vector<std::uint64_t> words(3 * 4096);
  for (auto _ : state) {
    random.fill(words);
    benchmark::DoNotOptimize(words.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(words.size() / 3));
  state.SetLabel("three random words a draw");
}
BENCHMARK(three_words)->Name("limit/laplace");
BENCHMARK(three_words)->Name("limit/gaussian");

/// The time of a draw must not tell its value. Times single draws and reports Pearson's correlation of time and size;
/// times beyond 20 medians (interrupts) are left out.
void timing(benchmark::State& state, Maker make_law, const Rational& scale) {
  const auto law = make_law(scale);
  SecureRandom random;
  constexpr std::size_t kDraws = 200'000;
  std::vector<double> size(kDraws), time(kDraws);
  for (auto _ : state) {
    for (std::size_t i = 0; i < kDraws; ++i) {
      std::int64_t noise = 0;
      const auto begin = std::chrono::steady_clock::now();
      law->sample(random, {&noise, 1});
      const auto end = std::chrono::steady_clock::now();
      size[i] = std::abs(static_cast<double>(noise));
      time[i] = std::chrono::duration<double, std::nano>(end - begin).count();
    }
  }
  std::vector<double> sorted = time;
  std::nth_element(sorted.begin(), sorted.begin() + kDraws / 2, sorted.end());
  const double limit = 20 * sorted[kDraws / 2];
  double n = 0, sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
  for (std::size_t i = 0; i < kDraws; ++i) {
    if (time[i] > limit) continue;
    n += 1;
    sx += size[i];
    sy += time[i];
    sxx += size[i] * size[i];
    syy += time[i] * time[i];
    sxy += size[i] * time[i];
  }
  state.counters["correlation"] = (n * sxy - sx * sy) / std::sqrt((n * sxx - sx * sx) * (n * syy - sy * sy));
}
BENCHMARK_CAPTURE(timing, laplace, make<DiscreteLaplaceLaw>, kFineGrid)
    ->Name("time and size of a draw: laplace")
    ->Iterations(1);
BENCHMARK_CAPTURE(timing, gaussian, make<RoundedGaussianLaw>, kFineGrid)
    ->Name("time and size of a draw: gaussian")
    ->Iterations(1);

}  // namespace
}  // namespace gauze
