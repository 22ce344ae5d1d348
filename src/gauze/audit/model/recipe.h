#pragma once

#include <optional>

#include "gauze/audit/claims/claim_audit.h"
#include "gauze/base/progress.h"
#include "gauze/learn/model/model_file.h"
#include "gauze/learn/plan/training_plan.h"
#include "gauze/learn/published/published_plan.h"
#include "gauze/learn/rows/learning_rows.h"
#include "gauze/schema/policy/policy.h"

namespace gauze::audit {

/// How a model is trained, whichever rows it gets: by a plan of `train`, or as published.
class Recipe {
 public:
  explicit Recipe(learn::TrainingPlan plan) : plan_(std::move(plan)) {}
  explicit Recipe(learn::PublishedPlan plan) : published_(std::move(plan)) {}

  [[nodiscard]] learn::ModelKind kind() const;
  [[nodiscard]] learn::InputEncoding encoding() const;
  [[nodiscard]] Neighbours neighbours() const;
  [[nodiscard]] std::uint64_t declared() const;  ///< units
  /// One of both is there.
  [[nodiscard]] const std::optional<learn::TrainingPlan>& plan() const { return plan_; }
  [[nodiscard]] const std::optional<learn::PublishedPlan>& published() const { return published_; }
  /// What it claims: nothing without noise; as published eps_1 + eps_2.
  [[nodiscard]] Claim claim() const;
  /// What is proved of it at the claim's delta; nothing where nothing is.
  [[nodiscard]] std::optional<double> proved() const;
  /// The epsilon that the accountant has for it at any delta, rounded up; nothing where only (epsilon, delta) is known.
  [[nodiscard]] std::optional<double> claimed_at(double delta) const;

  /// The same model without noise and clipping; nothing where it has none already.
  [[nodiscard]] Result<std::optional<Recipe>> unprotected(const schema::LearnPolicy& policy) const;

  /// Trains from a seed, for simulations: promises nothing. Ends with `interrupted` when `progress` is asked to stop; tells it nothing.
  [[nodiscard]] Result<learn::ModelFile> train(const schema::Policy& policy, const learn::LearningRows& rows,
                                               std::uint64_t seed, const Progress& progress) const;

 private:
  std::optional<learn::TrainingPlan> plan_ = {};
  std::optional<learn::PublishedPlan> published_ = {};
};

}  // namespace gauze::audit
