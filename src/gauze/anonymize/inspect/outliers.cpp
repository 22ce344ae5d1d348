#include "gauze/anonymize/inspect/outliers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <tuple>

#include "gauze/anonymize/inspect/column_words.h"
#include "gauze/table/odd_cells.h"

namespace gauze::anonymize {
namespace {

using namespace schema;  // the vocabulary of this file

constexpr int kOldest = 120;
constexpr int kFarRanges = 3;
constexpr int kAllDigits = 1000;

struct Number {
  Rational value;
  std::uint64_t rows = 0;
};

bool is_age(std::string_view column) {
  const ColumnWord* const word = find_word(column);
  constexpr std::array<std::string_view, 4> kAges = {"age", "alter", "年龄", "âge"};
  return word != nullptr && std::find(kAges.begin(), kAges.end(), word->text) != kAges.end();
}

/// Numbers that name places or things.
bool is_code(std::string_view column) {
  if (numbering_word(column)) return true;
  const ColumnWord* const word = find_word(column);
  if (word == nullptr) return false;
  if (word->role == Role::identifier) return true;
  constexpr std::array<std::string_view, 7> kCodes = {"zip",          "postcode", "postal",  "plz",
                                                      "postleitzahl", "邮编",     "邮政编码"};
  return std::find(kCodes.begin(), kCodes.end(), word->text) != kCodes.end();
}

/// The value below which a share of the rows lies, between two values by their distance (as R and NumPy do by default).
double quantile(const std::vector<Number>& numbers, std::uint64_t rows, double share) {
  const double place = share * static_cast<double>(rows - 1);
  const auto below = static_cast<std::uint64_t>(place);
  const auto at = [&](std::uint64_t row) {
    for (const Number& one : numbers) {
      if (row < one.rows) return one.value.to_double();
      row -= one.rows;
    }
    return numbers.back().value.to_double();
  };
  const double low = at(below);
  const double high = at(std::min(below + 1, rows - 1));
  return low + (place - static_cast<double>(below)) * (high - low);
}

std::string decimal_text(const Rational& value) { return value.to_decimal(kAllDigits); }

FoundOutliers find_among_numbers(std::string_view column, std::vector<Number> numbers) {
  std::sort(numbers.begin(), numbers.end(), [](const Number& a, const Number& b) { return a.value < b.value; });
  FoundOutliers found;
  const auto take = [&](Outliers::Why why, const auto& is_out) {
    Outliers one{.column = std::string(column), .low = {}, .high = {}, .rows = 0, .why = why, .is_date = false};
    for (const Number& number : numbers) {
      if (!is_out(number.value)) continue;
      if (one.rows == 0) one.low = decimal_text(number.value);
      one.high = decimal_text(number.value);
      one.rows += number.rows;
    }
    if (one.rows == 0) return false;
    std::erase_if(numbers, [&](const Number& number) { return is_out(number.value); });
    found.outliers.push_back(std::move(one));
    return true;
  };
  const bool ages = is_age(column);
  if (ages && take(Outliers::Why::impossible, [](const Rational& age) { return age < 0 || age > kOldest; }))
    found.bounds = ValidBounds{.range = NumberBounds{0, kOldest}};
  std::uint64_t rows = 0;
  for (const Number& number : numbers) rows += number.rows;
  if (rows == 0) return found;
  const double lower = quantile(numbers, rows, 0.25);
  const double upper = quantile(numbers, rows, 0.75);
  const double reach = kFarRanges * (upper - lower);
  if (reach > 0 &&
      take(Outliers::Why::far,
           [&](const Rational& value) {
             return value.to_double() < lower - reach || value.to_double() > upper + reach;
           }) &&
      !ages)  // people grow old: only what cannot be is left out
    found.bounds = ValidBounds{.range = NumberBounds{numbers.front().value, numbers.back().value}};
  return found;
}

std::string iso_text(const Date& date) {
  return date.day == 0 ? fmt::format("{:04}-{:02}", date.year, date.month)
                       : fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day);
}

FoundOutliers find_among_dates(std::string_view column, const table::ColumnSummary& summary, const Date& today) {
  const table::Dictionary& values = *summary.dictionary;
  const DateOrderEvidence evidence = find_date_order(values.values);
  const auto key = [](const Date& date) { return std::tuple(date.year, date.month, date.day); };
  FoundOutliers found;
  Outliers future{.column = std::string(column),
                  .low = {},
                  .high = {},
                  .rows = 0,
                  .why = Outliers::Why::impossible,
                  .is_date = true};
  std::optional<Date> first, soonest, latest;
  for (std::uint32_t code = 0; code < values.values.size(); ++code) {
    if (code == values.missing) continue;
    const std::optional<Date> date = parse_date(values.values[code], evidence.order);
    if (!date) continue;
    if (key(*date) <= key(today)) {
      if (!first || key(*date) < key(*first)) first = date;
      continue;
    }
    future.rows += summary.counts[code];
    if (!soonest || key(*date) < key(*soonest)) soonest = date;
    if (!latest || key(*latest) < key(*date)) latest = date;
  }
  if (!soonest) return found;
  future.low = iso_text(*soonest);
  future.high = iso_text(*latest);
  found.outliers.push_back(std::move(future));
  Date from = first.value_or(today);
  if (from.day == 0) from.day = 1;
  found.bounds = ValidBounds{.range = DateRange{from, today}};
  return found;
}

}  // namespace

Date date_of_today() {
  const std::chrono::year_month_day today(std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  return {.year = static_cast<int>(today.year()),
          .month = static_cast<int>(static_cast<unsigned>(today.month())),
          .day = static_cast<int>(static_cast<unsigned>(today.day()))};
}

FoundOutliers find_outliers(std::string_view column, const table::ColumnSummary& summary, const Date& today) {
  if (!summary.dictionary) return {};
  const auto odd = table::find_odd_cells(summary);
  const table::ColumnType type = odd ? odd->type : summary.type;
  if (type == table::ColumnType::date) return find_among_dates(column, summary, today);
  if ((type != table::ColumnType::integer && type != table::ColumnType::number) || is_code(column)) return {};
  std::vector<Number> numbers;
  const table::Dictionary& values = *summary.dictionary;
  for (std::uint32_t code = 0; code < values.values.size(); ++code) {
    if (code == values.missing) continue;
    if (auto number = table::parse_number(values.values[code], values.decimal))
      numbers.push_back({*std::move(number), summary.counts[code]});
  }
  return numbers.empty() ? FoundOutliers{} : find_among_numbers(column, std::move(numbers));
}

}  // namespace gauze::anonymize
