// FHSAR: Weng, Chen, Lo, "A novel algorithm for completely hiding sensitive association rules", ISDA 2008. A transaction weighs
// max |R_k| / 2^(length - 1), R_k being the patterns it holds that have item k: the heaviest is changed first, in that item.
// The paper breaks ties at random; here the more frequent item goes, then the smaller, and of transactions the first.
#include <bit>
#include <queue>

#include "gauze/patterns/hiding/internal/hiding_work.h"

namespace gauze::patterns::internal {
namespace {

/// m / 2^(length - 1) with m >= 1, ordered exactly whatever the length.
struct Weight {
  std::int64_t exponent = 0;
  std::uint64_t mantissa = 0;

  static Weight of(std::uint64_t most, std::uint64_t length) {
    const auto width = static_cast<int>(std::bit_width(most));
    return {width - static_cast<std::int64_t>(length), most << (64 - width)};
  }
  auto operator<=>(const Weight&) const = default;
};

struct Waiting {
  Weight weight;
  std::size_t row = 0;
  std::uint64_t length = 0;  // of items that are there definitely

  bool operator<(const Waiting& other) const {
    if (const auto order = weight <=> other.weight; order != 0) return order < 0;
    return row > other.row;
  }
};

/// How many live patterns that the row holds would each of its items hide a transaction of.
std::map<Item, std::size_t> shared_in(const HidingWork& work, std::size_t row) {
  std::map<Item, std::size_t> shared;
  for (const std::size_t p : work.live) {
    if (!work.state.holds_now(row, work.items(p))) continue;
    for (const Item item : work.victims(p)) ++shared[item];
  }
  return shared;
}

std::size_t most_of(const std::map<Item, std::size_t>& shared) {
  std::size_t most = 0;
  for (const auto& [item, patterns] : shared) most = std::max(most, patterns);
  return most;
}

std::uint64_t length_now(const HidingWork& work, std::size_t row) {
  std::uint64_t length = 0;
  for (const Item item : work.state.database().row(row)) length += work.state.holds_now(row, {item}) ? 1 : 0;
  return length;
}

}  // namespace

Result<void> run_fhsar(HidingWork& work) {
  std::priority_queue<Waiting> queue;
  std::vector<bool> is_there(work.state.database().rows(), false);
  for (const std::size_t p : work.live)
    for (const std::size_t row : work.state.rows_of(p)) {
      if (is_there[row]) continue;
      is_there[row] = true;
      const std::uint64_t length = length_now(work, row);
      queue.push({Weight::of(most_of(shared_in(work, row)), length), row, length});
    }
  while (!queue.empty() && !work.live.empty()) {
    GAUZE_TRY_VOID(work.progress.check());
    Waiting next = queue.top();
    queue.pop();
    const auto shared = shared_in(work, next.row);
    if (shared.empty()) continue;
    // Patterns that were hidden meanwhile do not count any more: weights only fall, so that a look at the top suffices.
    const Weight weight = Weight::of(most_of(shared), next.length);
    if (weight < next.weight) {
      queue.push({weight, next.row, next.length});
      continue;
    }
    const Item victim = work.most_shared(shared);
    work.change(next.row, victim);
    if (work.options.trace) work.trace.push_back({victim, {}, 0, {shared.begin(), shared.end()}, {}, {next.row}, {}});
    work.drop_hidden();
    --next.length;
    const std::size_t most = most_of(shared_in(work, next.row));
    if (most > 0) queue.push({Weight::of(most, next.length), next.row, next.length});
  }
  for (const std::size_t p : std::vector<std::size_t>(work.live)) work.give_up(p);
  return {};
}

}  // namespace gauze::patterns::internal
