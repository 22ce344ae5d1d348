#include "gauze/label/meaning.h"

#include "gauze/label/internal/label_format.h"
#include "gauze/label/unstated_unit.h"

namespace gauze {
namespace {

constexpr mpfr_prec_t kMeaningPrecision = 128;

Interval enclosed(const Rational& value) { return {value, kMeaningPrecision}; }
Interval enclosed(std::int64_t value) { return enclosed(Rational(value)); }

/// Whichever has the smaller upper end; both are bounds.
const Interval& better(const Interval& a, const Interval& b) { return a.high() <= b.high() ? a : b; }

struct Bounds {
  std::optional<Interval> belief = {};
  Interval advantage = enclosed(1);
  std::optional<std::string> epsilon = {};  ///< at `delta`, where the definition has no epsilon of its own
  std::optional<std::string> delta = {};
};

/// (1 - x + 2 delta x) / (1 + x) with x = e^-epsilon: no overflow for a large epsilon.
Interval advantage_of(const Rational& epsilon, const Rational& delta) {
  const Interval x = (-enclosed(epsilon)).exp();
  return (enclosed(1) - x + enclosed(2) * enclosed(delta) * x) / (enclosed(1) + x);
}

/// Of two laws with this Kullback-Leibler divergence.
Interval distance_of(const Interval& divergence) {
  const Interval pinsker = (divergence / enclosed(2)).sqrt();
  return better(pinsker, (enclosed(1) - (-divergence).exp()).sqrt());
}

/// epsilon at `delta` from what a privacy loss costs beside ln(1 / delta).
void state_epsilon(Bounds& bounds, const PrivacyLabel::Cost& cost, const auto& at_delta) {
  if (cost.epsilon && cost.delta) {
    bounds.epsilon = cost.epsilon;
    bounds.delta = cost.delta;
    return;
  }
  bounds.delta = "1e-6";
  const Rational high(at_delta(-enclosed(Rational(1, 1'000'000)).log()).high());
  constexpr std::int64_t kSteps = 10'000;
  bounds.epsilon = ((high * Rational(kSteps)).ceil() / Rational(kSteps)).to_decimal();
}

std::optional<Bounds> bounds_of(const PrivacyLabel& label) {
  const PrivacyLabel::Cost& cost = label.cost;
  const auto amount = [](const std::optional<std::string>& text) -> std::optional<Rational> {
    const auto value = text ? Rational::parse(*text) : Result<Rational>(Rational());
    if (!text || !value || value->sign() < 0) return std::nullopt;
    return *value;
  };
  const auto epsilon = amount(cost.epsilon);
  const auto delta = amount(cost.delta);
  Bounds bounds;
  switch (label.definition) {
    case Definition::pure:
      if (!epsilon) return std::nullopt;
      bounds.belief = enclosed(1) / (enclosed(1) + (-enclosed(*epsilon)).exp());
      bounds.advantage = advantage_of(*epsilon, 0);
      return bounds;
    case Definition::approximate:
      if (!epsilon || !delta) return std::nullopt;
      bounds.advantage = advantage_of(*epsilon, *delta);
      return bounds;
    case Definition::zcdp:
    case Definition::gaussian: {
      const bool gaussian = label.definition == Definition::gaussian;
      const auto given = amount(gaussian ? cost.mu : cost.rho);
      if (!given) return std::nullopt;
      const Interval rho = gaussian ? enclosed(*given * *given / Rational(2)) : enclosed(*given);
      bounds.advantage =
          gaussian ? enclosed(1) - enclosed(2) * enclosed(*given / Rational(2)).normal_tail() : distance_of(rho);
      state_epsilon(bounds, cost, [&](const Interval& log) { return rho + enclosed(2) * (rho * log).sqrt(); });
      return bounds;
    }
    case Definition::renyi: {
      const auto order = amount(cost.renyi_order);
      const auto divergence = amount(cost.renyi_epsilon);
      if (!order || !divergence || !(*order > 1)) return std::nullopt;
      bounds.advantage = distance_of(enclosed(*divergence));
      state_epsilon(bounds, cost, [&](const Interval& log) {
        return enclosed(*divergence) + log / enclosed(*order - Rational(1));
      });
      return bounds;
    }
    case Definition::metric:
    case Definition::umldp:
    case Definition::k_anonymity:
    case Definition::pattern_hiding:
    case Definition::none:
    case Definition::internal:
      break;
  }
  return std::nullopt;
}

/// The upper end on a grid of 1 / steps, at most 1.
Rational up(const Interval& value, std::int64_t steps) {
  const Rational rounded = (Rational(value.high()) * Rational(steps)).ceil() / Rational(steps);
  return rounded > 1 ? Rational(1) : rounded;
}

/// "73.2": in percent, rounded up to a tenth.
std::string percent(const Interval& value) { return (up(value, 1000) * Rational(100)).to_decimal(); }

std::string question(const PrivacyLabel& label) {
  const bool stated = !label.privacy_unit.empty() && label.privacy_unit != kUnstatedUnit;
  const std::string unit = stated ? label.privacy_unit : "one unit";
  switch (label.neighbours) {
    case Neighbours::replace_one:
      return fmt::format("which of two values {} has", unit);
    case Neighbours::any_two_inputs:
      return "which of two inputs it was made from";
    case Neighbours::add_remove:
    case Neighbours::not_applicable:
      break;
  }
  return fmt::format("whether {} is in the data", unit);
}

}  // namespace

std::optional<PrivacyLabel::Meaning> meaning_of(const PrivacyLabel& label) {
  const auto bounds = bounds_of(label);
  if (!bounds) return std::nullopt;
  constexpr std::int64_t kSteps = 1'000'000;
  PrivacyLabel::Meaning meaning;
  meaning.advantage = up(bounds->advantage, kSteps).to_decimal();
  if (bounds->belief) {
    meaning.belief = up(*bounds->belief, kSteps).to_decimal();
    const Rational most = up(*bounds->belief, 1000) * Rational(100);
    meaning.text = fmt::format(
        "a belief of 50 % about {} can become one of {} % at most, or fall to one of {} % at least, by this release",
        question(label), most.to_decimal(), (Rational(100) - most).to_decimal());
    return meaning;
  }
  meaning.text =
      fmt::format("an attacker who tests {} has an advantage (true alarms minus false ones) of at most {} %",
                  question(label), percent(bounds->advantage));
  if (bounds->epsilon) {
    meaning.epsilon = bounds->epsilon;
    meaning.delta = bounds->delta;
    meaning.text += fmt::format("; in epsilon it is {} at delta {}", *meaning.epsilon, *meaning.delta);
  }
  return meaning;
}

Result<void> check_meaning(const PrivacyLabel& label, const PrivacyLabel::Meaning& stated) {
  const auto bounds = bounds_of(label);
  if (!bounds) return make_error(ErrorCode::bad_data, "'meaning' in the label goes with differential privacy alone");
  const auto holds = [](const std::optional<std::string>& text, const std::optional<Interval>& bound) {
    if (!text) return true;
    if (!bound || !internal::is_json_number(*text)) return false;
    const auto value = Rational::parse(*text);
    return value && *value <= 1 && *value >= Rational(bound->low());
  };
  if (!holds(stated.belief, bounds->belief) || !holds(stated.advantage, bounds->advantage))
    return make_error(ErrorCode::bad_data, "'meaning' in the label promises more than its cost");
  return {};
}

}  // namespace gauze
