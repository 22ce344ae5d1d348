#include "gauze/accounting/event.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "gauze/accounting/internal/sampled_gaussian.h"

namespace gauze {
namespace {

using Kind = PrivacyEvent::Kind;
using Sampling = PrivacyEvent::Sampling;

constexpr double kWidestDiscreteGaussian = 1e5;
/// Far above the rounding of the few operations behind a figure.
constexpr double kUp = 1 + 1e-14;

constexpr std::array<std::pair<std::string_view, Kind>, 11> kEventNames = {
    {{"gaussian", Kind::gaussian},
     {"laplace", Kind::laplace},
     {"discrete-laplace", Kind::discrete_laplace},
     {"discrete-gaussian", Kind::discrete_gaussian},
     {"staircase", Kind::staircase},
     {"randomized-response", Kind::randomized_response},
     {"exponential", Kind::exponential},
     {"permute-and-flip", Kind::permute_and_flip},
     {"pure", Kind::pure},
     {"approx", Kind::approximate},
     {"zcdp", Kind::zcdp}}};

bool is_one_of(Kind kind, std::initializer_list<Kind> kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

Result<void> check_figure(std::string_view name, double value, double lowest, double highest) {
  if (!(value >= lowest && value <= highest)) {
    return invalid_parameter("{} must lie between {} and {}, but is {}", name, lowest, highest, value);
  }
  return {};
}

Result<void> check_kind(const PrivacyEvent& event) {
  const Kind kind = event.kind;
  if (is_one_of(kind, {Kind::gaussian, Kind::discrete_gaussian})) {
    GAUZE_TRY_VOID(check_figure("sigma", event.sigma, 1e-9, 1e12));
  } else if (is_one_of(kind, {Kind::laplace, Kind::discrete_laplace})) {
    GAUZE_TRY_VOID(check_figure("scale", event.scale, 1e-9, 1e12));
  } else if (kind == Kind::zcdp) {
    GAUZE_TRY_VOID(check_figure("rho", event.rho, 1e-15, 1e6));
  } else {
    GAUZE_TRY_VOID(check_figure("epsilon", event.epsilon, 1e-9, 1e6));
  }
  if (kind == Kind::approximate) GAUZE_TRY_VOID(check_figure("the event's delta", event.delta, 1e-300, 1 - 1e-9));
  if (kind == Kind::randomized_response) GAUZE_TRY_VOID(check_figure("categories", event.categories, 2, 1e15));
  GAUZE_TRY_VOID(check_figure("sensitivity", event.sensitivity, 1e-9, 1e12));
  if (is_one_of(kind, {Kind::discrete_laplace, Kind::discrete_gaussian}) &&
      event.sensitivity != std::floor(event.sensitivity)) {
    return invalid_parameter("integer noise needs a whole-number sensitivity, but it is {}", event.sensitivity);
  }
  if (kind == Kind::discrete_laplace) GAUZE_TRY_VOID(check_figure("sensitivity", event.sensitivity, 1, 1e6));
  return {};
}

Result<void> check_sampling(const PrivacyEvent& event) {
  if (event.sampling == Sampling::none) return {};
  if (!(event.rate > 0 && event.rate <= 1)) {
    return invalid_parameter("a sampling rate must be above 0 and at most 1, but is {}", event.rate);
  }
  if (event.kind == Kind::zcdp) {
    return invalid_parameter(
        "sampling does not amplify a cost that is known as zCDP only; give the mechanism itself");
  }
  if (event.sampling == Sampling::poisson && event.neighbours == Neighbours::replace_one) {
    return invalid_parameter(
        "Poisson sampling with replace-one neighbours has no proved dominating pair; use add-remove, or fixed-size "
        "sampling");
  }
  if (event.sampling == Sampling::fixed_size && event.neighbours == Neighbours::add_remove) {
    return invalid_parameter(
        "fixed-size sampling is about replace-one neighbours: its size is public; use replace-one, or Poisson sampling");
  }
  return {};
}

/// One run without sampling.
Result<LossPair> unsampled_pair(const PrivacyEvent& event) {
  switch (event.kind) {
    case Kind::gaussian:
      return gaussian_loss(event.sigma / event.sensitivity);
    case Kind::laplace:
      return laplace_loss(event.scale / event.sensitivity);
    case Kind::discrete_laplace:
      return discrete_laplace_loss(event.scale, event.sensitivity);
    case Kind::discrete_gaussian:
      if (event.sigma > kWidestDiscreteGaussian) {
        return make_error(ErrorCode::unsupported,
                          "the privacy loss of a discrete Gaussian is summed up to a sigma of {}; use zcdp or rdp",
                          kWidestDiscreteGaussian);
      }
      return discrete_gaussian_loss(event.sigma, event.sensitivity);
    case Kind::randomized_response:
      return randomized_response_loss(event.epsilon, event.categories);
    case Kind::staircase:
    case Kind::exponential:
    case Kind::permute_and_flip:
    case Kind::pure:
      return pure_loss(event.epsilon);
    case Kind::approximate:
      return pure_loss(event.epsilon, event.delta);
    case Kind::zcdp:
      break;
  }
  return make_error(ErrorCode::unsupported, "a cost that is known as zCDP only has no privacy-loss distribution");
}

double pure_renyi(double epsilon, double order) {
  // Randomised response: ln((e^(a e) + e^((1 - a) e)) / (1 + e^e)) / (a - 1), without overflow.
  const double log_sum = order * epsilon + std::log1p(std::exp((1 - 2 * order) * epsilon));
  return (log_sum - epsilon - std::log1p(std::exp(-epsilon))) / (order - 1);
}

double laplace_renyi(double ratio, double order) {
  const double a = std::log(order / (2 * order - 1)) + (order - 1) / ratio;
  const double b = std::log((order - 1) / (2 * order - 1)) - order / ratio;
  return (a + std::log1p(std::exp(b - a))) / (order - 1);
}

}  // namespace

std::string_view to_string(Kind kind) {
  for (const auto& [name, known] : kEventNames) {
    if (known == kind) return name;
  }
  return "unknown";
}

std::optional<Kind> parse_event_kind(std::string_view text) {
  for (const auto& [name, kind] : kEventNames) {
    if (name == text) return kind;
  }
  return std::nullopt;
}

Result<void> set_figure(PrivacyEvent& event, std::string_view name, const Rational& value) {
  if (!value.is_defined() || value.sign() <= 0) {
    return invalid_parameter("{} must be positive, but is {}", name, value.to_decimal());
  }
  const std::array<std::pair<std::string_view, double PrivacyEvent::*>, 6> rounded_up = {
      {{"sensitivity", &PrivacyEvent::sensitivity},
       {"epsilon", &PrivacyEvent::epsilon},
       {"delta", &PrivacyEvent::delta},
       {"rho", &PrivacyEvent::rho},
       {"categories", &PrivacyEvent::categories},
       {"steps", &PrivacyEvent::count}}};
  for (const auto& [known, figure] : rounded_up) {
    if (known == name) {
      event.*figure = value.to_double_up();
      return {};
    }
  }
  if (name == "sigma") {
    event.sigma = value.to_double_down();
  } else if (name == "scale") {
    event.scale = value.to_double_down();
  } else if (name == "poisson" || name == "fixed-size") {
    event.sampling = name == "poisson" ? Sampling::poisson : Sampling::fixed_size;
    event.rate = value.to_double_up();
  } else {
    return invalid_parameter("an event has no figure '{}'", name);
  }
  return {};
}

std::string_view amount_name(Kind kind) {
  if (is_one_of(kind, {Kind::gaussian, Kind::discrete_gaussian})) return "sigma";
  if (is_one_of(kind, {Kind::laplace, Kind::discrete_laplace})) return "scale";
  return kind == Kind::zcdp ? "rho" : "epsilon";
}

Result<void> check(const PrivacyEvent& event) {
  GAUZE_TRY_VOID(check_kind(event));
  GAUZE_TRY_VOID(check_one_unit(event.neighbours));
  GAUZE_TRY_VOID(check_sampling(event));
  if (!(event.count >= 1 && event.count <= 1e9 && event.count == std::floor(event.count))) {
    return invalid_parameter("the number of steps must be a whole number from 1 to 1e9, but is {}", event.count);
  }
  return {};
}

Result<std::vector<LossPair>> loss_pairs(const PrivacyEvent& event) {
  GAUZE_TRY(const LossPair base, unsampled_pair(event));
  if (event.sampling == Sampling::none || event.rate == 1) return std::vector<LossPair>{base};
  if (event.sampling == Sampling::fixed_size) return std::vector<LossPair>{fixed_size_sampled(base, event.rate)};
  return std::vector<LossPair>{poisson_sampled(base, event.rate, true), poisson_sampled(base, event.rate, false)};
}

std::optional<double> pure_epsilon(const PrivacyEvent& event) {
  std::optional<double> epsilon;
  switch (event.kind) {
    case Kind::laplace:
    case Kind::discrete_laplace:
      epsilon = (Rational(event.sensitivity) / Rational(event.scale)).to_double_up();
      break;
    case Kind::staircase:
    case Kind::randomized_response:
    case Kind::exponential:
    case Kind::permute_and_flip:
    case Kind::pure:
      epsilon = event.epsilon;
      break;
    default:
      return std::nullopt;
  }
  if (event.sampling != Sampling::none && *epsilon < 600)
    epsilon = std::log1p(event.rate * std::expm1(*epsilon)) * kUp;
  return epsilon;
}

std::optional<double> zcdp(const PrivacyEvent& event) {
  if (event.sampling != Sampling::none && event.rate < 1) return std::nullopt;
  if (event.kind == Kind::zcdp) return event.rho;
  if (is_one_of(event.kind, {Kind::gaussian, Kind::discrete_gaussian})) {
    const double ratio = event.sensitivity / event.sigma;
    return ratio * ratio / 2 * kUp;
  }
  const auto epsilon = pure_epsilon(event);
  if (!epsilon) return std::nullopt;
  // Bounded range gives the exponential mechanism a quarter (Cesar, Rogers 2021).
  return *epsilon * *epsilon / (event.kind == Kind::exponential ? 8 : 2) * kUp;
}

std::optional<double> renyi(const PrivacyEvent& event, double order) {
  if (event.sampling == Sampling::fixed_size && event.rate < 1) return std::nullopt;
  if (event.sampling == Sampling::poisson && event.rate < 1) {
    if (event.kind != Kind::gaussian) return std::nullopt;
    return internal::sampled_gaussian_renyi(event.sigma / event.sensitivity, event.rate, order);
  }
  if (event.kind == Kind::laplace) return laplace_renyi(event.scale / event.sensitivity, order) * kUp;
  if (event.kind == Kind::exponential) {
    return std::min(order * *zcdp(event), pure_renyi(event.epsilon, order) * kUp);
  }
  if (const auto epsilon = pure_epsilon(event)) return pure_renyi(*epsilon, order) * kUp;
  if (const auto rho = zcdp(event)) return order * *rho;
  return std::nullopt;
}

}  // namespace gauze
