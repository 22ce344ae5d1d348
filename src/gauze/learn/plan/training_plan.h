#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gauze/accounting/accountant.h"
#include "gauze/label/privacy_cost.h"
#include "gauze/label/warning.h"
#include "gauze/learn/plan/training_options.h"
#include "gauze/ledger/terms/dataset_terms.h"
#include "gauze/schema/learning/learn_policy.h"

namespace gauze::learn {

/// Noisy histograms of the sensitive features, from which entropies are taken.
struct HistogramPlan {
  Rational rho;        ///< what all of them cost together
  Rational sigma;      ///< of each cell: rho is sensitivity^2 / (2 sigma^2)
  double sensitivity;  ///< in the Euclidean norm, rounded up
};

/// Everything a training run will do, fixed before anything is read: fixed events, their price, the noise.
///
/// Privacy unit   : one unit of the policy. Neighbours: those of the plan.
/// Guarantee      : (claimed_epsilon, delta)-DP of the model, its checkpoints and paid figures together, by the accountant's certified
///                  upper bound for `steps` sampled Gaussians after the histograms; with the hold-out in parallel.
/// Proven         : docs/proofs/dp-sgd.md
struct TrainingPlan {
  TrainingOptions options;
  std::vector<LayerSpec> layers = {};
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::size_t weights = 0;
  LossKind loss = LossKind::softmax;
  OptimiserKind optimiser = OptimiserKind::momentum;
  ScheduleKind schedule = ScheduleKind::cosine;
  InitialWeights initial = InitialWeights::zero;

  std::string unit;
  Neighbours neighbours = Neighbours::add_remove;
  std::uint64_t declared = 0;  ///< units
  std::uint64_t max_rows = 1;
  SamplingKind sampling = SamplingKind::poisson;
  std::uint64_t batch = 0;
  std::uint64_t steps = 0;
  Rational rate;        ///< batch / declared
  Rational normaliser;  ///< what the noisy sum is divided by: batch (1 - hold-out)
  std::uint32_t micro_batch = 128;

  Rational sigma;           ///< accounted, relative to the clip; 0: no noise
  Rational sigma_gradient;  ///< of the noise on the gradient: larger with adaptive clipping
  Rational sigma_clipping;  ///< of the share within the clip, at sensitivity 1/2; 0 without
  std::optional<HistogramPlan> histograms = {};
  Bounds training_epsilon = {.lower = 0, .upper = 0};  ///< at delta
  Rational claimed_epsilon;
  Rational delta;
  std::optional<Rational> holdout_epsilon = {};
  std::vector<PrivacyEvent> events = {};  ///< histograms, then steps

  double operations = 0;  ///< of the whole run
  std::uint64_t memory = 0;
  std::vector<Warning> warnings = {};

  /// Refuses, as `invalid_parameter`, whatever cannot be: docs/guide/learning.md lists the rules.
  [[nodiscard]] static Result<TrainingPlan> make(TrainingOptions options, const schema::LearnPolicy& policy);

  [[nodiscard]] bool is_private() const { return sigma.sign() > 0; }
  /// The clip to begin with.
  [[nodiscard]] double clip() const { return options.clip.to_double(); }
  /// The standard deviation of the noise on one coordinate of the sum, where its scale is 1.
  [[nodiscard]] double noise_deviation() const;
  /// What the release costs, in the figures that an accountant of that kind adds up, and in (epsilon, delta). `invalid_parameter`
  /// for a kind that cannot take it (gdp, unless everybody is sampled).
  [[nodiscard]] Result<PrivacyCost> cost(const PrivacyFilter& accountant) const;
  /// The same for no ledger.
  [[nodiscard]] PrivacyCost cost() const;

 private:
  [[nodiscard]] Result<void> shape_model(const schema::LearnPolicy& policy);
  [[nodiscard]] Result<void> sample_units(const schema::LearnPolicy& policy);
  [[nodiscard]] Result<void> plan_histograms(const schema::LearnPolicy& policy);
  [[nodiscard]] Result<void> price();
  [[nodiscard]] Result<void> price_holdout();
};

/// The largest figures that the proof covers.
inline constexpr std::uint64_t kMostBatch = std::uint64_t{1} << 26;
inline constexpr std::uint64_t kMostWeights = std::uint64_t{1} << 26;
inline constexpr std::uint64_t kMostTerms = std::uint64_t{1} << 20;  ///< T P^2
inline constexpr std::int64_t kMostSigma = 32'768;

}  // namespace gauze::learn
