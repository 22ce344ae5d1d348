#include "gauze/statistics/kolmogorov_smirnov.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gauze {
namespace {

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  std::sort(copy.begin(), copy.end());
  return copy;
}

/// Kolmogorov's limit law: the chance that sqrt(n) times the gap exceeds lambda.
double limit_tail(double lambda) {
  if (lambda < 0.2) return 1;  // above 1 - 1e-12
  double sum = 0;
  for (int k = 1; k <= 100; ++k) {
    const double term = std::exp(-2.0 * k * k * lambda * lambda);
    sum += k % 2 == 1 ? term : -term;
    if (term < 1e-18) break;
  }
  return std::clamp(2 * sum, 0.0, 1.0);
}

}  // namespace

double kolmogorov_gap(std::span<const double> values, const std::function<double(double)>& cdf,
                      const std::function<double(double)>& below) {
  const std::vector<double> order = sorted(values);
  const auto n = static_cast<double>(order.size());
  double worst = 0;
  for (std::size_t i = 0; i < order.size();) {
    const std::size_t begin = i;
    while (i < order.size() && order[i] == order[begin]) ++i;
    const double at = cdf(order[begin]);
    const double before = below ? below(order[begin]) : at;
    worst = std::max(
        {worst, std::abs(static_cast<double>(i) / n - at), std::abs(static_cast<double>(begin) / n - before)});
  }
  return worst;
}

double kolmogorov_p_value(double gap, std::size_t n) {
  return std::min(1.0, 2 * std::exp(-2 * static_cast<double>(n) * gap * gap));
}

double two_sample_gap(std::span<const double> first, std::span<const double> second) {
  const std::vector<double> a = sorted(first);
  const std::vector<double> b = sorted(second);
  double worst = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const double value = std::min(a[i], b[j]);
    while (i < a.size() && a[i] == value) ++i;
    while (j < b.size() && b[j] == value) ++j;
    worst = std::max(worst, std::abs(static_cast<double>(i) / static_cast<double>(a.size()) -
                                     static_cast<double>(j) / static_cast<double>(b.size())));
  }
  return worst;
}

double two_sample_p_value(double gap, std::size_t first, std::size_t second) {
  const auto a = static_cast<double>(first);
  const auto b = static_cast<double>(second);
  return limit_tail(gap * std::sqrt(a * b / (a + b)));
}

}  // namespace gauze
