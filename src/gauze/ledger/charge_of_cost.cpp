#include "gauze/ledger/charge_of_cost.h"

#include <fmt/core.h>

namespace gauze {
namespace {

Result<Charge> stated_charge(const PrivacyCost& cost, const DatasetTerms& terms) {
  if (!cost.is_chargeable())
    return invalid_parameter("a budget cannot be charged for {}: such costs do not add up",
                             to_string(cost.definition));
  const PrivacyFilter& accountant = terms.accountant;
  if (cost.rho && accountant.kind() == PrivacyFilter::Kind::zcdp)
    return Charge::make(Charge::Kind::rho, *cost.rho, cost.rho_delta.value_or(Rational()));
  if (cost.mu && accountant.kind() == PrivacyFilter::Kind::gdp) return Charge::make(Charge::Kind::mu, *cost.mu);
  if (cost.renyi_order && cost.renyi_epsilon && accountant.kind() == PrivacyFilter::Kind::rdp &&
      *cost.renyi_order == accountant.order())
    return Charge::make(Charge::Kind::rdp, *cost.renyi_epsilon);
  if (cost.epsilon) return Charge::make(Charge::Kind::epsilon, *cost.epsilon, cost.delta.value_or(Rational()));
  if (cost.rho) return Charge::make(Charge::Kind::rho, *cost.rho, cost.rho_delta.value_or(Rational()));
  if (cost.mu) return Charge::make(Charge::Kind::mu, *cost.mu);
  return invalid_parameter("the accountant of '{}', {}, cannot absorb a cost that is stated for Renyi order {}",
                           terms.name, accountant.name(), cost.renyi_order ? cost.renyi_order->to_decimal() : "none");
}

}  // namespace

Result<void> check_delta(const DatasetTerms& terms, const Charge& charge) {
  if (charge.delta == 0 || terms.capacity.delta > 0) return {};
  if (terms.total.kind == Total::Kind::rho) {
    return invalid_parameter("'{}' has a total in rho without a delta: it takes no delta above 0", terms.name);
  }
  return invalid_parameter("'{}' is a pure dataset: it takes epsilon without a delta", terms.name);
}

Result<Charge> charge_of_cost(const PrivacyCost& cost, const DatasetTerms& terms) {
  GAUZE_TRY(Charge charge, stated_charge(cost, terms));
  GAUZE_TRY_VOID(check_delta(terms, charge));
  return charge;
}

std::string figures_text(const Json& figures) {
  std::string text;
  for (const auto& [name, value] : *figures.members()) {
    if (name == "delta" && value.text() == "0") continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value.text());
  }
  return text;
}

std::string charge_text(const Charge& stated, const Charge& charged) {
  const std::string figures = figures_text(charged.to_json());
  if (stated.amount == charged.amount) return figures;
  return fmt::format("{} (stated {}, charged for a group of two)", figures, figures_text(stated.to_json()));
}

}  // namespace gauze
