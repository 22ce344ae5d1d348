#include "gauze/ledger/terms/dataset_terms.h"

#include <array>
#include <utility>

#include "gauze/label/printable_text.h"
#include "gauze/ledger/terms/neighbour_relation.h"

namespace gauze {
namespace {

constexpr std::int64_t kDay = 86'400;
constexpr std::array<std::pair<char, std::int64_t>, 4> kWindowUnits = {
    {{'w', 7 * kDay}, {'d', kDay}, {'h', 3600}, {'m', 60}}};

/// An amount above 0 that is at least one unit when rounded down.
Result<std::int64_t> positive_units(std::string_view what, const Rational& amount, Currency currency) {
  if (!(amount > Rational())) return invalid_parameter("{} must be above 0", what);
  const auto units = units_down(amount, currency);
  if (!units) return invalid_parameter("{} must be at most {}", what, decimal_of(kMostUnits, currency));
  if (*units == 0) return invalid_parameter("{} must be at least {}", what, decimal_of(1, currency));
  return *units;
}

Result<Total> make_total(const DatasetOptions& options) {
  Total total;
  if (options.epsilon.has_value() == options.rho.has_value()) {
    return invalid_parameter(
        "a dataset needs a lifetime total: epsilon (with or without delta), or rho (with or without delta)");
  }
  if (options.rho) {
    total.kind = Total::Kind::rho;
    GAUZE_TRY(total.amount, positive_units("the total rho", *options.rho, Currency::rho));
  } else {
    GAUZE_TRY(total.amount, positive_units("the total epsilon", *options.epsilon, Currency::epsilon));
  }
  if (options.delta && options.delta->sign() != 0) {
    if (!(*options.delta < Rational(1))) return invalid_parameter("the total delta must be below 1");
    GAUZE_TRY(total.delta, positive_units("the total delta", *options.delta, Currency::delta));
  }
  return total;
}

Result<InnerLimit> make_limit(std::string_view what, const Rational& amount, const DatasetTerms& terms) {
  InnerLimit limit;
  GAUZE_TRY(limit.declared, positive_units(what, amount, terms.total.currency()));
  if (limit.declared > terms.total.amount) return invalid_parameter("{} must not exceed the total", what);
  GAUZE_TRY(limit.limit, terms.accountant.capacity_of(limit.declared, terms.total));
  return limit;
}

Result<std::int64_t> make_delta_limit(const Rational& amount, const Total& total) {
  if (total.delta == 0) return invalid_parameter("a limit of delta per query needs a total with a delta");
  GAUZE_TRY(const std::int64_t limit, positive_units("the limit of delta per query", amount, Currency::delta));
  if (limit > total.delta) return invalid_parameter("the limit of delta per query must not exceed the total's delta");
  return limit;
}

}  // namespace

Result<DatasetTerms> DatasetTerms::make(const DatasetOptions& options) {
  DatasetTerms terms;
  GAUZE_TRY_VOID(check_name("the name of a dataset", options.name));
  GAUZE_TRY_VOID(check_text("the privacy unit", options.unit, kLongestUnit));
  GAUZE_TRY_VOID(check_visible("the name of a dataset", options.name));
  GAUZE_TRY_VOID(check_visible("the privacy unit", options.unit));
  if (options.unit.empty()) return invalid_parameter("the privacy unit must not be empty");
  if (!is_dataset_relation(options.neighbours)) {
    return invalid_parameter("the neighbours of a dataset must be add-remove or replace-one");
  }
  terms.name = options.name;
  terms.unit = options.unit;
  terms.neighbours = options.neighbours;
  GAUZE_TRY(terms.total, make_total(options));
  const std::string by_default = terms.total.is_pure() ? "basic" : "zcdp";
  GAUZE_TRY(terms.accountant, PrivacyFilter::parse(options.accountant.empty() ? by_default : options.accountant));
  GAUZE_TRY(terms.capacity, terms.accountant.capacity(terms.total));

  if ((options.window_seconds != 0) != options.window_limit.has_value()) {
    return invalid_parameter("a window needs a length and a limit: both or neither");
  }
  if (options.window_limit) {
    if (options.window_seconds < kShortestWindow || options.window_seconds > kLongestWindow) {
      return invalid_parameter("a window must be at least a minute and at most a hundred years long");
    }
    terms.window_seconds = options.window_seconds;
    GAUZE_TRY(terms.window, make_limit("the limit of the window", *options.window_limit, terms));
  }
  if (options.max_per_query) {
    GAUZE_TRY(terms.max_per_query, make_limit("the limit per query", *options.max_per_query, terms));
  }
  if (options.max_delta_per_query) {
    GAUZE_TRY(terms.max_delta_per_query, make_delta_limit(*options.max_delta_per_query, terms.total));
  }
  if (options.max_queries && (*options.max_queries < 1 || *options.max_queries > 1'000'000'000'000)) {
    return invalid_parameter("the number of queries must be between 1 and 1e12");
  }
  terms.max_queries = options.max_queries;
  return terms;
}

bool DatasetTerms::allows_query(const Charge& charge, const Cost& cost) const {
  if (max_delta_per_query && charge.delta > *max_delta_per_query) return false;
  if (!max_per_query) return true;
  if (charge.kind == Charge::Kind::epsilon && total.kind == Total::Kind::epsilon) {
    return charge.amount <= max_per_query->declared;
  }
  return cost.amount <= max_per_query->limit;
}

Json DatasetTerms::total_json() const {
  Json json = Json::object(
      {{std::string(to_string(total.currency())), Json::number(decimal_of(total.amount, total.currency()))}});
  if (total.kind == Total::Kind::epsilon || total.delta > 0) {
    json.set("delta", Json::number(decimal_of(total.delta, Currency::delta)));
  }
  return json;
}

Json DatasetTerms::as_one_pure_release() const {
  if (accountant.kind() == PrivacyFilter::Kind::basic || accountant.kind() == PrivacyFilter::Kind::gdp) return {};
  const std::int64_t epsilon = accountant.as_one_pure_release(capacity.amount);
  return Json::object({{"epsilon", Json::number(decimal_of(epsilon, Currency::epsilon))}});
}

std::string DatasetTerms::worth_text() const {
  if (accountant.kind() == PrivacyFilter::Kind::gdp)
    return "as one pure release: none, the gdp accountant takes charges in mu alone";
  const Json worth = as_one_pure_release();
  if (worth.is_null()) return "";
  return fmt::format("as one pure release: at most epsilon {}", worth.find("epsilon")->text());
}

Result<void> check_text(std::string_view what, std::string_view text, std::size_t most) {
  if (text.size() > most) return invalid_parameter("{} must have at most {} bytes", what, most);
  if (!is_printable(text)) return invalid_parameter("{} must be UTF-8 text without control characters", what);
  return {};
}

Result<void> check_visible(std::string_view what, std::string_view text) {
  if (!has_invisible(text)) return {};
  return invalid_parameter(
      "{} must not contain characters that cannot be seen, such as zero-width spaces: what looks the same must be the "
      "same",
      what);
}

Result<void> check_name(std::string_view what, std::string_view name) {
  GAUZE_TRY_VOID(check_text(what, name, 200));
  if (name.empty() || name.front() == ' ' || name.back() == ' ') {
    return invalid_parameter("{} must not be empty, and neither begin nor end with a blank", what);
  }
  if (name.find('=') != std::string_view::npos) return invalid_parameter("{} must not contain '='", what);
  return {};
}

Result<std::int64_t> parse_window(std::string_view text) {
  for (const auto& [letter, seconds] : kWindowUnits) {
    if (text.size() < 2 || text.back() != letter) continue;
    const std::string_view digits = text.substr(0, text.size() - 1);
    if (digits.size() > 8 || digits.find_first_not_of("0123456789") != std::string_view::npos) break;
    std::int64_t count = 0;
    for (const char digit : digits) count = 10 * count + (digit - '0');
    if (count < 1 || count > kLongestWindow / seconds) break;
    return count * seconds;
  }
  return invalid_parameter(
      "a window must be a whole number with m, h, d or w, such as 30d, and at most a hundred years");
}

std::string window_text(std::int64_t seconds) {
  for (const auto& [letter, length] : kWindowUnits) {
    if (letter != 'w' && seconds % length == 0) return fmt::format("{}{}", seconds / length, letter);
  }
  return fmt::format("{}s", seconds);
}

}  // namespace gauze
