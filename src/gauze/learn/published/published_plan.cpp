#include "gauze/learn/published/published_plan.h"

#include <cmath>

#include "gauze/learn/engine/network.h"
#include "gauze/learn/plan/plan_price.h"
#include "gauze/learn/plan/training_plan.h"

namespace gauze::learn {
namespace {

Result<void> check_options(const PublishedOptions& options) {
  const auto positive = [](const Rational& value, std::string_view what) -> Result<void> {
    if (value > Rational() && value <= Rational(1'000'000)) return {};
    return invalid_parameter("{} must be above 0 and at most 1,000,000", what);
  };
  GAUZE_TRY_VOID(positive(options.epsilon_1, "epsilon-1"));
  GAUZE_TRY_VOID(positive(options.epsilon_2, "epsilon-2"));
  GAUZE_TRY_VOID(positive(options.c, "c"));
  GAUZE_TRY_VOID(positive(options.clip, "clip"));
  GAUZE_TRY_VOID(positive(options.clip_w, "clip-w"));
  GAUZE_TRY_VOID(positive(options.learning_rate, "learning-rate"));
  if (options.epochs == 0 || options.epochs > 1'000'000)
    return invalid_parameter("epochs must be from 1 to 1,000,000");
  if (!(options.delta > Rational() && options.delta < Rational(1)))
    return invalid_parameter("delta must be above 0 and below 1");
  if (options.shape.reshape)
    return invalid_parameter("as published the mapping layer's outputs are the positions: no other tokens");
  return {};
}

std::string exact(const Rational& value) { return value.to_decimal_up(12); }

Json proved_json(const std::optional<Bounds>& bounds, const Rational& delta, const std::string& reason) {
  return Json::object({{"epsilon", bounds ? Json(bounds->upper) : Json()},
                       {"delta", bounds ? Json::number(exact(delta)) : Json()},
                       {"reason", reason}});
}

}  // namespace

double PublishedPlan::mapping_sensitivity() const {
  return 2 * options.clip_w.to_double() / static_cast<double>(declared);
}

double PublishedPlan::laplace_scale(double epsilon) const {
  const double epochs = options.laplace_epochs ? static_cast<double>(options.epochs) : 1.0;
  return epochs * mapping_sensitivity() / epsilon;
}

Result<PublishedPlan> PublishedPlan::make(PublishedOptions options, const schema::LearnPolicy& policy) {
  GAUZE_TRY_VOID(check_options(options));
  PublishedPlan plan;
  plan.options = std::move(options);
  const PublishedOptions& asked = plan.options;
  if (policy.target.numeric) return invalid_parameter("the published method predicts classes, not numbers");
  GAUZE_TRY(plan.sensitive, sensitive_names(policy, asked.sensitive));
  const auto rows = asked.rows ? asked.rows : policy.rows;
  if (!rows) return asking_for("rows", invalid_parameter("the number of rows is needed, declared"));
  plan.declared = *rows;
  plan.max_rows = policy.max_rows();
  plan.unit = policy.privacy_unit();
  if (asked.batch == 0 || asked.batch > plan.declared || asked.batch > kMostBatch)
    return invalid_parameter("batch must be from 1 to the declared number of rows, {}", plan.declared);
  plan.steps_of_epoch = plan.declared / asked.batch;
  plan.attributes = policy.features.size();
  plan.outputs = policy.target.classes.size();
  plan.loss = asked.loss.value_or(asked.kind == ModelKind::svm ? LossKind::hinge : LossKind::softmax);
  if (plan.loss == LossKind::squared) return invalid_parameter("the loss squared needs a numeric target");
  ModelShape shape = asked.shape;
  if (is_sequential(asked.kind)) shape.reshape = {plan.attributes, 1};
  const std::vector<std::size_t> inputs_of(plan.attributes, 1);
  GAUZE_TRY(plan.rest, model_layers(asked.kind, shape, inputs_of, plan.outputs));
  plan.layers = {{.kind = LayerKind::linear, .in = plan.attributes, .out = plan.attributes}};
  plan.layers.insert(plan.layers.end(), plan.rest.begin(), plan.rest.end());
  GAUZE_TRY(const Network<float> whole, Network<float>::make(plan.layers, plan.attributes));
  plan.weights = whole.weights();
  plan.mapping_weights = plan.attributes * (plan.attributes + 1);
  const std::uint64_t terms = whole.most_positions() * plan.max_rows;
  while (plan.micro_batch > 1 && terms * plan.micro_batch * plan.micro_batch > kMostTerms) plan.micro_batch /= 2;
  // sigma: c C / eps_2 is the deviation, or the variance, of the noise on the sum
  plan.sigma = asked.c / asked.epsilon_2;
  if (asked.gaussian == GaussianFigure::variance)
    plan.sigma = Rational(std::sqrt((asked.c * asked.clip / asked.epsilon_2).to_double())) / asked.clip;
  if (plan.sigma > Rational(kMostSigma) || plan.sigma < Rational(1, 100))
    return invalid_parameter("c / epsilon-2 gives a sigma of {:.3g}; it must be from 0.01 to {}",
                             plan.sigma.to_double(), kMostSigma);
  if (asked.reading == Reading::plain) return plan;
  PrivacyEvent event{.kind = PrivacyEvent::Kind::gaussian,
                     .sigma = plan.sigma.to_double_down(),
                     .sensitivity = 2,
                     .count = static_cast<double>(plan.steps()),
                     .neighbours = Neighbours::replace_one};
  const Rational rate =
      Rational(static_cast<std::int64_t>(asked.batch)) / Rational(static_cast<std::int64_t>(plan.declared));
  if (asked.batch < plan.declared) {
    event.sampling = PrivacyEvent::Sampling::fixed_size;
    event.rate = rate.to_double_up();
  }
  GAUZE_TRY(Bounds bounds, epsilon_of({event}, asked.delta));
  if (std::isfinite(bounds.upper)) plan.if_public = bounds;
  return plan;
}

std::string PublishedPlan::reason() const {
  if (options.reading == Reading::plain)
    return "the mapping layer moves by plain gradients after its noise: the last update leaves as it is";
  if (options.allocation == Allocation::entropy)
    return "the entropies of the raw columns are noise scales, read without noise: nothing holds";
  return "noisy gradient descent on batches without replacement, neighbours replace one, at sensitivity 2 C; the noise on the "
         "mapping layer adds nothing";
}

PrivacyCost PublishedPlan::cost() const {
  PrivacyCost cost = PrivacyCost::of_epsilon(Rational(if_public->upper), options.delta);
  cost.unit = unit;
  cost.neighbours = Neighbours::replace_one;
  return cost;
}

Json published_json(const PublishedPlan& plan, const std::optional<BudgetAllocation>& allocation) {
  const PublishedOptions& options = plan.options;
  Json object = Json::object({{"model", word_of(kModelWords, options.kind)},
                              {"method", "apba"},
                              {"reading", word_of(kReadingWords, options.reading)},
                              {"parameters", plan.weights}});
  object.set("sigma", Json::number(exact(plan.sigma)))
      .set("sigma_gradient", Json::number(exact(plan.sigma)))
      .set("clip", Json::number(exact(options.clip)))
      .set("sampling",
           Json::object({{"kind", "fixed-size"},
                         {"rate", static_cast<double>(options.batch) / static_cast<double>(plan.declared)}}))
      .set("batch", options.batch)
      .set("steps", plan.steps())
      .set("normaliser", options.batch)
      .set("noise_sd", plan.sigma.to_double() * options.clip.to_double())
      .set("margin", Json::number("9.5367431640625e-7"));
  Json epsilon = Json();
  if (plan.is_proved())
    epsilon = Json::object(
        {{"lower", plan.if_public->lower ? Json(*plan.if_public->lower) : Json()}, {"upper", plan.if_public->upper}});
  object.set("epsilon", std::move(epsilon))
      .set("delta", Json::number(exact(options.delta)))
      .set("parts", Json::array());
  object.set("claimed", Json::object({{"epsilon", Json::number(exact(plan.claimed_epsilon()))},
                                      {"delta", Json::number(exact(options.delta))},
                                      {"source", "Luo, Li, Wu, Liu 2025, section 3.3: eps_1 + eps_2"}}));
  object.set("proved", proved_json(plan.is_proved() ? plan.if_public : std::nullopt, options.delta, plan.reason()));
  object.set("proved_if_entropies_public",
             proved_json(plan.if_public, options.delta,
                         plan.if_public ? "the accountant's figure for the noisy gradients"
                                        : "the last update of the mapping layer leaves as it is"));
  object.set("mapping",
             Json::object({{"sensitivity", plan.mapping_sensitivity()},
                           {"laplace_scale", Json::array({plan.laplace_scale(options.epsilon_1.to_double()),
                                                          plan.laplace_scale(options.epsilon_1.to_double() / 2)})}}));
  if (allocation) object.set("allocation", allocation->to_json());
  return object.set("holdout", Json());
}

PrivacyLabel published_label(const PublishedPlan& plan, const schema::Policy& policy, const std::string& assumption) {
  const PublishedOptions& options = plan.options;
  PrivacyLabel label;
  label.released.kind = "trained model";
  label.mechanism = fmt::format(
      "APBA-DP as published, reading {}, budgets {}: Laplace noise on a mapping layer, clipped and "
      "noised gradients",
      word_of(kReadingWords, options.reading), word_of(kAllocationWords, options.allocation));
  label.parameters = Json::object({{"model", word_of(kModelWords, options.kind)},
                                   {"method", "apba"},
                                   {"reading", word_of(kReadingWords, options.reading)},
                                   {"sampling", "fixed-size"},
                                   {"batch", options.batch},
                                   {"declared_rows", plan.declared},
                                   {"steps", plan.steps()},
                                   {"clip", Json::number(exact(options.clip))},
                                   {"sigma", Json::number(exact(plan.sigma))},
                                   {"epsilon_1", Json::number(exact(options.epsilon_1))},
                                   {"epsilon_2", Json::number(exact(options.epsilon_2))}});
  label.privacy_unit = plan.unit;
  label.neighbours = Neighbours::replace_one;
  if (plan.is_proved()) {
    plan.cost().put_into(label);
    label.covers = {fmt::format("all that the table holds about {}: the weights of the model", plan.unit)};
    label.does_not_cover = {"the claim of the paper, a smaller epsilon: what is stated here is what is proved",
                            "single attributes, which the paper speaks of: the guarantee is about whole records"};
    if (!assumption.empty()) label.does_not_cover.push_back(assumption);
    label.provenance["features"] = policy.provenance.features;
    label.provenance["hyperparameters"] = policy.provenance.hyperparameters;
    return label;
  }
  label.definition = Definition::none;
  label.warning = "as published: no guarantee; " + plan.reason();
  label.parameters.set("claimed_epsilon", Json::number(exact(plan.claimed_epsilon())))
      .set("claimed_delta", Json::number(exact(options.delta)));
  label.does_not_cover = {"the claim of the paper: " + plan.reason(),
                          "single attributes: changing one of them changes every gradient"};
  return label;
}

}  // namespace gauze::learn
