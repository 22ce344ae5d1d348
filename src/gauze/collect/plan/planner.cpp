#include "gauze/collect/plan/planner.h"

#include <algorithm>
#include <cmath>

#include "gauze/base/did_you_mean.h"
#include "gauze/base/joined.h"
#include "gauze/encoder/task_block.h"

namespace gauze::collect {
namespace {

PlannedMechanism planned(const LocalMechanism& mechanism, const PlanRequest& request) {
  PlannedMechanism one;
  one.mechanism = &mechanism;
  one.law = {mechanism.law(request.epsilon_nano, request.size), request.size};
  one.cost_nano = cost_of_law(mechanism, one.law.law);
  one.bytes = mechanism.payload_bytes(one.law);
  one.refusal = mechanism.refusal(one.law);
  if (one.refusal.empty() && one.bytes > GAUZE_LARGEST_PAYLOAD)
    one.refusal = fmt::format("a report would have {} bytes, and no report has more than {}", one.bytes,
                              std::uint64_t{GAUZE_LARGEST_PAYLOAD});
  if (one.refusal.empty() && one.bytes > request.most_bytes)
    one.refusal =
        fmt::format("a report would have {} bytes, which is more than the {} allowed", one.bytes, request.most_bytes);
  if (mechanism.mean != nullptr) {
    one.at_0 = mechanism.mean->variance(one.law, 0);
    one.at_half = mechanism.mean->variance(one.law, 0.5);
    one.at_1 = mechanism.mean->variance(one.law, 1);
    one.variance_of_choice = std::max(one.at_0, one.at_1);  // between them it is monotone
    return one;
  }
  const double users = static_cast<double>(request.users);
  one.variance = mechanism.frequency->variance(one.law, 0) / users;
  one.variance_at = mechanism.frequency->variance(one.law, request.frequency) / users;
  one.variance_of_choice = mechanism.frequency->variance(one.law, 1.0 / request.size) / users;
  return one;
}

/// The place of the best one, if any is allowed.
std::optional<std::size_t> best(const std::vector<PlannedMechanism>& all) {
  double least = INFINITY;
  for (const PlannedMechanism& one : all)
    if (one.refusal.empty()) least = std::min(least, one.variance_of_choice);
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].refusal.empty() || all[i].variance_of_choice > 1.05 * least) continue;
    const auto rank = [&](std::size_t place) { return std::pair(all[place].bytes, all[place].variance_of_choice); };
    if (!found || rank(i) < rank(*found)) found = i;
  }
  return found;
}

Result<std::vector<const LocalMechanism*>> asked_for(const PlanRequest& request) {
  std::vector<const LocalMechanism*> chosen;
  for (const std::string& name : request.mechanisms) {
    const LocalMechanism* one = find_local_mechanism(name);
    if (one == nullptr || one->question != request.question)
      return invalid_parameter("the mechanisms of a {} are {}, but '{}' is none of them",
                               word_of(kQuestionWords, request.question),
                               joined(names_of_mechanisms(request.question), ", "), name);
    if (std::find(chosen.begin(), chosen.end(), one) == chosen.end()) chosen.push_back(one);
  }
  if (!chosen.empty()) return chosen;
  for (const LocalMechanism* one : local_mechanisms())
    if (one->question == request.question) chosen.push_back(one);
  return chosen;
}

Result<void> check(const PlanRequest& request) {
  if (request.users == 0) return invalid_parameter("the number of users must be at least 1");
  if (request.question == Question::frequency && (request.size < 2 || request.size > GAUZE_MOST_VALUES))
    return invalid_parameter("the number of values must lie between 2 and {}, but is {}",
                             std::uint32_t{GAUZE_MOST_VALUES}, request.size);
  if (!(request.frequency >= 0 && request.frequency <= 1))
    return invalid_parameter("the frequency must lie between 0 and 1");
  return {};
}

}  // namespace

Result<std::uint64_t> epsilon_nano(const Rational& epsilon) {
  if (!epsilon.is_defined() || epsilon < Rational(1, 1000) || epsilon > Rational(16))
    return invalid_parameter("epsilon of a report must lie between 0.001 and 16");
  const Rational nano = epsilon * Rational(1'000'000'000);
  if (!nano.is_integer()) return invalid_parameter("epsilon of a report has at most nine decimals");
  GAUZE_TRY(const std::int64_t whole, nano.to_int64());
  return static_cast<std::uint64_t>(whole);
}

std::string nano_text(std::uint64_t nano) {
  return Rational(static_cast<std::int64_t>(nano), 1'000'000'000).to_decimal();
}

Result<CollectionPlan> plan_collection(const PlanRequest& request) {
  GAUZE_TRY_VOID(check(request));
  GAUZE_TRY(const auto mechanisms, asked_for(request));
  CollectionPlan plan{request, {}, 0, {}};
  for (const LocalMechanism* one : mechanisms) plan.alternatives.push_back(planned(*one, request));
  const auto choice = best(plan.alternatives);
  if (!choice) {
    std::vector<std::string> reasons;
    for (const PlannedMechanism& one : plan.alternatives)
      reasons.push_back(fmt::format("{}: {}", one.mechanism->name, one.refusal));
    return make_error(ErrorCode::infeasible, "no mechanism is allowed: {}", joined(reasons, "; "));
  }
  plan.choice = *choice;
  double least = INFINITY;
  for (const PlannedMechanism& one : plan.alternatives)
    if (one.refusal.empty()) least = std::min(least, one.variance_of_choice);
  const PlannedMechanism& chosen = plan.chosen();
  const double excess = 100 * (chosen.variance_of_choice / least - 1);
  const std::string measure =
      request.question == Question::mean ? "variance in the worst case" : "variance of an average value";
  plan.reason = plan.alternatives.size() == 1 ? "the only one asked for"
                : excess < 1e-9
                    ? fmt::format("least {}, {}", measure, counted(chosen.bytes, "byte"))
                    : fmt::format("{:.1f} % above the least {}, and the fewest bytes within 5 % of it: {}", excess,
                                  measure, chosen.bytes);
  return plan;
}

Json to_json(const CollectionPlan& plan) {
  const PlanRequest& request = plan.request;
  const bool is_mean = request.question == Question::mean;
  std::vector<Json> alternatives;
  for (const PlannedMechanism& one : plan.alternatives) {
    const auto chances = one.mechanism->frequency != nullptr ? one.mechanism->frequency->chances(one.law)
                                                             : std::optional<SupportChances>();
    Json object = Json::object({{"mechanism", one.mechanism->name},
                                {"allowed", one.refusal.empty()},
                                {"reason", one.refusal.empty() ? Json() : Json(one.refusal)},
                                {"p", chances ? Json(chances->p) : Json()},
                                {"q", chances ? Json(chances->q) : Json()},
                                {"parameters", one.mechanism->parameters(one.law, request.epsilon_nano)},
                                {"cost", Json::number(nano_text(one.cost_nano))}});
    if (is_mean) {
      object.set(
          "variance",
          Json::object({{"worst", one.worst()}, {"at_0", one.at_0}, {"at_half", one.at_half}, {"at_1", one.at_1}}));
      object.set("variance_at", Json())
          .set("standard_error", std::sqrt(one.worst() / static_cast<double>(request.users)));
    } else {
      object.set("variance", one.variance).set("variance_at", one.variance_at);
      object.set("standard_error", std::sqrt(one.variance));
    }
    object.set("bytes", one.bytes);
    alternatives.push_back(std::move(object));
  }
  return Json::object(
      {{"question", word_of(kQuestionWords, request.question)},
       {"epsilon", Json::number(nano_text(request.epsilon_nano))},
       {"users", request.users},
       {"size", is_mean ? Json() : Json(request.size)},
       {"choice", Json::object({{"mechanism", plan.chosen().mechanism->name}, {"reason", plan.reason}})},
       {"alternatives", Json::array(std::move(alternatives))}});
}

}  // namespace gauze::collect
