#include "gauze/anonymize/classes/class_values.h"

#include <algorithm>

namespace gauze::anonymize {

ClassValues::ClassValues(const Records& records, std::size_t column) : records_(records), column_(column) {
  const SensitiveColumn& sensitive = records.sensitive[column];
  std::vector<std::vector<std::uint32_t>> by_value(sensitive.totals.size());
  for (std::uint32_t tuple = 0; tuple < records.size(); ++tuple)
    by_value[records.values[column][tuple]].push_back(tuple);
  tuples_.reserve(records.size());
  run_of_.assign(records.size(), UINT32_MAX);
  for (const std::uint32_t value : sensitive.order) {
    if (by_value[value].empty()) continue;
    tuples_.insert(tuples_.end(), by_value[value].begin(), by_value[value].end());
    for (const std::uint32_t tuple : by_value[value]) run_of_[tuple] = static_cast<std::uint32_t>(runs_.size());
    runs_.push_back({value, static_cast<std::uint32_t>(tuples_.size())});
  }
  for (std::uint32_t& run : run_of_) run = std::min(run, static_cast<std::uint32_t>(runs_.size()));
}

void ClassValues::count_in_matrix(const ClassGrouping::Scratch& groups, std::span<const std::uint32_t> slots,
                                  Scratch& scratch) const {
  // The first row takes what nobody asked for, the last column what nobody sees.
  const std::size_t width = runs_.size() + 1;
  scratch.rows_.assign(groups.slots, 0);
  scratch.matrix_.assign((slots.size() + 1) * width, 0);
  std::uint32_t row = 0;
  for (const std::uint32_t slot : slots) scratch.rows_[slot] = row += static_cast<std::uint32_t>(width);
  const std::uint32_t* const rows = scratch.rows_.data();
  std::uint32_t* const matrix = scratch.matrix_.data();
  for (std::size_t tuple = 0; tuple < run_of_.size(); ++tuple)
    matrix[rows[groups.slot[tuple]] + run_of_[tuple]] += records_.counts[tuple];
  if (scratch.entries_.size() < slots.size() * runs_.size() + 2)
    scratch.entries_.resize(slots.size() * runs_.size() + 2);
  std::uint32_t end = 1;
  for (const std::uint32_t slot : slots) {
    const std::uint32_t* const counts = matrix + rows[slot];
    const std::uint32_t begin = end;
    // Written in any case, kept where it counts something.
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      scratch.entries_[end] = {runs_[run].value, counts[run]};
      end += counts[run] != 0 ? 1 : 0;
    }
    scratch.places_[slot] = {begin, end};
  }
}

void ClassValues::count(const ClassGrouping::Scratch& groups, std::span<const std::uint32_t> slots,
                        Scratch& scratch) const {
  // Every class has room for as many values as it can have; 0 is the place of classes nobody asked for.
  scratch.places_.assign(groups.slots, {});
  if ((slots.size() + 1) * (runs_.size() + 1) <= run_of_.size()) return count_in_matrix(groups, slots, scratch);
  std::size_t room = 0;
  for (const std::uint32_t slot : slots) {
    scratch.places_[slot] = {static_cast<std::uint32_t>(room + 1), static_cast<std::uint32_t>(room + 1)};
    room += std::min<std::size_t>(groups.size[slot], runs_.size());
  }
  if (scratch.entries_.size() < room + 1) scratch.entries_.resize(room + 1);
  std::uint32_t place = 0;
  for (const Run& run : runs_) {
    for (; place < run.end; ++place) {
      const std::uint32_t tuple = tuples_[place];
      Scratch::Place& here = scratch.places_[groups.slot[tuple]];
      const std::uint32_t count = records_.counts[tuple];
      if (here.begin == 0 || count == 0) continue;
      // Without a branch, which nobody could foretell. Before the first value of a class stands one of another class, or none.
      const ValueCount before = scratch.entries_[here.end - 1];
      const bool again = here.end > here.begin && before.value == run.value;
      here.end += again ? 0 : 1;
      scratch.entries_[here.end - 1] = {run.value, (again ? before.count : 0) + count};
    }
  }
}

}  // namespace gauze::anonymize
