#include "gauze/patterns/audit/hiding_metrics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "gauze/patterns/audit/internal/counted_losses.h"
#include "gauze/patterns/audit/internal/unknown_rows.h"
#include "gauze/patterns/mining/miner.h"

namespace gauze::patterns {
namespace {

constexpr std::array<double, 5> kFactors = {1, 1.05, 1.1, 1.25, 1.5};
/// For the reader who leaves rows out: each set is counted in the rows with marks.
constexpr std::uint64_t kMostSetsIgnoring = 200'000;

using SetSupports = std::map<Itemset, std::uint64_t>;

/// Nothing when there are more.
Result<std::optional<SetSupports>> mine(const Database& database, std::uint64_t min_count, std::uint64_t most,
                                        Progress& progress) {
  MiningOptions options;
  options.min_count = min_count;
  options.max_itemsets = most;
  GAUZE_TRY(const MiningCounts first, count_itemsets(database, options, progress));
  if (!first.complete) return std::nullopt;
  SetSupports sets;
  const auto keep = [&](std::span<const Item> set, std::uint64_t support) {
    sets.emplace(Itemset(set.begin(), set.end()), support);
    return true;
  };
  GAUZE_TRY_VOID(mine_itemsets(database, options, keep, progress));
  return sets;
}

/// What a reader finds who counts a set among the rows that are not unknown for it.
Result<void> read_ignoring(const Database& released, const SetSupports& before, const Rational& min_support,
                           HidingMetrics& metrics, Progress& progress) {
  const internal::UnknownRows unknown(released);
  const std::uint64_t certain = released.rows() - unknown.rows();
  GAUZE_TRY(const auto mined, mine(released, min_count_for(min_support, certain), kMostSetsIgnoring, progress));
  metrics.ignoring_complete = mined.has_value();
  if (!mined) return {};
  std::uint64_t steps = 0;
  for (const auto& [set, support] : *mined) {
    if (++steps % 256 == 0) GAUZE_TRY_VOID(progress.check());
    const std::uint64_t rows = released.rows() - unknown.of(set);
    if (support < min_count_for(min_support, rows)) continue;
    ++metrics.found_ignoring;
    metrics.artifactual_ignoring += before.contains(set) ? 0 : 1;
  }
  return {};
}

/// Holds the frequent sets of both against each other.
void compare_lists(const SetSupports& before, const SetSupports& after, const std::vector<Itemset>& sensitive,
                   HidingMetrics& metrics) {
  for (BandMetrics& band : metrics.bands)
    band.literal.total = band.literal.part = band.ideal.total = band.ideal.part = 0;
  for (const auto& entry : before) {
    const Itemset& set = entry.first;
    const std::uint64_t support = entry.second;
    if (std::find(sensitive.begin(), sensitive.end(), set) != sensitive.end()) continue;
    const bool must_vanish =
        std::any_of(sensitive.begin(), sensitive.end(), [&](const Itemset& one) { return holds(set, one); });
    const auto found = after.find(set);
    const std::uint64_t now = found == after.end() ? 0 : found->second;
    for (BandMetrics& band : metrics.bands) {
      if (support < band.min_count) continue;
      const std::uint64_t lost = now < band.min_count ? 1 : 0;
      *band.literal.total += 1;
      *band.literal.part += lost;
      *band.ideal.total += must_vanish ? 0 : 1;
      *band.ideal.part += must_vanish ? 0 : lost;
    }
  }
  metrics.artifactual.total = after.size();
  metrics.artifactual.part = 0;
  for (const auto& [set, support] : after) *metrics.artifactual.part += before.contains(set) ? 0 : 1;
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
                                     const Rational& min_support, Progress& progress, const MeasuringLimits& limits) {
  HidingMetrics metrics;
  compare_rows(original, released, metrics);
  for (const double factor : kFactors) {
    BandMetrics band;
    band.factor = factor;
    band.min_count = static_cast<std::uint64_t>(std::ceil(factor * static_cast<double>(min_count) - 1e-9));
    metrics.bands.push_back(band);
  }
  GAUZE_TRY(const auto before, mine(original, min_count, limits.most_listed_sets, progress));
  std::optional<SetSupports> after;
  if (before) {
    GAUZE_TRY(after, mine(released, min_count, limits.most_listed_sets, progress));
  }
  if (!before || !after) {
    metrics.ignoring_complete = false;
    GAUZE_TRY_VOID(internal::count_losses(original, released, sensitive, limits, metrics, progress));
    return metrics;
  }
  compare_lists(*before, *after, sensitive, metrics);
  GAUZE_TRY_VOID(read_ignoring(released, *before, min_support, metrics, progress));
  return metrics;
}

bool HidingMetrics::complete() const {
  const auto is_counted = [](const BandMetrics& band) { return band.literal.part && band.ideal.part; };
  return artifactual.part && std::all_of(bands.begin(), bands.end(), is_counted);
}

std::vector<Warning> HidingMetrics::warnings() const {
  std::vector<const SetShare*> shares = {&artifactual};
  for (const BandMetrics& band : bands) shares.insert(shares.end(), {&band.literal, &band.ideal});
  const auto any = [&](const auto& is_such) { return std::any_of(shares.begin(), shares.end(), is_such); };
  std::vector<Warning> result;
  if (any([](const SetShare* one) { return !one->part && one->sampled; }))
    result.push_back({"sampled_figures",
                      "there are too many frequent sets to compare them all: shares with an interval (95 %) are "
                      "estimates, from sets drawn at random"});
  if (any([](const SetShare* one) { return !one->part && !one->sampled; })) result.push_back(incomplete_figures());
  return result;
}

Warning incomplete_figures() {
  return {"incomplete_figures",
          "there are too many frequent sets to look at them all: figures that would need it are left out"};
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
