#include "gauze/table/tuple_encoder.h"

#include <algorithm>
#include <numeric>

#include "gauze/base/error.h"
#include "gauze/base/utf8.h"

namespace gauze::table {
namespace {

/// Stable counting sort of an order by one column of codes.
void sort_by(const std::vector<std::uint32_t>& codes, std::size_t values, std::vector<std::uint32_t>& order,
             std::vector<std::uint32_t>& spare) {
  std::vector<std::uint32_t> next(values + 1, 0);
  for (const std::uint32_t code : codes) ++next[code + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (const std::uint32_t tuple : order) spare[next[codes[tuple]]++] = tuple;
  order.swap(spare);
}

}  // namespace

EncodedTexts encode_texts(const StringInterner& raw, const MissingTokens& tokens) {
  EncodedTexts result;
  std::vector<std::string_view> trimmed(raw.size());
  std::vector<std::string_view> distinct;
  std::optional<std::string_view> missing;
  bool alike = true;  // all that are missing
  for (std::uint32_t number = 0; number < raw.size(); ++number) {
    trimmed[number] = gauze::trimmed(raw.text(number));
    if (!tokens.contains(trimmed[number])) {
      distinct.push_back(trimmed[number]);
    } else if (!missing) {
      missing = trimmed[number];
    } else if (trimmed[number] != *missing) {
      missing = std::min(*missing, trimmed[number]);
      alike = false;
    }
  }
  result.dictionary.missing_is_exact = missing && alike;
  if (missing) distinct.push_back(*missing);
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  result.dictionary.values.assign(distinct.begin(), distinct.end());
  const auto code_of = [&](std::string_view text) {
    return static_cast<std::uint32_t>(std::lower_bound(distinct.begin(), distinct.end(), text) - distinct.begin());
  };
  if (missing) result.dictionary.missing = code_of(*missing);
  result.code_of.resize(raw.size());
  for (std::size_t number = 0; number < raw.size(); ++number) {
    result.code_of[number] = tokens.contains(trimmed[number]) ? *result.dictionary.missing : code_of(trimmed[number]);
  }
  return result;
}

EncodedTexts encode_letters(const StringInterner& raw) {
  EncodedTexts result;
  std::vector<std::uint32_t> order(raw.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return raw.text(a) < raw.text(b); });
  result.code_of.resize(raw.size());
  for (std::uint32_t code = 0; code < order.size(); ++code) {
    result.dictionary.values.emplace_back(raw.text(order[code]));
    result.code_of[order[code]] = code;
  }
  return result;
}

TupleEncoder::TupleEncoder(std::size_t columns, const MissingTokens& tokens)
    : tokens_(tokens), interners_(columns), codes_(columns), letters_(columns, 0) {}

TupleCounts TupleEncoder::finish() {
  TupleCounts result;
  const std::size_t raw_tuples = counts_.size();
  GAUZE_CHECK(raw_tuples < 0xFFFFFFFF);
  for (std::size_t column = 0; column < interners_.size(); ++column) {
    auto encoded =
        letters_[column] != 0 ? encode_letters(interners_[column]) : encode_texts(interners_[column], tokens_);
    interners_[column] = {};
    for (auto& code : codes_[column]) code = encoded.code_of[code];
    result.dictionaries.push_back(std::move(encoded.dictionary));
  }
  std::vector<std::uint32_t> order(raw_tuples);
  std::vector<std::uint32_t> spare(raw_tuples);
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t column = codes_.size(); column-- > 0;)
    sort_by(codes_[column], result.dictionaries[column].values.size(), order, spare);
  // Equal tuples are neighbours now: `spare` becomes, for each sorted tuple, its place in the result.
  std::uint32_t places = 0;
  for (std::size_t i = 0; i < raw_tuples; ++i) {
    const bool repeats = i > 0 && std::all_of(codes_.begin(), codes_.end(), [&](const auto& codes) {
                           return codes[order[i]] == codes[order[i - 1]];
                         });
    if (!repeats) ++places;
    spare[i] = places - 1;
  }
  result.counts.assign(places, 0);
  for (std::size_t i = 0; i < raw_tuples; ++i) result.counts[spare[i]] += counts_[order[i]];
  counts_ = {};
  for (auto& codes : codes_) {
    std::vector<std::uint32_t> sorted(places);
    for (std::size_t i = 0; i < raw_tuples; ++i) sorted[spare[i]] = codes[order[i]];
    result.codes.push_back(std::move(sorted));
    codes = {};
  }
  return result;
}

}  // namespace gauze::table
