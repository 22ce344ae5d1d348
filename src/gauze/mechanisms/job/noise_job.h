#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/rational.h"
#include "gauze/base/words.h"
#include "gauze/files/json.h"
#include "gauze/label/privacy_cost.h"
#include "gauze/mechanisms/noise/grid.h"
#include "gauze/mechanisms/noise/noise_law.h"
#include "gauze/random/secure_random.h"
#include "gauze/random/seeded_random.h"

namespace gauze {

enum class NoiseKind { laplace, gaussian, geometric, discrete_gaussian, staircase, snapping, randomized_response };

/// The names of the mechanisms, in the order of help; geometric noise is known by two.
inline constexpr Words<NoiseKind, 8> kNoiseWords = {{{NoiseKind::laplace, "laplace"},
                                                     {NoiseKind::gaussian, "gaussian"},
                                                     {NoiseKind::geometric, "geometric"},
                                                     {NoiseKind::geometric, "discrete-laplace"},
                                                     {NoiseKind::discrete_gaussian, "discrete-gaussian"},
                                                     {NoiseKind::staircase, "staircase"},
                                                     {NoiseKind::snapping, "snapping"},
                                                     {NoiseKind::randomized_response, "randomized-response"}}};

/// A number and how it is to be made noisy. Zero stands for "not given", as in the options of the mechanisms.
struct NoiseRequest {
  std::string mechanism = {};   ///< one of kNoiseWords, as the label will name it
  Rational epsilon = 0;         ///< or scale, or sigma: one of them says how much noise there is
  Rational delta = 0;           ///< of Gaussian noise by epsilon
  Rational scale = 0;           ///< of (discrete) Laplace noise
  Rational sigma = 0;           ///< of Gaussian noise
  Rational sensitivity = 1;     ///< L1 of Laplace noise, L2 of Gaussian
  Rational bound = 0;           ///< of snapping
  std::int64_t categories = 0;  ///< of randomised response
  int granularity_bits = 40;    ///< of laplace, gaussian, staircase
  std::int64_t count = 1;       ///< how many numbers are drawn; each one is paid for
  std::string unit = {};        ///< whom the sensitivity is about
  Neighbours neighbours = Neighbours::add_remove;
  Rational value = 0;  ///< private: whole for integer noise, a category for randomised response
};

/// A law in steps of a grid.
struct NoiseShape {
  std::shared_ptr<const NoiseLaw> law;
  double step = 1;
};

/// A request that was accepted: what it costs, what can be said of it, and its draws.
///
/// What is promised is what the header of the mechanism says, for all draws together. The claim about the sensitivity is the
/// caller's. Const members may be called concurrently.
class NoiseJob {
 public:
  /// Refuses whatever a mechanism refuses. Says nothing of the value but that it must be whole, or a category.
  [[nodiscard]] static Result<NoiseJob> make(const NoiseRequest& request);

  /// Of all draws.
  [[nodiscard]] const PrivacyCost& cost() const { return cost_; }
  /// Whether a dataset can be charged for it: randomised response protects one value from whoever collects it.
  [[nodiscard]] bool is_about_a_dataset() const { return request_.categories == 0; }
  [[nodiscard]] PrivacyLabel label() const;
  /// mechanism, parameters, variance and interval95 of the noise: nothing private.
  [[nodiscard]] Json to_json() const;

  /// The law of the noise; none of snapping and of randomised response.
  [[nodiscard]] const std::optional<NoiseShape>& shape() const { return shape_; }
  [[nodiscard]] double variance() const { return variance_; }
  /// Half the width of the 95 % interval of the noise; 0 of randomised response.
  [[nodiscard]] double radius95() const { return radius95_ ? radius95_->to_double() : 0; }

  /// So many draws, one a line.
  [[nodiscard]] std::string release(SecureRandom& random, std::size_t count) const { return release_(random, count); }
  [[nodiscard]] std::string simulate(SeededRandom& random, std::size_t count) const {
    return simulate_(random, count);
  }
  /// The same draws as the nearest doubles, for whoever measures their law.
  void release(SecureRandom& random, std::span<double> draws) const { release_numbers_(random, draws); }
  void simulate(SeededRandom& random, std::span<double> draws) const { simulate_numbers_(random, draws); }

 private:
  explicit NoiseJob(const NoiseRequest& request) : request_(request) {}
  [[nodiscard]] Result<PrivacyCost> prepare();
  [[nodiscard]] Result<PrivacyCost> prepare_response();
  /// Takes over a mechanism that adds noise; parameters follow those that all have.
  template <class Mechanism>
  PrivacyCost adopt(const Mechanism& mechanism, PrivacyCost cost, std::vector<Json::Member> further);

  NoiseRequest request_;
  PrivacyCost cost_;
  Json parameters_ = Json::object();
  double variance_ = 0;
  std::optional<NoiseShape> shape_;
  std::optional<GridValue> radius95_;  ///< half width of the 95 % interval; none for randomised response
  std::function<std::string(SecureRandom&, std::size_t)> release_;
  std::function<std::string(SeededRandom&, std::size_t)> simulate_;
  std::function<void(SecureRandom&, std::span<double>)> release_numbers_;
  std::function<void(SeededRandom&, std::span<double>)> simulate_numbers_;
};

}  // namespace gauze
