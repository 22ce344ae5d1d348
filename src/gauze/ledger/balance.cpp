#include "gauze/ledger/balance.h"

#include <algorithm>

namespace gauze {

Cost Balance::left() const {
  return {.amount = terms->capacity.amount - spent.amount, .delta = terms->capacity.delta - spent.delta};
}

Json Balance::figures(std::int64_t epsilon, const Cost& cost) const {
  const Currency currency = terms->accountant.currency();
  Json json = Json::object();
  if (terms->total.kind == Total::Kind::epsilon) {
    json.set("epsilon", Json::number(decimal_of(epsilon, Currency::epsilon)));
    json.set("delta", Json::number(decimal_of(cost.delta, Currency::delta)));
  }
  if (currency != Currency::epsilon) {
    json.set(to_string(currency), Json::number(decimal_of(cost.amount, currency)));
  }
  if (terms->total.kind == Total::Kind::rho && terms->total.delta > 0) {
    json.set("delta", Json::number(decimal_of(cost.delta, Currency::delta)));
  }
  return json;
}

std::int64_t Balance::implied_epsilon() const {
  return terms->total.kind == Total::Kind::rho ? 0 : terms->accountant.epsilon_of(spent.amount, terms->total);
}

Json Balance::spent_json() const { return figures(implied_epsilon(), spent); }

Json Balance::left_json() const {
  const Cost rest = left();
  // Rounding must not leave a rest of epsilon where nothing can be spent any more.
  const std::int64_t epsilon =
      rest.amount == 0 ? 0 : std::max<std::int64_t>(0, terms->total.amount - implied_epsilon());
  return figures(epsilon, rest);
}

double Balance::used() const {
  return static_cast<double>(spent.amount) / static_cast<double>(terms->capacity.amount);
}

Json cost_json(const Cost& cost, const DatasetTerms& terms) {
  const Currency currency = terms.accountant.currency();
  Json json = Json::object({{std::string(to_string(currency)), Json::number(decimal_of(cost.amount, currency))}});
  if (terms.capacity.delta > 0) json.set("delta", Json::number(decimal_of(cost.delta, Currency::delta)));
  return json;
}

}  // namespace gauze
