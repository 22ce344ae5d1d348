#include "gauze/learn/job/plan_fit.h"

#include <array>

#include "gauze/ledger/charge_of_cost.h"

namespace gauze::learn {
namespace {

/// Accountants that are tried for a total, from the plainest on.
constexpr std::array<const char*, 9> kAccountants = {"basic", "zcdp",   "gdp",    "rdp:2", "rdp:4",
                                                     "rdp:8", "rdp:16", "rdp:32", "rdp:64"};

/// The same total under another accountant, untouched.
Result<DatasetTerms> terms_under(const DatasetTerms& terms, const std::string& accountant) {
  DatasetOptions options;
  options.name = terms.name;
  options.unit = terms.unit;
  options.neighbours = terms.neighbours.value_or(Neighbours::add_remove);
  options.accountant = accountant;
  const Rational amount = amount_of(terms.total.amount, terms.total.currency());
  if (terms.total.kind == Total::Kind::epsilon)
    options.epsilon = amount;
  else
    options.rho = amount;
  if (terms.total.delta > 0) options.delta = amount_of(terms.total.delta, Currency::delta);
  return DatasetTerms::make(options);
}

/// What a plan takes from a balance of these terms.
Result<Cost> taken(const TrainingPlan& plan, const DatasetTerms& terms, Charge& charge) {
  GAUZE_TRY(const PrivacyCost cost, plan.cost(terms.accountant));
  GAUZE_TRY(charge, charge_of_cost(cost, terms));
  return terms.accountant.cost(charge);
}

bool within(const Cost& cost, const Cost& room) { return cost.amount <= room.amount && cost.delta <= room.delta; }

}  // namespace

Json PlanFit::to_json() const {
  Json list = Json::array();
  for (const std::string& name : suited) list.push(name);
  return Json::object({{"ok", ok}, {"accountant", accountant}, {"charge", charge}, {"left", left}, {"suited", list}});
}

Result<PlanFit> fit_of(const TrainingPlan& plan, const Balance& balance) {
  PlanFit fit;
  fit.accountant = balance.terms->accountant.name();
  fit.left = balance.left_json();
  Charge charge;
  const auto cost = taken(plan, *balance.terms, charge);
  if (cost) {
    fit.charge = charge.to_json();
    fit.ok = within(*cost, balance.left()) && balance.terms->allows_query(charge, *cost);
    if (!fit.ok) fit.reason = "more than is left";
  } else {
    fit.reason = cost.error().message;
  }
  for (const char* name : kAccountants) {
    const auto terms = terms_under(*balance.terms, name);
    if (!terms) continue;
    Charge other;
    const auto price = taken(plan, *terms, other);
    if (price && within(*price, terms->capacity)) fit.suited.emplace_back(name);
  }
  return fit;
}

}  // namespace gauze::learn
