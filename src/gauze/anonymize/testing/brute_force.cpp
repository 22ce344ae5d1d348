#include "gauze/anonymize/testing/brute_force.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>

namespace gauze::anonymize::testing {

using namespace schema;  // the vocabulary of this file

namespace {

// Long doubles of 64 bits decide everything that is not an exact tie; ties count as equal.
constexpr long double kTie = 1e-15L;
bool at_most(long double a, long double b) { return a <= b + kTie * (1 + std::abs(b)); }
bool below(long double a, long double b) { return a < b - kTie * (1 + std::abs(b)); }

long double number(const Rational& value) { return static_cast<long double>(value.to_double()); }

using Counts = std::map<std::uint32_t, long double>;

Counts count(const PlainTable& table, std::size_t column, const std::vector<std::size_t>& rows) {
  Counts counts;
  for (const std::size_t row : rows) counts[table.values[row][column]] += 1;
  return counts;
}

using Rows = std::vector<std::size_t>;

std::vector<long double> surplus(const PlainTable& table, std::size_t column, const Rows& rows,
                                 const Rows& reference) {
  std::vector<long double> difference(table.value_counts[column], 0);
  for (const std::size_t row : rows)
    difference[table.values[row][column]] += 1.0L / static_cast<long double>(rows.size());
  for (const std::size_t row : reference)
    difference[table.values[row][column]] -= 1.0L / static_cast<long double>(reference.size());
  return difference;
}

long double distance(const PlainTable& table, std::size_t column, Distance kind, const Rows& rows,
                     const Rows& reference) {
  std::vector<long double> difference = surplus(table, column, rows, reference);
  long double sum = 0;
  if (kind == Distance::equal) {
    for (const long double one : difference) sum += std::abs(one) / 2;
    return sum;
  }
  if (kind == Distance::ordered) {
    const Counts occurring = count(table, column, reference);
    if (occurring.size() < 2) return 0;
    long double carried = 0;
    for (const auto& [value, times] : occurring) {
      carried += difference[value];
      sum += std::abs(carried);
    }
    return sum / static_cast<long double>(occurring.size() - 1);
  }
  const auto& parents = table.parents[column];
  for (std::size_t level = 0; level < parents.size(); ++level) {
    std::map<std::uint32_t, std::pair<long double, long double>> nodes;
    for (std::uint32_t value = 0; value < difference.size(); ++value)
      (difference[value] > 0 ? nodes[parents[level][value]].first : nodes[parents[level][value]].second) +=
          std::abs(difference[value]);
    std::vector<long double> above(nodes.rbegin()->first + 1, 0);
    for (const auto& [node, parts] : nodes) {
      sum += static_cast<long double>(level + 1) / static_cast<long double>(parents.size()) *
             std::min(parts.first, parts.second);
      above[node] = parts.first - parts.second;
    }
    difference = std::move(above);
  }
  return sum;
}

std::size_t column_of(const std::string& name) { return static_cast<std::size_t>(std::stoul(name.substr(1))); }

bool diversity_holds(const LDiversity& rule, const PlainTable& table, const std::vector<std::size_t>& rows) {
  Counts counts = count(table, column_of(rule.column), rows);
  auto n = static_cast<long double>(rows.size());
  if (table.sensitive_missing) {
    n -= counts[0];
    counts.erase(0);
  }
  if (counts.empty()) return false;
  if (rule.kind == DiversityKind::distinct) return at_most(number(rule.l), static_cast<long double>(counts.size()));
  if (rule.kind == DiversityKind::entropy) {
    long double entropy = 0;
    for (const auto& [value, times] : counts) entropy -= times / n * std::log(times / n);
    return at_most(std::log(number(rule.l)), entropy);
  }
  std::vector<long double> sorted;
  for (const auto& [value, times] : counts) sorted.push_back(times);
  std::sort(sorted.rbegin(), sorted.rend());
  long double tail = 0;
  for (std::size_t i = static_cast<std::size_t>(number(rule.l)) - 1; i < sorted.size(); ++i) tail += sorted[i];
  return below(sorted.front(), number(rule.c) * tail);
}

struct Node {
  std::vector<std::vector<std::size_t>> kept;
  std::vector<std::size_t> suppressed;
};

std::uint32_t code(const PlainTable& table, const Levels& levels, std::size_t row, std::size_t quasi) {
  return table.quasi[quasi].hierarchy->code(levels[quasi], table.ground[row][quasi]);
}

double value_of(Metric metric, const PlainTable& table, const Levels& levels, const Node& node) {
  const auto total = static_cast<long double>(table.ground.size());
  const auto gone = static_cast<long double>(node.suppressed.size());
  if (metric == Metric::discernibility) {
    long double sum = total * gone;
    for (const auto& rows : node.kept)
      sum += static_cast<long double>(rows.size()) * static_cast<long double>(rows.size());
    return static_cast<double>(sum);
  }
  if (metric == Metric::aecs)
    return static_cast<double>(total / (static_cast<long double>(node.kept.size()) + (gone > 0 ? 1 : 0)));
  long double result = metric == Metric::loss_geometric ? 1 : 0;
  long double weights = 0;
  for (const QuasiIdentifier& quasi : table.quasi) weights += quasi.weight;
  for (std::size_t quasi = 0; quasi < table.quasi.size(); ++quasi) {
    const Hierarchy& hierarchy = *table.quasi[quasi].hierarchy;
    const long double weight = table.quasi[quasi].weight;
    const auto size = static_cast<long double>(hierarchy.size());
    if (metric == Metric::precision) {
      const long double share =
          hierarchy.height() == 0 ? 0 : static_cast<long double>(levels[quasi]) / hierarchy.height();
      result += weight / weights * ((total - gone) * share + gone) / total;
      continue;
    }
    if (metric == Metric::entropy) {
      std::map<std::uint32_t, long double> ground;
      std::map<std::uint32_t, long double> coarse;
      std::map<std::uint32_t, long double> lost;
      for (std::size_t row = 0; row < table.ground.size(); ++row) {
        ground[table.ground[row][quasi]] += 1;
        coarse[code(table, levels, row, quasi)] += 1;
      }
      for (std::size_t row = 0; row < table.ground.size(); ++row)
        result -= weight * std::log2(ground[table.ground[row][quasi]] / coarse[code(table, levels, row, quasi)]);
      for (const std::size_t row : node.suppressed) lost[code(table, levels, row, quasi)] += 1;
      for (const auto& [value, times] : lost) result -= weight * times * std::log2(times / gone);
      continue;
    }
    if (size <= 1) continue;
    long double covered = gone;
    for (const auto& rows : node.kept)
      for (const std::size_t row : rows)
        covered += hierarchy.rows_under(levels[quasi], code(table, levels, row, quasi)) / size;
    const long double loss = std::max(0.0L, (covered - total / size) / (total - total / size));
    if (metric == Metric::loss)
      result += weight / weights * loss;
    else
      result *= std::pow(1 + loss, weight / weights);
  }
  return static_cast<double>(metric == Metric::loss_geometric ? result - 1 : result);
}

}  // namespace

bool class_holds_plainly(const Criteria& criteria, const PlainTable& table, const Rows& rows, const Rows& reference) {
  if (rows.size() < criteria.k) return false;
  for (const LDiversity& rule : criteria.l_diversity)
    if (!diversity_holds(rule, table, rows)) return false;
  for (const TCloseness& rule : criteria.t_closeness)
    if (!at_most(distance(table, column_of(rule.column), rule.distance, rows, reference), number(rule.t)))
      return false;
  const auto n = static_cast<long double>(rows.size());
  auto share = [&](std::size_t column, std::uint32_t value) {
    return count(table, column, reference)[value] / static_cast<long double>(reference.size());
  };
  for (const DeltaDisclosure& rule : criteria.delta_disclosure)
    for (const auto& [value, times] : count(table, column_of(rule.column), rows))
      if (!below(std::abs(std::log2(times / n / share(column_of(rule.column), value))), number(rule.delta)))
        return false;
  for (const BetaLikeness& rule : criteria.beta_likeness)
    for (const auto& [value, times] : count(table, column_of(rule.column), rows)) {
      const long double p = share(column_of(rule.column), value);
      const long double bound = rule.enhanced ? std::min(number(rule.beta), -std::log(p)) : number(rule.beta);
      if (!at_most((times / n - p) / p, bound)) return false;
    }
  return true;
}

std::optional<BruteForceNode> evaluate_plainly(const PlainTable& table, const Question& question,
                                               const Levels& levels) {
  const Criteria& criteria = question.criteria;
  using Key = std::vector<std::uint32_t>;
  auto key = [&](const Key& ground) {
    Key result;
    for (std::size_t quasi = 0; quasi < table.quasi.size(); ++quasi)
      result.push_back(table.quasi[quasi].hierarchy->code(levels[quasi], ground[quasi]));
    return result;
  };
  std::map<Key, Rows> classes;
  for (std::size_t row = 0; row < table.ground.size(); ++row) classes[key(table.ground[row])].push_back(row);
  std::map<Key, std::uint64_t> people;
  for (const auto& person : table.population) ++people[key(person)];
  auto holds = [&](const Key& values, const Rows& rows, const Rows& reference) {
    if (!class_holds_plainly(criteria, table, rows, reference)) return false;
    if (criteria.k_map && people[values] < criteria.k_map->k) return false;
    if (!criteria.delta_presence) return true;
    const long double share = static_cast<long double>(rows.size()) / static_cast<long double>(people[values]);
    return at_most(number(criteria.delta_presence->minimum), share) &&
           at_most(share, number(criteria.delta_presence->maximum));
  };
  Rows everyone(table.ground.size());
  std::iota(everyone.begin(), everyone.end(), std::size_t{0});
  Node node;
  for (Rows reference = everyone;;) {
    std::map<Key, Rows> left;
    for (const auto& [values, rows] : classes)
      if (holds(values, rows, reference)) left[values] = rows;
    const bool settled = left.size() == classes.size() || question.reference == ReferenceRecords::all;
    classes = std::move(left);
    if (settled) break;
    reference.clear();
    for (const auto& [values, rows] : classes) reference.insert(reference.end(), rows.begin(), rows.end());
  }
  std::set<std::size_t> kept;
  for (const auto& [values, rows] : classes) {
    node.kept.push_back(rows);
    kept.insert(rows.begin(), rows.end());
  }
  for (const std::size_t row : everyone)
    if (!kept.contains(row)) node.suppressed.push_back(row);
  if (node.suppressed.size() > question.limit) return std::nullopt;
  // Where everybody must be present with some chance, a class of the population without a row of the output has none.
  if (criteria.delta_presence && criteria.delta_presence->minimum.sign() > 0)
    for (const auto& [values, persons] : people)
      if (persons > 0 && !classes.contains(values)) return std::nullopt;
  return BruteForceNode{.levels = levels,
                        .value = value_of(question.metric, table, levels, node),
                        .suppressed = node.suppressed.size(),
                        .classes = node.kept.size()};
}

std::optional<BruteForceNode> search_plainly(const PlainTable& table, const Question& question) {
  std::vector<int> counts;
  for (const QuasiIdentifier& quasi : table.quasi) counts.push_back(quasi.hierarchy->levels());
  const Lattice lattice = *Lattice::make(counts);
  std::optional<BruteForceNode> best;
  for (std::uint32_t node = 0; node < lattice.size(); ++node) {
    const auto found = evaluate_plainly(table, question, lattice.levels(node));
    if (found && (!best || found->value < best->value)) best = found;
  }
  return best;
}

}  // namespace gauze::anonymize::testing
