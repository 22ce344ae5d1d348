#include "gauze/learn/job/training_job.h"

namespace gauze::learn {
namespace {

std::string exact(const Rational& value) { return value.to_decimal_up(12); }

Json parameters(const TrainingPlan& plan) {
  const TrainingOptions& options = plan.options;
  Json object = Json::object({{"model", kind_word(plan)}, {"method", word_of(kMethodWords, options.method)}});
  object.set("sampling", word_of(kSamplingWords, plan.sampling))
      .set("rate", Json::number(exact(plan.rate)))
      .set("batch", plan.batch)
      .set("declared_rows", plan.declared)
      .set("steps", plan.steps)
      .set("normaliser", Json::number(exact(plan.normaliser)));
  if (plan.is_private()) {
    object.set("sigma", Json::number(exact(plan.sigma)))
        .set("sigma_gradient", Json::number(exact(plan.sigma_gradient)))
        .set("clip", Json::number(exact(options.clip)))
        .set("margin", Json::number("9.5367431640625e-7"));
    if (options.adaptive)
      object.set("clip_quantile", Json::number(exact(options.adaptive->quantile)))
          .set("sigma_clipping", Json::number(exact(plan.sigma_clipping)));
    if (plan.histograms)
      object.set("entropy_rho", Json::number(exact(plan.histograms->rho)))
          .set("entropy_sigma", Json::number(exact(plan.histograms->sigma)));
    if (plan.holdout_epsilon)
      object.set("holdout", Json::number(exact(*options.holdout)))
          .set("holdout_epsilon", Json::number(exact(*plan.holdout_epsilon)));
  }
  if (plan.max_rows > 1) object.set("max_rows", plan.max_rows);
  object.set("optimizer", word_of(kOptimiserWords, plan.optimiser))
      .set("learning_rate", Json::number(exact(options.learning_rate)))
      .set("schedule", word_of(kScheduleWords, plan.schedule))
      .set("loss", word_of(kLossWords, plan.loss))
      .set("weights", plan.weights);
  return object;
}

std::string sampling_text(const TrainingPlan& plan) {
  switch (plan.sampling) {
    case SamplingKind::poisson:
      return "every unit by a coin of its own in each step";
    case SamplingKind::fixed_size:
      return "a fixed number of the declared places in each step, without replacement";
    case SamplingKind::full:
      return "everybody in each step";
  }
  return {};
}

}  // namespace

PrivacyLabel training_label(const TrainingPlan& plan, const schema::Policy& policy, const PrivacyCost& cost,
                            const std::string& assumption, std::string_view kind) {
  PrivacyLabel label;
  label.released.kind = kind;
  label.parameters = parameters(plan);
  label.privacy_unit = plan.unit;
  label.neighbours = plan.neighbours;
  auto& limits = label.does_not_cover;
  if (!plan.is_private()) {
    label.definition = Definition::none;
    label.warning = "trained without noise and without clipping: the model may tell about single people";
    label.mechanism = fmt::format("gradient descent without privacy, {}", sampling_text(plan));
    limits.emplace_back("anybody: nothing protects the people in the table");
    return label;
  }
  cost.put_into(label);
  label.mechanism =
      fmt::format("{}, gradients clipped to a norm {} and summed exactly, with exact Gaussian noise{}; {}",
                  plan.options.method == MethodKind::shaped ? "DP-SGD with noise shaped by attribute" : "DP-SGD",
                  plan.options.adaptive ? "that follows a noisy quantile" : exact(plan.options.clip),
                  plan.histograms ? "; entropies from noisy histograms" : "", sampling_text(plan));
  label.covers = {
      fmt::format("all that the table holds about {}: the weights of the model, and every checkpoint", plan.unit)};
  if (plan.holdout_epsilon)
    label.covers.emplace_back("the noisy figures of the hold-out, which no trained unit is in");
  if (plan.max_rows > 1 || policy.learn->unit)
    label.covers.push_back(fmt::format("units with more than {} rows: a step sees so many of them", plan.max_rows));
  std::vector<std::string> chosen;
  if (policy.provenance.features == Provenance::data) chosen.emplace_back("features, bounds and values");
  if (policy.provenance.hyperparameters == Provenance::data) chosen.emplace_back("hyper-parameters");
  for (const std::string& what : chosen)
    limits.push_back(fmt::format("the {}: they were chosen on this data, or nobody said otherwise", what));
  limits.emplace_back(
      "single attributes: the guarantee is about a unit's whole record, not about each of its answers");
  limits.emplace_back("the rows that somebody predicts on, and what they are told");
  limits.emplace_back("whether the declared number of rows is true: a wrong one costs accuracy, not privacy");
  limits.emplace_back("the time that training took");
  if (!assumption.empty()) limits.push_back(assumption);
  limits.emplace_back("other releases from the same data: their costs add up");
  limits.emplace_back("facts that are true of a whole group: a model learns them without any one person");
  label.provenance["features"] = policy.provenance.features;
  label.provenance["hyperparameters"] = policy.provenance.hyperparameters;
  return label;
}

Json training_json(const TrainingPlan& plan, const std::optional<HoldoutFigures>& holdout) {
  const bool is_private = plan.is_private();
  const auto figure = [&](const Rational& value) { return is_private ? Json::number(exact(value)) : Json(); };
  Json object = Json::object({{"model", kind_word(plan)},
                              {"method", word_of(kMethodWords, plan.options.method)},
                              {"parameters", plan.weights}});
  object.set("sigma", figure(plan.sigma))
      .set("sigma_gradient", figure(plan.sigma_gradient))
      .set("clip", figure(plan.options.clip))
      .set("sampling",
           Json::object({{"kind", word_of(kSamplingWords, plan.sampling)}, {"rate", Json::number(exact(plan.rate))}}))
      .set("batch", plan.batch)
      .set("steps", plan.steps)
      .set("normaliser", Json::number(exact(plan.normaliser)))
      .set("noise_sd", is_private ? Json(plan.noise_deviation()) : Json())
      .set("margin", is_private ? Json::number("9.5367431640625e-7") : Json());
  Json epsilon = Json();
  if (is_private) {
    epsilon = Json::object({{"lower", plan.training_epsilon.lower ? Json(*plan.training_epsilon.lower) : Json()},
                            {"upper", Json::number(plan.claimed_epsilon.to_decimal_up(17))}});
  }
  object.set("epsilon", std::move(epsilon)).set("delta", figure(plan.delta));
  Json parts = Json::array();
  if (plan.histograms)
    parts.push(Json::object({{"what", "entropies"}, {"rho", Json::number(exact(plan.histograms->rho))}}));
  if (is_private)
    parts.push(
        Json::object({{"what", "training"}, {"epsilon", Json::number(plan.claimed_epsilon.to_decimal_up(17))}}));
  if (plan.holdout_epsilon)
    parts.push(Json::object({{"what", "hold-out"}, {"epsilon", Json::number(exact(*plan.holdout_epsilon))}}));
  object.set("parts", std::move(parts)).set("claimed", Json()).set("proved", Json());
  Json held = Json();
  if (holdout) {
    Json confusion = Json::array();
    for (const auto& row : holdout->confusion) {
      Json cells = Json::array();
      for (const double cell : row) cells.push(static_cast<std::int64_t>(cell));
      confusion.push(std::move(cells));
    }
    held = Json::object(
        {{"confusion", std::move(confusion)},
         {"accuracy", to_json(holdout->figures.accuracy)},
         {"majority",
          Json::object({{"accuracy", holdout->majority.accuracy ? Json(*holdout->majority.accuracy) : Json()}})}});
  }
  object.set("holdout", std::move(held));
  return object;
}

}  // namespace gauze::learn
