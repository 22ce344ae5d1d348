#include "gauze/patterns/audit/hiding_metrics.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "gauze/patterns/mining/miner.h"

namespace gauze::patterns {
namespace {

constexpr std::array<double, 5> kFactors = {1, 1.05, 1.1, 1.25, 1.5};
constexpr std::uint64_t kMostSets = 2'000'000;

}  // namespace

Result<HidingMetrics> measure_hiding(const Database& original, const Database& released,
                                     const std::vector<Itemset>& sensitive, std::uint64_t min_count,
                                     Progress& progress) {
  HidingMetrics metrics;
  metrics.dissimilarity = original.items.empty()
                              ? 0
                              : static_cast<double>(original.items.size() - released.items.size()) /
                                    static_cast<double>(original.items.size());
  const std::vector<std::uint64_t> left = supports(released, sensitive);
  const auto failed =
      std::count_if(left.begin(), left.end(), [&](std::uint64_t count) { return count >= min_count; });
  metrics.hiding_failure =
      sensitive.empty() ? 0 : static_cast<double>(failed) / static_cast<double>(sensitive.size());
  for (const double factor : kFactors) {
    BandMetrics band;
    band.factor = factor;
    band.min_count = static_cast<std::uint64_t>(std::ceil(factor * static_cast<double>(min_count) - 1e-9));
    metrics.bands.push_back(band);
  }
  MiningOptions options;
  options.min_count = min_count;
  options.max_itemsets = kMostSets;
  std::map<Itemset, std::uint64_t> after;
  const auto keep = [&](std::span<const Item> set, std::uint64_t support) {
    after.emplace(Itemset(set.begin(), set.end()), support);
    return true;
  };
  GAUZE_TRY(const MiningCounts mined, mine_itemsets(released, options, keep, progress));
  const auto compare = [&](std::span<const Item> set, std::uint64_t support) {
    const Itemset key(set.begin(), set.end());
    if (std::find(sensitive.begin(), sensitive.end(), key) != sensitive.end()) return true;
    const bool must_vanish =
        std::any_of(sensitive.begin(), sensitive.end(), [&](const Itemset& one) { return holds(set, one); });
    const auto found = after.find(key);
    const std::uint64_t now = found == after.end() ? 0 : found->second;
    for (BandMetrics& band : metrics.bands) {
      if (support < band.min_count) continue;
      const std::uint64_t lost = now < band.min_count ? 1 : 0;
      band.literal_total += 1;
      band.literal_lost += lost;
      band.ideal_total += must_vanish ? 0 : 1;
      band.ideal_lost += must_vanish ? 0 : lost;
    }
    return true;
  };
  GAUZE_TRY(const MiningCounts compared, mine_itemsets(original, options, compare, progress));
  metrics.complete = mined.complete && compared.complete;
  return metrics;
}

}  // namespace gauze::patterns
