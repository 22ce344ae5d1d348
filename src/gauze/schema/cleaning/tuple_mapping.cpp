#include "gauze/schema/cleaning/tuple_mapping.h"

#include <algorithm>
#include <numeric>

#include "gauze/schema/cleaning/cleaning_rules.h"

namespace gauze::schema {
MappedColumn unchanged(const table::Dictionary& values) {
  MappedColumn same{.dictionary = values, .code_of = std::vector<std::uint32_t>(values.values.size())};
  std::iota(same.code_of.begin(), same.code_of.end(), 0U);
  return same;
}

MappedColumn map_values(const table::Dictionary& values, const std::function<std::string(const std::string&)>& change,
                        bool letters) {
  std::vector<std::string> texts;
  std::vector<std::uint8_t> missing;
  std::optional<std::string> token;  // of "missing": the first of its texts
  for (std::uint32_t code = 0; code < values.values.size(); ++code) {
    const bool was_missing = !letters && code == values.missing;
    texts.push_back(was_missing ? values.values[code] : change(values.values[code]));
    missing.push_back(!letters && (was_missing || texts.back().empty()) ? 1 : 0);
    if (missing.back() != 0 && (!token || texts.back() < *token)) token = texts.back();
  }
  MappedColumn mapped;
  mapped.dictionary.decimal = values.decimal;
  mapped.dictionary.missing_is_exact = values.missing ? values.missing_is_exact : token.has_value();
  for (std::size_t code = 0; code < texts.size(); ++code) {
    if (missing[code] == 0) continue;
    if (texts[code] != *token) mapped.dictionary.missing_is_exact = false;
    texts[code] = *token;
  }
  std::vector<std::string>& sorted = mapped.dictionary.values;
  sorted = texts;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  const auto place = [&](const std::string& text) {
    return static_cast<std::uint32_t>(std::lower_bound(sorted.begin(), sorted.end(), text) - sorted.begin());
  };
  for (const std::string& text : texts) mapped.code_of.push_back(place(text));
  if (token) mapped.dictionary.missing = place(*token);
  return mapped;
}

void find_outside(table::Dictionary& values) {
  const auto found = std::lower_bound(values.values.begin(), values.values.end(), kOtherValue);
  if (found == values.values.end() || *found != kOtherValue) return;
  const auto code = static_cast<std::uint32_t>(found - values.values.begin());
  if (code != values.missing) values.outside = code;
}

table::TupleCounts map_tuples(const table::TupleCounts& tuples, std::vector<MappedColumn> mapped) {
  const std::size_t width = mapped.size();
  std::vector<std::size_t> order(tuples.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto code = [&](std::size_t column, std::size_t tuple) {
    return mapped[column].code_of[tuples.codes[column][tuple]];
  };
  const auto compare = [&](std::size_t a, std::size_t b) {
    for (std::size_t column = 0; column < width; ++column) {
      const std::uint32_t one = code(column, a);
      const std::uint32_t other = code(column, b);
      if (one != other) return one < other ? -1 : 1;
    }
    return 0;
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return compare(a, b) < 0; });
  table::TupleCounts result;
  result.codes.resize(width);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && compare(order[i - 1], order[i]) == 0) {
      result.counts.back() += tuples.counts[order[i]];
      continue;
    }
    for (std::size_t column = 0; column < width; ++column) result.codes[column].push_back(code(column, order[i]));
    result.counts.push_back(tuples.counts[order[i]]);
  }
  for (MappedColumn& column : mapped) result.dictionaries.push_back(std::move(column.dictionary));
  return result;
}

}  // namespace gauze::schema
