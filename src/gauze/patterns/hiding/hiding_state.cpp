#include "gauze/patterns/hiding/hiding_state.h"

#include <algorithm>

namespace gauze::patterns {
namespace {

Rational number(std::uint64_t value) { return Rational(static_cast<std::int64_t>(value)); }
std::uint64_t key(std::size_t row, Item item) { return static_cast<std::uint64_t>(row) << 32 | item; }

}  // namespace

HidingLevel level_of(const PatternStanding& standing, const HidingThreshold& threshold, std::uint64_t rows) {
  if (standing.definite + threshold.margin >= threshold.count) return HidingLevel::none;
  for (const std::uint64_t unknown : {standing.undetermined, standing.touched}) {
    if (unknown >= rows) return HidingLevel::h1;
    if (number(standing.definite) >= threshold.share * number(rows - unknown)) return HidingLevel::h1;
  }
  return standing.definite + standing.undetermined < threshold.count ? HidingLevel::h3 : HidingLevel::h2;
}

HidingState::HidingState(const Database& database, std::vector<Itemset> patterns)
    : database_(database),
      patterns_(std::move(patterns)),
      standings_(patterns_.size()),
      original_rows_(patterns_.size()) {
  frequency_.assign(database.names.size(), 0);
  for (const Item item : database.items) ++frequency_[item];
  for (std::size_t row = 0; row < database.rows(); ++row) {
    const auto items = database.row(row);
    const bool marks = !database.marks_of(row).empty();
    for (std::size_t p = 0; p < patterns_.size(); ++p) {
      const bool held = holds(items, patterns_[p]);
      if (held) original_rows_[p].push_back(row);
      if (held || marks) count(row, p, 1);
    }
  }
}

HidingState::Status HidingState::status(std::size_t row, Item item) const {
  const auto changed = changed_.find(key(row, item));
  if (changed != changed_.end()) return changed->second == Operation::mark ? Status::open : Status::absent;
  const auto items = database_.row(row);
  if (std::binary_search(items.begin(), items.end(), item)) return Status::there;
  const auto marks = database_.marks_of(row);
  return std::binary_search(marks.begin(), marks.end(), item) ? Status::open : Status::absent;
}

void HidingState::count(std::size_t row, std::size_t pattern, std::int64_t sign) {
  bool open = false;
  bool absent = false;
  for (const Item item : patterns_[pattern]) {
    const Status one = status(row, item);
    open = open || one == Status::open;
    absent = absent || one == Status::absent;
  }
  PatternStanding& standing = standings_[pattern];
  const auto add = [sign](std::uint64_t& value) {
    value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value) + sign);
  };
  if (!open && !absent) add(standing.definite);
  if (open && !absent) add(standing.undetermined);
  if (open) add(standing.touched);
}

bool HidingState::holds_now(std::size_t row, const Itemset& set) const {
  return std::all_of(set.begin(), set.end(), [&](Item item) { return status(row, item) == Status::there; });
}

std::vector<std::size_t> HidingState::rows_of(std::size_t pattern) const {
  std::vector<std::size_t> rows;
  for (const std::size_t row : original_rows_[pattern])
    if (holds_now(row, patterns_[pattern])) rows.push_back(row);
  return rows;
}

void HidingState::edit(const Edit& edit) {
  GAUZE_CHECK(status(edit.row, edit.item) == Status::there);
  const auto concerned = [&](std::int64_t sign) {
    for (std::size_t p = 0; p < patterns_.size(); ++p)
      if (std::binary_search(patterns_[p].begin(), patterns_[p].end(), edit.item)) count(edit.row, p, sign);
  };
  concerned(-1);
  changed_[key(edit.row, edit.item)] = edit.operation;
  concerned(1);
  --frequency_[edit.item];
  edits_.push_back(edit);
}

Database HidingState::released() const {
  Database result;
  result.names = database_.names;
  std::vector<Item> items;
  std::vector<Item> marks;
  for (std::size_t row = 0; row < database_.rows(); ++row) {
    items.clear();
    marks.assign(database_.marks_of(row).begin(), database_.marks_of(row).end());
    for (const Item item : database_.row(row)) {
      const Status one = status(row, item);
      if (one == Status::there) items.push_back(item);
      if (one == Status::open) marks.push_back(item);
    }
    result.add_row(items, marks, database_.anonymous_of(row));
  }
  return result;
}

}  // namespace gauze::patterns
