#include "gauze/audit/events/discriminant.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gauze::audit {
namespace {

constexpr std::size_t kFew[] = {2, 4};       ///< the weights of more carry noise of their own
constexpr std::size_t kOwn = 12;             ///< coordinates that differ by themselves
constexpr std::size_t kCompanions = 12;      ///< coordinates that vary with the first of them
constexpr std::size_t kSampledRuns = 4'000;  ///< a side, for covariances
constexpr double kRidge = 1e-9;

double at(const Outcomes& side, std::size_t run, std::size_t coordinate) {
  const std::span<const double> numbers = side.numbers(run);
  if (coordinate >= numbers.size() || !std::isfinite(numbers[coordinate])) return 0;
  return numbers[coordinate];
}

/// Solves the symmetric system by elimination with pivots; nothing where it is singular beyond repair.
std::vector<double> solved(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < n; ++row)
      if (std::abs(a[row][column]) > std::abs(a[pivot][column])) pivot = row;
    if (!(std::abs(a[pivot][column]) > 0)) return {};
    std::swap(a[pivot], a[column]);
    std::swap(b[pivot], b[column]);
    for (std::size_t row = column + 1; row < n; ++row) {
      const double factor = a[row][column] / a[column][column];
      for (std::size_t k = column; k < n; ++k) a[row][k] -= factor * a[column][k];
      b[row] -= factor * b[column];
    }
  }
  for (std::size_t row = n; row-- > 0;) {
    for (std::size_t k = row + 1; k < n; ++k) b[row] -= a[row][k] * b[k];
    b[row] /= a[row][row];
  }
  return b;
}

}  // namespace

DiscriminantSearch::DiscriminantSearch(const OutcomePair& pair, std::size_t left, std::size_t right)
    : pair_(&pair),
      left_(left),
      right_(right),
      width_(std::max(pair.left.dimensions(), pair.right.dimensions())),
      difference_(width_),
      variance_(width_) {
  std::vector<double> absent[2];
  add_means(pair.left, left, means_[0], absent[0]);
  add_means(pair.right, right, means_[1], absent[1]);
  for (std::size_t i = 0; i < width_; ++i) {
    variance_[i] = covariance(i, i);
    const double gap = std::abs(means_[0][i] - means_[1][i]);
    const double of_means = variance_[i] > 0 ? gap / std::sqrt(variance_[i]) : (gap > 0 ? HUGE_VAL : 0);
    difference_[i] = std::max(of_means, std::abs(absent[0][i] - absent[1][i]));
  }
}

void DiscriminantSearch::add_means(const Outcomes& side, std::size_t runs, std::vector<double>& means,
                                   std::vector<double>& absent) const {
  means.assign(width_, 0);
  absent.assign(width_, 0);
  if (runs == 0) return;
  for (std::size_t run = 0; run < runs; ++run) {
    const std::span<const double> numbers = side.numbers(run);
    for (std::size_t i = 0; i < width_; ++i) {
      if (i < numbers.size() && std::isfinite(numbers[i]))
        means[i] += numbers[i];
      else
        ++absent[i];
    }
  }
  for (std::size_t i = 0; i < width_; ++i) {
    means[i] /= static_cast<double>(runs);
    absent[i] /= static_cast<double>(runs);
  }
}

double DiscriminantSearch::covariance(std::size_t a, std::size_t b) const {
  double sum = 0;
  double count = 0;
  for (const int which : {0, 1}) {
    const Outcomes& side = which == 0 ? pair_->left : pair_->right;
    const std::size_t runs = std::min(which == 0 ? left_ : right_, kSampledRuns);
    for (std::size_t run = 0; run < runs; ++run)
      sum += (at(side, run, a) - means_[which][a]) * (at(side, run, b) - means_[which][b]);
    count += static_cast<double>(runs);
  }
  return count > 0 ? sum / count : 0;
}

std::vector<std::size_t> DiscriminantSearch::telling_coordinates(std::size_t most) const {
  std::vector<std::size_t> order(width_);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return difference_[a] > difference_[b]; });
  order.resize(std::min(most, order.size()));
  return order;
}

DiscriminantSearch::Weights DiscriminantSearch::fisher(const std::vector<std::size_t>& coordinates) const {
  const std::size_t n = coordinates.size();
  std::vector<std::vector<double>> within(n, std::vector<double>(n));
  std::vector<double> gap(n);
  double trace = 0;
  for (std::size_t i = 0; i < n; ++i) {
    gap[i] = means_[0][coordinates[i]] - means_[1][coordinates[i]];
    for (std::size_t k = 0; k <= i; ++k) within[i][k] = within[k][i] = covariance(coordinates[i], coordinates[k]);
    trace += within[i][i];
  }
  if (!(trace > 0) || !std::isfinite(trace)) return {};
  for (std::size_t i = 0; i < n; ++i) within[i][i] += kRidge * trace / static_cast<double>(n);
  const std::vector<double> found = solved(std::move(within), std::move(gap));
  Weights weights;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!std::isfinite(found[i])) return {};
    if (found[i] != 0) weights.emplace_back(coordinates[i], found[i]);
  }
  return weights;
}

std::vector<DiscriminantSearch::Weights> DiscriminantSearch::discriminants() const {
  std::vector<Weights> found;
  std::vector<std::size_t> coordinates = telling_coordinates(kOwn);
  if (coordinates.empty()) return found;
  const auto keep = [&](Weights weights) {
    if (weights.size() > 1) found.push_back(std::move(weights));
  };
  for (const std::size_t few : kFew)
    if (few < coordinates.size()) keep(fisher(telling_coordinates(few)));
  keep(fisher(coordinates));
  std::vector<std::pair<double, std::size_t>> companions;
  const std::size_t first = coordinates.front();
  for (std::size_t i = 0; i < width_; ++i) {
    if (std::find(coordinates.begin(), coordinates.end(), i) != coordinates.end() || !(variance_[i] > 0)) continue;
    const double scale = std::sqrt(variance_[i] * variance_[first]);
    companions.emplace_back(scale > 0 ? -std::abs(covariance(first, i)) / scale : 0, i);
  }
  if (companions.empty()) return found;
  std::sort(companions.begin(), companions.end());
  for (std::size_t i = 0; i < std::min(kCompanions, companions.size()); ++i)
    coordinates.push_back(companions[i].second);
  keep(fisher(coordinates));
  return found;
}

}  // namespace gauze::audit
