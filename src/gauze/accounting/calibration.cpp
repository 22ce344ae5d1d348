#include "gauze/accounting/calibration.h"

#include <cmath>
#include <functional>
#include <string_view>

namespace gauze {
namespace {

/// Whether the event, with a figure as it will be read from its printed digits, stays within the target by the very
/// computation that an accountant shows; an error only for parameters that make no sense.
Result<bool> fits(PrivacyEvent event, std::string_view figure, double value, double epsilon, double delta) {
  GAUZE_TRY(const Rational printed, Rational::parse(fmt::format("{}", value)));
  GAUZE_TRY_VOID(set_figure(event, figure, printed));
  GAUZE_TRY(const Accountant accountant, Accountant::make({event}));
  const auto answers = accountant.epsilon(delta);
  if (!answers)
    return answers.error().code == ErrorCode::unsupported ? Result<bool>(false) : tl::unexpected(answers.error());
  return answers->front().bounds.upper <= epsilon;
}

/// Bisects, on a logarithmic scale, between a value that misses the target and one that was seen to fit.
Result<double> narrow(double misses, double fitting, const std::function<Result<bool>(double)>& enough) {
  while (std::abs(std::log(fitting / misses)) > 5e-5) {
    const double middle = std::sqrt(misses) * std::sqrt(fitting);
    GAUZE_TRY(const bool ok, enough(middle));
    (ok ? fitting : misses) = middle;
  }
  return fitting;
}

Result<void> check_target(double epsilon, double delta) {
  if (!(epsilon > 0 && epsilon <= 1e6)) {
    return invalid_parameter("the target epsilon must be above 0 and at most 1e6, but is {}", epsilon);
  }
  if (!(delta >= 0 && delta < 1)) return invalid_parameter("the target delta must be at least 0 and below 1");
  return {};
}

}  // namespace

Result<double> calibrate_noise(const PrivacyEvent& event, double epsilon, double delta) {
  using Kind = PrivacyEvent::Kind;
  GAUZE_TRY_VOID(check_target(epsilon, delta));
  const bool gaussian = event.kind == Kind::gaussian || event.kind == Kind::discrete_gaussian;
  if (!gaussian && event.kind != Kind::laplace && event.kind != Kind::discrete_laplace) {
    return invalid_parameter(
        "only noise has a sigma or scale to calibrate: gaussian, discrete-gaussian, laplace or "
        "discrete-laplace");
  }
  if (gaussian && delta == 0) return invalid_parameter("Gaussian noise needs a delta above 0");
  const auto enough = [&](double amount) { return fits(event, amount_name(event.kind), amount, epsilon, delta); };
  double fitting = event.sensitivity;
  for (;;) {
    GAUZE_TRY(const bool ok, enough(fitting));
    if (ok) break;
    fitting *= 2;
    if (fitting > 1e12) return make_error(ErrorCode::infeasible, "no noise up to 1e12 meets the target");
  }
  double missing = fitting / 2;
  for (;;) {
    GAUZE_TRY(const bool ok, enough(missing));
    if (!ok) break;
    fitting = missing;
    missing /= 2;
    if (missing < 1e-8) return fitting;
  }
  return narrow(missing, fitting, enough);
}

Result<double> calibrate_steps(const PrivacyEvent& event, double epsilon, double delta) {
  GAUZE_TRY_VOID(check_target(epsilon, delta));
  const auto enough = [&](double steps) { return fits(event, "steps", steps, epsilon, delta); };
  GAUZE_TRY(const bool one, enough(1));
  if (!one) return make_error(ErrorCode::infeasible, "already one step exceeds the target");
  double fitting = 1, missing = 2;
  for (;;) {
    GAUZE_TRY(const bool ok, enough(missing));
    if (!ok) break;
    fitting = missing;
    if (missing >= 1e9) return fitting;
    missing = std::min(1e9, missing * 2);
  }
  while (missing - fitting > 1) {
    const double middle = std::floor((missing + fitting) / 2);
    GAUZE_TRY(const bool ok, enough(middle));
    (ok ? fitting : missing) = middle;
  }
  return fitting;
}

Result<double> calibrate_rate(const PrivacyEvent& event, double epsilon, double delta) {
  GAUZE_TRY_VOID(check_target(epsilon, delta));
  const bool fixed_size = event.sampling == PrivacyEvent::Sampling::fixed_size;
  const auto enough = [&](double rate) {
    return fits(event, fixed_size ? "fixed-size" : "poisson", rate, epsilon, delta);
  };
  GAUZE_TRY(const bool all, enough(1));
  if (all) return 1;
  double missing = 1, fitting = 0.5;
  for (;;) {
    GAUZE_TRY(const bool ok, enough(fitting));
    if (ok) break;
    missing = fitting;
    fitting /= 4;
    if (fitting < 1e-9) return make_error(ErrorCode::infeasible, "no sampling rate down to 1e-9 meets the target");
  }
  return narrow(missing, fitting, enough);
}

}  // namespace gauze
