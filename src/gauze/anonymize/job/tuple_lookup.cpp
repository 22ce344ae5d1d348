#include "gauze/anonymize/job/tuple_lookup.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "gauze/anonymize/internal/scatter.h"

namespace gauze::anonymize {

using internal::scatter;

std::uint64_t TupleLookup::Texts::Print::hash() const { return scatter(scatter(begin ^ size) + end); }

// The first eight letters and the last eight; of shorter texts all of them, the rest 0.
TupleLookup::Texts::Print TupleLookup::Texts::print(std::string_view text) {
  Print made{.size = text.size()};
  if (text.size() >= sizeof made.begin) {
    std::memcpy(&made.begin, text.data(), sizeof made.begin);
    std::memcpy(&made.end, text.data() + text.size() - sizeof made.end, sizeof made.end);
  } else {
    std::size_t place = 0;
    for (const char letter : text)
      made.begin |= static_cast<std::uint64_t>(static_cast<unsigned char>(letter)) << (8 * place++);
  }
  return made;
}

TupleLookup::Texts::Texts(const table::Dictionary& dictionary, const std::vector<std::string>& tokens)
    : entries_(std::bit_ceil(2 * (dictionary.values.size() + tokens.size()) + 2)), mask_(entries_.size() - 1) {
  for (std::uint32_t place = 0; place < dictionary.values.size(); ++place)
    if (place != dictionary.missing) add(dictionary.values[place], place);
  for (const std::string& token : tokens)
    if (dictionary.missing) add(token, *dictionary.missing);
}

void TupleLookup::Texts::add(std::string_view text, std::uint32_t code) {
  const Print made = print(text);
  std::size_t bucket = made.hash() & mask_;
  while (entries_[bucket].code != kNone) bucket = (bucket + 1) & mask_;
  entries_[bucket] = {made, text, code};
}

TupleLookup::TupleLookup(const table::TupleCounts& tuples, const table::MissingTokens& tokens)
    : tuples_(tuples), tokens_(tokens.all()) {
  double combinations = 1;
  for (const table::Dictionary& dictionary : tuples.dictionaries) {
    texts_.emplace_back(dictionary, tokens_);
    radix_.push_back(std::max<std::uint64_t>(dictionary.values.size(), 1));
    combinations *= static_cast<double>(radix_.back());
  }
  packed_ = combinations < 0x1p63;
  const std::size_t buckets = std::bit_ceil(2 * tuples.size() + 2);
  keys_.resize(buckets);
  places_.assign(buckets, kNone);
  for (std::uint32_t tuple = 0; tuple < tuples.size(); ++tuple) {
    std::uint64_t key = 0;
    for (std::size_t column = 0; column < texts_.size(); ++column)
      key = add_to_key(key, column, tuples.codes[column][tuple]);
    std::size_t bucket = scatter(key) & (buckets - 1);
    while (places_[bucket] != kNone) bucket = (bucket + 1) & (buckets - 1);
    keys_[bucket] = key;
    places_[bucket] = tuple;
  }
}

std::uint64_t TupleLookup::add_to_key(std::uint64_t key, std::size_t column, std::uint32_t code) const {
  return packed_ ? key * radix_[column] + code : scatter(key ^ code);
}

std::vector<std::uint32_t> TupleLookup::find(const table::RowBatch& batch) const {
  return find_rows(batch.rows, [&](std::size_t column, std::size_t row) {
    const table::RowBatch::Cell& cell = batch.cells[column][row];
    return cell.missing ? tuples_.dictionaries[column].missing.value_or(kNone) : texts_[column].code(cell.text);
  });
}

std::vector<std::uint32_t> TupleLookup::find(std::span<const std::span<const std::string_view>> texts) const {
  return find_rows(texts.front().size(),
                   [&](std::size_t column, std::size_t row) { return texts_[column].code(texts[column][row]); });
}

template <class CodeOf>
std::vector<std::uint32_t> TupleLookup::find_rows(std::size_t rows, CodeOf code_of) const {
  std::vector<std::uint64_t> keys(rows, 0);
  std::vector<std::uint8_t> strange(rows, 0);
  std::vector<std::vector<std::uint32_t>> codes(packed_ ? 0 : texts_.size(), std::vector<std::uint32_t>(rows));
  for (std::size_t column = 0; column < texts_.size(); ++column) {
    for (std::size_t row = 0; row < rows; ++row) {
      const std::uint32_t code = code_of(column, row);
      strange[row] |= code == kNone ? 1 : 0;
      keys[row] = add_to_key(keys[row], column, code);
      if (!packed_) codes[column][row] = code;
    }
  }
  std::vector<std::uint32_t> found(rows, kNone);
  constexpr std::size_t kAhead = 8;  // buckets lie anywhere in memory
  for (std::size_t row = 0; row < rows; ++row) {
    if (row + kAhead < rows) {
      const std::size_t bucket = scatter(keys[row + kAhead]) & (places_.size() - 1);
      __builtin_prefetch(&keys_[bucket]);
      __builtin_prefetch(&places_[bucket]);
    }
    if (strange[row] == 0) found[row] = find(keys[row], codes, row);
  }
  return found;
}

std::uint32_t TupleLookup::find(std::uint64_t key, std::span<const std::vector<std::uint32_t>> codes,
                                std::size_t row) const {
  for (std::size_t bucket = scatter(key) & (places_.size() - 1); places_[bucket] != kNone;
       bucket = (bucket + 1) & (places_.size() - 1)) {
    if (keys_[bucket] != key) continue;
    const std::uint32_t tuple = places_[bucket];
    bool same = true;
    for (std::size_t column = 0; column < codes.size(); ++column)
      same = same && tuples_.codes[column][tuple] == codes[column][row];
    if (same) return tuple;
  }
  return kNone;
}

}  // namespace gauze::anonymize
