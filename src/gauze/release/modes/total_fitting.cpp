#include "gauze/release/modes/total_fitting.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gauze::release {
namespace {

/// Adds `amount` to the counts in `chosen`, as evenly as whole numbers allow: the first ones get one more.
void add_evenly(std::vector<std::int64_t>& counts, const std::vector<std::size_t>& chosen, std::int64_t amount) {
  const auto size = static_cast<std::int64_t>(chosen.size());
  for (std::int64_t i = 0; i < size; ++i)
    counts[chosen[static_cast<std::size_t>(i)]] += amount / size + (i < amount % size ? 1 : 0);
}

/// Takes `excess` off, nobody falling below the floor: the water level among the counts above it.
void lower(std::vector<std::int64_t>& counts, std::vector<std::size_t> order, std::int64_t excess,
           std::int64_t floor) {
  // By size, smallest first: who can give least gives all it has above the floor, and the others share the rest.
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return counts[a] < counts[b]; });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto left = static_cast<std::int64_t>(order.size() - i);
    const std::int64_t share = excess / left + (excess % left != 0 ? 1 : 0);
    const std::int64_t given = std::min({share, counts[order[i]] - floor, excess});
    counts[order[i]] -= given;
    excess -= given;
  }
}

}  // namespace

FittedCounts fit_to_total(const std::vector<std::int64_t>& noisy, const TotalFitting& fitting) {
  FittedCounts result{noisy, 0};
  const std::int64_t total = std::max<std::int64_t>(0, fitting.total);
  std::vector<std::size_t> order(noisy.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return noisy[a] > noisy[b]; });
  const auto explained = static_cast<std::int64_t>(std::llround(2 * fitting.spread));
  if (!fitting.doubtful.empty()) {
    std::int64_t all = std::accumulate(noisy.begin(), noisy.end(), std::int64_t{0});
    for (std::size_t place = order.size(); place-- > 0 && all > total + explained;) {
      if (!fitting.doubtful[order[place]]) continue;
      all -= noisy[order[place]];
      result.counts[order[place]] = 0;
      order.erase(order.begin() + static_cast<std::ptrdiff_t>(place));
    }
  }
  // The smallest drop out until the rest can stand on the floor.
  const std::int64_t floor = std::max<std::int64_t>(fitting.floor, 1);
  const auto room = static_cast<std::size_t>(total / floor);
  while (order.size() > room) {
    result.counts[order.back()] = 0;
    order.pop_back();
  }
  std::sort(order.begin(), order.end());
  std::int64_t sum = 0;
  for (const std::size_t i : order) {
    result.counts[i] = std::max(result.counts[i], floor);
    sum += result.counts[i];
  }
  if (order.empty()) {
    result.remainder = total;
    return result;
  }
  // An even share of the excess would leave some with less than half of what they must have: they were noise, most likely,
  // and the others should not pay for them. The smallest first.
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return result.counts[a] > result.counts[b]; });
  while (sum > total && order.size() > 1) {
    const std::int64_t smallest = result.counts[order.back()];
    const std::int64_t share = (sum - total) / static_cast<std::int64_t>(order.size());
    if (2 * (smallest - share) >= floor) break;
    sum -= smallest;
    result.counts[order.back()] = 0;
    order.pop_back();
  }
  std::sort(order.begin(), order.end());
  if (sum > total) {
    lower(result.counts, order, sum - total, floor);
    return result;
  }
  const std::int64_t spread = std::min(total - sum, explained);
  add_evenly(result.counts, order, spread);
  result.remainder = total - sum - spread;
  return result;
}

}  // namespace gauze::release
