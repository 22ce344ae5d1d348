#include "gauze/ledger/balance.h"

#include <algorithm>

#include "gauze/ledger/ledger.h"

namespace gauze {
namespace {

Json amount_json(std::int64_t units, Currency currency) {
  return Json::object({{std::string(to_string(currency)), Json::number(decimal_of(units, currency))}});
}

Json amount_or_null(const std::int64_t* units, Currency currency) {
  return units == nullptr ? Json() : Json::number(decimal_of(*units, currency));
}

}  // namespace

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

Json Balance::window_json() const {
  if (terms->window_seconds == 0) return {};
  return Json::object({{"length", window_text(terms->window_seconds)},
                       {"limit", amount_json(terms->window.declared, terms->total.currency())},
                       {"left", amount_json(terms->window.limit - window_spent, terms->accountant.currency())},
                       {"renews", time_text(window_ends)}});
}

Json Balance::to_json() const {
  const Currency currency = terms->total.currency();
  Json json = Json::object({{"dataset", terms->name}, {"unit", terms->unit}});
  json.set("neighbours", neighbours ? Json(to_string(*neighbours)) : Json());
  json.set("accountant", terms->accountant.name()).set("total", terms->total_json());
  json.set("as_one_pure_release", terms->as_one_pure_release());
  json.set("spent", spent_json()).set("left", left_json()).set("queries", queries);
  json.set("window", window_json());
  json.set("max_per_query",
           amount_or_null(terms->max_per_query ? &terms->max_per_query->declared : nullptr, currency));
  json.set("max_delta_per_query",
           amount_or_null(terms->max_delta_per_query ? &*terms->max_delta_per_query : nullptr, Currency::delta));
  json.set("max_queries", terms->max_queries ? Json(*terms->max_queries) : Json());
  return json.set("shares", shares_set).set("created", time_text(created));
}

Json Refusal::details() const {
  Json json = Json::object();
  if (request) json.set("reservation", request->entry);
  if (!balance || !allowed) return json;
  json.set("left", balance->left_json()).set("allowed", allowed->to_json()).set("limit", limit);
  if (window_opens) json.set("renews", time_text(*window_opens));
  return json;
}

}  // namespace gauze
