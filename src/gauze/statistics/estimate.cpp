#include "gauze/statistics/estimate.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gauze/statistics/binomial_interval.h"
#include "gauze/statistics/student.h"

namespace gauze {

double quantile(std::span<const double> sorted, double level) {
  const double place = level * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - std::floor(place)) * (sorted[above] - sorted[below]);
}

std::optional<Estimate> estimate(std::span<const double> values) {
  std::vector<double> defined;
  defined.reserve(values.size());
  for (const double value : values)
    if (!std::isnan(value)) defined.push_back(value);
  if (defined.empty()) return std::nullopt;
  std::sort(defined.begin(), defined.end());
  // In sorted order, so that the order of repetitions changes no digit.
  double sum = 0;
  for (const double value : defined) sum += value;
  const auto n = static_cast<double>(defined.size());
  Estimate result;
  result.mean = sum / n;
  double squares = 0;
  for (const double value : defined) squares += (value - result.mean) * (value - result.mean);
  result.sd = defined.size() < 2 ? 0 : std::sqrt(squares / (n - 1));
  result.low = quantile(defined, 0.025);
  result.high = quantile(defined, 0.975);
  return result;
}

std::optional<Estimate> estimate_mean(std::span<const double> values) {
  std::optional<Estimate> result = estimate(values);
  if (!result) return result;
  const auto defined = static_cast<std::size_t>(
      std::count_if(values.begin(), values.end(), [](double value) { return !std::isnan(value); }));
  if (defined < 4) {
    const auto less = [](double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; };
    result->low = *std::min_element(values.begin(), values.end(), less);
    const auto more = [](double a, double b) { return std::isnan(b) ? false : std::isnan(a) || a < b; };
    result->high = *std::max_element(values.begin(), values.end(), more);
    return result;
  }
  const double half = student_quantile(0.95, defined - 1) * result->sd / std::sqrt(static_cast<double>(defined));
  result->low = result->mean - half;
  result->high = result->mean + half;
  return result;
}

Estimate estimate_share(double hits, double runs) {
  if (runs <= 0) return {.mean = 0, .low = 0, .high = 1, .sd = 0};
  const double share = hits / runs;
  const ShareInterval interval = wilson_interval(share, runs);
  return {.mean = share, .low = interval.low, .high = interval.high, .sd = std::sqrt(share * (1 - share))};
}

Json to_json(const std::optional<Estimate>& estimate) {
  if (!estimate) return {};
  return Json::object(
      {{"mean", estimate->mean}, {"low", estimate->low}, {"high", estimate->high}, {"sd", estimate->sd}});
}

}  // namespace gauze
