#include "gauze/mechanisms/job/noise_job.h"

#include <algorithm>

#include "gauze/label/unstated_unit.h"
#include "gauze/mechanisms/noise/discrete_gaussian.h"
#include "gauze/mechanisms/noise/gaussian.h"
#include "gauze/mechanisms/noise/geometric.h"
#include "gauze/mechanisms/noise/laplace.h"
#include "gauze/mechanisms/noise/randomized_response.h"
#include "gauze/mechanisms/noise/snapping.h"
#include "gauze/mechanisms/noise/staircase.h"

namespace gauze {
namespace {

const Rational& level95() {
  static const Rational level(19, 20);
  return level;
}

Json rounded_up(const Rational& value) { return Json::number(value.to_decimal_up()); }
Json rounded_up(const std::optional<Rational>& value) { return value ? rounded_up(*value) : Json(); }

/// Gaussian noise by epsilon and delta is (epsilon, delta); by sigma it is stated as zCDP.
template <class Mechanism>
PrivacyCost gaussian_cost(const Mechanism& mechanism, const NoiseRequest& request) {
  return request.sigma.sign() != 0 ? PrivacyCost::of_rho(mechanism.rho())
                                   : PrivacyCost::of_epsilon(request.epsilon, request.delta);
}

template <class Mechanism, class Random>
std::vector<GridValue> draws_of(const Mechanism& mechanism, Random& random, const Rational& value,
                                std::size_t count) {
  std::vector<GridValue> draws(count);
  if constexpr (std::is_same_v<Random, SecureRandom>) {
    mechanism.release(random, value, draws);
  } else {
    mechanism.simulate(random, value, draws);
  }
  return draws;
}

template <class Mechanism, class Random>
std::string lines_of(const Mechanism& mechanism, Random& random, const Rational& value, std::size_t count) {
  std::string lines;
  for (const GridValue& draw : draws_of(mechanism, random, value, count)) lines.append(draw.to_decimal()) += '\n';
  return lines;
}

template <class Mechanism, class Random>
void fill_numbers(const Mechanism& mechanism, Random& random, const Rational& value, std::span<double> numbers) {
  const std::vector<GridValue> draws = draws_of(mechanism, random, value, numbers.size());
  std::transform(draws.begin(), draws.end(), numbers.begin(), [](const GridValue& draw) { return draw.to_double(); });
}

}  // namespace

template <class Mechanism>
PrivacyCost NoiseJob::adopt(const Mechanism& mechanism, PrivacyCost cost, std::vector<Json::Member> further) {
  parameters_.set("epsilon", rounded_up(cost.epsilon));
  parameters_.set("delta", cost.epsilon && !cost.delta ? Json(0) : rounded_up(cost.delta));
  if (cost.rho) parameters_.set("rho", rounded_up(cost.rho));
  parameters_.set("sensitivity", rounded_up(request_.sensitivity));
  for (Json::Member& one : further) parameters_.set(one.first, std::move(one.second));
  parameters_.set("granularity", mechanism.grid().granularity().to_double());
  variance_ = mechanism.variance();
  radius95_ = mechanism.noise_interval(level95());
  if constexpr (std::is_base_of_v<AdditiveMechanism, Mechanism>) {
    const auto kept = std::make_shared<const Mechanism>(mechanism);
    shape_ = NoiseShape{.law = {kept, &kept->law()}, .step = mechanism.grid().granularity().to_double()};
  }
  // A value beyond 2^100 steps of the grid counts as 2^100 of them (docs/proofs/laplace.md): no value makes a release fail,
  // nor does a message tell how large it was.
  release_ = [mechanism, value = request_.value](SecureRandom& random, std::size_t count) {
    return lines_of(mechanism, random, value, count);
  };
  simulate_ = [mechanism, value = request_.value](SeededRandom& random, std::size_t count) {
    return lines_of(mechanism, random, value, count);
  };
  release_numbers_ = [mechanism, value = request_.value](SecureRandom& random, std::span<double> numbers) {
    fill_numbers(mechanism, random, value, numbers);
  };
  simulate_numbers_ = [mechanism, value = request_.value](SeededRandom& random, std::span<double> numbers) {
    fill_numbers(mechanism, random, value, numbers);
  };
  return cost;
}

Result<PrivacyCost> NoiseJob::prepare() {
  const NoiseRequest& asked = request_;
  const auto kind = value_of(kNoiseWords, asked.mechanism);
  if (!kind) return tl::unexpected(wrong_word("the mechanism", all_words(kNoiseWords), asked.mechanism));
  if (*kind == NoiseKind::randomized_response) return prepare_response();
  if (asked.categories != 0) return invalid_parameter("categories belong to randomized-response");
  const bool whole = *kind == NoiseKind::geometric || *kind == NoiseKind::discrete_gaussian;
  if (whole && !asked.value.is_integer())
    return invalid_parameter(
        "the value must be a whole number for integer noise; use laplace or gaussian for others");
  switch (*kind) {
    case NoiseKind::laplace: {
      GAUZE_TRY(const auto mechanism, LaplaceMechanism::make({.epsilon = asked.epsilon,
                                                              .l1_sensitivity = asked.sensitivity,
                                                              .scale = asked.scale,
                                                              .granularity_bits = asked.granularity_bits}));
      return adopt(mechanism, PrivacyCost::of_epsilon(mechanism.epsilon()),
                   {{"scale", rounded_up(mechanism.scale())}});
    }
    case NoiseKind::geometric: {
      GAUZE_TRY(const auto mechanism,
                GeometricMechanism::make(
                    {.epsilon = asked.epsilon, .l1_sensitivity = asked.sensitivity, .scale = asked.scale}));
      return adopt(mechanism, PrivacyCost::of_epsilon(mechanism.epsilon()),
                   {{"scale", rounded_up(mechanism.scale())}});
    }
    case NoiseKind::gaussian: {
      GAUZE_TRY(const auto mechanism, GaussianMechanism::make({.epsilon = asked.epsilon,
                                                               .delta = asked.delta,
                                                               .l2_sensitivity = asked.sensitivity,
                                                               .sigma = asked.sigma,
                                                               .granularity_bits = asked.granularity_bits}));
      return adopt(mechanism, gaussian_cost(mechanism, asked), {{"sigma", rounded_up(mechanism.sigma())}});
    }
    case NoiseKind::discrete_gaussian: {
      GAUZE_TRY(const auto mechanism, DiscreteGaussianMechanism::make({.epsilon = asked.epsilon,
                                                                       .delta = asked.delta,
                                                                       .sigma = asked.sigma,
                                                                       .l2_sensitivity = asked.sensitivity}));
      return adopt(mechanism, gaussian_cost(mechanism, asked), {{"sigma", rounded_up(mechanism.sigma())}});
    }
    case NoiseKind::staircase: {
      GAUZE_TRY(const auto mechanism, StaircaseMechanism::make({.epsilon = asked.epsilon,
                                                                .sensitivity = asked.sensitivity,
                                                                .granularity_bits = asked.granularity_bits}));
      return adopt(mechanism, PrivacyCost::of_epsilon(mechanism.epsilon()),
                   {{"scale", rounded_up(mechanism.scale())}, {"gamma", mechanism.gamma().to_double()}});
    }
    case NoiseKind::snapping: {
      GAUZE_TRY(const auto mechanism,
                SnappingMechanism::make(
                    {.epsilon = asked.epsilon, .sensitivity = asked.sensitivity, .bound = asked.bound}));
      return adopt(mechanism, PrivacyCost::of_epsilon(mechanism.epsilon()),
                   {{"scale", rounded_up(mechanism.scale())},
                    {"nominal_epsilon", rounded_up(mechanism.nominal_epsilon())},
                    {"bound", rounded_up(asked.bound)}});
    }
    case NoiseKind::randomized_response:
      break;
  }
  GAUZE_CHECK(false);
  return PrivacyCost{};
}

Result<PrivacyCost> NoiseJob::prepare_response() {
  constexpr std::int64_t kMostCategories = std::int64_t{1} << 53;
  const std::int64_t categories = request_.categories;
  if (categories < 2 || categories > kMostCategories)
    return invalid_parameter("there must be 2 to 2^53 categories, but there are {}", categories);
  const auto category = request_.value.to_int64();
  if (!category || *category < 0 || *category >= categories)
    return invalid_parameter("the value must be a whole number from 0 to {}", categories - 1);
  GAUZE_TRY(
      const RandomizedResponse mechanism,
      RandomizedResponse::make({.epsilon = request_.epsilon, .categories = static_cast<std::uint64_t>(categories)}));
  parameters_ = Json::object({{"epsilon", rounded_up(request_.epsilon)},
                              {"delta", 0},
                              {"categories", categories},
                              {"keep_probability", mechanism.keep_probability()}});
  variance_ = mechanism.variance();
  const auto answers = [](std::size_t count, const auto& answer) {
    std::string lines;
    for (std::size_t i = 0; i < count; ++i) lines.append(std::to_string(answer())) += '\n';
    return lines;
  };
  const auto own = static_cast<std::uint64_t>(*category);
  release_ = [mechanism, own, answers](SecureRandom& random, std::size_t count) {
    return answers(count, [&] { return mechanism.release(random, own); });
  };
  simulate_ = [mechanism, own, answers](SeededRandom& random, std::size_t count) {
    return answers(count, [&] { return mechanism.simulate(random, own); });
  };
  release_numbers_ = [mechanism, own](SecureRandom& random, std::span<double> numbers) {
    for (double& number : numbers) number = static_cast<double>(mechanism.release(random, own));
  };
  simulate_numbers_ = [mechanism, own](SeededRandom& random, std::span<double> numbers) {
    for (double& number : numbers) number = static_cast<double>(mechanism.simulate(random, own));
  };
  return PrivacyCost::of_epsilon(request_.epsilon);
}

Result<NoiseJob> NoiseJob::make(const NoiseRequest& request) {
  GAUZE_TRY_VOID(check_one_unit(request.neighbours));
  if (request.count < 1) return invalid_parameter("at least one number must be drawn, not {}", request.count);
  NoiseJob job(request);
  GAUZE_TRY(const PrivacyCost one, job.prepare());
  if (one.delta && *one.delta * Rational(request.count) >= Rational(1))
    return invalid_parameter("{} draws at this delta add up to a delta of 1 or more, which promises nothing",
                             request.count);
  GAUZE_TRY(job.cost_, one.times(request.count));
  job.cost_.unit = request.unit;
  job.cost_.neighbours = job.is_about_a_dataset() ? request.neighbours : Neighbours::any_two_inputs;
  return job;
}

PrivacyLabel NoiseJob::label() const {
  PrivacyLabel label;
  cost_.put_into(label);
  label.released = {.kind = is_about_a_dataset() ? "noisy number" : "randomised answer",
                    .count = static_cast<std::uint64_t>(request_.count),
                    .file = {},
                    .sha256 = {}};
  label.mechanism = request_.mechanism;
  label.parameters = parameters_;
  if (is_about_a_dataset()) {
    label.privacy_unit = kUnstatedUnit;
    label.covers = {"any result that changes by at most the stated sensitivity between neighbours"};
    label.does_not_cover = {"whether the stated sensitivity is right",
                            "other releases from the same data: their costs add up",
                            "parameters that were chosen by looking at the data"};
  } else {
    label.privacy_unit = "one value";
    label.covers = {"the value itself: every answer is almost as likely for any other value"};
    label.does_not_cover = {"further answers about the same value: their costs add up"};
  }
  return label;
}

Json NoiseJob::to_json() const {
  Json interval;
  if (radius95_) {
    const GridValue low{-radius95_->units, radius95_->exponent};
    interval = Json::array({Json::number(low.to_decimal()), Json::number(radius95_->to_decimal())});
  }
  return Json::object({{"mechanism", request_.mechanism},
                       {"parameters", parameters_},
                       {"variance", variance_},
                       {"interval95", std::move(interval)}});
}

}  // namespace gauze
