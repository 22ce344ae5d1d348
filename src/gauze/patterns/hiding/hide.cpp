#include "gauze/patterns/hiding/hide.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <queue>

#include "gauze/patterns/mining/miner.h"
#include "gauze/random/seeded_random.h"

namespace gauze::patterns {
namespace {

/// Thresholds, as multiples of the one given, at which other patterns should survive.
constexpr std::array<double, 5> kBand = {1, 1.05, 1.1, 1.25, 1.5};
/// What losing a set weighs beside bringing it nearer to its loss: at the threshold itself, and elsewhere in the band.
constexpr double kLost = 1000;
constexpr double kLostInTheBand = 100;

class Hiding {
 public:
  Hiding(const Database& database, const SensitiveList& sensitive, const HidingOptions& options, Progress& progress)
      : options_(options), progress_(progress), state_(database, itemsets(sensitive)) {
    for (const SensitivePattern& one : sensitive.patterns) {
      HidingThreshold threshold{options.min_count, options.min_support, options.margin};
      if (one.min_support) {
        threshold.share = *one.min_support;
        threshold.count = min_count_for(*one.min_support, database.rows());
      }
      patterns_.push_back({one, threshold, {}, {}, HidingLevel::none});
    }
    for (std::size_t p = 0; p < patterns_.size(); ++p) patterns_[p].before = state_.standing(p);
  }

  Result<HidingResult> run(std::vector<std::string> notices) {
    for (std::size_t p = 0; p < patterns_.size(); ++p) {
      if (is_hidden(p))
        notices.push_back(fmt::format("line {}: hidden from the start", patterns_[p].pattern.line));
      else
        live_.push_back(p);
      if (options_.as_published && is_hidden(p)) counted_.push_back(p);
    }
    // A mark on a shared item leaves more rows open for patterns that were hidden already: look again until all are.
    while (!live_.empty()) {
      GAUZE_TRY_VOID(run_once());
      for (std::size_t p = 0; p < patterns_.size(); ++p)
        if (!is_hidden(p)) live_.push_back(p);
    }
    HidingResult result;
    result.released = state_.released();
    // The verdict is that of the released transactions, looked at anew.
    const HidingState verdict(result.released, itemsets_of_patterns());
    for (std::size_t p = 0; p < patterns_.size(); ++p) {
      patterns_[p].after = verdict.standing(p);
      patterns_[p].level = level_of(patterns_[p].after, patterns_[p].threshold, state_.database().rows());
      result.level = std::min(result.level, patterns_[p].level);
    }
    result.edits = state_.edits();
    result.patterns = std::move(patterns_);
    result.notices = std::move(notices);
    return result;
  }

 private:
  /// Ends with no live pattern, or an error.
  Result<void> run_once() {
    switch (options_.algorithm) {
      case HidingAlgorithm::psh:
        return run_psh();
      case HidingAlgorithm::border:
        return run_border();
      default:
        return run_by_pattern();
    }
  }
  static std::vector<Itemset> itemsets(const SensitiveList& sensitive) {
    std::vector<Itemset> sets;
    for (const SensitivePattern& one : sensitive.patterns) sets.push_back(one.items);
    return sets;
  }
  [[nodiscard]] std::vector<Itemset> itemsets_of_patterns() const {
    std::vector<Itemset> sets;
    for (const HiddenPattern& one : patterns_) sets.push_back(one.pattern.items);
    return sets;
  }
  [[nodiscard]] const Itemset& items(std::size_t p) const { return patterns_[p].pattern.items; }
  [[nodiscard]] bool is_hidden(std::size_t p) const {
    return level_of(state_.standing(p), patterns_[p].threshold, state_.database().rows()) >= options_.level;
  }
  void drop_hidden() {
    std::erase_if(live_, [&](std::size_t p) { return is_hidden(p); });
    counted_.clear();  // as published they count in the first choice alone: then all below the threshold are dropped
  }
  Result<void> cannot(std::size_t p) const {
    return make_error(ErrorCode::infeasible,
                      "the pattern of line {} cannot reach this level: no transaction is left to change",
                      patterns_[p].pattern.line);
  }
  void change(std::size_t row, Item item) { state_.edit({row, item, options_.operation}); }

  /// Smaller by number where all names are numbers, else bytewise.
  [[nodiscard]] bool is_smaller(Item a, Item b) const {
    const auto& names = state_.database().names;
    const auto number = [&](const std::string& name, std::uint64_t& value) {
      const auto end = name.data() + name.size();
      return std::from_chars(name.data(), end, value).ptr == end;
    };
    if (!all_numbers_) {
      all_numbers_ = std::all_of(names.begin(), names.end(), [&](const std::string& name) {
        std::uint64_t value = 0;
        return number(name, value);
      });
    }
    if (*all_numbers_) {
      std::uint64_t x = 0;
      std::uint64_t y = 0;
      number(names[a], x);
      number(names[b], y);
      if (x != y) return x < y;
    }
    return names[a] < names[b];
  }

  /// How many live patterns the row holds now.
  [[nodiscard]] std::size_t conflicts(std::size_t row) const {
    std::size_t count = 0;
    for (const std::size_t p : live_) count += state_.holds_now(row, items(p)) ? 1 : 0;
    return count;
  }

  Result<void> run_psh() {
    while (!live_.empty()) {
      GAUZE_TRY_VOID(progress_.check());
      std::map<Item, std::size_t> shared;
      for (const auto* list : {&live_, &counted_})
        for (const std::size_t p : *list)
          for (const Item item : items(p)) ++shared[item];
      std::optional<Item> victim;
      for (const auto& [item, count] : shared) {
        if (!victim || count > shared[*victim] ||
            (count == shared[*victim] &&
             (state_.frequency(item) > state_.frequency(*victim) ||
              (state_.frequency(item) == state_.frequency(*victim) && is_smaller(item, *victim)))))
          victim = item;
      }
      std::optional<std::size_t> chosen;
      for (const std::size_t p : live_) {
        if (!std::binary_search(items(p).begin(), items(p).end(), *victim)) continue;
        if (!chosen || state_.standing(p).definite > state_.standing(*chosen).definite) chosen = p;
      }
      if (!chosen) {  // only patterns that were hidden from the start hold it
        counted_.clear();
        continue;
      }
      std::vector<std::size_t> rows = state_.rows_of(*chosen);
      std::vector<std::pair<std::size_t, std::size_t>> order;  // conflicts, row
      for (const std::size_t row : rows) order.emplace_back(conflicts(row), row);
      std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
      for (const auto& [count, row] : order) {
        if (is_hidden(*chosen)) break;
        change(row, *victim);
      }
      if (!is_hidden(*chosen)) return cannot(*chosen);
      drop_hidden();
    }
    return {};
  }

  /// gih, minfia, maxfia, random: one pattern after the other.
  Result<void> run_by_pattern() {
    SeededRandom random(options_.seed);
    std::vector<std::size_t> order = live_;
    if (options_.algorithm == HidingAlgorithm::gih)
      std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return state_.standing(a).definite > state_.standing(b).definite;
      });
    for (const std::size_t p : order) {
      GAUZE_TRY_VOID(progress_.check());
      if (is_hidden(p)) continue;
      std::vector<std::size_t> rows = state_.rows_of(p);
      if (options_.algorithm == HidingAlgorithm::gih) {
        std::stable_sort(rows.begin(), rows.end(),
                         [&](std::size_t a, std::size_t b) { return state_.length(a) < state_.length(b); });
      } else if (options_.algorithm == HidingAlgorithm::random) {
        for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[random.below(i)]);
      } else {
        std::vector<std::pair<std::size_t, std::size_t>> by_conflict;
        for (const std::size_t row : rows) by_conflict.emplace_back(conflicts(row), row);
        std::stable_sort(by_conflict.begin(), by_conflict.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = by_conflict[i].second;
      }
      const Item victim = victim_of(p);
      for (const std::size_t row : rows) {
        if (is_hidden(p)) break;
        change(row, options_.algorithm == HidingAlgorithm::random ? items(p)[random.below(items(p).size())] : victim);
      }
      if (!is_hidden(p)) return cannot(p);
    }
    live_.clear();
    return {};
  }
  [[nodiscard]] Item victim_of(std::size_t p) const {
    Item victim = items(p).front();
    const bool rarest = options_.algorithm == HidingAlgorithm::minfia;
    for (const Item item : items(p)) {
      const std::uint64_t a = state_.frequency(item);
      const std::uint64_t b = state_.frequency(victim);
      if (a != b ? (rarest ? a < b : a > b) : is_smaller(item, victim)) victim = item;
    }
    return victim;
  }

  /// A frequent set that should stay frequent.
  struct Kept {
    Itemset items;
    std::uint64_t support = 0;
  };
  /// What losing one more row would mean for it: large where it is just above a threshold of the band.
  [[nodiscard]] double weight(const Kept& set) const {
    double sum = 0;
    for (const double factor : kBand) {
      const double threshold = std::ceil(factor * static_cast<double>(options_.min_count) - 1e-9);
      const double slack = static_cast<double>(set.support) - threshold;
      if (slack >= 0) sum += slack > 0 ? 1 / (slack + 1) : factor == 1 ? kLost : kLostInTheBand;
    }
    return sum;
  }
  [[nodiscard]] double cost(std::size_t row, Item item) const {
    double sum = 0;
    for (const std::size_t i : kept_of_[item])
      if (state_.holds_now(row, kept_[i].items)) sum += weight(kept_[i]);
    return sum;
  }
  [[nodiscard]] std::size_t benefit(std::size_t row, Item item) const {
    std::size_t count = 0;
    for (const std::size_t p : live_)
      count += std::binary_search(items(p).begin(), items(p).end(), item) && state_.holds_now(row, items(p)) ? 1 : 0;
    return count;
  }

  Result<void> find_kept() {
    MiningOptions mining;
    mining.min_count = options_.min_count;
    const auto keep = [&](std::span<const Item> set, std::uint64_t support) {
      for (const HiddenPattern& one : patterns_)
        if (holds(set, one.pattern.items)) return true;  // it must vanish
      kept_.push_back({Itemset(set.begin(), set.end()), support});
      return true;
    };
    GAUZE_TRY_VOID(mine_itemsets(state_.database(), mining, keep, progress_));
    kept_of_.assign(state_.database().names.size(), {});
    for (std::size_t i = 0; i < kept_.size(); ++i)
      for (const Item item : kept_[i].items) kept_of_[item].push_back(i);
    return {};
  }

  /// Greedy: the change with the least damage for what it hides. Damage only grows as sets lose rows, so that a queue whose
  /// entries are looked at again when they come up finds the cheapest.
  Result<void> run_border() {
    if (kept_of_.empty()) GAUZE_TRY_VOID(find_kept());
    struct Candidate {
      double price = 0;
      std::size_t row = 0;
      Item item = 0;
      bool operator>(const Candidate& other) const {
        if (price != other.price) return price > other.price;
        return row != other.row ? row > other.row : item > other.item;
      }
    };
    const auto price = [&](std::size_t row, Item item) {
      return (cost(row, item) + 1e-6) / static_cast<double>(benefit(row, item));
    };
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
    std::map<std::pair<std::size_t, Item>, bool> seen;
    for (const std::size_t p : live_)
      for (const std::size_t row : state_.rows_of(p))
        for (const Item item : items(p))
          if (seen.emplace(std::pair(row, item), true).second) queue.push({price(row, item), row, item});
    while (!live_.empty()) {
      if (queue.empty()) return cannot(live_.front());
      const Candidate one = queue.top();
      queue.pop();
      if (benefit(one.row, one.item) == 0) continue;
      const double now = price(one.row, one.item);
      if (now > one.price + 1e-12 && !queue.empty() && now > queue.top().price) {
        queue.push({now, one.row, one.item});
        continue;
      }
      for (const std::size_t i : kept_of_[one.item])
        if (state_.holds_now(one.row, kept_[i].items)) --kept_[i].support;
      change(one.row, one.item);
      drop_hidden();
      if (state_.edits().size() % 256 == 0) GAUZE_TRY_VOID(progress_.check());
    }
    return {};
  }

  const HidingOptions& options_;
  Progress& progress_;
  HidingState state_;
  std::vector<HiddenPattern> patterns_;
  std::vector<std::size_t> live_;     // not hidden yet, in the order of the file
  std::vector<std::size_t> counted_;  // as published: hidden from the start, yet counted
  std::vector<Kept> kept_;
  std::vector<std::vector<std::size_t>> kept_of_;  // by item
  mutable std::optional<bool> all_numbers_;
};

}  // namespace

Result<HidingResult> hide(const Database& database, const SensitiveList& sensitive, const HidingOptions& options,
                          Progress& progress) {
  if (options.level == HidingLevel::h3 && options.operation == Operation::mark)
    return invalid_parameter("H3 cannot be reached by marks: whoever fills them in finds the pattern; use deletion");
  if (options.as_published && options.algorithm != HidingAlgorithm::psh)
    return invalid_parameter("only psh has a published form of its own");
  Hiding hiding(database, sensitive, options, progress);
  return hiding.run(sensitive.notices);
}

}  // namespace gauze::patterns
