#include "gauze/release/job/bounded_units.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace gauze::release {

using namespace schema;  // the vocabulary of this file

BoundedUnits::BoundedUnits(const CodedTuples& coded, std::span<const std::uint64_t> counts,
                           std::span<const std::uint32_t> ids)
    : outside_(coded.domain->size()) {
  contributions_.reserve(counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) contributions_.push_back({ids[i], coded.cells[i], counts[i]});
  const auto key = [](const Contribution& one) { return std::tie(one.id, one.cell); };
  std::sort(contributions_.begin(), contributions_.end(),
            [&](const Contribution& a, const Contribution& b) { return key(a) < key(b); });
  std::size_t kept = 0;
  for (const Contribution& one : contributions_) {
    if (kept > 0 && key(contributions_[kept - 1]) == key(one))
      contributions_[kept - 1].rows += one.rows;
    else
      contributions_[kept++] = one;
  }
  contributions_.resize(kept);
}

Histogram BoundedUnits::count(RandomWords& random, const UnitBounds& bounds) const {
  Histogram histogram;
  std::vector<std::size_t> chosen;
  for (std::size_t begin = 0; begin < contributions_.size();) {
    std::size_t end = begin;
    chosen.clear();
    while (end < contributions_.size() && contributions_[end].id == contributions_[begin].id) chosen.push_back(end++);
    if (chosen.size() > bounds.max_classes) {
      // The first max_classes of a random order.
      for (std::size_t i = 0; i < bounds.max_classes; ++i)
        std::swap(chosen[i], chosen[i + random.below(chosen.size() - i)]);
      chosen.resize(bounds.max_classes);
    }
    for (const std::size_t i : chosen)
      histogram.add(contributions_[i].cell, std::min(contributions_[i].rows, bounds.max_rows), outside_);
    begin = end;
  }
  histogram.merge();
  return histogram;
}

std::vector<std::uint64_t> cap_rows(RandomWords& random, std::span<const std::uint64_t> counts,
                                    std::span<const std::uint32_t> ids, std::uint64_t most) {
  std::vector<std::size_t> order(counts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  std::vector<std::uint64_t> kept(counts.size(), 0);
  std::unordered_map<std::uint32_t, std::uint64_t> taken;
  for (const std::size_t i : order) {
    std::uint64_t& so_far = taken[ids[i]];
    kept[i] = std::min(counts[i], most - so_far);
    so_far += kept[i];
  }
  return kept;
}

}  // namespace gauze::release
