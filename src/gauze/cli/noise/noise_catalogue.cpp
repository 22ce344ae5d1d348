#include "gauze/cli/noise/noise_catalogue.h"

#include "gauze/mechanisms/noise/discrete_gaussian.h"
#include "gauze/mechanisms/noise/gaussian.h"
#include "gauze/mechanisms/noise/geometric.h"
#include "gauze/mechanisms/noise/laplace.h"
#include "gauze/mechanisms/noise/randomized_response.h"
#include "gauze/mechanisms/noise/snapping.h"
#include "gauze/mechanisms/noise/staircase.h"

namespace gauze::cli {
namespace {

const Rational& level95() {
  static const Rational level(19, 20);
  return level;
}

Json rounded_up(const Rational& value) { return Json::number(value.to_decimal_up()); }
Json rounded_up(const std::optional<Rational>& value) { return value ? rounded_up(*value) : Json(); }

/// A number that a flag gives, or 0, which stands for "not given" in the mechanisms' options.
Result<Rational> number_or_zero(const Invocation& invocation, std::string_view flag) {
  GAUZE_TRY(const auto value, invocation.optional_rational(flag));
  return value.value_or(Rational(0));
}

/// Exactly one of the flags that fix how much noise there is.
Result<void> check_amount(const Invocation& invocation, std::string_view other) {
  const bool by_epsilon = invocation.has("epsilon");
  const bool by_other = !other.empty() && invocation.has(other);
  if (by_epsilon && by_other) {
    return make_error(ErrorCode::usage, "give --epsilon or --{}, not both: one follows from the other", other);
  }
  if (!by_epsilon && !by_other) {
    return other.empty() ? make_error(ErrorCode::usage, "--epsilon is needed")
                         : make_error(ErrorCode::usage, "--epsilon or --{} is needed", other);
  }
  // A zero given on purpose must not be taken for "not given".
  for (const std::string_view flag : {std::string_view("epsilon"), other}) {
    if (flag.empty() || !invocation.has(flag)) continue;
    GAUZE_TRY(const Rational amount, invocation.rational(flag));
    if (amount.sign() <= 0) return invalid_parameter("{} must be positive, but is {}", flag, amount.to_decimal());
  }
  return {};
}

Result<int> granularity_bits(const Invocation& invocation) {
  GAUZE_TRY(const std::int64_t bits, invocation.integer("granularity-bits", 0, 48));
  return static_cast<int>(bits);
}

/// The value, which integer mechanisms take only whole.
Result<Rational> value_of(const Invocation& invocation, bool whole) {
  GAUZE_TRY(Rational value, invocation.rational("value"));
  if (whole && !value.is_integer()) {
    return invalid_parameter("--value must be a whole number for integer noise; use laplace or gaussian for others");
  }
  return value;
}

/// The parameters every mechanism states, in the order of the interface.
Json common_parameters(const PrivacyCost& cost, const Rational& sensitivity) {
  Json parameters = Json::object();
  parameters.set("epsilon", rounded_up(cost.epsilon));
  parameters.set("delta", cost.epsilon && !cost.delta ? Json(0) : rounded_up(cost.delta));
  if (cost.rho) parameters.set("rho", rounded_up(cost.rho));
  parameters.set("sensitivity", rounded_up(sensitivity));
  return parameters;
}

/// Fills in what all mechanisms that add noise have in common.
template <class Mechanism>
PreparedNoise prepared(const Mechanism& mechanism, const Rational& value, PrivacyCost cost, Json parameters) {
  // A value beyond 2^100 steps of the grid counts as 2^100 of them (docs/proofs/laplace.md): no value makes a release fail,
  // nor does a message tell how large it was.
  PreparedNoise noise;
  parameters.set("granularity", mechanism.grid().granularity().to_double());
  noise.parameters = std::move(parameters);
  noise.cost = std::move(cost);
  noise.variance = mechanism.variance();
  noise.radius95 = mechanism.noise_interval(level95());
  noise.draw = [mechanism, value](RandomChoice& random, std::size_t count) {
    std::vector<GridValue> draws(count);
    random.draw([&](SecureRandom& secure) { mechanism.release(secure, value, draws); },
                [&](SeededRandom& seeded) { mechanism.simulate(seeded, value, draws); });
    std::string lines;
    for (const GridValue& draw : draws) lines.append(draw.to_decimal()) += '\n';
    return lines;
  };
  return noise;
}

Result<PreparedNoise> prepare_laplace(const Invocation& invocation) {
  GAUZE_TRY_VOID(check_amount(invocation, "scale"));
  LaplaceMechanism::Options options;
  GAUZE_TRY(options.epsilon, number_or_zero(invocation, "epsilon"));
  GAUZE_TRY(options.scale, number_or_zero(invocation, "scale"));
  GAUZE_TRY(options.l1_sensitivity, invocation.rational("sensitivity"));
  GAUZE_TRY(options.granularity_bits, granularity_bits(invocation));
  GAUZE_TRY(const Rational value, value_of(invocation, false));
  GAUZE_TRY(const LaplaceMechanism mechanism, LaplaceMechanism::make(options));
  const PrivacyCost cost = PrivacyCost::of_epsilon(mechanism.epsilon());
  Json parameters = common_parameters(cost, options.l1_sensitivity);
  parameters.set("scale", rounded_up(mechanism.scale()));
  return prepared(mechanism, value, cost, std::move(parameters));
}

Result<PreparedNoise> prepare_geometric(const Invocation& invocation) {
  GAUZE_TRY_VOID(check_amount(invocation, "scale"));
  GeometricMechanism::Options options;
  GAUZE_TRY(options.epsilon, number_or_zero(invocation, "epsilon"));
  GAUZE_TRY(options.scale, number_or_zero(invocation, "scale"));
  GAUZE_TRY(options.l1_sensitivity, invocation.rational("sensitivity"));
  GAUZE_TRY(const Rational value, value_of(invocation, true));
  GAUZE_TRY(const GeometricMechanism mechanism, GeometricMechanism::make(options));
  const PrivacyCost cost = PrivacyCost::of_epsilon(mechanism.epsilon());
  Json parameters = common_parameters(cost, options.l1_sensitivity);
  parameters.set("scale", rounded_up(mechanism.scale()));
  return prepared(mechanism, value, cost, std::move(parameters));
}

/// Gaussian noise by epsilon and delta is (epsilon, delta); by sigma it is stated as zCDP.
template <class Mechanism>
PrivacyCost gaussian_cost(const Mechanism& mechanism, bool by_sigma, const Rational& epsilon, const Rational& delta) {
  return by_sigma ? PrivacyCost::of_rho(mechanism.rho()) : PrivacyCost::of_epsilon(epsilon, delta);
}

Result<void> check_gaussian_amount(const Invocation& invocation) {
  GAUZE_TRY_VOID(check_amount(invocation, "sigma"));
  if (invocation.has("epsilon") && !invocation.has("delta")) {
    return make_error(ErrorCode::usage, "Gaussian noise needs --delta beside --epsilon, for example --delta 1e-6");
  }
  if (invocation.has("sigma") && invocation.has("delta")) {
    return make_error(ErrorCode::usage, "with --sigma the guarantee is stated as zCDP; leave out --delta");
  }
  return {};
}

Result<PreparedNoise> prepare_gaussian(const Invocation& invocation) {
  GAUZE_TRY_VOID(check_gaussian_amount(invocation));
  GaussianMechanism::Options options;
  GAUZE_TRY(options.epsilon, number_or_zero(invocation, "epsilon"));
  GAUZE_TRY(options.delta, number_or_zero(invocation, "delta"));
  GAUZE_TRY(options.sigma, number_or_zero(invocation, "sigma"));
  GAUZE_TRY(options.l2_sensitivity, invocation.rational("sensitivity"));
  GAUZE_TRY(options.granularity_bits, granularity_bits(invocation));
  GAUZE_TRY(const Rational value, value_of(invocation, false));
  GAUZE_TRY(const GaussianMechanism mechanism, GaussianMechanism::make(options));
  const PrivacyCost cost = gaussian_cost(mechanism, invocation.has("sigma"), options.epsilon, options.delta);
  Json parameters = common_parameters(cost, options.l2_sensitivity);
  parameters.set("sigma", rounded_up(mechanism.sigma()));
  return prepared(mechanism, value, cost, std::move(parameters));
}

Result<PreparedNoise> prepare_discrete_gaussian(const Invocation& invocation) {
  GAUZE_TRY_VOID(check_gaussian_amount(invocation));
  DiscreteGaussianMechanism::Options options;
  GAUZE_TRY(options.epsilon, number_or_zero(invocation, "epsilon"));
  GAUZE_TRY(options.delta, number_or_zero(invocation, "delta"));
  GAUZE_TRY(options.sigma, number_or_zero(invocation, "sigma"));
  GAUZE_TRY(options.l2_sensitivity, invocation.rational("sensitivity"));
  GAUZE_TRY(const Rational value, value_of(invocation, true));
  GAUZE_TRY(const DiscreteGaussianMechanism mechanism, DiscreteGaussianMechanism::make(options));
  const PrivacyCost cost = gaussian_cost(mechanism, invocation.has("sigma"), options.epsilon, options.delta);
  Json parameters = common_parameters(cost, options.l2_sensitivity);
  parameters.set("sigma", rounded_up(mechanism.sigma()));
  return prepared(mechanism, value, cost, std::move(parameters));
}

Result<PreparedNoise> prepare_staircase(const Invocation& invocation) {
  GAUZE_TRY_VOID(check_amount(invocation, ""));
  StaircaseMechanism::Options options;
  GAUZE_TRY(options.epsilon, invocation.rational("epsilon"));
  GAUZE_TRY(options.sensitivity, invocation.rational("sensitivity"));
  GAUZE_TRY(options.granularity_bits, granularity_bits(invocation));
  GAUZE_TRY(const Rational value, value_of(invocation, false));
  GAUZE_TRY(const StaircaseMechanism mechanism, StaircaseMechanism::make(options));
  const PrivacyCost cost = PrivacyCost::of_epsilon(mechanism.epsilon());
  Json parameters = common_parameters(cost, options.sensitivity);
  parameters.set("scale", rounded_up(mechanism.scale()));
  parameters.set("gamma", mechanism.gamma().to_double());
  return prepared(mechanism, value, cost, std::move(parameters));
}

Result<PreparedNoise> prepare_snapping(const Invocation& invocation) {
  GAUZE_TRY_VOID(check_amount(invocation, ""));
  if (!invocation.has("bound")) {
    return make_error(ErrorCode::usage, "snapping needs --bound: values and outputs are clamped to [-B, B]");
  }
  SnappingMechanism::Options options;
  GAUZE_TRY(options.epsilon, invocation.rational("epsilon"));
  GAUZE_TRY(options.sensitivity, invocation.rational("sensitivity"));
  GAUZE_TRY(options.bound, invocation.rational("bound"));
  GAUZE_TRY(const Rational value, value_of(invocation, false));
  GAUZE_TRY(const SnappingMechanism mechanism, SnappingMechanism::make(options));
  const PrivacyCost cost = PrivacyCost::of_epsilon(mechanism.epsilon());
  Json parameters = common_parameters(cost, options.sensitivity);
  parameters.set("scale", rounded_up(mechanism.scale()));
  parameters.set("nominal_epsilon", rounded_up(mechanism.nominal_epsilon()));
  parameters.set("bound", rounded_up(options.bound));
  return prepared(mechanism, value, cost, std::move(parameters));
}

Result<PreparedNoise> prepare_randomized_response(const Invocation& invocation) {
  GAUZE_TRY_VOID(check_amount(invocation, ""));
  if (!invocation.has("categories")) {
    return make_error(ErrorCode::usage, "randomized-response needs --categories K; values are 0 to K-1");
  }
  constexpr std::int64_t kMostCategories = std::int64_t{1} << 53;
  GAUZE_TRY(const std::int64_t categories, invocation.integer("categories", 2, kMostCategories));
  GAUZE_TRY(const Rational epsilon, invocation.rational("epsilon"));
  GAUZE_TRY(const Rational value, invocation.rational("value"));
  const auto category = value.to_int64();
  if (!category || *category < 0 || *category >= categories) {
    return invalid_parameter("--value must be a whole number from 0 to {}", categories - 1);
  }
  GAUZE_TRY(const RandomizedResponse mechanism,
            RandomizedResponse::make({.epsilon = epsilon, .categories = static_cast<std::uint64_t>(categories)}));
  PreparedNoise noise;
  noise.cost = PrivacyCost::of_epsilon(epsilon);
  noise.parameters.set("epsilon", rounded_up(epsilon));
  noise.parameters.set("delta", 0);
  noise.parameters.set("categories", categories);
  noise.parameters.set("keep_probability", mechanism.keep_probability());
  noise.variance = mechanism.variance();
  noise.draw = [mechanism, category = static_cast<std::uint64_t>(*category)](RandomChoice& random,
                                                                             std::size_t count) {
    std::string lines;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t answer =
          random.draw([&](SecureRandom& secure) { return mechanism.release(secure, category); },
                      [&](SeededRandom& seeded) { return mechanism.simulate(seeded, category); });
      lines.append(std::to_string(answer)) += '\n';
    }
    return lines;
  };
  return noise;
}

}  // namespace

const std::vector<NoiseEntry>& noise_catalogue() {
  static const std::vector<NoiseEntry> catalogue = {
      {"laplace", {"scale", "sensitivity", "granularity-bits"}, prepare_laplace},
      {"gaussian", {"delta", "sigma", "sensitivity", "granularity-bits"}, prepare_gaussian},
      {"geometric", {"scale", "sensitivity"}, prepare_geometric},
      {"discrete-laplace", {"scale", "sensitivity"}, prepare_geometric},
      {"discrete-gaussian", {"delta", "sigma", "sensitivity"}, prepare_discrete_gaussian},
      {"staircase", {"sensitivity", "granularity-bits"}, prepare_staircase},
      {"snapping", {"sensitivity", "bound"}, prepare_snapping},
      {"randomized-response", {"categories"}, prepare_randomized_response},
  };
  return catalogue;
}

}  // namespace gauze::cli
