#include "gauze/patterns/hiding/internal/hiding_work.h"

#include <algorithm>
#include <charconv>

namespace gauze::patterns::internal {
namespace {

std::vector<PatternShape> shapes(const SensitiveList& sensitive) {
  std::vector<PatternShape> result;
  for (const SensitivePattern& one : sensitive.patterns) result.push_back({one.items, one.left});
  return result;
}

std::optional<std::vector<std::uint64_t>> numbers_of(const std::vector<std::string>& names) {
  std::vector<std::uint64_t> numbers;
  for (const std::string& name : names) {
    std::uint64_t value = 0;
    const char* const end = name.data() + name.size();
    const auto [stop, problem] = std::from_chars(name.data(), end, value);
    if (stop != end || problem != std::errc()) return std::nullopt;
    numbers.push_back(value);
  }
  return numbers;
}

}  // namespace

HidingWork::HidingWork(const Database& database, const SensitiveList& sensitive, const HidingOptions& wanted,
                       Progress& watch)
    : options(wanted),
      progress(watch),
      state(database, shapes(sensitive), wanted.mark_style == MarkStyle::anonymous),
      absent(wanted.as_published ? sensitive.absent : std::vector<Itemset>()),
      warnings(sensitive.warnings),
      numbers_(numbers_of(database.names)) {
  for (std::size_t p = 0; p < sensitive.patterns.size(); ++p) {
    const SensitivePattern& one = sensitive.patterns[p];
    HidingThreshold threshold{options.min_count, options.min_support, options.margin, {}};
    if (one.min_support) {
      threshold.share = *one.min_support;
      threshold.count = min_count_for(*one.min_support, database.rows());
    }
    if (!one.left.empty()) threshold.confidence = options.min_confidence;
    Itemset right;
    std::set_difference(one.items.begin(), one.items.end(), one.left.begin(), one.left.end(),
                        std::back_inserter(right));
    victims_.push_back(threshold.confidence ? right : one.items);
    patterns.push_back({one, threshold, state.standing(p), {}, HidingLevel::none});
  }
}

bool HidingWork::is_hidden(std::size_t p) const {
  return level_of(state.standing(p), patterns[p].threshold, state.database().rows()) >= options.level;
}

void HidingWork::drop_hidden() {
  std::erase_if(live, [&](std::size_t p) { return is_hidden(p); });
  counted.clear();
  absent.clear();
}

void HidingWork::give_up(std::size_t p) {
  std::erase(live, p);
  stuck.push_back(p);
}

void HidingWork::change(std::size_t row, Item item) {
  const bool in_turn = options.change == ChangeKind::both;
  const bool remove =
      options.change == ChangeKind::remove || (in_turn && (options.level == HidingLevel::h3 || changes_ % 2 == 0));
  ++changes_;
  state.edit({row, item, remove ? Operation::remove : Operation::mark});
}

std::size_t HidingWork::conflicts(std::size_t row) const {
  const auto is_held = [&](std::size_t p) { return state.holds_now(row, items(p)); };
  return static_cast<std::size_t>(std::count_if(live.begin(), live.end(), is_held) +
                                  std::count_if(counted.begin(), counted.end(), is_held));
}

std::uint64_t HidingWork::frequency(Item item) const {
  return item < state.database().names.size() ? state.frequency(item) : 0;
}

bool HidingWork::is_smaller(Item a, Item b) const {
  if (numbers_ && (*numbers_)[a] != (*numbers_)[b]) return (*numbers_)[a] < (*numbers_)[b];
  return state.database().names[a] < state.database().names[b];
}

Item HidingWork::most_shared(const std::map<Item, std::size_t>& shared) const {
  const auto is_worse = [&](const auto& a, const auto& b) {
    if (a.second != b.second) return a.second < b.second;
    const std::uint64_t of_a = frequency(a.first);
    const std::uint64_t of_b = frequency(b.first);
    if (of_a != of_b) return of_a < of_b;
    return of_a > 0 && is_smaller(b.first, a.first);  // an item that is nowhere changes nothing, whichever it is
  };
  return std::max_element(shared.begin(), shared.end(), is_worse)->first;
}

std::vector<std::pair<std::size_t, std::size_t>> HidingWork::rows_by_conflicts(std::size_t p) const {
  std::vector<std::pair<std::size_t, std::size_t>> order;
  for (const std::size_t row : state.rows_of(p)) order.emplace_back(row, conflicts(row));
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return order;
}

}  // namespace gauze::patterns::internal
