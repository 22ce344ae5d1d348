#include "gauze/audit/events/outcomes.h"

#include <algorithm>

namespace gauze::audit {

void Outcomes::add_numbers(std::span<const double> values, std::size_t bytes) {
  numbers_.insert(numbers_.end(), values.begin(), values.end());
  dimensions_ = std::max(dimensions_, values.size());
  has_written_numbers_ = has_written_numbers_ || bytes > 0;
  add(Kind::numbers, static_cast<std::uint32_t>(bytes));
}

void Outcomes::add(Kind kind, std::uint32_t word) {
  kinds_.push_back(kind);
  ends_.push_back(numbers_.size());
  words_.push_back(word);
  seen_[static_cast<std::size_t>(kind)] = true;
}

std::uint32_t OutcomePair::number_of(std::string_view word, std::size_t bytes) {
  if (const auto known = numbers_.find(word); known != numbers_.end()) return known->second;
  const auto number = static_cast<std::uint32_t>(words_.size());
  words_.push_back({std::string(word), bytes});
  numbers_.emplace(word, number);
  return number;
}

}  // namespace gauze::audit
