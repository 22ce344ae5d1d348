#include "gauze/accounting/cost_statement.h"

#include <algorithm>
#include <cmath>

#include "gauze/label/unstated_unit.h"

namespace gauze {
namespace {

using Method = Accountant::Method;
using Answers = std::vector<Accountant::Answer>;

Json json_of(const Bounds& bounds) {
  return Json::object({{"lower", bounds.lower ? Json(*bounds.lower) : Json()}, {"upper", bounds.upper}});
}

Json all_of(const Answers& answers, std::string_view figure) {
  Json all = Json::object();
  for (const Accountant::Answer& answer : answers) {
    const bool two_sided = answer.method == Method::pld || answer.method == Method::exact;
    Json entry = two_sided ? json_of(answer.bounds) : Json::object({{std::string(figure), answer.bounds.upper}});
    if (answer.order) entry.set("order", *answer.order);
    all.set(to_string(answer.method), std::move(entry));
  }
  return all;
}

Result<void> check_finite(const Accountant::Answer& best) {
  if (!std::isinf(best.bounds.upper)) return {};
  return make_error(ErrorCode::infeasible, "no finite epsilon holds at this delta: the events' own deltas exceed it");
}

PrivacyLabel cost_label(const PrivacyEvent& event, double epsilon, double delta) {
  PrivacyLabel label;
  label.released = {.kind = "statement of what a composition costs", .count = {}, .file = {}, .sha256 = {}};
  label.mechanism = to_string(event.kind);
  label.parameters = Json::object({{"steps", event.count}, {"sensitivity", event.sensitivity}});
  label.privacy_unit = kUnstatedUnit;
  label.neighbours = event.neighbours;
  label.definition = delta > 0 ? Definition::approximate : Definition::pure;
  label.cost.epsilon = Rational(epsilon).to_decimal_up();
  if (delta > 0) label.cost.delta = Rational(delta).to_decimal_up();
  label.covers = {"all runs together, their number fixed beforehand"};
  label.does_not_cover = {"whether the mechanism was run as stated, and its sensitivity",
                          "stopping early or late because of what was seen"};
  if (event.sampling != PrivacyEvent::Sampling::none)
    label.does_not_cover.emplace_back(
        "other ways of sampling: shuffling and passing through the data is not this one");
  return label;
}

/// Whether bounds lie further apart than usual.
bool is_wide(const Bounds& bounds) {
  return bounds.lower && bounds.upper - *bounds.lower > default_accuracy(bounds.upper);
}

}  // namespace

Result<CostStatement> CostStatement::epsilon_at(const Accountant& accountant, const PrivacyEvent& event,
                                                const Rational& delta, Method method) {
  GAUZE_TRY(Answers answers, accountant.epsilon(delta.to_double_down(), method));
  GAUZE_TRY_VOID(check_finite(answers.front()));
  const double upper = answers.front().bounds.upper;
  return CostStatement{.epsilon = Rational(upper),
                       .delta = delta,
                       .answers = std::move(answers),
                       .label = cost_label(event, upper, delta.to_double_down())};
}

Result<CostStatement> CostStatement::delta_at(const Accountant& accountant, const PrivacyEvent& event,
                                              const Rational& epsilon, Method method) {
  GAUZE_TRY(Answers answers, accountant.delta(epsilon.to_double_down(), method));
  const double upper = answers.front().bounds.upper;
  if (upper >= 1) return make_error(ErrorCode::infeasible, "no delta below 1 holds at this epsilon");
  return CostStatement{.epsilon = epsilon,
                       .delta = Rational(upper),
                       .asked_for_delta = true,
                       .answers = std::move(answers),
                       .label = cost_label(event, epsilon.to_double_up(), upper)};
}

Result<CostStatement> CostStatement::epsilon_of(const CompositionSpec& spec, const Rational& delta, Method method,
                                                Progress& progress) {
  Answers worst;
  progress.begin("accounting", spec.alternatives.size());
  for (const auto& events : spec.alternatives) {
    GAUZE_TRY(const Accountant accountant, Accountant::make(events));
    GAUZE_TRY(Answers answers, accountant.epsilon(delta.to_double_down(), method));
    if (worst.empty() || answers.front().bounds.upper > worst.front().bounds.upper) worst = std::move(answers);
    progress.advance();
    GAUZE_TRY_VOID(progress.check());
  }
  GAUZE_TRY_VOID(check_finite(worst.front()));
  const double upper = worst.front().bounds.upper;
  CostStatement statement{.epsilon = Rational(upper),
                          .delta = delta,
                          .answers = std::move(worst),
                          .label = cost_label(spec.alternatives.front().front(), upper, delta.to_double_down())};
  PrivacyLabel& label = statement.label;
  label.mechanism = "composition";
  label.parameters = Json::object({{"events", spec.alternatives.front().size()}});
  label.privacy_unit = "whatever the stated sensitivities are about";
  if (spec.alternatives.size() > 1)
    label.does_not_cover.emplace_back("parallel parts that were chosen by looking at the data");
  return statement;
}

Bounds CostStatement::bounds() const {
  Bounds bounds = answers.front().bounds;
  if (asked_for_delta) return bounds;
  for (const Accountant::Answer& answer : answers) {
    if (answer.bounds.lower)
      bounds.lower = std::min(bounds.upper, std::max(bounds.lower.value_or(0), *answer.bounds.lower));
  }
  return bounds;
}

Json CostStatement::to_json() const {
  const Bounds found = bounds();
  Json object = Json::object({{"epsilon", asked_for_delta ? Json::number(epsilon.to_decimal()) : json_of(found)},
                              {"delta", asked_for_delta ? json_of(found) : Json::number(delta.to_decimal())},
                              {"method", to_string(answers.front().method)},
                              {"all", all_of(answers, asked_for_delta ? "delta" : "epsilon")}});
  if (asked_for_delta) return object;
  object.set("gap", found.lower ? Json(found.upper - *found.lower) : Json());
  object.set("wide", found.lower ? Json(is_wide(found)) : Json());
  return object;
}

std::vector<Warning> CostStatement::warnings() const {
  std::vector<Warning> warnings;
  if (asked_for_delta) return warnings;
  if (answers.front().order_at_edge && answers.front().method == Method::rdp)
    warnings.push_back(
        {"order_at_edge", "The best Renyi order is at the edge of those tried: other orders may give less."});
  if (const Bounds found = bounds(); is_wide(found))
    warnings.push_back(
        {"wide_bounds", fmt::format("The bounds lie further apart than the usual {:.2g}: the true epsilon "
                                    "is between {} and {}. The upper one holds.",
                                    default_accuracy(found.upper), *found.lower, found.upper)});
  return warnings;
}

}  // namespace gauze
