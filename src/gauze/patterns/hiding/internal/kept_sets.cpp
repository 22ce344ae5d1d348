#include "gauze/patterns/hiding/internal/kept_sets.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gauze/patterns/mining/miner.h"
#include "gauze/random/seeded_random.h"

namespace gauze::patterns::internal {
namespace {

/// Thresholds, as multiples of the one given, at which other patterns should survive.
constexpr std::array<double, 5> kBand = {1, 1.05, 1.1, 1.25, 1.5};
constexpr double kLostInTheBand = 100;
/// How many sets are mined for one that is protected.
constexpr std::uint64_t kMinedForOne = 4;
/// Pairs of set and transaction that are kept in memory: half a gigabyte. Beyond, the sets with the most slack are left out.
constexpr std::uint64_t kMostPairs = std::uint64_t{1} << 27;

}  // namespace

Result<KeptSets> KeptSets::find(const HidingWork& work) {
  KeptSets kept;
  const Database& database = work.state.database();
  for (const double factor : kBand)
    kept.thresholds_.push_back(
        static_cast<std::uint64_t>(std::ceil(factor * static_cast<double>(work.options.min_count) - 1e-9)));
  std::vector<bool> may_change(database.names.size(), false);
  kept.bits_.assign(database.names.size(), 0);
  for (std::size_t p = 0; p < work.patterns.size(); ++p) {
    for (const Item item : work.victims(p)) {
      if (may_change[item]) continue;
      may_change[item] = true;
      kept.bits_[item] = std::uint64_t{1} << (kept.victims_++ % 64);
    }
    const std::vector<std::size_t>& rows = work.state.original_rows_of(p);
    kept.rows_.insert(kept.rows_.end(), rows.begin(), rows.end());
  }
  std::sort(kept.rows_.begin(), kept.rows_.end());
  kept.rows_.erase(std::unique(kept.rows_.begin(), kept.rows_.end()), kept.rows_.end());
  MiningOptions mining;
  mining.min_count = work.options.min_count;
  const std::uint64_t most = work.options.protected_sets;
  mining.max_itemsets = kMinedForOne * most;
  SeededRandom random(1);
  std::uint64_t seen = 0;
  const auto keep = [&](std::span<const Item> set, std::uint64_t support) {
    if (std::none_of(set.begin(), set.end(), [&](Item item) { return may_change[item]; })) return true;
    for (std::size_t p = 0; p < work.patterns.size(); ++p)
      if (holds(set, work.items(p))) return true;  // it must vanish
    ++seen;
    if (kept.sets_.size() < most)
      kept.sets_.push_back({Itemset(set.begin(), set.end()), support, support});
    else if (const std::uint64_t place = random.below(seen); place < most)
      kept.sets_[place] = {Itemset(set.begin(), set.end()), support, support};
    return true;
  };
  GAUZE_TRY(const MiningCounts counts, mine_itemsets(database, mining, keep, work.progress));
  kept.is_whole_ = counts.complete && seen <= most;
  std::stable_sort(kept.sets_.begin(), kept.sets_.end(),
                   [](const Set& a, const Set& b) { return a.support < b.support; });
  std::uint64_t pairs = 0;
  std::size_t count = 0;
  while (count < kept.sets_.size() && pairs <= kMostPairs)
    pairs += std::min<std::uint64_t>(kept.sets_[count++].support, kept.rows_.size());
  kept.sets_.resize(count);
  kept.weights_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (const Item item : kept.sets_[i].items) kept.weights_[i].items |= kept.bits_[item];
    kept.reweigh(i);
  }
  kept.find_rows(work);
  return kept;
}

void KeptSets::reweigh(std::size_t set) {
  double sum = 0;
  for (std::size_t i = 0; i < thresholds_.size(); ++i) {
    if (sets_[set].support < thresholds_[i]) continue;
    const std::uint64_t slack = sets_[set].support - thresholds_[i];
    sum += slack > 0 ? 1 / static_cast<double>(slack + 1) : i == 0 ? kLostSet : kLostInTheBand;
  }
  weights_[set].value = sum;
}

void KeptSets::find_rows(const HidingWork& work) {
  const Database& database = work.state.database();
  // The rows of each item, one bit each, of the items that the sets have.
  const std::size_t words = (rows_.size() + 63) / 64;
  std::vector<std::vector<std::uint64_t>> bits(database.names.size());
  for (const Set& set : sets_)
    for (const Item item : set.items)
      if (bits[item].empty()) bits[item].assign(words, 0);
  for (std::size_t r = 0; r < rows_.size(); ++r)
    for (std::size_t i = database.starts[rows_[r]]; i < database.starts[rows_[r] + 1]; ++i)
      if (!bits[database.items[i]].empty()) bits[database.items[i]][r / 64] |= std::uint64_t{1} << (r % 64);
  std::vector<std::uint64_t> held(words);
  const auto for_rows_of = [&](const Set& set, const auto& body) {
    held = bits[set.items.front()];
    for (std::size_t i = 1; i < set.items.size(); ++i)
      for (std::size_t w = 0; w < words; ++w) held[w] &= bits[set.items[i]][w];
    for (std::size_t w = 0; w < words; ++w)
      for (std::uint64_t left = held[w]; left != 0; left &= left - 1)
        body(w * 64 + static_cast<std::size_t>(__builtin_ctzll(left)));
  };
  starts_.assign(rows_.size() + 1, 0);
  for (const Set& set : sets_) for_rows_of(set, [&](std::size_t r) { ++starts_[r + 1]; });
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  held_.resize(starts_.back());
  ends_.assign(starts_.begin(), starts_.end() - 1);
  for (std::size_t i = 0; i < sets_.size(); ++i)
    for_rows_of(sets_[i], [&](std::size_t r) { held_[ends_[r]++] = static_cast<std::uint32_t>(i); });
  full_ends_ = ends_;
}

std::size_t KeptSets::place(std::size_t row) const {
  return static_cast<std::size_t>(std::lower_bound(rows_.begin(), rows_.end(), row) - rows_.begin());
}

std::span<const std::uint32_t> KeptSets::held_by(std::size_t row) const {
  const std::size_t r = place(row);
  return std::span(held_).subspan(starts_[r], ends_[r] - starts_[r]);
}

double KeptSets::cost(std::size_t row, Item item) const {
  const std::uint64_t bit = bits_[item];
  double sum = 0;
  if (victims_ <= 64) {
    for (const std::uint32_t set : held_by(row))
      if ((weights_[set].items & bit) != 0) sum += weights_[set].value;
    return sum;
  }
  for (const std::uint32_t set : held_by(row)) {
    if ((weights_[set].items & bit) != 0 && has(set, item)) sum += weights_[set].value;
  }
  return sum;
}

bool KeptSets::has(std::size_t set, Item item) const {
  const Itemset& items = sets_[set].items;
  return std::find(items.begin(), items.end(), item) != items.end();
}

void KeptSets::lose(std::size_t row, Item item) {
  const std::size_t r = place(row);
  for (std::size_t i = starts_[r]; i < ends_[r];) {
    if (!has(held_[i], item)) {
      ++i;
      continue;
    }
    --sets_[held_[i]].support;
    reweigh(held_[i]);
    std::swap(held_[i], held_[--ends_[r]]);  // kept behind the end, for reset()
  }
}

void KeptSets::reset() {
  ends_ = full_ends_;
  for (std::size_t i = 0; i < sets_.size(); ++i) {
    sets_[i].support = sets_[i].before;
    reweigh(i);
  }
}

std::vector<std::uint64_t> KeptSets::lost() const {
  std::vector<std::uint64_t> result;
  for (const std::uint64_t threshold : thresholds_)
    result.push_back(static_cast<std::uint64_t>(std::count_if(sets_.begin(), sets_.end(), [&](const Set& set) {
      return set.before >= threshold && set.support < threshold;
    })));
  return result;
}

}  // namespace gauze::patterns::internal
