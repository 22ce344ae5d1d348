#include "gauze/anonymize/testing/random_records.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "gauze/base/error.h"

namespace gauze::anonymize::testing {

using namespace schema;  // the vocabulary of this file

namespace {

std::uint32_t below(std::uint32_t bound, std::mt19937_64& random) {
  return static_cast<std::uint32_t>(random() % bound);
}

}  // namespace

std::shared_ptr<const Hierarchy> random_hierarchy(std::uint32_t size, int levels, std::mt19937_64& random) {
  std::vector<std::vector<std::string>> rows(size);
  std::vector<std::uint32_t> group(size);
  std::iota(group.begin(), group.end(), 0U);
  std::uint32_t groups = size;
  for (int level = 0; level < levels; ++level) {
    if (level > 0) {
      const std::uint32_t next = level + 1 == levels ? 1 : std::max(1U, (groups + 1) / 2);
      std::vector<std::uint32_t> up(groups);
      for (std::uint32_t& parent : up) parent = below(next, random);
      for (std::uint32_t& member : group) member = up[member];
      groups = next;
    }
    for (std::uint32_t row = 0; row < size; ++row)
      rows[row].push_back(std::to_string(level) + ":" + std::to_string(group[row]));
  }
  auto hierarchy = Hierarchy::make("random", std::move(rows));
  GAUZE_CHECK(hierarchy.has_value());
  return std::make_shared<const Hierarchy>(*std::move(hierarchy));
}

PlainTable random_table(const RandomTableOptions& options, std::mt19937_64& random) {
  PlainTable table;
  table.sensitive_missing = options.sensitive_missing;
  for (std::size_t quasi = 0; quasi < options.quasi; ++quasi) {
    const std::uint32_t size = 1 + below(options.most_values, random);
    const int levels = 1 + static_cast<int>(below(static_cast<std::uint32_t>(options.most_levels), random));
    table.quasi.push_back({"q" + std::to_string(quasi), random_hierarchy(size, levels, random), 1, {}});
  }
  auto draw = [&] {
    std::vector<std::uint32_t> ground;
    // The smaller of two draws: some values are much more frequent than others.
    for (const QuasiIdentifier& quasi : table.quasi)
      ground.push_back(std::min(below(quasi.hierarchy->size(), random), below(quasi.hierarchy->size(), random)));
    return ground;
  };
  for (std::size_t column = 0; column < options.sensitive; ++column) {
    table.value_counts.push_back(options.sensitive_values);
    const auto tree = random_hierarchy(options.sensitive_values, 3, random);
    std::vector<std::vector<std::uint32_t>> parents(2);
    parents[0].resize(options.sensitive_values);
    parents[1].assign(tree->value_count(1), 0);
    for (std::uint32_t value = 0; value < options.sensitive_values; ++value) parents[0][value] = tree->code(1, value);
    table.parents.push_back(std::move(parents));
  }
  for (std::size_t row = 0; row < options.rows; ++row) {
    table.ground.push_back(draw());
    table.values.emplace_back();
    for (std::size_t column = 0; column < options.sensitive; ++column)
      table.values.back().push_back(
          std::min(below(options.sensitive_values, random), below(options.sensitive_values, random)));
  }
  if (options.extra_population > 0) {
    table.population = table.ground;
    for (std::size_t person = 0; person < options.extra_population; ++person) table.population.push_back(draw());
  }
  return table;
}

Records group(const PlainTable& table) {
  Records records;
  records.quasi = table.quasi;
  records.total = table.ground.size();
  records.ground.resize(table.quasi.size());
  records.values.resize(table.value_counts.size());
  std::map<std::vector<std::uint32_t>, std::pair<std::uint32_t, std::uint32_t>> tuples;
  for (std::size_t row = 0; row < table.ground.size(); ++row) {
    std::vector<std::uint32_t> tuple = table.ground[row];
    tuple.insert(tuple.end(), table.values[row].begin(), table.values[row].end());
    ++tuples[tuple].first;
  }
  for (const auto& person : table.population) {
    std::vector<std::uint32_t> tuple = person;
    tuple.resize(table.quasi.size() + table.value_counts.size(), 0);
    ++tuples[tuple].second;
  }
  for (std::size_t column = 0; column < table.value_counts.size(); ++column) {
    SensitiveColumn sensitive;
    sensitive.name = "s" + std::to_string(column);
    sensitive.totals.assign(table.value_counts[column], 0);
    sensitive.records = records.total;
    sensitive.order.resize(table.value_counts[column]);
    std::iota(sensitive.order.begin(), sensitive.order.end(), 0U);
    sensitive.parents = table.parents[column];
    if (table.sensitive_missing) sensitive.missing = 0;
    for (const auto& row : table.values) ++sensitive.totals[row[column]];
    records.sensitive.push_back(std::move(sensitive));
  }
  for (const auto& [tuple, counts] : tuples) {
    for (std::size_t quasi = 0; quasi < table.quasi.size(); ++quasi) records.ground[quasi].push_back(tuple[quasi]);
    for (std::size_t column = 0; column < table.value_counts.size(); ++column)
      records.values[column].push_back(tuple[table.quasi.size() + column]);
    records.counts.push_back(counts.first);
    if (!table.population.empty()) records.population.push_back(counts.second);
  }
  return records;
}

}  // namespace gauze::anonymize::testing
