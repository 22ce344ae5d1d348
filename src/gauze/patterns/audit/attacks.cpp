#include "gauze/patterns/audit/attacks.h"

#include <algorithm>
#include <set>

#include "gauze/patterns/mining/exact_count.h"
#include "gauze/patterns/mining/miner.h"

namespace gauze::patterns {
namespace {

constexpr std::uint64_t kMostAttackedSets = 2'000'000;
constexpr std::size_t kMostGuessedItems = 3'000;
/// The pile is looked for within this share below the threshold.
constexpr std::uint64_t kPilePart = 50;

bool has(std::span<const Item> items, Item item) { return std::binary_search(items.begin(), items.end(), item); }

Result<bool> for_sets(const Database& database, std::uint64_t min_count, const ItemsetSink& sink,
                      Progress& progress) {
  MiningOptions options;
  options.min_count = min_count;
  options.max_itemsets = kMostAttackedSets;
  GAUZE_TRY(const MiningCounts counts, mine_itemsets(database, options, sink, progress));
  return counts.complete;
}

std::set<Itemset> listed_sets(std::span<const AuditedPattern> patterns) {
  std::set<Itemset> sets;
  for (const AuditedPattern& one : patterns) sets.insert(one.shape.items);
  return sets;
}

Database filled(const Database& released) {
  Database result;
  result.names = released.names;
  std::vector<Item> items;
  std::vector<Item> none;
  for (std::size_t row = 0; row < released.rows(); ++row) {
    items.assign(released.row(row).begin(), released.row(row).end());
    items.insert(items.end(), released.marks_of(row).begin(), released.marks_of(row).end());
    result.add_row(items, none);
  }
  return result;
}

Result<void> fill(const Database& original, const Database& released, std::span<const AuditedPattern> patterns,
                  std::uint64_t min_count, AttackReport& report, Progress& progress) {
  FillAttack& result = report.fill;
  result.marks = released.marks.size();
  for (std::size_t row = 0; row < released.rows(); ++row)
    for (const Item item : released.marks_of(row)) result.true_marks += has(original.row(row), item) ? 1 : 0;
  const Database full = filled(released);
  std::vector<PatternShape> shapes;
  for (const AuditedPattern& one : patterns) shapes.push_back(one.shape);
  const std::vector<PatternStanding> standings = standings_in(full, shapes);
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    HidingThreshold threshold = patterns[p].threshold;
    threshold.margin = 0;
    result.found.push_back(level_of(standings[p], threshold, full.rows()) == HidingLevel::none);
  }
  if (released.marks.empty()) return {};
  const std::set<Itemset> listed = listed_sets(patterns);
  std::vector<Itemset> frequent;
  GAUZE_TRY(const bool complete, for_sets(
                                     full, min_count,
                                     [&](std::span<const Item> set, std::uint64_t) {
                                       frequent.emplace_back(set.begin(), set.end());
                                       return true;
                                     },
                                     progress));
  report.complete = report.complete && complete;
  const std::vector<std::uint64_t> definite = supports(released, frequent);
  for (std::size_t i = 0; i < frequent.size(); ++i) {
    if (definite[i] >= min_count) continue;
    ++result.suspects;
    result.suspects_listed += listed.contains(frequent[i]) ? 1 : 0;
  }
  return {};
}

void ignore(const Database& released, std::span<const AuditedPattern> patterns, IgnoreAttack& result) {
  std::vector<PatternShape> shapes;
  for (const AuditedPattern& one : patterns) shapes.push_back(one.shape);
  const std::vector<PatternStanding> standings = standings_in(released, shapes);
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    const PatternStanding& one = standings[p];
    const HidingThreshold& threshold = patterns[p].threshold;
    const auto found = [&](std::uint64_t left_out, std::uint64_t fails) {
      if (left_out >= released.rows()) return false;  // nothing is left to look at
      if (exact_count(one.definite) < threshold.share * exact_count(released.rows() - left_out)) return false;
      return !threshold.confidence ||
             exact_count(one.definite) >= *threshold.confidence * exact_count(one.definite + fails);
    };
    result.found_undetermined.push_back(found(one.undetermined, one.fails));
    result.found_touched.push_back(found(one.touched, one.clean_fails));
  }
}

/// For the most frequent items: how many rows of the release show both of two.
class PairCounts {
 public:
  explicit PairCounts(const Database& database) : place_(database.names.size(), ~std::size_t{0}) {
    std::vector<std::uint64_t> frequency(database.names.size(), 0);
    for (const Item item : database.items) ++frequency[item];
    for (Item item = 0; item < database.names.size(); ++item) items_.push_back(item);
    std::stable_sort(items_.begin(), items_.end(), [&](Item a, Item b) { return frequency[a] > frequency[b]; });
    items_.resize(std::min(items_.size(), kMostGuessedItems));
    for (std::size_t i = 0; i < items_.size(); ++i) place_[items_[i]] = i;
    counts_.assign(items_.size() * items_.size(), 0);
    std::vector<std::size_t> row_places;
    for (std::size_t row = 0; row < database.rows(); ++row) {
      places_of(database.row(row), row_places);
      for (const std::size_t a : row_places)
        for (const std::size_t b : row_places) ++counts_[a * items_.size() + b];
    }
  }

  /// The item not among these that goes most often with one of them.
  [[nodiscard]] std::optional<Item> guess(std::span<const Item> row) const {
    std::vector<std::size_t> places;
    places_of(row, places);
    double best = -1;
    std::optional<Item> result;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (has(row, items_[i])) continue;
      double score = places.empty() ? static_cast<double>(counts_[i * items_.size() + i]) : 0;
      for (const std::size_t j : places)
        score = std::max(score, static_cast<double>(counts_[j * items_.size() + i]) /
                                    static_cast<double>(counts_[j * items_.size() + j]));
      if (score > best) {
        best = score;
        result = items_[i];
      }
    }
    return result;
  }

 private:
  void places_of(std::span<const Item> row, std::vector<std::size_t>& places) const {
    places.clear();
    for (const Item item : row)
      if (place_[item] != ~std::size_t{0}) places.push_back(place_[item]);
  }

  std::vector<Item> items_;
  std::vector<std::size_t> place_;
  std::vector<std::uint32_t> counts_;
};

void guess(const Database& original, const Database& released, GuessAttack& result) {
  if (released.anonymous.empty()) return;
  const PairCounts pairs(released);
  std::vector<std::uint64_t> candidates;
  for (std::size_t row = 0; row < released.rows(); ++row) {
    const std::uint32_t marks = released.anonymous_of(row);
    if (marks == 0) continue;
    const auto shown = released.row(row);
    candidates.insert(candidates.end(), marks, released.names.size() - shown.size());
    ++result.tried;
    const auto item = pairs.guess(shown);
    result.right += item && has(original.row(row), *item) ? 1 : 0;
  }
  std::sort(candidates.begin(), candidates.end());
  result.marks = candidates.size();
  result.fewest = candidates.front();
  result.median = candidates[candidates.size() / 2];
}

Result<void> pile(const Database& original, const Database& released, std::span<const AuditedPattern> patterns,
                  std::uint64_t min_count, AttackReport& report, Progress& progress) {
  PileAttack& result = report.pile;
  result.below = min_count;
  result.from = min_count - std::min(min_count - 1, std::max<std::uint64_t>(1, min_count / kPilePart));
  const std::set<Itemset> listed = listed_sets(patterns);
  const auto count = [&](const Database& database, std::uint64_t& sets, std::uint64_t* of_listed) {
    return for_sets(
        database, result.from,
        [&, of_listed](std::span<const Item> set, std::uint64_t support) {
          if (support >= result.below) return true;
          ++sets;
          if (of_listed != nullptr && listed.contains(Itemset(set.begin(), set.end()))) ++*of_listed;
          return true;
        },
        progress);
  };
  GAUZE_TRY(const bool before, count(original, result.sets_before, nullptr));
  GAUZE_TRY(const bool after, count(released, result.sets, &result.listed));
  if (!before || !after) result = {result.from, result.below, 0, 0, 0};  // cut lists cannot be compared
  report.complete = report.complete && before && after;
  return {};
}

}  // namespace

Result<AttackReport> attack(const Database& original, const Database& released,
                            std::span<const AuditedPattern> patterns, std::uint64_t min_count, Progress& progress) {
  AttackReport report;
  for (std::size_t row = 0; row < released.rows(); ++row)
    for (const Item item : released.row(row)) report.added += has(original.row(row), item) ? 0 : 1;
  GAUZE_TRY_VOID(fill(original, released, patterns, min_count, report, progress));
  ignore(released, patterns, report.ignore);
  guess(original, released, report.guess);
  GAUZE_TRY_VOID(pile(original, released, patterns, min_count, report, progress));
  return report;
}

}  // namespace gauze::patterns
