#include "gauze/patterns/hiding/hiding_state.h"

#include <algorithm>

namespace gauze::patterns {

HidingState::HidingState(const Database& database, std::vector<PatternShape> patterns, bool anonymous)
    : database_(database),
      anonymous_(anonymous),
      patterns_(std::move(patterns)),
      rights_(patterns_.size()),
      standings_(standings_in(database, patterns_)),
      original_rows_(patterns_.size()),
      statuses_(database.items.size(), Status::there) {
  frequency_.assign(database.names.size(), 0);
  for (const Item item : database.items) ++frequency_[item];
  for (std::size_t p = 0; p < patterns_.size(); ++p) {
    const PatternShape& one = patterns_[p];
    std::set_difference(one.items.begin(), one.items.end(), one.left.begin(), one.left.end(),
                        std::back_inserter(rights_[p]));
    for (std::size_t row = 0; row < database.rows(); ++row)
      if (holds(database.row(row), one.items)) original_rows_[p].push_back(row);
  }
}

HidingState::Status HidingState::status(std::size_t row, Item item) const {
  const auto items = database_.row(row);
  const auto found = std::lower_bound(items.begin(), items.end(), item);
  if (found != items.end() && *found == item) {
    const Status now = statuses_[database_.starts[row] + static_cast<std::size_t>(found - items.begin())];
    return now == Status::open && anonymous_ ? Status::absent : now;
  }
  const auto marks = database_.marks_of(row);
  if (std::binary_search(marks.begin(), marks.end(), item)) return Status::open;
  if (anonymous_ || decoys_.empty()) return Status::absent;
  const auto decoys = decoys_.find(row);
  if (decoys == decoys_.end()) return Status::absent;
  return std::find(decoys->second.begin(), decoys->second.end(), item) != decoys->second.end() ? Status::open
                                                                                               : Status::absent;
}

RowStanding HidingState::side(std::size_t row, const Itemset& items) const {
  RowStanding result;
  for (const Item item : items) {
    const Status one = status(row, item);
    if (one == Status::open) ++result.open;
    if (one == Status::absent) ++result.absent;
  }
  return result;
}

std::uint32_t HidingState::anonymous_of(std::size_t row) const {
  const auto found = anonymous_changes_.find(row);
  return database_.anonymous_of(row) + (found == anonymous_changes_.end() ? 0 : found->second);
}

void HidingState::count(std::size_t row, std::size_t pattern, std::int64_t sign) {
  const PatternShape& one = patterns_[pattern];
  tally(standings_[pattern], !one.left.empty(), side(row, one.left), side(row, rights_[pattern]), anonymous_of(row),
        sign);
}

bool HidingState::holds_now(std::size_t row, const Itemset& set) const {
  return std::all_of(set.begin(), set.end(), [&](Item item) { return status(row, item) == Status::there; });
}

bool HidingState::lacks(std::size_t row, Item item) const {
  const auto items = database_.row(row);
  if (std::binary_search(items.begin(), items.end(), item)) return false;
  const auto marks = database_.marks_of(row);
  if (std::binary_search(marks.begin(), marks.end(), item)) return false;
  const auto decoys = decoys_.find(row);
  return decoys == decoys_.end() ||
         std::find(decoys->second.begin(), decoys->second.end(), item) == decoys->second.end();
}

std::vector<std::size_t> HidingState::rows_of(std::size_t pattern) const {
  std::vector<std::size_t> rows;
  for (const std::size_t row : original_rows_[pattern])
    if (holds_now(row, patterns_[pattern].items)) rows.push_back(row);
  return rows;
}

bool HidingState::may_hold(std::size_t row, std::size_t pattern) const {
  const RowStanding whole = side(row, patterns_[pattern].items);
  return whole.open + whole.absent > 0 && whole.absent <= anonymous_of(row);
}

void HidingState::start_again(const std::vector<Edit>& edits) {
  standings_ = standings_in(database_, patterns_);
  std::fill(statuses_.begin(), statuses_.end(), Status::there);
  std::fill(frequency_.begin(), frequency_.end(), 0);
  for (const Item item : database_.items) ++frequency_[item];
  decoys_.clear();
  anonymous_changes_.clear();
  edits_.clear();
  for (const Edit& one : edits) edit(one);
}

void HidingState::edit(const Edit& edit) {
  const bool decoy = edit.operation == Operation::decoy;
  GAUZE_CHECK(decoy ? lacks(edit.row, edit.item) : status(edit.row, edit.item) == Status::there);
  const auto concerned = [&](std::int64_t sign) {
    for (std::size_t p = 0; p < patterns_.size(); ++p) {
      const Itemset& items = patterns_[p].items;
      // An anonymous mark may stand for any item.
      if (anonymous_ || std::binary_search(items.begin(), items.end(), edit.item)) count(edit.row, p, sign);
    }
  };
  concerned(-1);
  if (decoy) {
    decoys_[edit.row].push_back(edit.item);
  } else {
    const auto items = database_.row(edit.row);
    const auto place = std::lower_bound(items.begin(), items.end(), edit.item) - items.begin();
    statuses_[database_.starts[edit.row] + static_cast<std::size_t>(place)] =
        edit.operation == Operation::mark ? Status::open : Status::absent;
    --frequency_[edit.item];
  }
  if (anonymous_ && edit.operation != Operation::remove) ++anonymous_changes_[edit.row];
  concerned(1);
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
    for (std::size_t i = database_.starts[row]; i < database_.starts[row + 1]; ++i) {
      if (statuses_[i] == Status::there) items.push_back(database_.items[i]);
      if (statuses_[i] == Status::open && !anonymous_) marks.push_back(database_.items[i]);
    }
    const auto decoys = decoys_.find(row);
    if (decoys != decoys_.end() && !anonymous_)
      marks.insert(marks.end(), decoys->second.begin(), decoys->second.end());
    result.add_row(items, marks, anonymous_of(row));
  }
  return result;
}

}  // namespace gauze::patterns
