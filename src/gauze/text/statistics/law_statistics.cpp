#include "gauze/text/statistics/law_statistics.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

#include "gauze/base/parallel.h"

namespace gauze::text {
namespace {

constexpr std::size_t kWordsAtOnce = 16;

}  // namespace

Result<WordStatistics> statistics_of_laws(std::size_t words, const LawOfWord& law, const StatisticsOptions& options,
                                          Progress* progress) {
  GAUZE_TRY_VOID(check_options(options));
  GAUZE_CHECK(options.prior.empty() || options.prior.size() == words);
  WordStatistics result;
  for (auto* const values : {&result.stays, &result.distinct, &result.entropy}) values->resize(words);
  result.outputs.resize(words);
  result.inputs.resize(words);
  std::vector<double> best_even(words);
  std::vector<double> best_prior(options.prior.empty() ? 0 : words);
  std::mutex mutex;
  if (progress != nullptr) progress->begin("working out what words become", words);
  const auto runs = static_cast<double>(options.runs);
  parallel_for(words, kWordsAtOnce, [&](std::size_t begin, std::size_t end) {
    if (progress != nullptr && progress->stop_requested()) return;
    std::vector<double> p(words);
    for (std::size_t x = begin; x < end; ++x) {
      std::fill(p.begin(), p.end(), 0.0);
      law(x, p);
      result.stays[x] = p[x];
      for (const double one : p) {
        if (one <= 0) continue;
        result.outputs[x] += one >= options.eta ? 1 : 0;
        result.distinct[x] += one >= 1 ? 1 : -std::expm1(runs * std::log1p(-one));
        result.entropy[x] -= one * std::log2(one);
      }
      result.entropy[x] = std::max(result.entropy[x], 0.0);
      const std::lock_guard lock(mutex);  // counts and largest values: the order does not matter
      for (std::size_t y = 0; y < words; ++y) {
        result.inputs[y] += p[y] >= options.eta ? 1 : 0;
        best_even[y] = std::max(best_even[y], p[y]);
        if (!best_prior.empty()) best_prior[y] = std::max(best_prior[y], p[y] * options.prior[x]);
      }
    }
    if (progress != nullptr) progress->advance(end - begin);
  });
  if (progress != nullptr) GAUZE_TRY_VOID(progress->check());
  const auto sum = [](const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
  };
  result.bayes_uniform = sum(best_even) / static_cast<double>(words);
  if (!best_prior.empty()) result.bayes_prior = sum(best_prior);
  return result;
}

MeanInterval mean_interval(std::span<const std::uint32_t> values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0;
  double squares = 0;
  for (const std::uint32_t value : values) sum += value;
  for (const std::uint32_t value : values) squares += (value - sum / n) * (value - sum / n);
  const double sd = n > 1 ? std::sqrt(squares / (n - 1)) : 0;
  const double half = 1.959964 * sd / std::sqrt(n);
  return {sum / n - half, sum / n + half, sd};
}

Result<SampledStatistics> sample_statistics(std::size_t vocabulary, std::size_t sample, const DrawWords& draw,
                                            const StatisticsOptions& options, std::uint64_t seed,
                                            Progress* progress) {
  if (sample == 0) return invalid_parameter("at least one word must be sampled");
  std::vector<std::uint32_t> words;
  const std::size_t count = std::min(sample, vocabulary);
  for (std::size_t i = 0; i < count; ++i) words.push_back(static_cast<std::uint32_t>(i * vocabulary / count));
  return sample_statistics(std::move(words), draw, options, seed, progress);
}

Result<SampledStatistics> sample_statistics(std::vector<std::uint32_t> words, const DrawWords& draw,
                                            const StatisticsOptions& options, std::uint64_t seed,
                                            Progress* progress) {
  GAUZE_TRY_VOID(check_options(options));
  SampledStatistics result;
  result.words = std::move(words);
  const std::size_t count = result.words.size();
  result.stays.resize(count);
  result.outputs.resize(count);
  result.distinct.resize(count);
  const std::size_t runs = options.runs;
  const std::size_t at_once = std::max<std::size_t>(1, 1024 / runs);  // words whose draws fill a batch
  if (progress != nullptr) progress->begin("drawing words", count);
  parallel_for(count, at_once, [&](std::size_t begin, std::size_t end) {
    if (progress != nullptr && progress->stop_requested()) return;
    std::vector<std::uint32_t> inputs;
    for (std::size_t i = begin; i < end; ++i) inputs.insert(inputs.end(), runs, result.words[i]);
    std::vector<std::uint32_t> outputs(inputs.size());
    SeededRandom random(seed, begin);
    draw(inputs, random, outputs);
    for (std::size_t i = begin; i < end; ++i) {
      const std::span<std::uint32_t> own = std::span(outputs).subspan((i - begin) * runs, runs);
      std::sort(own.begin(), own.end());
      for (std::size_t first = 0; first < runs;) {
        const auto last = std::upper_bound(own.begin() + static_cast<std::ptrdiff_t>(first), own.end(), own[first]);
        const double share =
            static_cast<double>(last - own.begin() - static_cast<std::ptrdiff_t>(first)) / static_cast<double>(runs);
        if (own[first] == result.words[i]) result.stays[i] = share;
        result.outputs[i] += share >= options.eta ? 1 : 0;
        ++result.distinct[i];
        first = static_cast<std::size_t>(last - own.begin());
      }
    }
    if (progress != nullptr) progress->advance(end - begin);
  });
  if (progress != nullptr) GAUZE_TRY_VOID(progress->check());
  const auto n = static_cast<double>(count);
  const double mean = std::accumulate(result.stays.begin(), result.stays.end(), 0.0) / n;
  double squares = 0;
  for (const double stays : result.stays) squares += (stays - mean) * (stays - mean);
  // Between words; where they all agree still that of the runs, with a half success and failure added.
  const double between = count > 1 ? squares / (n - 1) / n : 0.25;
  const double total = n * static_cast<double>(runs);
  const double shrunk = (mean * total + 0.5) / (total + 1);
  const double half = 1.959964 * std::sqrt(std::max(between, shrunk * (1 - shrunk) / total));
  result.mean_stays = {std::max(0.0, mean - half), std::min(1.0, mean + half),
                       count > 1 ? std::sqrt(squares / (n - 1)) : 0};
  return result;
}

}  // namespace gauze::text
