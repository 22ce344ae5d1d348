#include "gauze/accounting/accountant.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "gauze/accounting/conversions.h"
#include "gauze/accounting/internal/infinity.h"
#include "gauze/accounting/internal/pure_composition.h"
#include "gauze/mechanisms/noise/gaussian_calibration.h"

namespace gauze {
namespace {

using Method = Accountant::Method;
using Answer = Accountant::Answer;

using internal::kInfinity;
constexpr double kWidestDiscreteGaussians = 1.2e5;  // of all events together: 400 MB

constexpr std::array<std::pair<std::string_view, Method>, 7> kMethodNames = {{{"auto", Method::automatic},
                                                                              {"basic", Method::basic},
                                                                              {"advanced", Method::advanced},
                                                                              {"zcdp", Method::zcdp},
                                                                              {"rdp", Method::rdp},
                                                                              {"pld", Method::pld},
                                                                              {"exact", Method::exact}}};

/// From 1.1 to 1024, finer where the best order usually lies.
std::vector<double> default_orders() {
  std::vector<double> orders;
  for (int tenths = 11; tenths < 110; ++tenths) orders.push_back(tenths / 10.0);
  for (double order = 11; order < 64; ++order) orders.push_back(order);
  for (double order = 64; order <= 1024; order *= 1.125) orders.push_back(std::floor(order));
  orders.push_back(1024);
  return orders;
}

tl::unexpected<Error> unsupported(std::string_view reason) {
  return make_error(ErrorCode::unsupported, "{}", reason);
}

/// sum + count * value, rounded up where doubles cannot hold it.
double rounded_up_sum(double sum, double count, double value) {
  const Rational exact = Rational(sum) + Rational(count) * Rational(value);
  return exact.to_double_up();
}

Bounds only_upper(double upper) { return {.lower = std::nullopt, .upper = upper}; }

/// ln of the delta that Renyi-DP at an order implies at epsilon.
double log_delta_of_rdp(double rdp, double order, double epsilon) {
  return (order - 1) * (rdp - epsilon) - std::log(order - 1) + order * std::log1p(-1 / order);
}

}  // namespace

std::string_view to_string(Method method) {
  for (const auto& [name, known] : kMethodNames) {
    if (known == method) return name;
  }
  return "auto";
}

std::optional<Method> parse_method(std::string_view text) {
  for (const auto& [name, method] : kMethodNames) {
    if (name == text) return method;
  }
  return std::nullopt;
}

Accountant::Accountant(std::vector<PrivacyEvent> events) : events_(std::move(events)), orders_(default_orders()) {}

Result<Accountant> Accountant::make(std::vector<PrivacyEvent> events) {
  if (events.empty()) return invalid_parameter("there must be at least one event");
  for (const PrivacyEvent& event : events) {
    GAUZE_TRY_VOID(check(event));
    if (event.neighbours != events.front().neighbours) {
      return invalid_parameter("all events must be about the same neighbours: add-remove or replace-one");
    }
  }
  return Accountant(std::move(events));
}

Result<Answer> Accountant::basic_epsilon(double delta) const {
  double epsilon = 0, spent = 0;
  for (const PrivacyEvent& event : events_) {
    if (event.kind == PrivacyEvent::Kind::approximate && event.sampling == PrivacyEvent::Sampling::none) {
      epsilon = rounded_up_sum(epsilon, event.count, event.epsilon);
      spent += event.count * event.delta;
      continue;
    }
    const auto pure = pure_epsilon(event);
    if (!pure) return unsupported("basic composition adds up the epsilons of pure and (epsilon, delta) events only");
    epsilon = rounded_up_sum(epsilon, event.count, *pure);
  }
  return Answer{.method = Method::basic, .bounds = only_upper(spent <= delta ? epsilon : kInfinity)};
}

Result<Answer> Accountant::advanced_epsilon(double delta) const {
  const PrivacyEvent& event = events_.front();
  const auto pure =
      event.kind == PrivacyEvent::Kind::approximate ? std::optional(event.epsilon) : pure_epsilon(event);
  if (events_.size() > 1 || !pure ||
      (event.kind == PrivacyEvent::Kind::approximate && event.sampling != PrivacyEvent::Sampling::none)) {
    return unsupported(
        "optimal advanced composition (Kairouz, Oh, Viswanath) is for one event of a pure or (epsilon, "
        "delta) kind, repeated");
  }
  if (event.count > 1e7) return unsupported("optimal advanced composition is summed for up to 1e7 steps");
  const double event_delta = event.kind == PrivacyEvent::Kind::approximate ? event.delta : 0;
  const double upper = internal::optimal_composition_epsilon(*pure, event_delta, event.count, delta);
  return Answer{.method = Method::advanced, .bounds = only_upper(upper)};
}

Result<Answer> Accountant::zcdp_epsilon(double delta) const {
  double rho = 0;
  for (const PrivacyEvent& event : events_) {
    const auto one = zcdp(event);
    if (!one) return unsupported("an event has no zCDP bound: sampling is not known to amplify it");
    rho += event.count * *one;
  }
  if (delta <= 0) return unsupported("zCDP gives no bound at delta 0");
  const double upper = epsilon_of_zcdp(Rational(rho * (1 + 1e-14)), Rational(delta)).to_double_up();
  return Answer{.method = Method::zcdp, .bounds = only_upper(upper)};
}

Result<double> Accountant::renyi(double order) const {
  if (!(order > 1)) return invalid_parameter("a Renyi order must be above 1, but is {}", order);
  double total = 0;
  for (const PrivacyEvent& event : events_) {
    const auto one = gauze::renyi(event, order);
    if (!one) return unsupported("an event has no known Renyi-DP bound under this sampling");
    total += event.count * *one;
  }
  return total * (1 + 1e-14);
}

Result<Answer> Accountant::rdp_epsilon(double delta) const {
  if (delta <= 0) return unsupported("Renyi-DP gives no bound at delta 0");
  const double log_delta = std::log(delta);
  Answer best{.method = Method::rdp, .bounds = only_upper(kInfinity)};
  for (const double order : orders_) {
    GAUZE_TRY(const double rdp, renyi(order));
    const double epsilon = rdp + std::log1p(-1 / order) - (std::log(order) + log_delta) / (order - 1);
    const double rounded = std::max(0.0, epsilon + 1e-13 * (1 + std::abs(epsilon)));
    if (rounded < best.bounds.upper) {
      best.bounds.upper = rounded;
      best.order = order;
    }
  }
  best.order_at_edge = best.order && (*best.order == orders_.front() || *best.order == orders_.back());
  return best;
}

Result<std::vector<ComposedLoss>> Accountant::directions() const {
  // Each has 80 sigma atoms, which are kept.
  double sigmas = 0;
  for (const PrivacyEvent& event : events_)
    if (event.kind == PrivacyEvent::Kind::discrete_gaussian) sigmas += event.sigma;
  if (events_.size() > 1 && sigmas > kWidestDiscreteGaussians) {
    return make_error(
        ErrorCode::unsupported,
        "the privacy losses of discrete Gaussians are summed up to sigmas of {} together; use zcdp or rdp",
        kWidestDiscreteGaussians);
  }
  std::vector<ComposedLoss> result(2);
  for (const PrivacyEvent& event : events_) {
    GAUZE_TRY(const std::vector<LossPair> pairs, loss_pairs(event));
    result[0].parts.push_back({pairs.front(), event.count});
    result[1].parts.push_back({pairs.back(), event.count});
  }
  const bool same = std::equal(result[0].parts.begin(), result[0].parts.end(), result[1].parts.begin(),
                               [](const auto& a, const auto& b) { return a.loss == b.loss; });
  if (same) result.pop_back();
  return result;
}

Result<Answer> Accountant::pld_epsilon(double delta, double tolerance) const {
  if (delta <= 0) return unsupported("privacy-loss distributions are composed for a delta above 0");
  GAUZE_TRY(const std::vector<ComposedLoss> losses, directions());
  // Add and remove are composed on their own; the guarantee is the worse of the two.
  Answer answer{.method = Method::pld, .bounds = {.lower = std::nullopt, .upper = 0}};
  bool known = true;
  for (const ComposedLoss& loss : losses) {
    const double enough = answer.bounds.lower.value_or(0);
    const Bounds bounds = composed_epsilon(loss, delta, tolerance, enough);
    answer.bounds.upper = std::max(answer.bounds.upper, bounds.upper);
    known = known && (bounds.lower.has_value() || bounds.upper <= enough);
    if (bounds.lower) answer.bounds.lower = std::max(answer.bounds.lower.value_or(0), *bounds.lower);
  }
  if (!known) answer.bounds.lower = std::nullopt;
  if (std::isinf(answer.bounds.upper))
    return unsupported("the losses spread too far for a privacy-loss distribution");
  // A pair that only bounds a mechanism from above says nothing about what the mechanism itself leaks.
  for (const PrivacyEvent& event : events_) {
    using Kind = PrivacyEvent::Kind;
    const bool bound_only =
        event.kind == Kind::staircase || event.kind == Kind::exponential || event.kind == Kind::permute_and_flip;
    if (bound_only) answer.bounds.lower = std::nullopt;
  }
  return answer;
}

std::optional<double> Accountant::total_mu() const {
  double squared = 0;
  for (const PrivacyEvent& event : events_) {
    if (event.kind != PrivacyEvent::Kind::gaussian) return std::nullopt;
    if (event.sampling != PrivacyEvent::Sampling::none && event.rate < 1) return std::nullopt;
    const double mu = event.sensitivity / event.sigma;
    squared += event.count * mu * mu;
  }
  return std::sqrt(squared);
}

Result<Answer> Accountant::exact_epsilon(double delta) const {
  const auto mu = total_mu();
  if (!mu) return unsupported("the exact formula is for Gaussian events without sampling");
  if (delta <= 0) return unsupported("Gaussian noise has no bound at delta 0");
  const double upper = epsilon_of_gdp(Rational(*mu * (1 + 1e-14)), Rational(delta)).to_double_up();
  const double lower = epsilon_of_gdp(Rational(*mu * (1 - 1e-14)), Rational(delta)).to_double_down() * (1 - 1e-12);
  return Answer{.method = Method::exact, .bounds = {.lower = lower, .upper = upper}};
}

Result<std::vector<Answer>> Accountant::epsilon(double delta, Method method, double tolerance) const {
  if (!(delta >= 0 && delta < 1)) return invalid_parameter("delta must be at least 0 and below 1, but is {}", delta);
  std::vector<Answer> answers;
  std::optional<Error> reason;
  const auto attempt = [&](Method which, const Attempt& result) {
    if (method != Method::automatic && method != which) return;
    if (result) {
      answers.push_back(*result);
    } else {
      reason = result.error();
    }
  };
  const auto wanted = [&](Method which) { return method == Method::automatic || method == which; };
  if (wanted(Method::exact)) attempt(Method::exact, exact_epsilon(delta));
  if (wanted(Method::pld)) attempt(Method::pld, pld_epsilon(delta, tolerance));
  if (wanted(Method::rdp)) attempt(Method::rdp, rdp_epsilon(delta));
  if (wanted(Method::zcdp)) attempt(Method::zcdp, zcdp_epsilon(delta));
  if (wanted(Method::advanced)) attempt(Method::advanced, advanced_epsilon(delta));
  if (wanted(Method::basic)) attempt(Method::basic, basic_epsilon(delta));
  if (answers.empty())
    return tl::unexpected<Error>(reason.value_or(Error{ErrorCode::unsupported, "no method applies"}));
  std::stable_sort(answers.begin(), answers.end(),
                   [](const Answer& a, const Answer& b) { return a.bounds.upper < b.bounds.upper; });
  return answers;
}

Result<std::vector<Answer>> Accountant::delta(double epsilon, Method method) const {
  if (!(epsilon >= 0 && epsilon <= 1e6)) {
    return invalid_parameter("the target epsilon must lie between 0 and 1e6, but is {}", epsilon);
  }
  const auto wanted = [&](Method which) { return method == Method::automatic || method == which; };
  std::vector<Answer> answers;
  if (const auto mu = total_mu(); mu && wanted(Method::exact)) {
    const Interval exact = gaussian_delta(Rational(epsilon), Rational(1) / Rational(*mu));
    answers.push_back(
        {.method = Method::exact,
         .bounds = {.lower = std::max(0.0, exact.low() * (1 - 1e-12)), .upper = exact.high() * (1 + 1e-12)}});
  }
  if (const auto losses = directions(); losses && wanted(Method::pld)) {
    Answer answer{.method = Method::pld, .bounds = {.lower = 0, .upper = 0}};
    for (const ComposedLoss& loss : *losses) {
      const Bounds bounds = composed_delta(loss, epsilon);
      answer.bounds.upper = std::max(answer.bounds.upper, std::min(1.0, bounds.upper));
      if (!bounds.lower) answer.bounds.lower = std::nullopt;
      if (answer.bounds.lower && bounds.lower) answer.bounds.lower = std::max(*answer.bounds.lower, *bounds.lower);
    }
    answers.push_back(answer);
  }
  if (wanted(Method::rdp)) {
    Answer best{.method = Method::rdp, .bounds = only_upper(1)};
    for (const double order : orders_) {
      const auto rdp = renyi(order);
      if (!rdp) break;
      const double upper = std::exp(log_delta_of_rdp(*rdp, order, epsilon)) * (1 + 1e-11);
      if (upper < best.bounds.upper) best = {.method = Method::rdp, .bounds = only_upper(upper), .order = order};
    }
    if (best.order) answers.push_back(best);
  }
  if (const auto basic = basic_epsilon(0); basic && wanted(Method::basic) && basic->bounds.upper <= epsilon) {
    answers.push_back({.method = Method::basic, .bounds = only_upper(0)});
  }
  if (answers.empty()) return unsupported("no method gives a delta at this epsilon");
  std::stable_sort(answers.begin(), answers.end(),
                   [](const Answer& a, const Answer& b) { return a.bounds.upper < b.bounds.upper; });
  return answers;
}

}  // namespace gauze
