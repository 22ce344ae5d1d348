#include "gauze/assess/measures/class_view.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gauze/random/seeded_random.h"
#include "gauze/statistics/chi_square.h"

namespace gauze::assess {
namespace {

/// All sets of one to three of the columns.
std::vector<std::vector<std::size_t>> subsets_of(std::size_t width) {
  std::vector<std::vector<std::size_t>> sets;
  for (std::size_t a = 0; a < width; ++a) sets.push_back({a});
  for (std::size_t a = 0; a < width; ++a)
    for (std::size_t b = a + 1; b < width; ++b) sets.push_back({a, b});
  for (std::size_t a = 0; a < width; ++a)
    for (std::size_t b = a + 1; b < width; ++b)
      for (std::size_t c = b + 1; c < width; ++c) sets.push_back({a, b, c});
  return sets;
}

std::uint64_t values_of(const schema::Domain& domain, std::size_t column) {
  return domain.axis(column).column->size(domain.axis(column).level);
}

}  // namespace

double ClassTable::total() const {
  double sum = rest;
  for (const ClassCount& one : classes) sum += one.count;
  return sum;
}

ClassTable to_class_table(const schema::Histogram& histogram) {
  ClassTable table;
  table.classes.reserve(histogram.cells.size());
  for (const schema::CellCount& one : histogram.cells)
    table.classes.push_back({one.cell, static_cast<double>(one.count)});
  table.rest = static_cast<double>(histogram.outside);
  return table;
}

namespace {

/// visit(p, q): the shares of every class that one of the tables has, in the table and as released.
template <class Visit>
void visit_shares(const ClassTable& truth, double n, const ClassTable& released, double m, const Visit& visit) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < truth.classes.size() || j < released.classes.size()) {
    const std::uint64_t a = i < truth.classes.size() ? truth.classes[i].cell : ~std::uint64_t{0};
    const std::uint64_t b = j < released.classes.size() ? released.classes[j].cell : ~std::uint64_t{0};
    visit(a <= b ? truth.classes[i].count / n : 0, b <= a ? released.classes[j].count / m : 0);
    i += a <= b ? 1 : 0;
    j += b <= a ? 1 : 0;
  }
}

}  // namespace

double total_variation(const ClassTable& truth, const ClassTable& released) {
  const double n = truth.total();
  const double m = released.total();
  if (n <= 0 || m <= 0) return n <= 0 && m <= 0 ? 0 : 1;
  double sum = std::abs(truth.rest / n - released.rest / m);
  visit_shares(truth, n, released, m, [&](double p, double q) { sum += std::abs(p - q); });
  return std::min(1.0, sum / 2);
}

double mean_squared_error(const ClassTable& truth, const ClassTable& released) {
  const double n = truth.total();
  const double m = released.total();
  double sum = 0;
  double classes = 0;
  // Of a table without records every share counts as 0.
  visit_shares(truth, n > 0 ? n : 1, released, m > 0 ? m : 1, [&](double p, double q) {
    sum += (p - q) * (p - q);
    classes += 1;
  });
  return classes > 0 ? sum / classes : 0;
}

Marginals::Marginals(std::shared_ptr<const schema::Domain> domain, const ClassTable& truth)
    : domain_(std::move(domain)) {
  for (std::vector<std::size_t>& columns : subsets_of(domain_->width())) {
    std::uint64_t cells = 1;
    for (const std::size_t column : columns) cells = std::min(kMostCells + 1, cells * values_of(*domain_, column));
    if (cells > kMostCells || subsets_.size() == kMostSubsets) continue;
    std::vector<double> true_shares = shares(truth, columns);
    subsets_.push_back({std::move(columns), std::move(true_shares)});
  }
}

std::vector<double> Marginals::shares(const ClassTable& table, const std::vector<std::size_t>& columns) const {
  std::uint64_t cells = 1;
  for (const std::size_t column : columns) cells *= values_of(*domain_, column);
  std::vector<double> sums(cells + 1, 0);
  for (const ClassCount& one : table.classes) {
    std::uint64_t place = 0;
    for (const std::size_t column : columns)
      place = place * values_of(*domain_, column) + domain_->code(one.cell, column);
    sums[place] += one.count;
  }
  sums.back() = table.rest;
  const double total = table.total();
  if (total > 0)
    for (double& sum : sums) sum /= total;
  return sums;
}

double Marginals::distance(const ClassTable& released, std::size_t ways) const {
  double sum = 0;
  double subsets = 0;
  for (const Subset& subset : subsets_) {
    if (subset.columns.size() != ways) continue;
    const std::vector<double> seen = shares(released, subset.columns);
    double distance = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) distance += std::abs(seen[i] - subset.truth[i]);
    sum += std::min(1.0, distance / 2);
    subsets += 1;
  }
  return subsets > 0 ? sum / subsets : std::numeric_limits<double>::quiet_NaN();
}

Marginals::ChiSquare Marginals::chi_square(const ClassTable& released, std::size_t column) const {
  ChiSquare result;
  const auto subset = std::find_if(subsets_.begin(), subsets_.end(), [&](const Subset& one) {
    return one.columns.size() == 1 && one.columns.front() == column;
  });
  const double total = released.total();
  if (subset == subsets_.end() || total <= 0) {
    result.statistic = std::numeric_limits<double>::quiet_NaN();
    return result;
  }
  const std::vector<double> seen = shares(released, subset->columns);
  std::size_t cells = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const double expected = subset->truth[i];
    if (expected > 0) {
      result.statistic += total * (seen[i] - expected) * (seen[i] - expected) / expected;
      ++cells;
    } else if (seen[i] > 0 && i + 1 < seen.size()) {               // records in no class say nothing about the column
      result.statistic = std::numeric_limits<double>::infinity();  // a value that does not occur
    }
  }
  result.degrees = cells > 0 ? cells - 1 : 0;
  result.rejected = chi_square_tail(result.statistic, std::max<std::size_t>(1, result.degrees)) < 0.05;
  return result;
}

RangeQueries::RangeQueries(std::shared_ptr<const schema::Domain> domain, const ClassTable& truth, std::uint64_t seed)
    : domain_(std::move(domain)), least_(std::max(1.0, truth.total() / 100)) {
  SeededRandom random(seed, 0x51756572696573);
  const auto classes = std::max<std::size_t>(1, truth.classes.size());
  const std::size_t count = std::clamp<std::size_t>(1'000'000 / classes, 20, kMost);
  for (std::size_t q = 0; q < count; ++q) {
    Query query;
    const std::size_t ways = 1 + random.below(std::min<std::size_t>(3, domain_->width()));
    std::vector<std::size_t> columns(domain_->width());
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = i;
    for (std::size_t i = 0; i < ways; ++i) {
      std::swap(columns[i], columns[i + random.below(columns.size() - i)]);
      const std::uint64_t values = values_of(*domain_, columns[i]);
      const std::uint64_t a = random.below(values);
      const std::uint64_t b = random.below(values);
      std::vector<std::uint8_t> inside(values, 0);
      for (std::uint64_t code = std::min(a, b); code <= std::max(a, b); ++code) inside[code] = 1;
      query.ranges.emplace_back(columns[i], std::move(inside));
    }
    query.truth = answer(query, truth);
    queries_.push_back(std::move(query));
  }
}

double RangeQueries::answer(const Query& query, const ClassTable& table) const {
  double sum = 0;
  for (const ClassCount& one : table.classes) {
    bool inside = true;
    for (const auto& [column, codes] : query.ranges) inside = inside && codes[domain_->code(one.cell, column)] != 0;
    if (inside) sum += one.count;
  }
  return sum;
}

double RangeQueries::error(const ClassTable& released) const {
  double sum = 0;
  for (const Query& query : queries_)
    sum += std::abs(answer(query, released) - query.truth) / std::max(query.truth, least_);
  return queries_.empty() ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(queries_.size());
}

}  // namespace gauze::assess
