#include "gauze/table/tuple_grouper.h"

#include <algorithm>

#include "gauze/base/utf8.h"

namespace gauze::table {
namespace {

constexpr std::uint32_t kFree = 0xFFFFFFFF;

std::uint64_t hash_of(std::span<const std::uint32_t> tuple) {
  std::uint64_t hash = 0x9E3779B97F4A7C15;
  for (const std::uint32_t code : tuple) {
    hash = (hash ^ code) * 0xD6E8FEB86659FD93;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace

TupleGrouper::TupleGrouper(std::vector<std::string> unreadable, const MissingTokens& tokens)
    : unreadable_(std::move(unreadable)),
      encoder_(unreadable_.size(), tokens),
      stands_for_(unreadable_.size()),
      tuple_(unreadable_.size()),
      slots_(1024, kFree) {}

std::uint32_t TupleGrouper::code_of(std::size_t column, std::string_view cell) {
  const std::uint32_t number = encoder_.intern(column, cell);
  std::vector<std::uint32_t>& known = stands_for_[column];
  if (number < known.size()) return known[number];
  known.push_back(number);
  if (!find_invalid_utf8(cell)) return number;
  met_unreadable_ = true;
  const std::uint32_t instead = code_of(column, unreadable_[column]);
  return known[number] = instead;
}

void TupleGrouper::add(std::span<const std::string_view> cells) {
  for (std::size_t i = 0; i < tuple_.size(); ++i) tuple_[i] = code_of(i, cells[i]);
  count(tuple_);
}

void TupleGrouper::add_unreadable() {
  for (std::size_t i = 0; i < tuple_.size(); ++i) tuple_[i] = code_of(i, unreadable_[i]);
  count(tuple_);
}

void TupleGrouper::count(std::span<const std::uint32_t> tuple) {
  std::vector<std::uint64_t>& counts = encoder_.counts();
  if ((counts.size() + 1) * 2 > slots_.size()) grow();
  const std::size_t width = tuple.size();
  for (std::size_t place = hash_of(tuple) & (slots_.size() - 1);; place = (place + 1) & (slots_.size() - 1)) {
    std::uint32_t& slot = slots_[place];
    if (slot == kFree) {
      slot = static_cast<std::uint32_t>(counts.size());
      tuples_.insert(tuples_.end(), tuple.begin(), tuple.end());
      counts.push_back(1);
      return;
    }
    if (std::equal(tuple.begin(), tuple.end(), tuples_.begin() + static_cast<std::ptrdiff_t>(slot * width))) {
      ++counts[slot];
      return;
    }
  }
}

void TupleGrouper::grow() {
  std::vector<std::uint32_t> slots(slots_.size() * 2, kFree);
  const std::size_t width = tuple_.size();
  for (std::uint32_t number = 0; number < encoder_.counts().size(); ++number) {
    std::size_t place = hash_of(std::span(tuples_).subspan(number * width, width)) & (slots.size() - 1);
    while (slots[place] != kFree) place = (place + 1) & (slots.size() - 1);
    slots[place] = number;
  }
  slots_ = std::move(slots);
}

TupleCounts TupleGrouper::finish() {
  const std::size_t size = encoder_.counts().size();
  const std::size_t width = tuple_.size();
  for (std::size_t column = 0; column < width; ++column) {
    std::vector<std::uint32_t>& codes = encoder_.codes(column);
    codes.resize(size);
    for (std::size_t tuple = 0; tuple < size; ++tuple) codes[tuple] = tuples_[tuple * width + column];
  }
  tuples_ = {};
  slots_ = {};
  TupleCounts result = encoder_.finish();
  for (std::size_t column = 0; met_unreadable_ && column < width; ++column)
    drop_unused(result.dictionaries[column], result.codes[column]);
  return result;
}

void TupleGrouper::drop_unused(Dictionary& dictionary, std::vector<std::uint32_t>& codes) {
  std::vector<std::uint32_t> place(dictionary.values.size(), kFree);
  for (const std::uint32_t code : codes) place[code] = 0;
  std::uint32_t kept = 0;
  for (std::uint32_t code = 0; code < place.size(); ++code) {
    if (place[code] == kFree) continue;
    if (kept != code) dictionary.values[kept] = std::move(dictionary.values[code]);
    place[code] = kept++;
  }
  dictionary.values.resize(kept);
  if (dictionary.missing) dictionary.missing = place[*dictionary.missing];
  for (std::uint32_t& code : codes) code = place[code];
}

}  // namespace gauze::table
