// A query from the body of a request: bytes of strangers.
#include <algorithm>
#include <limits>

#include "gauze/base/did_you_mean.h"
#include "gauze/collect/central/central_query.h"
#include "gauze/files/json_reader.h"

namespace gauze::collect {
namespace {

const std::vector<std::string> kKeys = {"kind", "field",   "where",   "tau",    "from",
                                        "to",   "epsilon", "request", "version"};

/// A member that is there and not null.
const Json* member_of(const Json& body, std::string_view name) {
  const Json* member = body.find(name);
  return member == nullptr || member->is_null() ? nullptr : member;
}

Result<std::string> text_of(const Json& value, std::string_view name) {
  if (kind_of(value) != JsonKind::string) return invalid_parameter("'{}' must be a text", name);
  return std::string(value.text());
}

/// An exact decimal, as a number or in a text.
Result<Rational> decimal_of(const Json& value, std::string_view name) {
  const JsonKind kind = kind_of(value);
  const auto number = kind == JsonKind::number || kind == JsonKind::string ? Rational::parse(value.text())
                                                                           : Result<Rational>(Rational(0.0 / 0.0));
  if (!number || !number->is_defined()) return invalid_parameter("'{}' must be a decimal such as \"0.1\"", name);
  return *number;
}

Result<std::uint32_t> period_of(const Json& value, std::string_view name) {
  const auto number =
      kind_of(value) == JsonKind::number ? Rational::parse(value.text()) : Result<Rational>(Rational(-1));
  const auto whole = number ? number->to_int64() : Result<std::int64_t>(std::int64_t{-1});
  if (!whole || *whole < 0 || *whole > std::numeric_limits<std::uint32_t>::max())
    return invalid_parameter("'{}' must be the number of a period, a whole number below 2^32", name);
  return static_cast<std::uint32_t>(*whole);
}

}  // namespace

Result<CentralQuery> CentralQuery::parse(const CentralTask& task, const Json& body,
                                         std::pair<std::uint32_t, std::uint32_t> periods) {
  if (body.members() == nullptr) return invalid_parameter("a query is a JSON object");
  for (const auto& [name, value] : *body.members())
    if (std::find(kKeys.begin(), kKeys.end(), name) == kKeys.end())
      return invalid_parameter("a query has an unknown key{}", did_you_mean(name, kKeys));
  Options options;
  options.from = periods.first;
  options.to = periods.second;
  const Json* kind = member_of(body, "kind");
  if (kind == nullptr) return invalid_parameter("a query needs its 'kind'");
  GAUZE_TRY(const std::string word, text_of(*kind, "kind"));
  const auto known = value_of(kQueryKindWords, word);
  if (!known) return tl::unexpected<Error>(wrong_word("'kind'", all_words(kQueryKindWords), word));
  options.kind = *known;
  const Json* epsilon = member_of(body, "epsilon");
  if (epsilon == nullptr) return invalid_parameter("a query needs its 'epsilon'");
  GAUZE_TRY(options.epsilon, decimal_of(*epsilon, "epsilon"));
  if (const Json* field = member_of(body, "field")) {
    GAUZE_TRY(options.field, text_of(*field, "field"));
    if (options.field.empty()) return invalid_parameter("'field' must name a field");
  }
  const Json* tau = member_of(body, "tau");
  if ((tau != nullptr) != (options.kind == QueryKind::quantile))
    return invalid_parameter("'tau' belongs to a quantile, and a quantile needs it");
  if (tau != nullptr) {
    GAUZE_TRY(options.tau, decimal_of(*tau, "tau"));
  }
  if (const Json* from = member_of(body, "from")) {
    GAUZE_TRY(options.from, period_of(*from, "from"));
  }
  if (const Json* to = member_of(body, "to")) {
    GAUZE_TRY(options.to, period_of(*to, "to"));
  }
  if (const Json* where = member_of(body, "where")) {
    if (where->members() == nullptr) return invalid_parameter("'where' must be an object of fields and their values");
    for (const auto& [name, value] : *where->members()) {
      GAUZE_TRY(std::string text, text_of(value, "where"));
      options.where.emplace_back(name, std::move(text));
    }
  }
  return make(task, options);
}

}  // namespace gauze::collect
