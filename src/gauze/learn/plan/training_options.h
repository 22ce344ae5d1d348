#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gauze/base/rational.h"
#include "gauze/label/neighbours.h"
#include "gauze/learn/engine/loss.h"
#include "gauze/learn/model/model_shape.h"
#include "gauze/learn/step/optimiser.h"
#include "gauze/learn/step/unit_sampler.h"

namespace gauze::learn {

enum class MethodKind {
  dpsgd,   ///< the same noise on every weight
  shaped,  ///< noise in proportion to an attribute's scale, norms divided by it: the same guarantee
};
inline constexpr Words<MethodKind, 2> kMethodWords = {{{MethodKind::dpsgd, "dpsgd"}, {MethodKind::shaped, "shaped"}}};

enum class InitialWeights { zero, scaled };
inline constexpr Words<InitialWeights, 2> kInitialWords = {
    {{InitialWeights::zero, "zero"}, {InitialWeights::scaled, "scaled"}}};

/// Clip at the quantile of the norms, found with noise.
struct AdaptiveClip {
  Rational quantile = Rational(1, 2);
};

/// What somebody asks of a training run; what is not given has a public default. Nothing of it may come from the rows.
struct TrainingOptions {
  ModelKind kind = ModelKind::logistic;
  ModelShape shape = {};
  std::optional<LossKind> loss = {};

  std::optional<Rational> epsilon = {};  ///< with delta; or sigma with delta; or neither and `unprotected`
  std::optional<Rational> sigma = {};
  std::optional<Rational> delta = {};
  bool unprotected = false;  ///< epsilon infinite: no noise, no clipping

  std::optional<std::uint64_t> steps = {};  ///< 1,000
  std::optional<Rational> epochs = {};      ///< instead: steps = ceil(epochs / rate)
  std::optional<std::uint64_t> batch = {};  ///< 512
  std::optional<std::uint64_t> rows = {};   ///< instead of the policy's
  std::optional<Neighbours> neighbours = {};
  std::optional<SamplingKind> sampling = {};
  Rational clip = 1;
  std::optional<AdaptiveClip> adaptive = {};
  std::optional<OptimiserKind> optimiser = {};  ///< momentum
  std::optional<ScheduleKind> schedule = {};    ///< cosine
  Rational learning_rate = Rational(1, 2);
  Rational average = 0;  ///< decay of the averaged weights; 0: the last ones are the model
  std::optional<InitialWeights> initial = {};
  MethodKind method = MethodKind::dpsgd;

  std::optional<Rational> holdout = {};  ///< the share of units that are kept apart
  std::optional<Rational> holdout_epsilon = {};
};

}  // namespace gauze::learn
