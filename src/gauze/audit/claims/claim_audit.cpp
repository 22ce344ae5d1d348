#include "gauze/audit/claims/claim_audit.h"

#include <algorithm>
#include <cmath>

#include "gauze/audit/figures/figure_json.h"

namespace gauze::audit {
namespace {

double divided(double risk, std::uint64_t choices) {
  if (choices <= 1) return risk;
  return std::nextafter(risk / static_cast<double>(choices), 0.0);
}

}  // namespace

Result<Claim> Claim::make(std::optional<double> epsilon, double delta) {
  if (epsilon && !(*epsilon >= 0 && std::isfinite(*epsilon)))
    return invalid_parameter("the claimed epsilon must be finite and not negative, but is {}", *epsilon);
  if (!(delta >= 0 && delta < 1))
    return invalid_parameter("the claimed delta must be at least 0 and below 1, but is {}", delta);
  return Claim{epsilon, delta};
}

Result<Levels> Levels::make(double confidence, double alarm) {
  if (!(confidence > 0.5 && confidence < 1))
    return invalid_parameter("the confidence must lie between 0.5 and 1, but is {}", confidence);
  if (!(alarm > 0 && alarm < 0.5))
    return invalid_parameter("the false-alarm rate must lie between 0 and 0.5, but is {}", alarm);
  return Levels{confidence, alarm};
}

double Levels::printed_risk(std::uint64_t choices) const { return divided(1 - confidence, choices); }

double Levels::alarm_risk(std::uint64_t choices) const { return divided(alarm, choices); }

void ClaimAudit::decide(std::optional<double> claimed_there) {
  const std::optional<double> promise = claimed_there ? claimed_there : claimed.epsilon;
  if (promise && alarm_lower)
    holds = *alarm_lower <= *promise;
  else
    holds = std::nullopt;
}

Json ClaimAudit::to_json() const {
  Json found = Json::object({{"epsilon_lower", figure_json(epsilon_lower)},
                             {"confidence", confidence},
                             {"delta", delta},
                             {"event", event ? Json(*event) : Json()},
                             {"left", figure_json(left)},
                             {"right", figure_json(right)},
                             {"runs", figure_json(runs)},
                             {"reach", figure_json(reach)}});
  if (claimed_at_delta1) found.set("claimed_at_delta1", *claimed_at_delta1);
  Json document = Json::object();
  if (!claim.empty()) document.set("claim", claim);
  document.set("audited", std::move(found));
  document.set("claimed", Json::object({{"epsilon", figure_json(claimed.epsilon)}, {"delta", claimed.delta}}));
  Json raised = Json::object({{"epsilon_lower", figure_json(alarm_lower)}, {"rate", alarm_rate}});
  if (alarm_delta1) raised.set("delta1", *alarm_delta1).set("claimed_at_delta1", figure_json(alarm_claimed));
  document.set("alarm", std::move(raised));
  document.set("holds", holds ? Json(*holds) : Json());
  return document;
}

std::string ClaimAudit::in_words() const {
  std::string text = claimed.epsilon ? fmt::format("claimed {:.6g}", *claimed.epsilon) : "nothing claimed";
  if (claimed.epsilon && claimed.delta > 0) text += fmt::format(" at delta {:.6g}", claimed.delta);
  if (claimed_at_delta1 && delta != claimed.delta)
    text += fmt::format(" ({:.6g} at delta {:.3g})", *claimed_at_delta1, delta);
  if (!epsilon_lower) return text + ", not audited";
  text += fmt::format(", audited at least {} ({:.6g} %)", bound_text(epsilon_lower), 100 * confidence);
  if (event) text += ", event: " + *event;
  return text;
}

bool ClaimAudit::is_doubtful() const {
  if (holds != std::optional(true) || !epsilon_lower) return false;
  return *epsilon_lower > claimed_at_delta1.value_or(claimed.epsilon.value_or(HUGE_VAL));
}

std::string verdict_text(std::optional<bool> holds, bool is_doubtful, std::optional<double> alarm_lower,
                         double alarm_rate) {
  if (!holds) return "";
  if (!*holds)
    return fmt::format("the claim is broken: at least {}, at a false-alarm rate of {:.3g}", bound_text(alarm_lower),
                       alarm_rate);
  if (is_doubtful)
    return fmt::format(
        "above the claim, but not beyond doubt: at a false-alarm rate of {:.3g} no more than {} is sure; make more runs",
        alarm_rate, bound_text(alarm_lower));
  return "no contradiction to the claim; that does not prove it";
}

std::string bound_text(std::optional<double> bound) {
  if (!bound) return "-";
  if (!(*bound < 1e9)) return "a billion";
  std::string text = fmt::format("{:.3f}", *bound);
  if (const double shown = std::stod(text); shown > *bound)
    text = fmt::format("{:.3f}", std::max(0.0, shown - 0.001));
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace gauze::audit
