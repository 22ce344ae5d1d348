#include "gauze/anonymize/criteria/reference_distribution.h"

#include <algorithm>

namespace gauze::anonymize {

ReferenceDistribution::ReferenceDistribution(const SensitiveColumn& column) : column_(column) {
  count(column.totals);
}

void ReferenceDistribution::count(std::span<const std::uint64_t> totals) {
  totals_.assign(totals.begin(), totals.end());
  rank_.assign(totals_.size(), UINT32_MAX);
  up_to_.assign(1, 0);
  up_to_sums_.assign(1, 0);
  for (const std::uint32_t code : column_.order) {
    if (totals_[code] == 0) continue;
    rank_[code] = static_cast<std::uint32_t>(values());
    up_to_.push_back(up_to_.back() + totals_[code]);
    up_to_sums_.push_back(up_to_sums_.back() + up_to_.back());
  }
  up_to_as_double_.assign(up_to_.begin(), up_to_.end());
  below_.clear();
  for (const std::vector<std::uint32_t>& parents : column_.parents) {
    if (below_.empty()) {
      below_.push_back(totals_);
    } else {
      const std::vector<std::uint32_t>& up = column_.parents[below_.size() - 1];
      std::vector<std::uint64_t> sums(parents.size(), 0);
      for (std::size_t node = 0; node < up.size(); ++node) sums[up[node]] += below_.back()[node];
      below_.push_back(std::move(sums));
    }
  }
}

std::size_t ReferenceDistribution::first_above(std::size_t from, std::size_t to, double records) const {
  constexpr std::size_t kFew = 24;
  const double* const seen = up_to_as_double_.data() + 1;
  if (to - from <= kFew) {
    std::size_t count = from;  // without a branch: counting all is quicker than a guess that fails
    for (std::size_t rank = from; rank < to; ++rank) count += seen[rank] <= records ? 1 : 0;
    return count;
  }
  return static_cast<std::size_t>(
      std::partition_point(seen + from, seen + to, [&](double one) { return one <= records; }) - seen);
}

}  // namespace gauze::anonymize
