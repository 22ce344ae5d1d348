#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "gauze/accounting/privacy_loss.h"
#include "gauze/base/error.h"
#include "gauze/base/rational.h"
#include "gauze/label/neighbours.h"

namespace gauze {

/// One mechanism, run `count` times under the same sampling: what an accountant charges for.
///
/// Sensitivities are under the stated adjacency, before sampling. All figures are public parameters.
struct PrivacyEvent {
  enum class Kind {
    gaussian,             ///< sigma, sensitivity
    laplace,              ///< scale, sensitivity
    discrete_laplace,     ///< scale, whole sensitivity
    discrete_gaussian,    ///< sigma, whole sensitivity
    staircase,            ///< epsilon
    randomized_response,  ///< epsilon, categories
    exponential,          ///< epsilon
    permute_and_flip,     ///< epsilon
    pure,                 ///< epsilon
    approximate,          ///< epsilon, delta
    zcdp,                 ///< rho
  };
  enum class Sampling {
    none,
    poisson,     ///< each unit with probability `rate`, independently; add / remove neighbours
    fixed_size,  ///< a fixed share `rate` without replacement; replace-one neighbours
  };

  Kind kind = Kind::gaussian;
  double sigma = 0;
  double scale = 0;
  double sensitivity = 1;
  double epsilon = 0;
  double delta = 0;
  double rho = 0;
  double categories = 2;
  double count = 1;
  Sampling sampling = Sampling::none;
  double rate = 1;
  Neighbours neighbours = Neighbours::add_remove;
};

[[nodiscard]] std::string_view to_string(PrivacyEvent::Kind kind);  ///< "discrete-gaussian"
[[nodiscard]] std::optional<PrivacyEvent::Kind> parse_event_kind(std::string_view text);

/// Sets one figure by its name ("sigma", "scale", "sensitivity", "epsilon", "delta", "rho", "categories", "steps",
/// "poisson", "fixed-size"), rounded to a double so that the cost can only come out higher: noise down, losses up. The last
/// two also set the sampling. Refuses unknown names and numbers that are not positive.
[[nodiscard]] Result<void> set_figure(PrivacyEvent& event, std::string_view name, const Rational& value);

/// The name of the figure that says how much one run costs: "sigma", "scale", "rho" or "epsilon".
[[nodiscard]] std::string_view amount_name(PrivacyEvent::Kind kind);

/// Whether the figures make sense together; names the one that does not. Poisson sampling with replace-one neighbours,
/// and fixed-size sampling with add / remove, have no proved dominating pair and are refused with the alternative.
[[nodiscard]] Result<void> check(const PrivacyEvent& event);

/// The dominating pairs of one run, one a direction that must be composed on its own. `unsupported` for zCDP, which has
/// none, and for a discrete Gaussian wider than 100,000.
[[nodiscard]] Result<std::vector<LossPair>> loss_pairs(const PrivacyEvent& event);

/// The pure epsilon of one run (0 when sampled away), if it has one; with Poisson sampling ln(1 + q (e^epsilon - 1)).
[[nodiscard]] std::optional<double> pure_epsilon(const PrivacyEvent& event);
/// The zCDP of one run, if it has one that is known; rounded up.
[[nodiscard]] std::optional<double> zcdp(const PrivacyEvent& event);
/// The Renyi-DP of one run at an order above 1, if it is known; rounded up. Poisson-sampled Gaussian: exact at any order.
[[nodiscard]] std::optional<double> renyi(const PrivacyEvent& event, double order);

}  // namespace gauze
