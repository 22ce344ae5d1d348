#include "gauze/assess/evaluation/setting.h"

namespace gauze::assess {

std::vector<Rational> EvaluationSetting::published_epsilons() {
  std::vector<Rational> epsilons;
  for (const char* text : {"0.1", "0.2", "0.3", "0.5", "0.7", "1", "1.5", "2", "3", "5", "10"})
    epsilons.push_back(*Rational::parse(text));
  return epsilons;
}

void EvaluationSetting::take_roles_from_policy() {
  const std::vector<std::string> targets = policy.names_with(schema::Role::target);
  if (!targets.empty()) {
    target = targets.front();
    positive = policy.find(targets.front())->positive.value_or("");
  }
  protected_columns = policy.names_with(schema::Role::protected_group);
}

std::vector<Candidate> EvaluationSetting::candidates() const {
  std::vector<Candidate> all;
  for (const std::uint64_t k : ks.empty() ? std::vector{policy.privacy.k} : ks)
    for (const Rational& epsilon : epsilons) all.push_back({.k = k, .epsilon = epsilon});
  return all;
}

bool EvaluationSetting::is_allowed(const Rational& epsilon) const {
  if (scenario == nullptr) return true;
  const std::optional<Rational> ceiling = ceiling_of(*scenario);
  return !ceiling || epsilon <= *ceiling;
}

Result<void> EvaluationSetting::check() const {
  if (epsilons.empty() && as_published)
    return invalid_parameter("the list of epsilons is empty: as published there is nothing to find them by");
  for (std::size_t i = 0; i < epsilons.size(); ++i) {
    if (!(epsilons[i] > 0))
      return invalid_parameter("an epsilon must be positive, but is {}", epsilons[i].to_decimal());
    if (i > 0 && !(epsilons[i - 1] < epsilons[i]))
      return invalid_parameter("epsilons must rise, but {} follows {}", epsilons[i].to_decimal(),
                               epsilons[i - 1].to_decimal());
  }
  for (std::size_t i = 0; i < ks.size(); ++i) {
    if (ks[i] < 1) return invalid_parameter("a k must be at least 1, but is {}", ks[i]);
    if (i > 0 && ks[i] <= ks[i - 1]) return invalid_parameter("ks must rise, but {} follows {}", ks[i], ks[i - 1]);
  }
  if (repetitions < 1 || repetitions > 100'000)
    return invalid_parameter("repetitions must lie between 1 and 100,000, but are {}", repetitions);
  if (target && positive.empty())
    return asking_for(
        "positive",
        invalid_parameter(
            "the target {} needs the value that counts as positive, as `positive` in the policy names it", *target));
  if (!(certainty > 0) || !(certainty < 1))
    return invalid_parameter("the certainty must lie between 0 and 1, but is {}", certainty.to_decimal());
  if (!requirements.empty()) {
    const std::size_t least = repetitions_for(certainty.to_double());
    if (static_cast<std::size_t>(repetitions) < least)
      return invalid_parameter(
          "{} repetitions cannot show a certainty of {}, were all of them to meet the requirements: it takes {}",
          repetitions, certainty.to_decimal(), least);
  }
  const double sum = weights.privacy + weights.utility + weights.fairness;
  if (weights.privacy < 0 || weights.utility < 0 || weights.fairness < 0 || !(sum > 0))
    return invalid_parameter("weights must not be negative, and not all 0");
  return {};
}

}  // namespace gauze::assess
