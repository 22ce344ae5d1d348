// The published algorithms.
#include <algorithm>
#include <set>

#include "gauze/patterns/hiding/internal/hiding_work.h"
#include "gauze/random/seeded_random.h"

namespace gauze::patterns::internal {
namespace {

/// Changes the victim in these rows, in order, until the pattern is hidden.
void change_until_hidden(HidingWork& work, std::size_t p, Item victim,
                         std::vector<std::pair<std::size_t, std::size_t>> order) {
  TraceStep step{victim, p, work.state.standing(p).definite, {}, {}, {}, {}};
  for (const auto& [row, conflicts] : order) {
    if (work.is_hidden(p)) break;
    if (!work.state.holds_now(row, work.items(p))) continue;
    work.change(row, victim);
    step.changed.push_back(row);
  }
  if (work.options.trace) {
    step.order = std::move(order);
    work.trace.push_back(std::move(step));
  }
  if (!work.is_hidden(p)) work.give_up(p);
}

Item extreme_item(const HidingWork& work, std::size_t p, bool rarest) {
  Item victim = work.items(p).front();
  for (const Item item : work.items(p)) {
    const std::uint64_t a = work.state.frequency(item);
    const std::uint64_t b = work.state.frequency(victim);
    if (a != b ? (rarest ? a < b : a > b) : work.is_smaller(item, victim)) victim = item;
  }
  return victim;
}

}  // namespace

Result<void> run_psh(HidingWork& work) {
  while (!work.live.empty()) {
    GAUZE_TRY_VOID(work.progress.check());
    std::map<Item, std::size_t> shared;
    for (const auto* list : {&work.live, &work.counted})
      for (const std::size_t p : *list)
        for (const Item item : work.items(p)) ++shared[item];
    for (const Itemset& one : work.absent)
      for (const Item item : one) ++shared[item];
    const Item victim = work.most_shared(shared);
    std::optional<std::size_t> chosen;
    for (const std::size_t p : work.live) {
      if (!std::binary_search(work.items(p).begin(), work.items(p).end(), victim)) continue;
      if (!chosen || work.state.standing(p).definite > work.state.standing(*chosen).definite) chosen = p;
    }
    if (chosen) {
      change_until_hidden(work, *chosen, victim, work.rows_by_conflicts(*chosen));
      const auto end = shared.lower_bound(static_cast<Item>(work.state.database().names.size()));
      if (work.options.trace) work.trace.back().shared.assign(shared.begin(), end);
    }
    // As published, patterns hidden from the start count in the first choice alone: then all below are dropped.
    work.drop_hidden();
  }
  return {};
}

Result<void> run_by_pattern(HidingWork& work) {
  const HidingAlgorithm algorithm = work.options.algorithm;
  SeededRandom random(work.options.seed.value_or(1));
  std::vector<std::size_t> order = work.live;
  if (algorithm == HidingAlgorithm::gih)
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return work.state.standing(a).definite > work.state.standing(b).definite;
    });
  for (const std::size_t p : order) {
    GAUZE_TRY_VOID(work.progress.check());
    if (work.is_hidden(p)) continue;
    if (algorithm == HidingAlgorithm::random) {
      std::vector<std::size_t> rows = work.state.rows_of(p);
      for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[random.below(i)]);
      for (std::size_t i = 0; i < rows.size() && !work.is_hidden(p); ++i) {
        const Item victim = work.items(p)[random.below(work.items(p).size())];
        const std::uint64_t support = work.state.standing(p).definite;
        work.change(rows[i], victim);
        if (work.options.trace) work.trace.push_back({victim, p, support, {}, {}, {rows[i]}, {}});
      }
      if (!work.is_hidden(p)) work.give_up(p);
      continue;
    }
    auto rows = work.rows_by_conflicts(p);
    if (algorithm == HidingAlgorithm::gih)
      std::sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) {
        const std::size_t of_a = work.state.length(a.first);
        const std::size_t of_b = work.state.length(b.first);
        return of_a != of_b ? of_a < of_b : a.first < b.first;
      });
    // MinFIA and MaxFIA take transactions "in ascending order of degree of conflict": so are they described, after Oliveira and
    // Zaiane, "Privacy preserving frequent itemset mining" (2002), by Gkoulalas-Divanis and Verykios, "Association Rule Hiding
    // for Data Mining" (2010), chapter 6.
    if (algorithm == HidingAlgorithm::minfia || algorithm == HidingAlgorithm::maxfia)
      std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    change_until_hidden(work, p, extreme_item(work, p, algorithm == HidingAlgorithm::minfia), std::move(rows));
  }
  work.live.clear();
  return {};
}

/// Patterns are grouped by the items they share, the largest group first; a pattern belongs to the first group that takes it.
/// The rarest of the items that a whole group shares is its victim, in the transactions that hold most patterns.
Result<void> run_iga(HidingWork& work) {
  std::set<std::size_t> waiting(work.live.begin(), work.live.end());
  while (!waiting.empty()) {
    GAUZE_TRY_VOID(work.progress.check());
    std::map<Item, std::vector<std::size_t>> groups;
    for (const std::size_t p : waiting)
      for (const Item item : work.items(p)) groups[item].push_back(p);
    const auto is_worse = [&](const auto& a, const auto& b) {
      if (a.second.size() != b.second.size()) return a.second.size() < b.second.size();
      const std::uint64_t of_a = work.state.frequency(a.first);
      const std::uint64_t of_b = work.state.frequency(b.first);
      return of_a != of_b ? of_a > of_b : work.is_smaller(b.first, a.first);
    };
    const auto group = *std::max_element(groups.begin(), groups.end(), is_worse);
    for (const std::size_t p : group.second) {
      waiting.erase(p);
      if (!work.is_hidden(p)) change_until_hidden(work, p, group.first, work.rows_by_conflicts(p));
    }
  }
  work.live.clear();
  return {};
}

/// In every window of transactions by itself the patterns are hidden at the level: shares below the threshold in each part
/// are below it in the whole. Of a transaction's patterns the item that most of them share is the victim; the shortest
/// transactions come first. Rules are hidden by their support, since confidences do not add up like that.
Result<void> run_swa(HidingWork& work) {
  const std::size_t rows = work.state.database().rows();
  for (std::size_t begin = 0; begin < rows; begin += work.options.window) {
    GAUZE_TRY_VOID(work.progress.check());
    const std::size_t end = std::min(rows, begin + work.options.window);
    for (const std::size_t p : work.live) {
      HidingThreshold threshold = work.patterns[p].threshold;
      threshold.confidence.reset();
      threshold.margin = 0;
      threshold.count = min_count_for(threshold.share, end - begin);
      std::vector<std::size_t> window;
      for (std::size_t row = begin; row < end; ++row)
        if (work.state.holds_now(row, work.items(p))) window.push_back(row);
      std::stable_sort(window.begin(), window.end(),
                       [&](std::size_t a, std::size_t b) { return work.state.length(a) < work.state.length(b); });
      PatternStanding standing;  // of this window; rows that other patterns' marks touched may come on top
      standing.definite = window.size();
      for (const std::size_t row : window) {
        if (level_of(standing, threshold, end - begin) >= work.options.level) break;
        std::map<Item, std::size_t> shared;
        for (const Item item : work.items(p)) shared[item] = 0;
        for (const std::size_t other : work.live)
          if (work.state.holds_now(row, work.items(other)))
            for (const Item item : work.items(other))
              if (shared.contains(item)) ++shared[item];
        const Item victim = work.most_shared(shared);
        if (work.options.trace) work.trace.push_back({victim, p, work.state.standing(p).definite, {}, {}, {row}, {}});
        work.change(row, victim);
        --standing.definite;
        if (work.state.edits().back().operation == Operation::mark) {
          ++standing.undetermined;
          ++standing.touched;
        }
      }
    }
  }
  // What is left over: a margin, marks of one pattern that leave another open.
  for (const std::size_t p : std::vector<std::size_t>(work.live))
    if (!work.is_hidden(p)) change_until_hidden(work, p, extreme_item(work, p, false), work.rows_by_conflicts(p));
  work.live.clear();
  return {};
}

}  // namespace gauze::patterns::internal
