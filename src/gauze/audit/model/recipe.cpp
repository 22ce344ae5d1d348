#include "gauze/audit/model/recipe.h"

#include "gauze/audit/model/quiet_progress.h"
#include "gauze/learn/job/training_job.h"
#include "gauze/learn/plan/plan_price.h"
#include "gauze/learn/published/published_training.h"

namespace gauze::audit {

learn::ModelKind Recipe::kind() const { return plan_ ? plan_->options.kind : published_->options.kind; }

learn::InputEncoding Recipe::encoding() const {
  return plan_ ? learn::InputEncoding::expanded : learn::InputEncoding::positions;
}

Neighbours Recipe::neighbours() const { return plan_ ? plan_->neighbours : Neighbours::replace_one; }

std::uint64_t Recipe::declared() const { return plan_ ? plan_->declared : published_->declared; }

Claim Recipe::claim() const {
  if (published_)
    return {.epsilon = published_->claimed_epsilon().to_double_up(),
            .delta = published_->options.delta.to_double_up()};
  if (!plan_->is_private()) return {};
  return {.epsilon = plan_->claimed_epsilon.to_double_up(), .delta = plan_->delta.to_double_up()};
}

std::optional<double> Recipe::proved() const {
  if (published_) return published_->is_proved() ? std::optional(published_->if_public->upper) : std::nullopt;
  return claim().epsilon;
}

std::optional<double> Recipe::claimed_at(double delta) const {
  if (!plan_ || !plan_->is_private()) return std::nullopt;
  if (delta >= plan_->delta.to_double_up()) return plan_->claimed_epsilon.to_double_up();
  const auto bounds = learn::epsilon_of(plan_->events, Rational(delta));
  if (!bounds || !std::isfinite(bounds->upper)) return std::nullopt;
  return bounds->upper;
}

Result<std::optional<Recipe>> Recipe::unprotected(const schema::LearnPolicy& policy) const {
  learn::TrainingOptions options;
  if (published_) {
    const learn::PublishedOptions& own = published_->options;
    options = {.kind = own.kind, .shape = own.shape, .loss = own.loss};
    options.steps = published_->steps();
    options.batch = std::min<std::uint64_t>(own.batch, published_->declared);
    options.rows = published_->declared;
    options.neighbours = Neighbours::replace_one;
    options.optimiser = own.optimiser;
    options.schedule = own.schedule;
    options.initial = own.initial;
    options.learning_rate = own.learning_rate;
  } else {
    if (!plan_->is_private()) return std::optional<Recipe>();
    options = plan_->options;
  }
  options.unprotected = true;
  options.epsilon.reset();
  options.sigma.reset();
  options.delta.reset();
  options.adaptive.reset();
  options.method = learn::MethodKind::dpsgd;
  GAUZE_TRY(learn::TrainingPlan plan, learn::TrainingPlan::make(std::move(options), policy));
  return std::optional<Recipe>(Recipe(std::move(plan)));
}

Result<learn::ModelFile> Recipe::train(const schema::Policy& policy, const learn::LearningRows& rows,
                                       std::uint64_t seed, const Progress& progress) const {
  learn::SeededStreams streams(seed);
  const std::unique_ptr<Progress> own = quiet(progress);
  if (published_) {
    GAUZE_TRY(learn::PublishedModel made, learn::simulate_as_published(*published_, policy, rows, streams, *own));
    return std::move(made.file);
  }
  const learn::StateSink nowhere = [](const learn::TrainingState&, std::uint64_t) { return Result<void>(); };
  GAUZE_TRY(learn::TrainedModel made, learn::simulate_model(*plan_, policy, rows, streams, {}, nowhere, *own));
  return std::move(made.file);
}

}  // namespace gauze::audit
