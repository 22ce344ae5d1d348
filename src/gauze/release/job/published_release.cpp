#include "gauze/release/job/published_release.h"

#include <algorithm>
#include <cmath>

#include "gauze/schema/cleaning/cleaned_source.h"

namespace gauze::release {

using namespace schema;  // the vocabulary of this file

PublishedRelease::PublishedRelease(const Options& options, std::shared_ptr<const NoiseLaw> law, int exponent)
    : k_(options.k), law_(std::move(law)), exponent_(exponent) {}

Result<PublishedRelease> PublishedRelease::make(const Options& options) {
  if (!options.noise_scale.is_defined() || options.noise_scale.sign() <= 0)
    return invalid_parameter("the noise scale must be positive, but is {}", options.noise_scale.to_decimal());
  if (!options.epsilon.is_defined() || options.epsilon.sign() <= 0)
    return invalid_parameter("epsilon must be positive, but is {}", options.epsilon.to_decimal());
  if (options.k == 0) return invalid_parameter("k must be at least 1");
  const Rational scale = options.noise_scale / options.epsilon;
  const Grid grid = Grid::finer_than(scale, 40);
  GAUZE_TRY(DiscreteLaplaceLaw law, DiscreteLaplaceLaw::make(scale / grid.granularity()));
  return PublishedRelease(options, std::make_shared<const DiscreteLaplaceLaw>(std::move(law)), grid.exponent());
}

std::vector<PublishedRelease::NoisyClass> PublishedRelease::draw(RandomWords& random, const Histogram& histogram,
                                                                 double* absolute_noise) const {
  std::vector<NoisyClass> classes;
  for (const CellCount& one : histogram.cells)
    if (one.count >= k_) classes.push_back({.cell = one.cell, .records = one.count, .count = 0, .noise = 0});
  std::vector<std::int64_t> noise(classes.size());
  law_->sample(random, noise);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    NoisyClass& one = classes[i];
    const double exact = static_cast<double>(one.records) + std::ldexp(static_cast<double>(noise[i]), exponent_);
    const double rounded = std::nearbyint(exact);  // half to even, as the published code's round()
    one.noise = rounded - static_cast<double>(one.records);
    one.count = rounded <= 0 ? 0 : static_cast<std::int64_t>(rounded);
    if (absolute_noise != nullptr) *absolute_noise += std::abs(one.noise);
  }
  std::erase_if(classes, [](const NoisyClass& one) { return one.count == 0; });
  return classes;
}

std::vector<std::uint64_t> resample(RandomWords& random, const std::vector<std::uint64_t>& weights,
                                    std::uint64_t count) {
  std::vector<std::uint64_t> ends;
  std::uint64_t sum = 0;
  for (const std::uint64_t weight : weights) ends.push_back(sum += weight);
  std::vector<std::uint64_t> drawn(weights.size(), 0);
  if (sum == 0) return drawn;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto place = std::upper_bound(ends.begin(), ends.end(), random.below(sum));
    ++drawn[static_cast<std::size_t>(place - ends.begin())];
  }
  return drawn;
}

Result<std::vector<Domain::Axis>> published_axes(const schema::Policy& policy, const table::TupleCounts& tuples) {
  const schema::PolicyRelease release = policy.release.value_or(schema::PolicyRelease{});
  std::vector<Domain::Axis> axes;
  for (const schema::PolicyColumn& column : policy.columns) {
    if (!column.has(schema::Role::quasi)) continue;
    DomainColumn domain = DomainColumn::observed(column.name, tuples.dictionaries[axes.size()]);
    if (column.hierarchy || !column.values.empty()) {
      GAUZE_TRY(domain, DomainColumn::make(column, policy.input.null_tokens,
                                           policy.input.decimal.value_or(table::DecimalSign::point)));
    }
    const auto given = std::find_if(release.levels.begin(), release.levels.end(),
                                    [&](const auto& one) { return one.first == column.name; });
    const int level = given == release.levels.end() ? domain.lowest() : given->second;
    if (level < domain.lowest() || level > domain.height())
      return invalid_parameter("the column {} has the levels {} to {}, not {}", column.name, domain.lowest(),
                               domain.height(), level);
    axes.push_back({std::make_shared<const DomainColumn>(std::move(domain)), level});
  }
  if (axes.empty()) return invalid_parameter("the policy names no quasi-identifier: there is nothing to count by");
  return axes;
}

std::uint64_t PublishedRows::rows() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t one : copies) sum += one;
  return sum;
}

Result<PublishedRows> publish_rows(RandomWords& random, table::Source& raw, const schema::Policy& policy,
                                   const PublishedRelease::Options& options, Progress& progress) {
  GAUZE_TRY(const std::unique_ptr<CleanedSource> cleaned,
            CleanedSource::make(raw, policy, {.decimal = policy.input.decimal.value_or(table::DecimalSign::point)}));
  table::Source& table = *cleaned;
  GAUZE_TRY(const PublishedRelease release, PublishedRelease::make(options));
  PublishedRows result;
  result.columns = policy.names_with(schema::Role::quasi);
  const auto identifiers = policy.names_with(schema::Role::identifier);
  const auto contains = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string& name : table.columns())
    if (!contains(result.columns, name) && !contains(identifiers, name)) result.columns.push_back(name);
  std::vector<std::size_t> places;
  for (const std::string& name : result.columns) {
    GAUZE_TRY(const std::size_t place, table.column(name));
    places.push_back(place);
  }
  GAUZE_TRY(result.tuples, table.group(places, progress));
  GAUZE_TRY(std::vector<Domain::Axis> axes, published_axes(policy, result.tuples));
  result.coded = CodedTuples::observed(std::move(axes), result.tuples);
  const Histogram histogram = count_rows(result.coded, result.tuples.counts);
  result.outside = histogram.outside;
  result.copies.assign(result.tuples.size(), 0);
  std::vector<std::vector<std::size_t>> members(result.coded.domain->size());
  for (std::size_t i = 0; i < result.tuples.size(); ++i)
    if (result.coded.cells[i] < members.size()) members[result.coded.cells[i]].push_back(i);
  for (const PublishedRelease::NoisyClass& one : release.draw(random, histogram)) {
    std::vector<std::uint64_t> weights;
    for (const std::size_t i : members[one.cell]) weights.push_back(result.tuples.counts[i]);
    const auto drawn = resample(random, weights, static_cast<std::uint64_t>(one.count));
    for (std::size_t i = 0; i < drawn.size(); ++i) result.copies[members[one.cell][i]] = drawn[i];
    ++result.classes;
  }
  return result;
}

}  // namespace gauze::release
