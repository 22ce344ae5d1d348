#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gauze/base/words.h"
#include "gauze/label/privacy_cost.h"
#include "gauze/mechanisms/noise/grid.h"
#include "gauze/mechanisms/noise/noise_law.h"
#include "gauze/query/plan/measurement.h"

namespace gauze::query {

enum class NoiseKind { laplace, gaussian };
inline constexpr Words<NoiseKind, 2> kNoiseKindWords = {
    {{NoiseKind::laplace, "laplace"}, {NoiseKind::gaussian, "gaussian"}}};

/// What may be spent on one question: epsilon with or without delta, or rho with or without delta.
struct QueryBudget {
  std::optional<Rational> epsilon = {};
  std::optional<Rational> rho = {};
  Rational delta = 0;
  std::optional<NoiseKind> noise = {};  ///< none: the better one
  bool adds_up_rho = false;             ///< the ledger adds up rho or mu^2, to which Laplace noise is dear
};

/// How one measurement is drawn.
struct MeasurementNoise {
  // Of sums: integer noise on a grid of 2^shift granules.
  int shift = 0;
  Rational sensitivity = 0;  ///< of one unit in one group, in steps of the grid
  Rational spread = 0;       ///< scale or sigma, in steps
  std::shared_ptr<const NoiseLaw> law = {};
  // Of selections:
  Rational epsilon_per_group = 0;

  [[nodiscard]] Rational step(const Measurement& measurement) const {
    return measurement.granule * Rational::power_of_two(shift);
  }
};

/// How a budget is divided, and what the whole costs.
///
/// Privacy unit   : the schema's; one unit is in at most `groups` groups and changes each measurement there by its sensitivity.
/// Neighbours     : add or remove one unit.
/// Guarantee      : `cost`: (epsilon, delta)-DP, or rho-zCDP but for probability delta.
/// Proven         : docs/proofs/query.md, joint noise.
/// Not covered    : that the measurements keep their sensitivity, which is proven there for what is rendered.
struct NoisePlan {
  NoiseKind kind = NoiseKind::laplace;
  std::vector<MeasurementNoise> measurements = {};  ///< one each
  std::size_t drawn = 0;                            ///< how many of them are not constant
  std::uint64_t groups = 1;
  Rational epsilon_share = 0;  ///< of one measurement; Laplace
  Rational rho_share = 0;      ///< of one measurement; Gaussian
  Rational delta_noise = 0;
  Rational delta_threshold = 0;
  std::optional<Int128> threshold = {};  ///< of private keys, in steps of the naming count
  PrivacyCost cost = {};
  bool delta_is_unused = false;
};

/// Divides the budget equally. `groups`: the most groups of a unit; `min_group`: smaller groups are never named.
[[nodiscard]] Result<NoisePlan> plan_noise(const Measurements& measurements, const QueryBudget& budget,
                                           std::uint64_t groups, std::uint64_t min_group);

}  // namespace gauze::query
