#pragma once

#include <set>
#include <string>
#include <vector>

#include "gauze/patterns/hiding/hide.h"
#include "gauze/patterns/mining/miner.h"
#include "gauze/random/seeded_random.h"

namespace gauze::patterns {

/// Five frequent sets of two items or more, drawn at random: what experiments on hiding call sensitive.
inline std::vector<SensitiveList> random_selections(const Database& database, std::uint64_t min_count,
                                                    std::size_t selections) {
  std::vector<Itemset> sets;
  MiningOptions mining;
  mining.min_count = min_count;
  Progress progress;
  const auto keep = [&](std::span<const Item> set, std::uint64_t) {
    if (set.size() > 1) sets.emplace_back(set.begin(), set.end());
    return true;
  };
  static_cast<void>(mine_itemsets(database, mining, keep, progress));
  SeededRandom random(20261115);
  std::vector<SensitiveList> result;
  while (result.size() < selections) {
    std::set<Itemset> chosen;
    while (chosen.size() < 5) chosen.insert(sets[random.below(sets.size())]);
    SensitiveList list;
    for (const Itemset& set : chosen) list.patterns.push_back({set, {}, "", list.patterns.size() + 1, {}});
    result.push_back(std::move(list));
  }
  return result;
}

}  // namespace gauze::patterns
