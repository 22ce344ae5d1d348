#include "gauze/anonymize/job/tuple_lookup.h"

#include <algorithm>
#include <bit>

#include "gauze/anonymize/internal/scatter.h"

namespace gauze::anonymize {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

using internal::scatter;

}  // namespace

TupleLookup::TupleLookup(const table::TupleCounts& tuples) : tuples_(tuples), codes_(tuples.dictionaries.size()) {
  double combinations = 1;
  for (std::size_t column = 0; column < codes_.size(); ++column) {
    const table::Dictionary& dictionary = tuples.dictionaries[column];
    codes_[column].reserve(dictionary.values.size());
    for (std::uint32_t place = 0; place < dictionary.values.size(); ++place)
      if (place != dictionary.missing) codes_[column].emplace(dictionary.values[place], place);
    radix_.push_back(std::max<std::uint64_t>(dictionary.values.size(), 1));
    combinations *= static_cast<double>(radix_.back());
  }
  packed_ = combinations < 0x1p63;
  const std::size_t buckets = std::bit_ceil(2 * tuples.size() + 2);
  keys_.resize(buckets);
  places_.assign(buckets, kNone);
  std::vector<std::uint32_t> codes(codes_.size());
  for (std::uint32_t tuple = 0; tuple < tuples.size(); ++tuple) {
    for (std::size_t column = 0; column < codes.size(); ++column) codes[column] = tuples.codes[column][tuple];
    const std::uint64_t packed = key(codes);
    std::size_t bucket = scatter(packed) & (buckets - 1);
    while (places_[bucket] != kNone) bucket = (bucket + 1) & (buckets - 1);
    keys_[bucket] = packed;
    places_[bucket] = tuple;
  }
}

std::optional<std::uint32_t> TupleLookup::code(std::size_t column, const table::RowBatch::Cell& cell) const {
  if (cell.missing) return tuples_.dictionaries[column].missing;
  const auto found = codes_[column].find(cell.text);
  if (found == codes_[column].end()) return std::nullopt;
  return found->second;
}

std::uint64_t TupleLookup::key(std::span<const std::uint32_t> codes) const {
  std::uint64_t result = 0;
  for (std::size_t column = 0; column < codes.size(); ++column)
    result = packed_ ? result * radix_[column] + codes[column] : scatter(result ^ codes[column]);
  return result;
}

std::optional<std::uint32_t> TupleLookup::find(std::span<const std::uint32_t> codes) const {
  const std::uint64_t wanted = key(codes);
  for (std::size_t bucket = scatter(wanted) & (places_.size() - 1); places_[bucket] != kNone;
       bucket = (bucket + 1) & (places_.size() - 1)) {
    if (keys_[bucket] != wanted) continue;
    const std::uint32_t tuple = places_[bucket];
    bool same = true;
    for (std::size_t column = 0; column < codes.size() && !packed_; ++column)
      same = same && tuples_.codes[column][tuple] == codes[column];
    if (same) return tuple;
  }
  return std::nullopt;
}

}  // namespace gauze::anonymize
