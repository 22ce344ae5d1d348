#include "gauze/patterns/audit/internal/counted_losses.h"

#include <algorithm>
#include <map>
#include <set>

#include "gauze/base/cpu_time.h"
#include "gauze/patterns/mining/miner.h"
#include "gauze/random/seeded_random.h"

namespace gauze::patterns::internal {
namespace {

/// Counts within the time that is left for all of them.
class Counter {
 public:
  Counter(const MeasuringLimits& limits, Progress& progress)
      : end_(cpu_seconds() + limits.counting_seconds), progress_(progress) {}

  /// Nothing when they are too many, or the time is over.
  Result<std::optional<std::uint64_t>> count(const Database& database, std::uint64_t min_count) {
    GAUZE_TRY(const MiningCounts counts, count_itemsets(database, options(min_count), progress_));
    return counts.complete ? std::optional(counts.itemsets) : std::nullopt;
  }
  [[nodiscard]] MiningOptions options(std::uint64_t min_count) const {
    MiningOptions options;
    options.min_count = min_count;
    options.time_limit_seconds = std::max(0.0, end_ - cpu_seconds());
    return options;
  }
  [[nodiscard]] Progress& progress() { return progress_; }

 private:
  double end_;
  Progress& progress_;
};

/// The rows that hold the set, without it: their frequent sets are those that hold it.
Database rows_with(const Database& database, const Itemset& set) {
  Database result;
  result.names = database.names;
  std::vector<Item> items;
  std::vector<Item> marks;
  for (std::size_t row = 0; row < database.rows(); ++row) {
    const auto all = database.row(row);
    if (!holds(all, set)) continue;
    items.clear();
    std::set_difference(all.begin(), all.end(), set.begin(), set.end(), std::back_inserter(items));
    result.add_row(items, marks);
  }
  return result;
}

/// Counts the frequent sets that hold a listed pattern. Arithmetic is modulo 2^64: terms may pass it, the sum does not.
class SetsToVanish {
 public:
  /// Unions of patterns that are frequent at the lowest threshold; no more than `most` of them, or count() knows nothing.
  SetsToVanish(const Database& database, const std::vector<Itemset>& sensitive, std::uint64_t min_count,
               std::size_t most)
      : database_(database) {
    std::map<Itemset, std::uint64_t> signs;
    for (const Itemset& pattern : sensitive) {
      const auto is_inside = [&](const Itemset& other) { return other != pattern && holds(pattern, other); };
      if (std::any_of(sensitive.begin(), sensitive.end(), is_inside)) continue;  // the smaller one counts it, too
      std::map<Itemset, std::uint64_t> more = {{pattern, 1}};
      for (const auto& [set, sign] : signs) {
        Itemset joined;
        std::set_union(set.begin(), set.end(), pattern.begin(), pattern.end(), std::back_inserter(joined));
        more[joined] -= sign;
      }
      std::vector<Itemset> sets;
      for (const auto& [set, sign] : more) sets.push_back(set);
      const std::vector<std::uint64_t> held = supports(database, sets);
      for (std::size_t i = 0; i < sets.size(); ++i) {
        if (held[i] < min_count) continue;
        std::uint64_t& sign = signs[sets[i]];
        sign += more[sets[i]];
        if (sign == 0) signs.erase(sets[i]);
      }
      is_known_ = signs.size() <= most;
      if (!is_known_) return;
    }
    terms_.assign(signs.begin(), signs.end());
  }

  Result<std::optional<std::uint64_t>> count(std::uint64_t min_count, Counter& counter) const {
    if (!is_known_) return std::nullopt;
    std::uint64_t sum = 0;
    for (const auto& [set, sign] : terms_) {
      const Database rows = rows_with(database_, set);
      if (rows.rows() < min_count) continue;
      GAUZE_TRY(const std::optional<std::uint64_t> larger, counter.count(rows, min_count));
      if (!larger) return std::nullopt;
      sum += sign * (*larger + 1);
    }
    return sum;
  }

 private:
  const Database& database_;
  std::vector<std::pair<Itemset, std::uint64_t>> terms_;
  bool is_known_ = true;
};

std::uint64_t frequent_of(const std::vector<std::uint64_t>& supports, std::uint64_t min_count) {
  return static_cast<std::uint64_t>(
      std::count_if(supports.begin(), supports.end(), [&](std::uint64_t one) { return one >= min_count; }));
}

struct DrawnSet {
  Itemset items;
  std::uint64_t before = 0;  ///< its support where it was drawn
  std::uint64_t after = 0;   ///< and in the other transactions
};

/// Frequent sets of `from`, each with the same chance: all of them go by, and some are kept. None when time is over first.
Result<std::vector<DrawnSet>> draw_sets(const Database& from, const Database& other, std::uint64_t min_count,
                                        std::size_t wanted, Counter& counter) {
  SeededRandom random(1);
  std::vector<DrawnSet> drawn;
  std::uint64_t seen = 0;
  const auto keep = [&](std::span<const Item> set, std::uint64_t support) {
    ++seen;
    if (drawn.size() < wanted) {
      drawn.push_back({Itemset(set.begin(), set.end()), support, 0});
    } else if (const std::uint64_t place = random.below(seen); place < wanted) {
      drawn[place] = {Itemset(set.begin(), set.end()), support, 0};
    }
    return true;
  };
  GAUZE_TRY(const MiningCounts counts, mine_itemsets(from, counter.options(min_count), keep, counter.progress()));
  if (!counts.complete) return std::vector<DrawnSet>();
  std::vector<Itemset> sets;
  for (const DrawnSet& one : drawn) sets.push_back(one.items);
  const std::vector<std::uint64_t> held = supports(other, sets);
  for (std::size_t i = 0; i < drawn.size(); ++i) drawn[i].after = held[i];
  return drawn;
}

/// The share among those drawn, where it was not counted.
void estimate_lost(SetShare& share, std::uint64_t drawn, std::uint64_t lost) {
  if (!share.part && drawn > 0) share.sampled = estimate_share(static_cast<double>(lost), static_cast<double>(drawn));
}

void estimate_losses(BandMetrics& band, const std::vector<DrawnSet>& drawn, const std::vector<Itemset>& sensitive) {
  std::uint64_t literal = 0;
  std::uint64_t literal_lost = 0;
  std::uint64_t ideal = 0;
  std::uint64_t ideal_lost = 0;
  for (const DrawnSet& one : drawn) {
    if (one.before < band.min_count || std::binary_search(sensitive.begin(), sensitive.end(), one.items)) continue;
    const std::uint64_t lost = one.after < band.min_count ? 1 : 0;
    ++literal;
    literal_lost += lost;
    if (std::any_of(sensitive.begin(), sensitive.end(), [&](const Itemset& s) { return holds(one.items, s); }))
      continue;
    ++ideal;
    ideal_lost += lost;
  }
  estimate_lost(band.literal, literal, literal_lost);
  estimate_lost(band.ideal, ideal, ideal_lost);
}

/// What two counts leave when a part is taken from each: a share without its part where items were put in.
SetShare share_of(std::uint64_t before, std::optional<std::uint64_t> after) {
  SetShare share{.total = before, .part = {}, .sampled = {}};
  if (after) share.part = before - *after;
  return share;
}

}  // namespace

Result<void> count_losses(const Database& original, const Database& released, const std::vector<Itemset>& sensitive,
                          const MeasuringLimits& limits, HidingMetrics& metrics, Progress& progress) {
  const std::set<Itemset> distinct(sensitive.begin(), sensitive.end());
  const std::vector<Itemset> listed(distinct.begin(), distinct.end());
  const std::vector<std::uint64_t> listed_before = supports(original, listed);
  const std::vector<std::uint64_t> listed_after = supports(released, listed);
  const bool only_taken = metrics.added == 0;
  const std::uint64_t lowest = metrics.bands.front().min_count;
  const SetsToVanish vanish_before(original, listed, lowest, limits.most_unions);
  const SetsToVanish vanish_after(released, listed, lowest, limits.most_unions);
  Counter counter(limits, progress);
  std::optional<std::uint64_t> found;
  // The highest threshold has the fewest sets: it is known where the time does not suffice for all.
  for (auto band = metrics.bands.rbegin(); band != metrics.bands.rend(); ++band) {
    const std::uint64_t count = band->min_count;
    GAUZE_TRY(const auto before, counter.count(original, count));
    GAUZE_TRY(found, counter.count(released, count));
    if (!before) continue;
    const std::optional<std::uint64_t> after = only_taken ? found : std::nullopt;
    const std::uint64_t literal = *before - frequent_of(listed_before, count);
    band->literal = share_of(literal, after ? std::optional(*after - frequent_of(listed_after, count)) : after);
    GAUZE_TRY(const auto gone_before, vanish_before.count(count, counter));
    if (!gone_before) continue;
    GAUZE_TRY(const auto gone_after, vanish_after.count(count, counter));
    band->ideal =
        share_of(*before - *gone_before, after && gone_after ? std::optional(*after - *gone_after) : std::nullopt);
  }
  metrics.artifactual.total = found;
  if (only_taken) metrics.artifactual.part = 0;
  const auto is_counted = [](const BandMetrics& band) { return band.literal.part && band.ideal.part; };
  if (!std::all_of(metrics.bands.begin(), metrics.bands.end(), is_counted)) {
    // From the lowest threshold whose sets could be counted: no others can be gone through.
    const auto first = std::find_if(metrics.bands.begin(), metrics.bands.end(),
                                    [](const BandMetrics& band) { return band.literal.total.has_value(); });
    if (first == metrics.bands.end()) return {};
    GAUZE_TRY(const std::vector<DrawnSet> drawn,
              draw_sets(original, released, first->min_count, limits.drawn_sets, counter));
    for (auto band = first; band != metrics.bands.end(); ++band) estimate_losses(*band, drawn, listed);
  }
  if (only_taken || !found) return {};
  GAUZE_TRY(const std::vector<DrawnSet> drawn, draw_sets(released, original, lowest, limits.drawn_sets, counter));
  const auto gained =
      std::count_if(drawn.begin(), drawn.end(), [&](const DrawnSet& one) { return one.after < lowest; });
  estimate_lost(metrics.artifactual, drawn.size(), static_cast<std::uint64_t>(gained));
  return {};
}

}  // namespace gauze::patterns::internal
