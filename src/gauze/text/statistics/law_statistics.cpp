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
        result.outputs[x] += reaches(one, options.eta) ? 1 : 0;
        result.distinct[x] += one >= 1 ? 1 : -std::expm1(runs * std::log1p(-one));
        result.entropy[x] -= one * std::log2(one);
      }
      result.entropy[x] = std::max(result.entropy[x], 0.0);
      const std::lock_guard lock(mutex);  // counts and largest values: the order does not matter
      for (std::size_t y = 0; y < words; ++y) {
        result.inputs[y] += reaches(p[y], options.eta) ? 1 : 0;
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

}  // namespace gauze::text
