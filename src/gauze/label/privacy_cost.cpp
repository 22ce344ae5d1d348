#include "gauze/label/privacy_cost.h"

#include <cmath>
#include <utility>

namespace gauze {
namespace {

void add_figure(std::optional<Rational>& sum, const std::optional<Rational>& more) {
  if (more) sum = sum ? *sum + *more : *more;
}

std::optional<std::string> rounded_up(const std::optional<Rational>& figure) {
  if (!figure) return std::nullopt;
  return figure->to_decimal_up();
}

/// A number whose square is not below the given one, a billionth above its root at most. Beyond the range of doubles the
/// number itself, which is above 1 and so above its root.
Rational root_up(const Rational& number) {
  const double near = std::sqrt(number.to_double_up());
  if (!std::isfinite(near)) return number;
  const Rational root = Rational(near) * Rational(1'000'000'001, 1'000'000'000);
  return root * root < number ? number : root;  // the first only for what doubles round to nothing
}

}  // namespace

PrivacyCost PrivacyCost::of_epsilon(Rational epsilon, Rational delta) {
  PrivacyCost cost;
  cost.epsilon = std::move(epsilon);
  if (delta.sign() > 0) {
    cost.definition = Definition::approximate;
    cost.delta = std::move(delta);
  }
  return cost;
}

PrivacyCost PrivacyCost::of_rho(Rational rho) {
  PrivacyCost cost;
  cost.definition = Definition::zcdp;
  cost.rho = std::move(rho);
  return cost;
}

bool is_chargeable(Definition definition) {
  switch (definition) {
    case Definition::pure:
    case Definition::approximate:
    case Definition::zcdp:
    case Definition::renyi:
    case Definition::gaussian:
      return true;
    case Definition::metric:
    case Definition::umldp:
    case Definition::k_anonymity:
    case Definition::pattern_hiding:
    case Definition::none:
    case Definition::internal:
      return false;
  }
  return false;
}

bool PrivacyCost::is_chargeable() const { return gauze::is_chargeable(definition); }

Result<void> PrivacyCost::add(const PrivacyCost& other) {
  if (unit != other.unit || neighbours != other.neighbours)
    return invalid_parameter("costs add up only for one unit and one relation of neighbours");
  if (definition != other.definition || renyi_order != other.renyi_order)
    return invalid_parameter("costs add up only under one definition: {} and {} do not", to_string(definition),
                             to_string(other.definition));
  add_figure(epsilon, other.epsilon);
  add_figure(delta, other.delta);
  add_figure(rho, other.rho);
  add_figure(rho_delta, other.rho_delta);
  add_figure(renyi_epsilon, other.renyi_epsilon);
  if (mu && other.mu) mu = root_up(*mu * *mu + *other.mu * *other.mu);
  return {};
}

Result<PrivacyCost> PrivacyCost::times(std::int64_t count) const {
  if (count < 1) return invalid_parameter("a cost is of one release or more, not of {}", count);
  PrivacyCost total = *this;
  const Rational factor(count);
  for (std::optional<Rational>* figure :
       {&total.epsilon, &total.delta, &total.rho, &total.rho_delta, &total.renyi_epsilon})
    if (*figure) *figure = **figure * factor;
  if (total.mu && count > 1) total.mu = root_up(*total.mu * *total.mu * factor);
  return total;
}

void PrivacyCost::put_into(PrivacyLabel& label) const {
  label.definition = definition;
  label.privacy_unit = unit;
  label.neighbours = neighbours;
  label.cost = {.epsilon = rounded_up(epsilon),
                .delta = rounded_up(delta),
                .rho = rounded_up(rho),
                .mu = rounded_up(mu),
                .renyi_order = rounded_up(renyi_order),
                .renyi_epsilon = rounded_up(renyi_epsilon)};
}

}  // namespace gauze
