#include "gauze/patterns/audit/hiding_metrics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "gauze/patterns/audit/internal/unknown_rows.h"
#include "gauze/patterns/mining/miner.h"

namespace gauze::patterns {
namespace {

constexpr std::array<double, 5> kFactors = {1, 1.05, 1.1, 1.25, 1.5};
constexpr std::uint64_t kMostMeasuredSets = 2'000'000;
/// Where there are more, so many of them are looked at one by one.
constexpr std::size_t kLookedAt = 10'000;
/// For the reader who leaves rows out: each set is counted in the rows with marks.
constexpr std::uint64_t kMostSetsIgnoring = 200'000;

using SetSupports = std::map<Itemset, std::uint64_t>;

struct Mined {
  SetSupports sets;
  bool complete = true;
};

Result<Mined> mine(const Database& database, std::uint64_t min_count, std::uint64_t most, Progress& progress) {
  MiningOptions options;
  options.min_count = min_count;
  options.max_itemsets = most;
  Mined mined;
  const auto keep = [&](std::span<const Item> set, std::uint64_t support) {
    mined.sets.emplace(Itemset(set.begin(), set.end()), support);
    return true;
  };
  GAUZE_TRY(const MiningCounts counts, mine_itemsets(database, options, keep, progress));
  mined.complete = counts.complete;
  return mined;
}

/// What a reader finds who counts a set among the rows that are not unknown for it.
Result<void> read_ignoring(const Database& released, const SetSupports& before, const Rational& min_support,
                           HidingMetrics& metrics, Progress& progress) {
  const internal::UnknownRows unknown(released);
  const std::uint64_t certain = released.rows() - unknown.rows();
  GAUZE_TRY(const Mined mined, mine(released, min_count_for(min_support, certain), kMostSetsIgnoring, progress));
  metrics.ignoring_complete = mined.complete;
  if (!mined.complete) return {};
  std::uint64_t steps = 0;
  for (const auto& [set, support] : mined.sets) {
    if (++steps % 256 == 0) GAUZE_TRY_VOID(progress.check());
    const std::uint64_t rows = released.rows() - unknown.of(set);
    if (support < min_count_for(min_support, rows)) continue;
    ++metrics.found_ignoring;
    metrics.artifactual_ignoring += before.contains(set) ? 0 : 1;
  }
  return {};
}

/// Some of the sets, with their supports in other transactions.
SetSupports counted_in(const Database& database, SetSupports& sets) {
  while (sets.size() > kLookedAt) sets.erase(std::prev(sets.end()));
  std::vector<Itemset> list;
  for (const auto& [set, support] : sets) list.push_back(set);
  const std::vector<std::uint64_t> counts = supports(database, list);
  SetSupports result;
  for (std::size_t i = 0; i < list.size(); ++i) result.emplace(list[i], counts[i]);
  return result;
}

void compare_rows(const Database& original, const Database& released, HidingMetrics& metrics) {
  std::size_t kept = 0;
  std::vector<Item> both;
  for (std::size_t row = 0; row < original.rows(); ++row) {
    both.clear();
    std::ranges::set_intersection(original.row(row), released.row(row), std::back_inserter(both));
    kept += both.size();
  }
  const auto all = static_cast<double>(std::max<std::size_t>(original.items.size(), 1));
  metrics.removed = static_cast<double>(original.items.size() - kept) / all;
  metrics.added = static_cast<double>(released.items.size() - kept) / all;
  metrics.dissimilarity =
      (static_cast<double>(original.items.size()) - static_cast<double>(released.items.size())) / all;
}

}  // namespace

Result<HidingMetrics> measure_hiding(const Database& original, const Database& released,
                                     const std::vector<Itemset>& sensitive, std::uint64_t min_count,
                                     const Rational& min_support, Progress& progress) {
  HidingMetrics metrics;
  compare_rows(original, released, metrics);
  for (const double factor : kFactors) {
    BandMetrics band;
    band.factor = factor;
    band.min_count = static_cast<std::uint64_t>(std::ceil(factor * static_cast<double>(min_count) - 1e-9));
    metrics.bands.push_back(band);
  }
  GAUZE_TRY(Mined before, mine(original, min_count, kMostMeasuredSets, progress));
  GAUZE_TRY(Mined after, mine(released, min_count, kMostMeasuredSets, progress));
  metrics.complete = before.complete && after.complete;
  if (!metrics.complete) {
    // Cut at different places the two lists say nothing about each other: some sets of each are counted in the other.
    SetSupports original_of_after = counted_in(original, after.sets);
    for (const auto& [set, support] : after.sets) {
      ++metrics.found_definite;
      metrics.artifactual_definite += original_of_after[set] < min_count ? 1 : 0;
    }
    after.sets = counted_in(released, before.sets);
  }
  for (const auto& entry : before.sets) {
    const Itemset& set = entry.first;
    const std::uint64_t support = entry.second;
    if (std::find(sensitive.begin(), sensitive.end(), set) != sensitive.end()) continue;
    const bool must_vanish =
        std::any_of(sensitive.begin(), sensitive.end(), [&](const Itemset& one) { return holds(set, one); });
    const auto found = after.sets.find(set);
    const std::uint64_t now = found == after.sets.end() ? 0 : found->second;
    for (BandMetrics& band : metrics.bands) {
      if (support < band.min_count) continue;
      const std::uint64_t lost = now < band.min_count ? 1 : 0;
      band.literal_total += 1;
      band.literal_lost += lost;
      band.ideal_total += must_vanish ? 0 : 1;
      band.ideal_lost += must_vanish ? 0 : lost;
    }
  }
  if (!metrics.complete) {
    metrics.ignoring_complete = false;
    return metrics;
  }
  metrics.found_definite = after.sets.size();
  for (const auto& [set, support] : after.sets) metrics.artifactual_definite += before.sets.contains(set) ? 0 : 1;
  GAUZE_TRY_VOID(read_ignoring(released, before.sets, min_support, metrics, progress));
  return metrics;
}

Warning incomplete_figures() {
  return {"incomplete_figures",
          "there are too many frequent sets to compare them all: the figures are of those looked at"};
}

Result<Database> align(const Database& original, const Database& released) {
  if (original.rows() != released.rows())
    return make_error(ErrorCode::bad_data, "not a release of that file: it has {} transactions, the original {}",
                      released.rows(), original.rows());
  std::unordered_map<std::string_view, Item> places;
  for (Item item = 0; item < original.names.size(); ++item) places.emplace(original.names[item], item);
  std::vector<Item> place_of;
  for (const std::string& name : released.names) {
    const auto found = places.find(name);
    if (found == places.end())
      return make_error(ErrorCode::bad_data, "not a release of that file: it has items that the original has not");
    place_of.push_back(found->second);
  }
  Database result;
  result.names = original.names;
  std::vector<Item> items;
  std::vector<Item> marks;
  for (std::size_t row = 0; row < released.rows(); ++row) {
    items.clear();
    marks.clear();
    for (const Item item : released.row(row)) items.push_back(place_of[item]);
    for (const Item item : released.marks_of(row)) marks.push_back(place_of[item]);
    result.add_row(items, marks, released.anonymous_of(row));
  }
  return result;
}

}  // namespace gauze::patterns
