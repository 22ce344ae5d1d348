#pragma once

#include <optional>
#include <string>

#include "gauze/accounting/loss_composition.h"
#include "gauze/label/label.h"
#include "gauze/label/privacy_cost.h"
#include "gauze/label/warning.h"
#include "gauze/learn/plan/training_options.h"
#include "gauze/learn/published/budget_allocation.h"
#include "gauze/schema/policy/policy.h"

namespace gauze::learn {

/// How Algorithm 1 of the paper is read where its lines and its text differ.
enum class Reading {
  frozen,    ///< to the letter: no line moves the mapping layer by the data
  plain,     ///< it moves by plain gradients between two noisings
  private_,  ///< it moves by the same clipped and noised gradient as the rest
};
inline constexpr Words<Reading, 3> kReadingWords = {
    {{Reading::frozen, "frozen"}, {Reading::plain, "plain"}, {Reading::private_, "private"}}};
enum class Allocation { entropy, uniform };
inline constexpr Words<Allocation, 2> kAllocationWords = {
    {{Allocation::entropy, "entropy"}, {Allocation::uniform, "uniform"}}};
/// What N(.) of the paper is given.
enum class GaussianFigure { sd, variance };
inline constexpr Words<GaussianFigure, 2> kGaussianFigureWords = {
    {{GaussianFigure::sd, "sd"}, {GaussianFigure::variance, "variance"}}};

/// APBA-DP as published, with the paper's constants as defaults.
struct PublishedOptions {
  ModelKind kind = ModelKind::mlp;
  ModelShape shape = {};
  std::optional<LossKind> loss = {};
  Reading reading = Reading::frozen;
  Allocation allocation = Allocation::entropy;
  Rational epsilon_1 = Rational(2, 5);
  Rational epsilon_2 = Rational(3, 5);
  Rational delta = Rational(1, 10'000);
  Rational c = 2;
  Rational clip = 10;
  Rational clip_w = 5;
  std::uint64_t epochs = 30;
  std::uint64_t batch = 64;
  EntropyLog log = EntropyLog::e;
  GaussianFigure gaussian = GaussianFigure::sd;
  bool laplace_epochs = true;  ///< the scale of the Laplace noise has the number of epochs (line 6), or not (eq. 9)
  SensitiveChoice sensitive = {};
  std::optional<std::uint64_t> rows = {};
  OptimiserKind optimiser = OptimiserKind::sgd;
  ScheduleKind schedule = ScheduleKind::constant;
  InitialWeights initial = InitialWeights::scaled;
  Rational learning_rate = Rational(1, 2);
};

/// What the paper claims of a run, and what is proved of it.
///
/// Claimed   : (eps_1 + eps_2, delta)-DP.
/// Proved    : nothing, where the entropies of the raw columns are noise scales, and in the reading `plain`, whose last update leaves
///             raw. With uniform budgets, `frozen` and `private` are noisy gradient descent: the accountant's figure for batches drawn
///             without replacement, replace-one, sensitivity 2 C; docs/proofs/dp-sgd.md.
struct PublishedPlan {
  PublishedOptions options;
  std::vector<std::string> sensitive = {};
  std::vector<LayerSpec> layers = {};  ///< the mapping layer, then the model
  std::vector<LayerSpec> rest = {};    ///< the model alone
  std::size_t attributes = 0;
  std::size_t outputs = 0;
  std::size_t weights = 0;
  std::size_t mapping_weights = 0;
  LossKind loss = LossKind::softmax;
  std::uint64_t declared = 0;
  std::uint64_t max_rows = 1;
  std::string unit;
  std::uint64_t steps_of_epoch = 0;
  std::uint32_t micro_batch = 64;
  Rational sigma;                        ///< of the Gaussian noise on the sum, relative to the clip
  std::optional<Bounds> if_public = {};  ///< were the entropies public; none: nothing is proved even then

  [[nodiscard]] static Result<PublishedPlan> make(PublishedOptions options, const schema::LearnPolicy& policy);

  [[nodiscard]] std::uint64_t steps() const { return steps_of_epoch * options.epochs; }
  [[nodiscard]] Rational claimed_epsilon() const { return options.epsilon_1 + options.epsilon_2; }
  /// Whether what was proved can be charged.
  [[nodiscard]] bool is_proved() const { return if_public && options.allocation == Allocation::uniform; }
  /// The sensitivity that the paper takes for the mapping layer, and its Laplace scale at a budget.
  [[nodiscard]] double mapping_sensitivity() const;
  [[nodiscard]] double laplace_scale(double epsilon) const;
  /// Why nothing is proved, or what is.
  [[nodiscard]] std::string reason() const;
  [[nodiscard]] PrivacyCost cost() const;  ///< where something is proved
};

/// What `train --as-published` prints, but for ledger, warnings and label; without an allocation for a plan.
[[nodiscard]] Json published_json(const PublishedPlan& plan, const std::optional<BudgetAllocation>& allocation);
[[nodiscard]] PrivacyLabel published_label(const PublishedPlan& plan, const schema::Policy& policy,
                                           const std::string& assumption = {});

}  // namespace gauze::learn
