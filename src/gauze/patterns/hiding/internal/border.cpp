// Protects the border of what else is frequent.
#include <algorithm>
#include <queue>
#include <set>

#include "gauze/patterns/hiding/internal/kept_sets.h"

namespace gauze::patterns::internal {
namespace {

/// Beside other costs the damage to other sets, the number of changes and of rows only break ties.
constexpr double kTie = 1e-6;

/// A change is made when it costs at most so many times what the next one seemed to cost: nearly all costs creep upwards with
/// every change, and looking for the very cheapest each time would mean to look at all of them each time.
constexpr double kPatience = 1.02;

struct Candidate {
  double price = 0;
  std::size_t row = 0;
  Item item = 0;
  bool operator>(const Candidate& other) const {
    if (price != other.price) return price > other.price;
    return row != other.row ? row > other.row : item > other.item;
  }
};

/// How many decoys an item could get: rows that hold the rest of a pattern and lack it. Where they are too few for the marks on
/// the item, marks there could be told apart from decoys; another item is better.
class DecoyPrices {
 public:
  explicit DecoyPrices(const HidingWork& work) : decoys_(work.options.decoys) {
    if (decoys_ <= 0) return;
    std::vector<Itemset> sets;
    std::vector<std::pair<Item, std::size_t>> of;
    for (const std::size_t p : work.live) {
      for (const Item item : work.victims(p)) {
        sets.push_back(work.items(p));
        std::erase(sets.back(), item);
        of.emplace_back(item, p);
      }
    }
    const std::vector<std::uint64_t> counts = supports(work.state.database(), sets);
    for (std::size_t i = 0; i < of.size(); ++i)
      places_[of[i].first] += counts[i] - work.state.original_rows_of(of[i].second).size();
  }
  /// What another mark on the item costs, in lost sets.
  [[nodiscard]] double cost(Item item) const {
    if (decoys_ <= 0) return 0;
    const auto marks = marks_.find(item);
    const double wanted = decoys_ * static_cast<double>(marks == marks_.end() ? 1 : marks->second + 1);
    return wanted > static_cast<double>(places_.at(item)) ? 1 : 0;
  }
  void mark(Item item) { ++marks_[item]; }

 private:
  double decoys_;
  std::map<Item, std::uint64_t> places_;
  std::map<Item, std::uint64_t> marks_;
};

}  // namespace

/// Greedy: the change with the least damage for what it hides. Damage mostly grows as sets lose rows, so that a queue whose
/// entries are looked at again when they come up finds the cheapest.
Result<void> run_border(HidingWork& work) {
  if (work.live.empty()) return {};
  if (!work.kept) {
    GAUZE_TRY(KeptSets found, KeptSets::find(work));
    work.kept = std::make_shared<KeptSets>(std::move(found));
    if (!work.kept->is_whole())
      work.warnings.push_back(
          {std::string(kPartProtected),
           fmt::format("too many other itemsets are frequent to look at them all: border protects "
                       "{} of them, drawn at random, and may lose more of the others",
                       work.kept->sets().size())});
  }
  KeptSets& kept = *work.kept;
  kept.reset();
  // The sets were counted in the original; what has been changed before (in an earlier round) is lost to them.
  std::set<std::size_t> touched;
  for (const Edit& edit : work.state.edits()) {
    touched.insert(edit.row);
    if (edit.operation != Operation::decoy) kept.lose(edit.row, edit.item);
  }
  const auto benefit = [&](std::size_t row, Item item) {
    return std::count_if(work.live.begin(), work.live.end(), [&](std::size_t p) {
      const Itemset& victims = work.victims(p);
      return std::binary_search(victims.begin(), victims.end(), item) && work.state.holds_now(row, work.items(p));
    });
  };
  const HidingObjective& objective = work.options.objective;
  DecoyPrices decoys(work);
  const auto price = [&](std::size_t row, Item item, double hides) {
    const double damage = kept.cost(row, item) / kLostSet;
    const double fresh = objective.rows > 0 && !touched.contains(row) ? objective.rows : 0;
    return ((objective.losses + kTie) * damage + objective.marks + fresh + decoys.cost(item) + kTie * kTie) / hides;
  };
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  std::set<std::pair<std::size_t, Item>> seen;
  for (const std::size_t p : work.live)
    for (const std::size_t row : work.state.rows_of(p))
      for (const Item item : work.victims(p))
        if (seen.emplace(row, item).second)
          queue.push({price(row, item, static_cast<double>(benefit(row, item))), row, item});
  std::uint64_t steps = 0;
  while (!work.live.empty()) {
    if (queue.empty()) {
      while (!work.live.empty()) work.give_up(work.live.front());
      break;
    }
    if (++steps % 256 == 0) GAUZE_TRY_VOID(work.progress.check());
    const Candidate one = queue.top();
    queue.pop();
    const auto hides = benefit(one.row, one.item);
    if (hides == 0) continue;
    const double now = price(one.row, one.item, static_cast<double>(hides));
    if (now > one.price && !queue.empty() && now > kPatience * queue.top().price) {
      queue.push({now, one.row, one.item});
      continue;
    }
    kept.lose(one.row, one.item);
    touched.insert(one.row);
    work.change(one.row, one.item);
    decoys.mark(one.item);
    if (work.options.trace)
      work.trace.push_back({one.item, std::nullopt, static_cast<std::uint64_t>(hides), {}, {}, {one.row}, now});
    work.drop_hidden();
  }
  return {};
}

}  // namespace gauze::patterns::internal
