#include "gauze/anonymize/classes/class_values.h"

#include <algorithm>

namespace gauze::anonymize {

ClassValues::ClassValues(const Records& records, std::size_t column) : records_(records), column_(column) {
  const SensitiveColumn& sensitive = records.sensitive[column];
  std::vector<std::vector<std::uint32_t>> by_value(sensitive.totals.size());
  for (std::uint32_t tuple = 0; tuple < records.size(); ++tuple)
    by_value[records.values[column][tuple]].push_back(tuple);
  tuples_.reserve(records.size());
  for (const std::uint32_t value : sensitive.order) {
    if (by_value[value].empty()) continue;
    tuples_.insert(tuples_.end(), by_value[value].begin(), by_value[value].end());
    runs_.push_back({value, static_cast<std::uint32_t>(tuples_.size())});
  }
}

void ClassValues::count(const ClassGrouping::Scratch& groups, std::span<const std::uint32_t> slots,
                        Scratch& scratch) const {
  // Every class has room for as many values as it can have; 0 is the place of classes nobody asked for.
  scratch.places_.assign(groups.slots, {});
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
      if (here.end > here.begin && scratch.entries_[here.end - 1].value == run.value)
        scratch.entries_[here.end - 1].count += count;
      else
        scratch.entries_[here.end++] = {run.value, count};
    }
  }
}

}  // namespace gauze::anonymize
